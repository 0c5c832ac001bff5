/**
 * Commands, the same set on every platform. A command is data plus one function over the little world it is handed;
 * adapters derive their slash commands from the list in `src/commands/index.ts`.
 *
 * `when: 'now'` commands only read and are answered by whoever received them. `when: 'in-turn'` commands change the conversation:
 * they wait in its mailbox, so that they come in order with messages and runs. `stop` is neither: it must overtake the mailbox.
 */
import type { Entry, Session } from './conversation.ts';
import type { Failure } from './failure.ts';
import type { MailboxItem, Person, StoredFile } from './message.ts';
import type { Manifest } from './snapshot.ts';
import type { SnapshotId } from './ids.ts';
import type { Result } from './result.ts';

/** What the authorisation gate is asked about. */
export type Action = 'talk' | 'run-code' | 'read' | 'stop' | 'undo' | 'change-settings' | 'erase';

/** What a command may look at. */
export type CommandView = {
  readonly author: Person;
  readonly session: Session;
  readonly entries: () => Promise<Result<readonly Entry[], Failure>>;
  readonly manifest: (snapshot: SnapshotId | null) => Promise<Result<Manifest, Failure>>;
  /** What the model would be sent now, part by part, for `why`. */
  readonly commands: readonly CommandHelp[];
};
export type CommandHelp = { readonly name: string; readonly description: string; readonly usage: string };

/** What a command wants done; performed by the shell that runs it. */
export type CommandPlan = {
  /** Markdown for the person. */
  readonly text: string;
  readonly files?: readonly { readonly name: string; readonly type: string; readonly content: string }[];
  /** Only the person who asked should see it. */
  readonly private?: boolean;
  /** Entries to append (in-turn commands only). */
  readonly append?: readonly Entry[];
  readonly session?: Session;
  /** A further mailbox item to act on at once, as if it had been sent (`retry`, `py`, `ask`). */
  readonly then?: MailboxItem;
  /** Start a new conversation with a copy of this one's entries up to now. */
  readonly fork?: { readonly title: string };
};

export type CommandCall = {
  readonly args: string;
  readonly item: MailboxItem;
  readonly now: number;
  readonly files: readonly StoredFile[];
};

export type Command = {
  readonly name: string;
  readonly description: string;
  readonly usage: string;
  readonly action: Action;
  readonly when: 'now' | 'in-turn' | 'overtaking';
  readonly run: (call: CommandCall, view: CommandView) => Promise<Result<CommandPlan, Failure>>;
};

/** Checks a command and returns it unchanged. */
export const defineCommand = (command: Command): Command => {
  if (!/^[a-z][a-z-]{0,31}$/.test(command.name)) throw new TypeError(`not a command name: ${command.name}`);
  return command;
};
