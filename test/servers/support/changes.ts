/** A count of what has changed in a stand-in, for whoever waits for something to come about. */

export type Changes = {
  /** Grows with each change. */
  readonly revision: () => number;
  readonly changed: () => void;
  /** Resolves when something has changed since `revision`, or after `ms`. */
  readonly change: (given: { readonly revision: number; readonly ms: number }) => Promise<{ readonly revision: number }>;
};

export const createChanges = (): Changes => {
  const listeners = new Set<() => void>();
  let count = 0;
  return {
    revision: () => count,
    changed: () => {
      count += 1;
      for (const listener of listeners) listener();
    },
    change: ({ revision, ms }) => {
      if (count !== revision) return Promise.resolve({ revision: count });
      const { promise, resolve } = Promise.withResolvers<{ readonly revision: number }>();
      const done = (): void => {
        clearTimeout(timer);
        listeners.delete(done);
        resolve({ revision: count });
      };
      const timer = setTimeout(done, ms);
      timer.unref();
      listeners.add(done);
      return promise;
    },
  };
};
