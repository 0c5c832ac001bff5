import { defaultChannelSettings } from '../../core/channel-settings.ts';
import { ok } from '../../core/result.ts';
import type { ChannelSettingsStore } from '../../ports/channel-settings.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { channelsKey } from './keys.ts';
import { decodeChannelSettings, encode } from './records.ts';

/** Settings of channels in Redis; a channel that was never set has no record. */
export const createChannelSettings = ({ client }: { readonly client: RedisClient }): ChannelSettingsStore => ({
  get: async (address) => {
    const reply = await attempt(() => client.hget(channelsKey(address), address.channel));
    if (!reply.ok) return reply;
    return reply.value === null ? ok(defaultChannelSettings) : decodeChannelSettings(reply.value);
  },
  set: async (address, settings) => {
    const reply = await attempt(() => client.hset(channelsKey(address), address.channel, encode(settings)));
    return reply.ok ? ok(undefined) : reply;
  },
  erase: async (where) => {
    const key = channelsKey(where);
    const { channel } = where;
    const reply = await attempt(() => (channel === null ? client.unlink(key) : client.hdel(key, channel)));
    return reply.ok ? ok(undefined) : reply;
  },
});
