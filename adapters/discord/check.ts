/** What the doctor says of Discord: token, intents, permissions by channel, commands; for each fault what to tick where. */
import { advice, fault, good } from '../../src/core/finding.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { CheckDeps } from '../../src/ports/adapter.ts';
import { checkCommands } from './check-commands.ts';
import type { DiscordConfig } from './config.ts';
import { inviteLink, missingPermissions, SCOPES } from './invite.ts';
import { basePermissions, permissionsIn } from './permissions.ts';
import { createCalls } from './rest/calls.ts';
import type { Calls } from './rest/calls.ts';
import { isForbidden, isGone, statusOf, TOKEN_FIX } from './rest/failure.ts';
import { createRest } from './rest/rest.ts';

const OF = 'Discord';
const PORTAL = 'discord.com/developers/applications';
/* https://docs.discord.com/developers/resources/application#application-object-application-flags */
const CONTENT_FLAGS = (1 << 18) | (1 << 19);
/** Servers and channels that are looked at: the doctor has a minute. */
const GUILDS = 10;
const how = { patienceMs: 5_000, timeoutMs: 10_000 } as const;

export const checkDiscord = async (config: DiscordConfig, deps: CheckDeps): Promise<readonly Finding[]> => {
  const calls = createCalls(createRest(config, deps));
  const [application, me] = await Promise.all([calls.application(how), calls.me(how)]);
  if (!application.ok || !me.ok) {
    const why = application.ok ? me : application;
    return [whyNot(why.ok ? '' : why.failure.detail, calls.tokenRefused())];
  }
  const { id, name, flags } = application.value;
  const [gateway, guilds, commands] = await Promise.all([
    checkGateway(calls, config),
    checkGuilds(calls, id, me.value.id),
    checkCommands(calls, config, id),
  ]);
  return [
    good(OF, `DISCORD_TOKEN is of the app ${name} (${id}), where the bot is ${me.value.username}`),
    intents(config, flags),
    ...gateway,
    ...guilds,
    ...commands,
  ];
};

const whyNot = (detail: string, refused: boolean): Finding =>
  refused
    ? fault(OF, 'Discord refuses DISCORD_TOKEN', TOKEN_FIX)
    : fault(OF, `Discord cannot be reached (${detail})`, 'Check the network and DISCORD_API_URL');

const intents = ({ messageContent }: DiscordConfig, flags: number): Finding => {
  const allowed = (flags & CONTENT_FLAGS) !== 0;
  const page = `${PORTAL}, your app, Bot, Privileged Gateway Intents`;
  if (messageContent && !allowed)
    return fault(
      OF,
      'the Message Content intent is not switched on, so Discord closes the connection (4014)',
      `Switch on Message Content Intent at ${page}; or set DISCORD_MESSAGE_CONTENT=off, then only mentions, direct messages and commands are answered`,
    );
  if (messageContent) return good(OF, 'the Message Content intent is switched on: threads go on without mentions');
  return allowed
    ? advice(
        OF,
        'the Message Content intent is switched on but not used',
        'Set DISCORD_MESSAGE_CONTENT=on so that threads go on without mentions',
      )
    : advice(
        OF,
        'without the Message Content intent only mentions, direct messages and commands are answered',
        `Switch it on at ${page}, and set DISCORD_MESSAGE_CONTENT=on`,
      );
};

const checkGateway = async (calls: Calls, { shards }: DiscordConfig): Promise<readonly Finding[]> => {
  const asked = await calls.gateway(how);
  if (!asked.ok)
    return [fault(OF, `the gateway’s address cannot be had (${asked.failure.detail})`, 'Check the network and DISCORD_API_URL')];
  const { shards: wanted, session_start_limit: limit } = asked.value;
  const few = shards.kind === 'range' && shards.of < wanted;
  return [
    few
      ? advice(
          OF,
          `Discord recommends ${wanted} shards, and DISCORD_SHARDS makes ${shards.of}`,
          'Set DISCORD_SHARDS=auto, or a larger whole number',
        )
      : good(OF, `the gateway takes ${wanted === 1 ? 'one shard' : `${wanted} shards`}`),
    ...(limit.remaining < Math.max(20, wanted)
      ? [
          advice(
            OF,
            `only ${limit.remaining} of ${limit.total} sessions may still be started`,
            `Do not restart the gateway for ${Math.ceil(limit.reset_after / 60_000)} minutes`,
          ),
        ]
      : []),
  ];
};

const checkGuilds = async (calls: Calls, application: string, me: string): Promise<readonly Finding[]> => {
  const guilds = await calls.guilds(how);
  if (!guilds.ok) return [fault(OF, `the servers cannot be listed (${guilds.failure.detail})`, 'Check the network')];
  if (guilds.value.length === 0)
    return [advice(OF, 'the bot is in no server yet', `Open ${inviteLink(application)} (npm run discord-invite prints it too)`)];
  const findings = await Promise.all(guilds.value.slice(0, GUILDS).map(({ id, name }) => checkGuild(calls, { id, name }, application, me)));
  return findings.flat();
};

/** Text, announcement and forum channels; what is missing in one may be meant so. */
const TALKED_IN = new Set([0, 5, 15]);
const VIEW = 1n << 10n;
const ADD_REACTIONS = 6n;

const checkGuild = async (
  calls: Calls,
  guild: { readonly id: string; readonly name: string },
  application: string,
  me: string,
): Promise<readonly Finding[]> => {
  const of = `${OF} (${guild.name || guild.id})`;
  const [roles, channels, member] = await Promise.all([
    calls.roles(guild.id, how),
    calls.channels(guild.id, how),
    calls.member(guild.id, me, how),
  ]);
  if (!roles.ok || !channels.ok || !member.ok) {
    const failed = [roles, channels, member].find((one) => !one.ok);
    const detail = failed?.ok === false ? failed.failure.detail : '';
    const left = failed?.ok === false && (isGone(failed.failure) || isForbidden(failed.failure) || statusOf(failed.failure) === 404);
    return [advice(of, `its permissions cannot be read (${detail})`, left ? `Add the bot again: ${inviteLink(application)}` : null)];
  }
  const mine = member.value.roles;
  const base = basePermissions(guild.id, roles.value, mine);
  const missing = missingPermissions(base);
  const inChannels = channels.value
    .filter(({ type }) => TALKED_IN.has(type))
    .flatMap((channel): readonly Finding[] => {
      const here = permissionsIn(channel, base, { guild: guild.id, roles: mine, user: me });
      // A channel that it is kept out of altogether is its people's wish.
      if ((here & VIEW) === 0n) return [];
      const lost = missingPermissions(here).filter(({ bit }) => bit !== ADD_REACTIONS && !missing.some((one) => one.bit === bit));
      if (lost.length === 0) return [];
      const what = lost.map(({ name, why }) => `${name} (without it ${why})`).join(', ');
      return [
        advice(
          of,
          `in #${channel.name ?? channel.id} it lacks ${what}`,
          `In that channel: Edit Channel, Permissions, the bot’s role, allow ${lost.map(({ name }) => name).join(', ')}`,
        ),
      ];
    });
  if (missing.length === 0 && inChannels.length === 0) return [good(of, 'all permissions are granted')];
  return [
    ...missing.map(({ name, why }) =>
      fault(
        of,
        `the permission ${name} is missing: without it ${why}`,
        `Server Settings, Roles, the bot’s role, allow ${name}; or add the bot again with the scopes ${SCOPES}: ${inviteLink(application)}`,
      ),
    ),
    ...inChannels.slice(0, 20),
  ];
};
