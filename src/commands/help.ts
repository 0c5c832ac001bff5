import { defineCommand, option } from '../core/command.ts';
import type { CommandHelp } from '../core/command.ts';
import { failure } from '../core/failure.ts';
import { err, ok } from '../core/result.ts';

/** Says what can be written here; `help undo` says it of one command. */
export const helpCommand = defineCommand({
  name: 'help',
  description: 'Show what you can write here',
  usage: 'help [command]',
  options: [option('command', 'The command that you want to know about', { completes: true })],
  action: 'read',
  when: 'now',
  run: ({ args }, { commands, platform }) => {
    const name = args.trim().replace(/^[!/]/, '').toLowerCase();
    if (name === '') return Promise.resolve(ok({ text: overview(commands, platform), private: true }));
    const found = commands.find((command) => command.name === name);
    return Promise.resolve(
      found === undefined
        ? err(failure('command-unknown', { name: name.slice(0, 40) }))
        : ok({ text: line(found, platform), private: true }),
    );
  },
});

const line = (command: CommandHelp, platform: string): string => `\`${usageOn(command, platform)}\`: ${command.description}`;

/** Without `[name=…]` of an option that the platform does not have. */
const usageOn = ({ usage, options }: CommandHelp, platform: string): string =>
  options
    .filter(({ notOn }) => notOn.includes(platform))
    .reduce((text, { name }) => text.replace(new RegExp(String.raw` \[${name}=[^\]]*\]`), ''), usage);

/** Slack takes `>>>` for a quotation while somebody types. */
const prompt = (platform: string): string => (platform === 'slack' ? '!py' : '>>>');

const howWritten = (platform: string): string => {
  if (platform === 'discord') return 'as slash commands, or written as `!command`';
  return platform === 'slack'
    ? 'written as `!command` in a thread, or after the slash command outside of threads'
    : 'written as `!command`';
};

const overview = (commands: readonly CommandHelp[], platform: string): string =>
  [
    'Ask me anything. Everybody in this thread, and I, work on one conversation and one Python state.',
    `Start a message with \`${prompt(platform)}\` to run Python yourself; names and files stay for the next run, yours or mine. \`stop\` ends what is running.`,
    `Commands, ${howWritten(platform)}:`,
    commands.map((command) => `- ${line(command, platform)}`).join('\n'),
  ].join('\n\n');
