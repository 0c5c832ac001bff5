/** What every store of channel settings must do. See src/ports/channel-settings.ts. */
import { describe, expect, it } from 'vitest';
import { defaultChannelSettings } from '../../src/core/channel-settings.ts';
import type { ChannelSettings } from '../../src/core/channel-settings.ts';
import type { ChannelSettingsStore } from '../../src/ports/channel-settings.ts';
import { valueOf } from '../support/results.ts';

let serial = 0;

export const channelSettingsContract = (name: string, make: () => ChannelSettingsStore): void => {
  const place = () => ({ platform: 'slack', workspace: `T${++serial}-${process.pid}-${name}`, channel: 'C1', thread: '1' });
  const pirate: ChannelSettings = { speak: 'strict', model: 'large', persona: 'A pirate.', threads: 'reply', outsiders: true };

  describe(`channel settings: ${name}`, () => {
    it('are the defaults where nothing was ever set', async () => {
      expect(valueOf(await make().get(place()))).toEqual(defaultChannelSettings);
      expect(defaultChannelSettings).toMatchObject({ speak: 'mention', outsiders: false, persona: '' });
    });

    it('U143: are of one channel, in all its threads, and of no other', async () => {
      const here = place();
      valueOf(await make().set(here, pirate));
      expect(valueOf(await make().get({ ...here, thread: 'another' }))).toEqual(pirate);
      expect(valueOf(await make().get({ ...here, channel: 'C2' }))).toEqual(defaultChannelSettings);
      expect(valueOf(await make().get({ ...here, workspace: 'T9' }))).toEqual(defaultChannelSettings);
      expect(valueOf(await make().get({ ...here, platform: 'discord' }))).toEqual(defaultChannelSettings);
    });

    it('go with their channel, and all with their workspace', async () => {
      const here = place();
      const there = { ...here, channel: 'C2' };
      for (const address of [here, there]) valueOf(await make().set(address, pirate));
      valueOf(await make().erase({ ...here, channel: 'C1' }));
      expect(valueOf(await make().get(here))).toEqual(defaultChannelSettings);
      expect(valueOf(await make().get(there))).toEqual(pirate);
      valueOf(await make().erase({ ...here, channel: null }));
      expect(valueOf(await make().get(there))).toEqual(defaultChannelSettings);
    });
  });
};
