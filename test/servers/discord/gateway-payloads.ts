/** The larger payloads of the gateway. */
import { numberIn, textIn } from './json.ts';
import type { Guild, Json } from './model.ts';
import { memberShape, userShape } from './shapes.ts';
import { userOf } from './world.ts';
import type { World } from './world.ts';

/** READY: who the bot is, and the servers that will be told one by one. */
export const readyPayload = (
  world: World,
  session: { readonly id: string; readonly shard: readonly [id: number, count: number] },
  guilds: readonly Guild[],
): Json => ({
  v: 10,
  user: { ...userShape(userOf(world, world.app.id)), verified: true, mfa_enabled: true, flags: 0, email: null },
  user_settings: {},
  session_type: 'normal',
  private_channels: [],
  relationships: [],
  presences: [],
  guilds: guilds.map((guild) => ({ id: guild.id, unavailable: true })),
  session_id: session.id,
  resume_gateway_url: `${world.baseUrl.replace('http', 'ws')}/resume`,
  shard: session.shard,
  application: { id: world.app.id, flags: (world.app.messageContent ? 1 << 19 : 0) | (world.app.guildMembers ? 1 << 15 : 0) },
  guild_join_requests: [],
  geo_ordered_rtc_regions: [],
  auth: {},
  _trace: [],
});

/** The members that were asked for, by their ids or all. */
export const membersPayload = (world: World, guild: Guild, d: Json): Json => {
  const ids = [d['user_ids']].flat().filter((one) => typeof one === 'string');
  const members = [...guild.members.values()].filter((one) => (ids.length > 0 ? ids.includes(one.user) : true));
  const limit = numberIn(d, 'limit');
  return {
    guild_id: guild.id,
    members: (limit > 0 ? members.slice(0, limit) : members).map((one) => ({
      ...memberShape(one),
      user: userShape(userOf(world, one.user)),
    })),
    chunk_index: 0,
    chunk_count: 1,
    not_found: ids.filter((id) => !guild.members.has(id)),
    ...(textIn(d, 'nonce') === '' ? {} : { nonce: textIn(d, 'nonce') }),
  };
};
