/** Discord's settings, and the invitation that is made from them. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { discordSettings, readDiscordConfig } from '../../../adapters/discord/config.ts';
import { inviteText, PERMISSIONS, permissionsWanted } from '../../../adapters/discord/invite.ts';
import { valueOf } from '../../support/results.ts';

const problems = (env: Readonly<Record<string, string>>): readonly string[] => {
  const read = readDiscordConfig(env);
  return !read.ok && read.failure.code === 'config-invalid' ? read.failure.problems : [];
};

describe('the settings', () => {
  it('are off without a token, and take tokens of any shape', () => {
    expect(readDiscordConfig({})).toEqual({ ok: true, value: null });
    for (const token of ['MTIz.abc.def', 'x', 'Bot y', 'ünïcode~token'])
      expect(valueOf(readDiscordConfig({ DISCORD_TOKEN: token }))?.token).toBe(token.replace('Bot ', ''));
  });

  it('are wrong all at once, each in words', () => {
    expect(
      problems({
        DISCORD_TOKEN: 'two words',
        DISCORD_API_URL: 'discord.example',
        DISCORD_SHARDS: '4-2/3',
        DISCORD_MESSAGE_CONTENT: 'maybe',
        DISCORD_COMMAND_GUILD: 'Lab',
      }).map((problem) => problem.split(':')[0]),
    ).toEqual(['DISCORD_TOKEN', 'DISCORD_API_URL', 'DISCORD_MESSAGE_CONTENT', 'DISCORD_SHARDS', 'DISCORD_COMMAND_GUILD']);
  });

  it('are all named in .env.example and docs/discord.md', () => {
    const root = resolve(import.meta.dirname, '../../..');
    const [example, page] = ['.env.example', 'docs/discord.md'].map((path) => readFileSync(resolve(root, path), 'utf8'));
    expect(discordSettings.filter((name) => !example?.includes(`${name}=`))).toEqual([]);
    expect(discordSettings.filter((name) => !page?.includes(name))).toEqual([]);
    expect(permissionsWanted.filter(({ name }) => !page?.includes(name))).toEqual([]);
  });
});

describe('the invitation', () => {
  it('asks for exactly what is needed, for the app that the token is of', () => {
    expect(PERMISSIONS).toBe(397_284_592_704n);
    const link = valueOf(inviteText({ DISCORD_TOKEN: `${Buffer.from('123456789012345678').toString('base64url')}.x.y` }));
    expect(link).toBe(
      'https://discord.com/oauth2/authorize?client_id=123456789012345678&scope=bot+applications.commands&permissions=397284592704',
    );
    expect(valueOf(inviteText({ DISCORD_TOKEN: 'of-another-shape' }))).toContain('General Information');
    expect(inviteText({}).ok).toBe(false);
  });
});
