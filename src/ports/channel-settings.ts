import type { ChannelSettings } from '../core/channel-settings.ts';
import type { Failure } from '../core/failure.ts';
import type { Address, Place } from '../core/ids.ts';
import type { Result } from '../core/result.ts';

/**
 * The settings of channels, by platform, workspace and channel of an address; its thread does not count. Contract: nothing throws; an
 * unreachable store is `store-unreachable`, a record that does not decode `entry-unreadable`. A channel that was never set has the defaults.
 */
export type ChannelSettingsStore = {
  readonly get: (address: Address) => Promise<Result<ChannelSettings, Failure>>;
  readonly set: (address: Address, settings: ChannelSettings) => Promise<Result<void, Failure>>;
  /** Forgets a channel's settings; where `channel` is null, those of the whole workspace. */
  readonly erase: (where: Place) => Promise<Result<void, Failure>>;
};
