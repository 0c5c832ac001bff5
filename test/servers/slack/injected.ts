/** Faults that a test asks for: the next calls of a method go wrong in the way it says. */
import type { Json } from './model.ts';

export type Fault = {
  /** A method's name, `*` for all, `upload`, `download`, or `response_url`. */
  readonly method: string;
  readonly channel?: string;
  /** How many calls; 1 where it is not said. */
  times?: number;
  /** Calls to let pass before the first one that goes wrong. */
  skip?: number;
  /** The call is refused with this error. */
  readonly error?: string;
  readonly extra?: Json;
  /** The call is answered with this HTTP status and is not carried out. */
  readonly status?: number;
  readonly body?: string;
  /** 429 with this Retry-After. */
  readonly retryAfter?: number;
  /** Milliseconds before the call is carried out. */
  readonly delayMs?: number;
  /** `reply`: the call is carried out and the connection breaks before the answer; `request`: it breaks before anything is done. */
  readonly drop?: 'reply' | 'request';
};

/** The fault for this call, if one is due; it is used up by that. */
export const takeFault = (faults: Fault[], method: string, channel: string | null): Fault | null => {
  const found = faults.find(
    (one) => (one.method === method || one.method === '*') && (one.channel === undefined || one.channel === channel),
  );
  if (found === undefined) return null;
  if ((found.skip ?? 0) > 0) {
    found.skip = (found.skip ?? 0) - 1;
    return null;
  }
  found.times = (found.times ?? 1) - 1;
  if (found.times <= 0) faults.splice(faults.indexOf(found), 1);
  return found;
};
