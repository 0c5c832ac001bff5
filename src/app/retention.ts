/** Conversations are kept for so many days without a message, where the operator set that; then they go by the one path of erasure. */
import type { Person } from '../core/message.ts';
import { ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { Failure } from '../core/failure.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { SharedFacts } from '../ports/shared-facts.ts';
import { eraseConversation } from './erase.ts';
import type { EraseDeps } from './erase.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const ROUND_MS = 60 * 60 * 1000;

export type RetentionDeps = Omit<EraseDeps, 'channels'> & { readonly clock: Clock; readonly log: Log };

const retention: Person = { id: '', name: 'the retention period' };

/** Erases what has been idle for so long; resolves with how many conversations that were. What has messages waiting is not idle. */
export const eraseIdle = async (deps: RetentionDeps, days: number): Promise<Result<number, Failure>> => {
  let count = 0;
  for (;;) {
    const idle = await deps.store.idleSince(deps.clock.now() - days * DAY_MS);
    if (!idle.ok) return idle;
    const before = count;
    for (const conversation of idle.value) {
      const waiting = await deps.store.mailbox(conversation);
      if (!waiting.ok && waiting.failure.code === 'store-unreachable') return waiting;
      if (waiting.ok && waiting.value.length > 0) continue;
      const erased = await eraseConversation(deps, conversation, retention);
      if (!erased.ok) return erased;
      count += 1;
    }
    // Erased ones are off the list, so the next page is another one.
    if (count === before) return ok(count);
  }
};

/** Looks once an hour, in one process of the installation, until disposed. */
export const startRetention = (deps: RetentionDeps & { readonly shared: SharedFacts }, days: number): AsyncDisposable => {
  const leaving = new AbortController();
  const lookOn = async (): Promise<void> => {
    while (!leaving.signal.aborted) {
      const own = deps.clock.newId();
      const claimed = await deps.shared.claim('retention', own, ROUND_MS / 2);
      if (claimed.ok && claimed.value === own) {
        const erased = await eraseIdle(deps, days);
        if (!erased.ok)
          deps.log.warn({ detail: erased.failure.detail }, 'idle conversations could not be erased now; tried again in an hour');
        else if (erased.value > 0) deps.log.info({ count: erased.value, days }, 'conversations were erased after the retention period');
      }
      await deps.clock.sleep(ROUND_MS, leaving.signal);
    }
  };
  const looking = lookOn();
  return {
    [Symbol.asyncDispose]: async () => {
      leaving.abort();
      await looking;
    },
  };
};
