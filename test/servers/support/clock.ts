/** A clock that tests can put forward: what is due at the new time happens at once. */

export type Clock = {
  readonly now: () => number;
  /** Runs `work` when the clock has moved on by `ms`. */
  readonly after: (ms: number, work: () => void) => () => void;
  readonly advance: (ms: number) => void;
  readonly stop: () => void;
};

type Pending = { readonly due: number; readonly work: () => void; timer: NodeJS.Timeout | undefined };

export const createClock = (): Clock => {
  let offset = 0;
  const pending = new Set<Pending>();
  const now = (): number => Date.now() + offset;
  const arm = (one: Pending): void => {
    clearTimeout(one.timer);
    one.timer = setTimeout(
      () => {
        pending.delete(one);
        one.work();
      },
      Math.max(0, Math.min(one.due - now(), 2 ** 31 - 1)),
    );
    one.timer.unref();
  };
  return {
    now,
    after: (ms, work) => {
      const one: Pending = { due: now() + ms, work, timer: undefined };
      pending.add(one);
      arm(one);
      return () => {
        clearTimeout(one.timer);
        pending.delete(one);
      };
    },
    advance: (ms) => {
      offset += ms;
      for (const one of [...pending].toSorted((a, b) => a.due - b.due)) {
        if (one.due > now()) arm(one);
        else if (pending.delete(one)) {
          clearTimeout(one.timer);
          one.work();
        }
      }
    },
    stop: () => {
      for (const one of pending) clearTimeout(one.timer);
      pending.clear();
    },
  };
};
