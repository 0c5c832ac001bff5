/** Wakes one waiter. Opening it before somebody waits is not lost: the wait then ends at once. */
export type Latch = {
  readonly open: () => void;
  readonly close: () => void;
  /** Resolves when the latch is open, after `ms`, or when the signal aborts, whichever is first. */
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>;
};

export const createLatch = (): Latch => {
  let isOpen = false;
  let waiter: (() => void) | undefined;
  return {
    open: () => {
      isOpen = true;
      waiter?.();
    },
    close: () => {
      isOpen = false;
    },
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const done = (): void => {
          clearTimeout(timer);
          signal.removeEventListener('abort', done);
          waiter = undefined;
          resolve();
        };
        const timer = setTimeout(done, ms);
        signal.addEventListener('abort', done);
        waiter = done;
        if (isOpen || signal.aborted) done();
      }),
  };
};
