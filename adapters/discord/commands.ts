/**
 * Hektor's commands as Discord's: what is deployed, and what comes back. Pure. The list is derived from `Gateway.commands`; typed text
 * (`!undo 3`) and a slash command's options (`/undo run:3`) become the same call.
 * https://docs.discord.com/developers/interactions/application-commands
 */
import { createHash } from 'node:crypto';
import { ApplicationCommandOptionType, ApplicationCommandType, ApplicationIntegrationType, InteractionContextType } from 'discord.js';
import { z } from 'zod';
import { argsOf } from '../../src/core/command.ts';
import type { CommandHelp, CommandOption } from '../../src/core/command.ts';
import { menuNames } from './actions.ts';

const DESCRIPTION_CHARS = 100;
const FILE_OPTION = 'file';
/** Commands that take a file with them. */
const WITH_FILE = new Set(['ask', 'py']);

/** Where a command may be used: in servers, in the bot's DMs, and, where a person has installed the app, anywhere. */
const EVERYWHERE = {
  integration_types: [ApplicationIntegrationType.GuildInstall, ApplicationIntegrationType.UserInstall],
  contexts: [InteractionContextType.Guild, InteractionContextType.BotDM, InteractionContextType.PrivateChannel],
} as const;

/**
 * What commands are called in other languages: by command, and in it by Discord's locale (`de`, `pt-BR`). Whoever uses one sees those words; what
 * comes back bears the name from `src/commands` all the same.
 */
export type Localizations = {
  readonly [command: string]: { readonly [locale: string]: { readonly name?: string; readonly description?: string } };
};

/**
 * The whole set, as it is put to Discord: one slash command for each of Hektor's, and two entries in the menu of messages. A translation is put in
 * here, and goes to Discord with the next start, since it changes the hash.
 */
export const toApplicationCommands = (
  commands: readonly CommandHelp[],
  localizations: Localizations = {},
): readonly ApplicationCommand[] => [
  ...commands.map((command) => ({
    type: ApplicationCommandType.ChatInput,
    name: command.name,
    description: cut(command.description),
    ...translated(localizations[command.name] ?? {}),
    options: [
      // Discord wants what is required first.
      ...command.options.toSorted((a, b) => Number(b.required) - Number(a.required)).map(toOption),
      ...(WITH_FILE.has(command.name)
        ? [{ type: ApplicationCommandOptionType.Attachment, name: FILE_OPTION, description: 'A file to work with', required: false }]
        : []),
    ],
    ...EVERYWHERE,
  })),
  { type: ApplicationCommandType.Message, name: menuNames.ask, ...EVERYWHERE },
  { type: ApplicationCommandType.Message, name: menuNames.run, ...EVERYWHERE },
];

const translated = (words: Localizations[string]) => {
  const entries = Object.entries(words);
  const names = entries.flatMap(([locale, { name }]) => (name === undefined ? [] : [[locale, name] as const]));
  const descriptions = entries.flatMap(([locale, { description }]) =>
    description === undefined ? [] : [[locale, cut(description)] as const],
  );
  return {
    ...(names.length === 0 ? {} : { name_localizations: Object.fromEntries(names) }),
    ...(descriptions.length === 0 ? {} : { description_localizations: Object.fromEntries(descriptions) }),
  };
};

export type ApplicationCommand = {
  readonly type: number;
  readonly name: string;
  readonly name_localizations?: { readonly [locale: string]: string };
  readonly description_localizations?: { readonly [locale: string]: string };
  readonly description?: string;
  readonly options?: readonly { readonly type: number; readonly name: string; readonly description: string; readonly required: boolean }[];
  readonly integration_types: readonly number[];
  readonly contexts: readonly number[];
};

/** Changes when and only when what is deployed changes: Discord allows 200 new commands a day, so nothing is deployed twice. */
export const hashOf = (commands: readonly ApplicationCommand[]): string =>
  createHash('sha256').update(JSON.stringify(commands)).digest('hex').slice(0, 32);

const toOption = (option: CommandOption) => ({
  type: option.kind === 'number' ? ApplicationCommandOptionType.Integer : ApplicationCommandOptionType.String,
  name: option.name,
  description: cut(option.description),
  required: option.required,
  ...(option.choices.length === 0 || option.completes ? {} : { choices: option.choices.map(({ name, value }) => ({ name, value })) }),
  ...(option.completes ? { autocomplete: true } : {}),
});

const cut = (text: string): string => (text.length <= DESCRIPTION_CHARS ? text : `${text.slice(0, DESCRIPTION_CHARS - 1).toWellFormed()}…`);

const optionSchema = z.object({
  name: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]).optional(),
  focused: z.boolean().default(false),
});
const calledSchema = z.object({ name: z.string(), options: z.array(optionSchema).default([]) });

/** A slash command that somebody used. `file`: the id of an attachment among the interaction's resolved ones. */
export type Called = { readonly name: string; readonly args: string; readonly file: string | null };

/** Reads the `data` of an interaction of type 2; null for what is no command of ours. */
export const readCalled = (data: unknown, commands: readonly CommandHelp[]): Called | null => {
  const read = calledSchema.safeParse(data);
  const command = read.success ? commands.find(({ name }) => name === read.data.name) : undefined;
  if (!read.success || command === undefined) return null;
  const values = Object.fromEntries(read.data.options.map(({ name, value }) => [name, value === undefined ? '' : String(value)]));
  const file = values[FILE_OPTION];
  return {
    name: command.name,
    args: argsOf(command, values),
    file: WITH_FILE.has(command.name) && file !== undefined && file !== '' ? file : null,
  };
};

/** What is being typed into an option, out of the `data` of an interaction of type 4. */
export const readTyped = (data: unknown): { readonly command: string; readonly option: string; readonly partial: string } | null => {
  const read = calledSchema.safeParse(data);
  const focused = read.success ? read.data.options.find((one) => one.focused) : undefined;
  if (!read.success || focused === undefined) return null;
  return { command: read.data.name, option: focused.name, partial: focused.value === undefined ? '' : String(focused.value) };
};
