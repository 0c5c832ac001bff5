import { defaultChannelSettings } from '../../core/channel-settings.ts';
import { ok } from '../../core/result.ts';
import type { ChannelSettingsStore } from '../../ports/channel-settings.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { channelKey } from './keys.ts';
import { decodeChannelSettings, encode } from './records.ts';

/** Settings of channels in Redis; a channel that is as it was at first has no record. */
export const createChannelSettings = ({ client }: { readonly client: RedisClient }): ChannelSettingsStore => ({
  get: async (address) => {
    const reply = await attempt(() => client.get(channelKey(address)));
    if (!reply.ok) return reply;
    return reply.value === null ? ok(defaultChannelSettings) : decodeChannelSettings(reply.value);
  },
  set: async (address, settings) => {
    const reply = await attempt(() => client.set(channelKey(address), encode(settings)));
    return reply.ok ? ok(undefined) : reply;
  },
});
