/** What the doctor says of the commands that are handed in to Discord. */
import { advice, good } from '../../src/core/finding.ts';
import type { Finding } from '../../src/core/finding.ts';
import type { DiscordConfig } from './config.ts';
import type { Calls } from './rest/calls.ts';

const how = { patienceMs: 5_000, timeoutMs: 10_000 } as const;

export const checkCommands = async (calls: Calls, { commandGuild }: DiscordConfig, application: string): Promise<readonly Finding[]> => {
  const [here, elsewhere] = await Promise.all([
    calls.commands(application, commandGuild, how),
    commandGuild === null ? Promise.resolve(null) : calls.commands(application, null, how),
  ]);
  if (!here.ok)
    return [
      advice(
        'Discord',
        `the commands cannot be listed (${here.failure.detail})`,
        'If this stays, add the bot again with the scope applications.commands',
      ),
    ];
  const where = commandGuild === null ? 'everywhere' : `to the server ${commandGuild} alone`;
  const twice = elsewhere?.ok === true && elsewhere.value.length > 0;
  if (here.value.length === 0) return [advice('Discord', 'no commands are handed in yet', 'They are when the gateway starts: npm start')];
  return [
    good('Discord', `${here.value.length} commands are handed in ${where}`),
    ...(twice
      ? [
          advice(
            'Discord',
            'commands are handed in everywhere as well, so they show twice',
            'Start the gateway once without DISCORD_COMMAND_GUILD, then with it',
          ),
        ]
      : []),
  ];
};
