/**
 * Keeps this process's share of the invalid requests that Discord tolerates: 10,000 answers of 401, 403 and 429 within ten minutes, and it shuts
 * out the address that they came from. Remembers what must not be asked again yet.
 * https://docs.discord.com/developers/topics/rate-limits#invalid-request-limit-aka-cloudflare-bans
 */
const WINDOW_MS = 10 * 60_000;
/** Several processes may stand behind one address. */
const MOST_INVALID = 2_000;
/** A token that was refused is tried again after so long: it may have been an outage that only looked like it. */
const TOKEN_MS = 5 * 60_000;
const MOST_RESTING = 5_000;

export type Guard = {
  /** How long a call must not be made, in milliseconds; 0: it may. `token`: because the token was refused. */
  readonly held: (key: string, auth: boolean) => { readonly ms: number; readonly token: boolean };
  readonly answered: (answer: { readonly status: number; readonly auth: boolean; readonly shared: boolean }) => void;
  /** This call is limited for so long. */
  readonly rest: (key: string, ms: number) => void;
  readonly tokenRefused: () => boolean;
};

export const createGuard = (now: () => number): Guard => {
  let since = -Infinity;
  let invalid = 0;
  let tokenUntil = -Infinity;
  let refused = false;
  const resting = new Map<string, number>();
  return {
    held: (key, auth) => {
      const at = now();
      if (auth && tokenUntil > at) return { ms: tokenUntil - at, token: true };
      if (at - since < WINDOW_MS && invalid >= MOST_INVALID) return { ms: since + WINDOW_MS - at, token: false };
      return { ms: Math.max(0, (resting.get(key) ?? 0) - at), token: false };
    },
    answered: ({ status, auth, shared }) => {
      if (status === 401 && auth) {
        refused = true;
        tokenUntil = now() + TOKEN_MS;
      } else if (auth && status >= 200 && status < 300) refused = false;
      if (!(status === 401 || status === 403 || (status === 429 && !shared))) return;
      if (now() - since >= WINDOW_MS) {
        since = now();
        invalid = 0;
      }
      invalid += 1;
    },
    rest: (key, ms) => {
      resting.delete(key);
      resting.set(key, now() + ms);
      const [oldest] = resting.keys();
      if (resting.size > MOST_RESTING && oldest !== undefined) resting.delete(oldest);
    },
    tokenRefused: () => refused,
  };
};
