/** What the doctor says of Discord, against the stand-in. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkDiscord } from '../../../adapters/discord/check.ts';
import { readDiscordConfig } from '../../../adapters/discord/config.ts';
import { startDiscordServer } from '../../servers/discord/server.ts';
import type { DiscordServer } from '../../servers/discord/server.ts';
import { createMemoryDeps } from '../../support/memory-ports.ts';
import { valueOf } from '../../support/results.ts';

describe('the doctor', () => {
  let discord: DiscordServer;
  beforeAll(async () => {
    discord = await startDiscordServer();
  });
  afterAll(() => discord[Symbol.asyncDispose]());
  const look = async (env: Readonly<Record<string, string>> = {}) => {
    const config = valueOf(readDiscordConfig({ DISCORD_TOKEN: discord.token, DISCORD_API_URL: discord.apiUrl, ...env }));
    if (config === null) throw new TypeError('no configuration');
    return checkDiscord(config, createMemoryDeps().inbound);
  };

  it('finds nothing wrong where nothing is', async () => {
    const found = await look();
    expect(found.filter(({ kind }) => kind === 'fault')).toEqual([]);
    expect(found.map(({ text }) => text).join('\n')).toContain('all permissions are granted');
  });

  it('D28: says which intent to switch on, and what works without', async () => {
    await discord.control.app({ messageContent: false });
    expect((await look()).filter(({ kind }) => kind === 'fault')).toEqual([
      expect.objectContaining({ text: expect.stringContaining('4014'), fix: expect.stringContaining('Privileged Gateway Intents') }),
    ]);
    expect((await look({ DISCORD_MESSAGE_CONTENT: 'off' })).filter(({ kind }) => kind === 'fault')).toEqual([]);
    await discord.control.app({ messageContent: true });
  });

  it('names the permission that a channel or the whole server lacks, and where to allow it', async () => {
    await discord.control.permit({ channel: 'random', user: 'hektor', deny: ['AttachFiles'] });
    const inChannel = (await look()).filter(({ kind }) => kind === 'advice');
    expect(inChannel.map(({ text }) => text).join()).toContain('in #random it lacks Attach Files');
    await discord.control.role({ name: 'bot', permissions: ['ViewChannel', 'SendMessages'] });
    const missing = (await look()).filter(({ kind }) => kind === 'fault').map(({ text }) => text);
    // What everybody may do, it may, too.
    expect(missing.join()).toContain('Manage Threads');
    expect(missing.join()).not.toContain('Read Message History');
  });

  it('tells a token that is refused from a network that is away', async () => {
    const refused = await look({ DISCORD_TOKEN: 'not-this-one' });
    expect(refused).toEqual([expect.objectContaining({ kind: 'fault', text: 'Discord refuses DISCORD_TOKEN' })]);
    const away = await look({ DISCORD_API_URL: 'http://127.0.0.1:9' });
    expect(away).toEqual([expect.objectContaining({ kind: 'fault', text: expect.stringContaining('cannot be reached') })]);
  });
});
