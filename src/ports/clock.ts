/** Time, randomness and new ids come in through here, so that tests can hold them still. */
export type Clock = {
  /** Milliseconds since the epoch. */
  readonly now: () => number;
  /** Resolves after `ms`, or at once when the signal aborts; never rejects. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** A new random id: 21 or more URL-safe characters, unguessable. */
  readonly newId: () => string;
};
