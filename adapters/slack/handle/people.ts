/** What people are called, as Slack tells it; remembered for a while. A name that cannot be learned now costs nobody their answer. */
import { z } from 'zod';
import { clean } from '../../../src/core/trust.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import { attempt } from '../api/client.ts';
import type { SlackClient } from '../api/client.ts';
import { inboundLimits } from '../limits.ts';

export type People = {
  /** The names of these users of a workspace, as far as they can be learned within a few seconds. Never rejects. */
  readonly names: (workspace: string, client: SlackClient, ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
};

const MAX_REMEMBERED = 20_000;
const MAX_AT_ONCE = 30;
const PATIENCE_MS = 3_000;
/** After a refusal nobody asks again for so long: somebody of another organisation is hidden for good, a rate limit is not. */
const UNKNOWN_MS = 60_000;

const name = z.string().nullish();
const reply = z.looseObject({
  user: z.looseObject({
    name,
    real_name: name,
    profile: z.looseObject({ display_name: name, real_name: name }).nullish(),
  }),
});

export const createPeople = (clock: Clock): People => {
  const known = new Map<string, { readonly name: Promise<string | null>; readonly until: number }>();
  const ask = async (client: SlackClient, id: string): Promise<string | null> => {
    const asked = await attempt(() => client.read.users.info({ user: id }));
    const read = asked.ok ? reply.safeParse(asked.value) : undefined;
    if (read?.success !== true) return null;
    const { profile, real_name: realName, name: handle } = read.data.user;
    const shown = profile?.display_name || profile?.real_name || realName || handle || '';
    const line = clean(shown).replace(/\s+/g, ' ').trim().slice(0, 100).toWellFormed();
    return line === '' ? null : line;
  };
  const nameOf = (workspace: string, client: SlackClient, id: string): Promise<string | null> => {
    const key = `${workspace}/${id}`;
    const before = known.get(key);
    if (before !== undefined && before.until > clock.now()) return before.name;
    const asked = ask(client, id);
    known.delete(key);
    known.set(key, { name: asked, until: clock.now() + inboundLimits.nameMs });
    void asked.then((found) => {
      if (found === null) known.set(key, { name: asked, until: clock.now() + UNKNOWN_MS });
      return found;
    });
    const [oldest] = known.keys();
    if (known.size > MAX_REMEMBERED && oldest !== undefined) known.delete(oldest);
    return asked;
  };
  return {
    names: async (workspace, client, ids) => {
      const waited = new AbortController();
      const late = clock.sleep(PATIENCE_MS, waited.signal).then(() => null);
      const found = await Promise.all(
        [...new Set(ids)].slice(0, MAX_AT_ONCE).map(async (id) => [id, await Promise.race([nameOf(workspace, client, id), late])] as const),
      );
      waited.abort();
      return new Map(found.flatMap(([id, known]) => (known === null ? [] : [[id, known] as const])));
    },
  };
};
