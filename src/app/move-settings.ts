/** What was set for a channel holds under its new id. */
import { isDeepStrictEqual } from 'node:util';
import { defaultChannelSettings } from '../core/channel-settings.ts';
import type { Failure } from '../core/failure.ts';
import type { Address } from '../core/ids.ts';
import { ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { ChannelSettingsStore } from '../ports/channel-settings.ts';

/** Set first and forgotten after, so that it may be repeated. A channel that was never set leaves the new one as it is. */
export const moveSettings = async (channels: ChannelSettingsStore, from: Address, to: Address): Promise<Result<void, Failure>> => {
  const settings = await channels.get(from);
  if (!settings.ok) return settings;
  if (from.channel === to.channel || isDeepStrictEqual(settings.value, defaultChannelSettings)) return ok(undefined);
  const set = await channels.set(to, settings.value);
  return set.ok ? channels.erase({ platform: from.platform, workspace: from.workspace, channel: from.channel }) : set;
};
