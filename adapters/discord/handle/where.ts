/**
 * Where a message stands, and which session it belongs to.
 *
 * A message in a thread belongs to the thread's session; one at the top of a channel begins a session of its own, or goes on with the one whose
 * answer it replies to. Direct messages are one session after another (`direct-session.ts`). Facts that tie Discord's ids to sessions:
 *
 * | fact            | says                                                     | written by                                  |
 * |-----------------|----------------------------------------------------------|---------------------------------------------|
 * | `thread:<id>`   | the session of a thread that is not named after its id   | the sending half, when it opens one         |
 * | `root:<id>`     | the session of a message of the bot's outside of threads | both halves, when they send one             |
 * | `of:<id>`       | the session of a person's message that its place does not tell | here                                  |
 * | `direct:<id>`   | the session that a direct channel is in                  | here                                        |
 */
import { directSession, decodeDirectSession, directThread, encodeDirectSession } from '../../../src/core/direct-session.ts';
import type { Failure } from '../../../src/core/failure.ts';
import type { Address } from '../../../src/core/ids.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { SharedFacts } from '../../../src/ports/shared-facts.ts';
import { timeOf } from '../decode.ts';
import { channelOf, placeOf, workspaceOf } from '../place.ts';
import type { Place } from '../place.ts';
import type { Calls } from '../rest/calls.ts';

const KEPT_MS = 30 * 24 * 3_600_000;
const REMEMBERED_MS = 10 * 60_000;
const MOST_REMEMBERED = 10_000;

export type Where = {
  /** The place of a channel or thread: as it was told, else remembered, else asked for. */
  readonly place: (told: Place | null, channel: string, guild: string | null) => Promise<Result<Place, Failure>>;
  /** The session of a message, by what it stands in and replies to. `fresh`: a direct channel is to begin a new one with it. */
  readonly session: (place: Place, message: string, repliesTo: string | null, fresh: boolean) => Promise<Result<Address, Failure>>;
  /** The session of a message that was seen before; `own`: it is one of the bot's. */
  readonly sessionOf: (place: Place, message: string, own: boolean) => Promise<Result<Address, Failure>>;
  /** The session of what somebody does where the bot is no member: one after another for each person and channel. */
  readonly personal: (place: Place, event: string, user: string, fresh: boolean) => Promise<Result<Address, Failure>>;
};

export const addressIn = (place: Place, thread: string): Address => ({
  platform: 'discord',
  workspace: workspaceOf(place),
  channel: channelOf(place),
  thread,
});

export const createWhere = ({
  calls,
  shared,
  clock,
}: {
  readonly calls: Calls;
  readonly shared: SharedFacts;
  readonly clock: Clock;
}): Where => {
  const remembered = new Map<string, { readonly place: Place; readonly until: number }>();
  const remember = (place: Place): Place => {
    remembered.delete(place.id);
    remembered.set(place.id, { place, until: clock.now() + REMEMBERED_MS });
    const [oldest] = remembered.keys();
    if (remembered.size > MOST_REMEMBERED && oldest !== undefined) remembered.delete(oldest);
    return place;
  };

  /** The session that a direct channel is in when this event comes; the same where the event is worked off twice. */
  const current = async (name: string, channel: string, event: string, fresh: boolean): Promise<Result<string, Failure>> => {
    const decided = await shared.get(`of:${event}`);
    if (!decided.ok) return decided;
    if (decided.value !== null) return ok(decided.value);
    const last = await shared.get(`direct:${name}`);
    if (!last.ok) return last;
    const now = directSession(decodeDirectSession(last.value), timeOf(event), fresh);
    const thread = directThread(channel, now);
    const claimed = await shared.claim(`of:${event}`, thread, KEPT_MS);
    if (!claimed.ok) return claimed;
    const kept = await shared.set(`direct:${name}`, encodeDirectSession(now), null);
    return kept.ok ? ok(claimed.value) : kept;
  };

  const threadOf = async (place: Place): Promise<Result<string, Failure>> => {
    const named = await shared.get(`thread:${place.id}`);
    return named.ok ? ok(named.value ?? place.id) : named;
  };

  return {
    place: async (told, channel, guild) => {
      if (told !== null) return ok(remember(told));
      const known = remembered.get(channel);
      if (known !== undefined && known.until > clock.now()) return ok(known.place);
      const asked = await calls.channel(channel);
      if (!asked.ok) return asked;
      const { parent_id: parentId, applied_tags: tags } = asked.value;
      // The names of a post's tags stand in its forum.
      const parent = tags.length > 0 && parentId !== null && parentId !== undefined ? await calls.channel(parentId) : null;
      return ok(remember(placeOf(asked.value, guild, parent?.ok === true ? parent.value : null)));
    },
    session: async (place, message, repliesTo, fresh) => {
      if (place.kind === 'thread') {
        const thread = await threadOf(place);
        return thread.ok ? ok(addressIn(place, thread.value)) : thread;
      }
      if (place.kind === 'direct') {
        const thread = await current(place.id, place.id, message, fresh);
        return thread.ok ? ok(addressIn(place, thread.value)) : thread;
      }
      const root = repliesTo === null ? ok(null) : await shared.get(`root:${repliesTo}`);
      if (!root.ok) return root;
      if (root.value === null) return ok(addressIn(place, message));
      const kept = await shared.set(`of:${message}`, root.value, KEPT_MS);
      return kept.ok ? ok(addressIn(place, root.value)) : kept;
    },
    sessionOf: async (place, message, own) => {
      if (place.kind === 'thread') {
        const thread = await threadOf(place);
        return thread.ok ? ok(addressIn(place, thread.value)) : thread;
      }
      const fact = await shared.get(`${own ? 'root' : 'of'}:${message}`);
      if (!fact.ok) return fact;
      if (fact.value !== null) return ok(addressIn(place, fact.value));
      if (place.kind === 'channel') return ok(addressIn(place, message));
      const last = await shared.get(`direct:${place.id}`);
      if (!last.ok) return last;
      const session = decodeDirectSession(last.value);
      return ok(addressIn(place, session === null ? place.id : directThread(place.id, session)));
    },
    personal: async (place, event, user, fresh) => {
      const name = `${place.id}:${user}`;
      const thread = await current(name, name, event, fresh);
      return thread.ok ? ok(addressIn(place, thread.value)) : thread;
    },
  };
};
