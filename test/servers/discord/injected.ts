/** Faults that a test asks for: the next requests to a route go wrong in the way it says. */
import type { Json } from './model.ts';

export type Fault = {
  /** An HTTP method, or any. */
  readonly method?: string;
  /** A part of the path without `/api/v10`, such as `/messages`, `/typing`, `cdn` for files, or `*` for all. */
  readonly path: string;
  /** How many requests; 1 where it is not said. */
  times?: number;
  /** Requests to let pass before the first one that goes wrong. */
  skip?: number;
  /** Refused with this code of Discord's, and the status that goes with it. */
  readonly code?: number;
  /** This HTTP status; with `code`, instead of the usual one. Nothing is carried out. */
  readonly status?: number;
  readonly extra?: Json;
  /** 429 with this many seconds. */
  readonly retryAfter?: number;
  readonly scope?: 'user' | 'shared' | 'global';
  /** Milliseconds before the request is carried out. */
  readonly delayMs?: number;
  /** `reply`: carried out, and the connection breaks before the answer; `request`: it breaks before anything is done. */
  readonly drop?: 'reply' | 'request';
};

/** The fault for this request, if one is due; it is used up by that. */
export const takeFault = (faults: Fault[], method: string, path: string): Fault | null => {
  const found = faults.find((one) => (one.method === undefined || one.method === method) && (one.path === '*' || path.includes(one.path)));
  if (found === undefined) return null;
  if ((found.skip ?? 0) > 0) {
    found.skip = (found.skip ?? 0) - 1;
    return null;
  }
  found.times = (found.times ?? 1) - 1;
  if (found.times <= 0) faults.splice(faults.indexOf(found), 1);
  return found;
};
