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
  run: ({ args }, { commands }) => {
    const name = args.trim().replace(/^[!/]/, '').toLowerCase();
    if (name === '') return Promise.resolve(ok({ text: overview(commands), private: true }));
    const found = commands.find((command) => command.name === name);
    return Promise.resolve(
      found === undefined ? err(failure('command-unknown', { name: name.slice(0, 40) })) : ok({ text: line(found), private: true }),
    );
  },
});

const line = (command: CommandHelp): string => `\`${command.usage}\`: ${command.description}`;

const overview = (commands: readonly CommandHelp[]): string =>
  [
    'Ask me anything. Everybody in this thread, and I, work on one conversation and one Python state.',
    'Start a message with `>>>` to run Python yourself; names and files stay for the next run, yours or mine. `stop` ends what is running.',
    'Commands, written as `!command`:',
    commands.map((command) => `- ${line(command)}`).join('\n'),
  ].join('\n\n');
