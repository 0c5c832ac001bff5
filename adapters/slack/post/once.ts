/** Does something to Slack once, whatever happens meanwhile: lost replies, a worker that dies, a second worker that goes on. */
import { failure } from '../../../src/core/failure.ts';
import type { Failure } from '../../../src/core/failure.ts';
import type { ConversationId } from '../../../src/core/ids.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Notes } from '../../../src/ports/notes.ts';
import { isUnknown, refusal } from '../api/api.ts';

export type OnceDeps = { readonly notes: Notes; readonly clock: Clock };

/**
 * `send` resolves with what is to be remembered (a `ts`), `find` looks for what an earlier attempt, begun at `since`, may have left.
 *
 * A note is claimed before the attempt and replaced by its outcome. So a note that somebody else claimed says that an attempt was begun whose
 * outcome nobody knows; then it is looked for first. Where looking is not allowed to the app (it lacks a scope), it is sent: said twice is
 * better than not said.
 */
export const once = async (
  { notes, clock }: OnceDeps,
  conversation: ConversationId,
  name: string,
  send: () => Promise<Result<string, Failure>>,
  find: (since: number) => Promise<Result<string | null, Failure>>,
): Promise<Result<string, Failure>> => {
  const mine = `try:${clock.now()}:${clock.newId()}`;
  const claimed = await notes.claim(conversation, name, mine);
  if (!claimed.ok) return claimed;
  if (claimed.value.startsWith('ok:')) return ok(claimed.value.slice(3));
  const since = Number(/^try:(\d+)/.exec(claimed.value)?.[1] ?? clock.now());
  const done = async (value: string): Promise<Result<string, Failure>> => {
    // It stands; that this cannot be noted must not make it fail.
    await notes.set(conversation, name, `ok:${value}`);
    return ok(value);
  };
  const earlier = async (): Promise<Result<string | null, Failure>> => {
    const found = await find(since);
    if (found.ok) return found;
    return refusal(found.failure) === null ? err(failure('delivery-unknown', {}, `looking for it: ${found.failure.detail}`)) : ok(null);
  };

  if (claimed.value !== mine) {
    const found = await earlier();
    if (!found.ok) return found;
    if (found.value !== null) return done(found.value);
  }
  for (let attempt = 1; ; attempt += 1) {
    const sent = await send();
    if (sent.ok) return done(sent.value);
    if (!isUnknown(sent.failure)) {
      // Nothing came of it for sure, so nobody has to look for it.
      await notes.remove(conversation, name);
      return sent;
    }
    await clock.sleep(UNKNOWN_MS);
    const found = await earlier();
    if (!found.ok) return found;
    if (found.value !== null) return done(found.value);
    if (attempt === ATTEMPTS) return sent;
  }
};
const ATTEMPTS = 2;
/** What was on its way is there by then, or never comes. */
const UNKNOWN_MS = 1_000;
