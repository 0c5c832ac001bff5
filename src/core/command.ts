/**
 * Commands, the same set on every platform. A command is data plus one function over the little world it is handed;
 * adapters derive their slash commands from the list in `src/commands/index.ts`.
 *
 * `when: 'now'` commands only read and are answered by whoever received them. `when: 'in-turn'` commands change the conversation:
 * they wait in its mailbox, so that they come in order with messages and runs. `when: 'overtaking'`
 * commands are neither: they act on the conversation at once, past its mailbox (`stop`, `forget`).
 */
import type { Found } from './approval.ts';
import type { DayUse } from './budget.ts';
import type { ChannelSettings } from './channel-settings.ts';
import type { Entry, PromptStamp, Session } from './conversation.ts';
import type { Failure } from './failure.ts';
import type { BlobId, SnapshotId, TurnId } from './ids.ts';
import type { MailboxItem, Person, StoredFile } from './message.ts';
import type { Result } from './result.ts';
import type { Manifest } from './snapshot.ts';

/** What the authorisation gate is asked about. */
export type Action =
  | 'talk'
  | 'run-code'
  | 'read'
  | 'stop'
  | 'undo'
  | 'change-settings'
  | 'change-channel'
  | 'open-channel'
  | 'erase'
  | 'approve';

/** What a command may look at. */
export type CommandView = {
  readonly author: Person;
  /** The platform of the conversation; '' where its id tells none. */
  readonly platform: string;
  readonly session: Session;
  /** Messages wait or a turn runs in this conversation (an in-turn command itself aside). */
  readonly busy: boolean;
  /** All entries, from the first. */
  readonly entries: () => Promise<Result<readonly Entry[], Failure>>;
  /** The state behind a snapshot, the empty one for null; `snapshot-lost` where it is no longer stored. */
  readonly manifest: (snapshot: SnapshotId | null) => Promise<Result<Manifest, Failure>>;
  /** A blob of this conversation; null where it is no longer stored. */
  readonly blob: (id: BlobId) => Promise<Result<Uint8Array | null, Failure>>;
  /** What the person and the channel used today. */
  readonly today: () => Promise<Result<{ readonly person: DayUse; readonly channel: DayUse }, Failure>>;
  /** What the model is sent after these entries, the first of which is the first that counts: part by part in order: the system prompt, the tools, the history. For `why`. */
  readonly sent: (entries: readonly Entry[]) => Promise<Result<readonly SentPart[], Failure>>;
  /** A call that waits for a yes, or what became of it. */
  readonly approval: (id: string, now: number) => Promise<Result<Found, Failure>>;
  /** How the bot behaves in this channel. */
  readonly settings: ChannelSettings;
  readonly commands: readonly CommandHelp[];
  readonly models: readonly ModelChoice[];
};
/** One model that may be chosen; `current` is the one that answers where a thread made no choice. */
export type ModelChoice = { readonly key: string; readonly name: string; readonly current: boolean };
/** One part of a request to the model. `stamp` is null for what is no prompt: the model's own words and calls. */
export type SentPart = {
  readonly role: 'system' | 'tools' | 'user' | 'assistant' | 'tool';
  readonly text: string;
  readonly stamp: PromptStamp | null;
};
export type CommandHelp = {
  readonly name: string;
  readonly description: string;
  readonly usage: string;
  readonly options: readonly CommandOption[];
  /** Typed arguments read `name=value` instead of going by their places. */
  readonly named: boolean;
};

/** One value that a slash command asks for by name. Typed text and options go the same way: `argsOf` makes the one from the other. */
export type CommandOption = {
  readonly name: string;
  /** At most 100 characters. */
  readonly description: string;
  readonly required: boolean;
  readonly kind: 'text' | 'number' | 'choice';
  /** What may be chosen, at most 25; empty for other kinds. */
  readonly choices: readonly Choice[];
  /** `Gateway.complete` has suggestions for what is typed. */
  readonly completes: boolean;
  /** Platforms that have nothing of the kind; there it is neither shown nor taken. */
  readonly notOn: readonly string[];
};
export type Choice = { readonly name: string; readonly value: string };

/** What a command wants done; performed by the shell that runs it. */
export type CommandPlan = {
  /** Markdown for the person; empty where there is nothing to say (`py` and `ask`: the answer to `send` speaks). */
  readonly text: string;
  readonly files?: readonly { readonly name: string; readonly type: string; readonly content: string }[];
  /** Only the person who asked should see it. */
  readonly private?: boolean;
  /** Entries to append (in-turn commands only). */
  readonly append?: readonly Entry[];
  /** The session after the command (in-turn commands only). Where its head is another one, a container that lingers is of no use any more. */
  readonly session?: Session;
  /** An item for the mailbox, as if it had been sent (`retry`, `py`, `ask`; now commands only). */
  readonly send?: MailboxItem;
  /** Start a new conversation with these entries and this session; the blobs that they and the states behind them name are copied. */
  readonly fork?: { readonly entries: readonly Entry[]; readonly session: Session };
  /** End the turn that runs (overtaking commands only). */
  readonly stop?: true;
  /** Erase everything that is stored of this conversation, this command's own item included. */
  readonly erase?: true;
  /** Erase what this person wrote here, and what was answered to them alone (in-turn commands only). */
  readonly forget?: Person;
  /** The channel's settings from now on (now commands only). */
  readonly settings?: ChannelSettings;
  /** What the person thinks of the last answer (now commands only). */
  readonly rating?: { readonly verdict: 'up' | 'down'; readonly words: string };
};

export type CommandCall = {
  readonly args: string;
  readonly item: MailboxItem;
  /** The id that entries appended by the command bear. */
  readonly turn: TurnId;
  readonly now: number;
  readonly files: readonly StoredFile[];
};

export type When = 'now' | 'in-turn' | 'overtaking';

export type Command = {
  readonly name: string;
  readonly description: string;
  readonly usage: string;
  readonly options: readonly CommandOption[];
  readonly named?: true;
  readonly action: Action;
  readonly when: When;
  /** Where some arguments make it another kind of command: showing a setting is not changing it. Null: as above. */
  readonly special?: (args: string) => { readonly action: Action; readonly when: When } | null;
  readonly run: (call: CommandCall, view: CommandView) => Promise<Result<CommandPlan, Failure>>;
};

const NAME = /^[a-z][a-z-]{0,31}$/;

/** An option that is text, as most are; `fields` says what is different. */
export const option = (
  name: string,
  description: string,
  fields: Partial<Omit<CommandOption, 'name' | 'description'>> = {},
): CommandOption => ({
  name,
  description,
  required: false,
  kind: fields.choices === undefined ? 'text' : 'choice',
  choices: [],
  completes: false,
  notOn: [],
  ...fields,
});
/** The options that a command has on this platform. */
export const optionsOn = ({ options }: Pick<CommandHelp, 'options'>, platform: string): readonly CommandOption[] =>
  options.filter(({ notOn }) => !notOn.includes(platform));

/** Choices that are shown as they are written. */
export const choicesOf = (values: readonly string[]): readonly Choice[] => values.map((value) => ({ name: value, value }));

/**
 * The arguments that a person would have typed, from the values of a slash command's options. Values that are empty or not known are left
 * out. `named` commands get `name=value`, quoted where it must be; all others get the values in the order of the options.
 */
export const argsOf = (
  command: Pick<CommandHelp, 'options' | 'named'>,
  values: { readonly [option: string]: string | undefined },
): string =>
  command.options
    .flatMap(({ name }) => {
      const value = values[name];
      if (value === undefined || value.trim() === '') return [];
      return [command.named ? `${name}=${/[\s"]/.test(value) ? JSON.stringify(value) : value}` : value];
    })
    .join(' ');

/** What a call of the command needs of the gate, and when it is done. */
export const kindOf = (command: Command, args: string): { readonly action: Action; readonly when: When } =>
  command.special?.(args) ?? command;

/** Checks a command and returns it unchanged. */
export const defineCommand = (command: Command): Command => {
  if (!NAME.test(command.name)) throw new TypeError(`not a command name: ${command.name}`);
  for (const { name, description, choices } of command.options) {
    if (!NAME.test(name)) throw new TypeError(`not the name of an option: ${name}`);
    if (description.length > 100 || choices.length > 25) throw new TypeError(`${command.name} ${name}: no platform takes so much`);
  }
  return command;
};
