/** The Discord adapter's settings, out of the environment. */
import { z } from 'zod';
import type { Failure } from '../../src/core/failure.ts';
import { failure } from '../../src/core/failure.ts';
import type { Result } from '../../src/core/result.ts';
import { err, ok } from '../../src/core/result.ts';

/** Which shards this process holds: as many as Discord recommends, all of them; or a range out of a fixed number. */
export type Shards = { readonly kind: 'auto' } | { readonly kind: 'range'; readonly ids: readonly number[]; readonly of: number };

export type DiscordConfig = {
  readonly token: string;
  /** Base of the REST API without version and without a slash at the end; the gateway's address comes from `/gateway/bot`. */
  readonly apiUrl: string;
  /** Hosts that attachments may come from, lower case, each with or without a port. */
  readonly cdnHosts: readonly string[];
  /** Ask for the Message Content intent: without it only messages that mention the bot, and DMs, can be read. */
  readonly messageContent: boolean;
  readonly shards: Shards;
  /** Commands are deployed to this server only, where they show at once; null: everywhere. For development. */
  readonly commandGuild: string | null;
};

/** The names of all settings, for `.env.example` and its test. */
export const discordSettings = [
  'DISCORD_TOKEN',
  'DISCORD_API_URL',
  'DISCORD_CDN_HOSTS',
  'DISCORD_MESSAGE_CONTENT',
  'DISCORD_SHARDS',
  'DISCORD_COMMAND_GUILD',
] as const;

const CDN_HOSTS = ['cdn.discordapp.com', 'media.discordapp.net'];
const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(:\d{1,5})?$/;

const schema = z.object({
  // Tokens changed their form more than once: any text without white space is taken, and Discord decides.
  DISCORD_TOKEN: z
    .string()
    .transform((token) => token.replace(/^Bot\s+/i, ''))
    .refine((token) => /^\S+$/.test(token), 'DISCORD_TOKEN: must be the bot’s token, without spaces (Developer Portal, Bot, Reset Token)'),
  // Plain http is taken, as a proxy or a stand-in beside it in one network speaks it; docs/configuration.md says what that means.
  DISCORD_API_URL: z
    .url({ protocol: /^https?$/, error: 'DISCORD_API_URL: must be a URL' })
    .transform((url) => url.replace(/\/+$/, '').replace(/\/v\d+$/, ''))
    .default('https://discord.com/api'),
  DISCORD_CDN_HOSTS: z
    .string()
    .transform((list) => list.split(',').flatMap((host) => (host.trim() === '' ? [] : [host.trim().toLowerCase()])))
    .refine((hosts) => hosts.every((host) => HOST.test(host)), 'DISCORD_CDN_HOSTS: must be host names, separated by commas')
    .default([]),
  DISCORD_MESSAGE_CONTENT: z.enum(['on', 'off'], 'DISCORD_MESSAGE_CONTENT: must be on or off').default('on'),
  DISCORD_SHARDS: z
    .string()
    .transform(readShards)
    .refine((shards) => shards !== null, 'DISCORD_SHARDS: must be auto, or a range and the whole number, such as 0-3/8')
    .default({ kind: 'auto' }),
  DISCORD_COMMAND_GUILD: z
    .string()
    .regex(/^\d{15,21}$/, 'DISCORD_COMMAND_GUILD: must be the id of a server (a number)')
    .optional(),
});

function readShards(text: string): Shards | null {
  if (text === 'auto') return { kind: 'auto' };
  const [, from, to, whole] = /^(\d{1,4})(?:-(\d{1,4}))?\/(\d{1,4})$/.exec(text) ?? [];
  if (from === undefined || whole === undefined) return null;
  const [first, last, of] = [Number(from), Number(to ?? from), Number(whole)];
  if (first > last || last >= of) return null;
  return { kind: 'range', ids: Array.from({ length: last - first + 1 }, (_, index) => first + index), of };
}

/** Reads Discord's settings; null where Discord is not set up. Every problem is reported at once. */
export const readDiscordConfig = (env: { readonly [name: string]: string | undefined }): Result<DiscordConfig | null, Failure> => {
  const set = Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || value.trim() === '' ? [] : [[name, value.trim()]])),
  );
  if (!('DISCORD_TOKEN' in set)) return ok(null);
  const read = schema.safeParse(set);
  if (!read.success) {
    const problems = read.error.issues.map((issue) => issue.message);
    return err(failure('config-invalid', { problems }, problems.join('; ')));
  }
  const it = read.data;
  return ok({
    token: it.DISCORD_TOKEN,
    apiUrl: it.DISCORD_API_URL,
    cdnHosts: [...CDN_HOSTS, ...it.DISCORD_CDN_HOSTS],
    messageContent: it.DISCORD_MESSAGE_CONTENT === 'on',
    shards: it.DISCORD_SHARDS ?? { kind: 'auto' },
    commandGuild: it.DISCORD_COMMAND_GUILD ?? null,
  });
};
