/** Every command, in the order in which `help` shows them. */
import type { Command, CommandHelp } from '../core/command.ts';
import { approveCommand } from './approve.ts';
import { askCommand } from './ask.ts';
import { denyCommand } from './deny.ts';
import { exportCommand } from './export.ts';
import { feedbackCommand } from './feedback.ts';
import { forgetCommand } from './forget.ts';
import { forkCommand } from './fork.ts';
import { helpCommand } from './help.ts';
import { modelCommand } from './model.ts';
import { personaCommand } from './persona.ts';
import { pyCommand } from './py.ts';
import { resetCommand } from './reset.ts';
import { retryCommand } from './retry.ts';
import { settingsCommand } from './settings.ts';
import { stopCommand } from './stop.ts';
import { undoCommand } from './undo.ts';
import { usageCommand } from './usage.ts';
import { varsCommand } from './vars.ts';
import { whyCommand } from './why.ts';

export const commands: readonly Command[] = [
  askCommand,
  pyCommand,
  varsCommand,
  undoCommand,
  forkCommand,
  exportCommand,
  whyCommand,
  stopCommand,
  retryCommand,
  resetCommand,
  modelCommand,
  personaCommand,
  settingsCommand,
  usageCommand,
  feedbackCommand,
  forgetCommand,
  approveCommand,
  denyCommand,
  helpCommand,
];

/** What `readIntent` needs to know of them. */
export const commandNames: ReadonlySet<string> = new Set(commands.map((command) => command.name));
export const commandHelp: readonly CommandHelp[] = commands.map(({ name, description, usage, options, named }) => ({
  name,
  description,
  usage,
  options,
  named: named === true,
}));
export const commandOf = (name: string): Command | undefined => commands.find((command) => command.name === name);
