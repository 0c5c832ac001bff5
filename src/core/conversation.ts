/**
 * A conversation as it is stored: an append-only list of entries, and the small `Session` record that
 * would otherwise have to be folded from them at every turn.
 */
import { z } from 'zod';
import type { CallId, MessageId, TurnId } from './ids.ts';
import { storedFailureSchema } from './failure.ts';
import { earlierMessageSchema, keySchema, personSchema, snapshotIdSchema, storedFileSchema } from './message.ts';
import { runFileSchema, runSchema } from './run.ts';
import { provenance } from './tool.ts';

const text = (value: unknown): boolean => typeof value === 'string' && value !== '';
export const turnIdSchema = z.custom<TurnId>(text);
export const callIdSchema = z.custom<CallId>(text);
export const messageIdSchema = z.custom<MessageId>(text);

/** Tokens of one model call, as the server reported them; `estimated` where it did not. */
export const usageSchema = z
  .object({
    input: z.number().nonnegative(),
    cachedInput: z.number().nonnegative(),
    output: z.number().nonnegative(),
    reasoning: z.number().nonnegative(),
    estimated: z.boolean(),
  })
  .readonly();
export type Usage = z.infer<typeof usageSchema>;

/** Which words stood behind a model call: prompt id, version, and the hash of the rendered text. */
export const promptStampSchema = z.object({ id: z.string(), version: z.number().int(), hash: z.string() }).readonly();
export type PromptStamp = z.infer<typeof promptStampSchema>;

/** A call as the model made it and as it goes back into the history; `arguments` is JSON text, always an object. */
export const toolCallSchema = z.object({ id: callIdSchema, name: z.string(), arguments: z.string() }).readonly();
export type ToolCall = z.infer<typeof toolCallSchema>;

const base = { at: z.number(), turn: turnIdSchema };

/** A call that the model made and that waits for a person's yes; its result, which says so, stands before it. Nothing of it changes until it is decided. */
export const awaitingSchema = z
  .object({
    kind: z.literal('awaiting'),
    ...base,
    message: messageIdSchema,
    approval: z.string(),
    call: callIdSchema,
    tool: z.string(),
    arguments: z.string(),
    /** Who asked for what led to the call. */
    asker: personSchema,
    expiresAt: z.number(),
  })
  .readonly();

export const entrySchema = z.discriminatedUnion('kind', [
  /** A person's message. `intent: 'run'`: its code was run and not put to the model as a question. */
  z
    .object({
      kind: z.literal('said'),
      ...base,
      message: messageIdSchema,
      key: keySchema,
      author: personSchema,
      text: z.string(),
      intent: z.enum(['ask', 'run']),
      files: z.array(storedFileSchema).readonly(),
    })
    .readonly(),
  /** A run, a person's (`call` null) or the model's. */
  z.object({ kind: z.literal('ran'), ...base, call: callIdSchema.nullable(), message: messageIdSchema, run: runSchema }).readonly(),
  /** The model asked for tools, perhaps with words beside it. */
  z
    .object({
      kind: z.literal('called'),
      ...base,
      step: z.number().int(),
      text: z.string(),
      calls: z.array(toolCallSchema).readonly(),
      passBack: z.record(z.string(), z.unknown()).nullable(),
    })
    .readonly(),
  /** What a call gave; exactly one for each call. `text` is what the model reads. */
  z
    .object({
      kind: z.literal('result'),
      ...base,
      call: callIdSchema,
      name: z.string(),
      text: z.string(),
      failed: z.boolean(),
      run: z.number().int().nullable(),
      ...provenance,
    })
    .readonly(),
  /** The bot's answer; a turn has at most one. `status`: `cut` was ended by a limit. */
  z
    .object({
      kind: z.literal('answered'),
      ...base,
      message: messageIdSchema,
      text: z.string(),
      files: z.array(runFileSchema).readonly(),
      status: z.enum(['complete', 'cut', 'stopped', 'failed']),
      failure: storedFailureSchema.nullable(),
      model: z.string(),
      usage: usageSchema.nullable(),
      /** In micro-dollars; null: unknown. */
      costMicros: z.number().int().nonnegative().nullable().default(null),
      prompts: z.array(promptStampSchema).readonly(),
    })
    .readonly(),
  /** The state was moved by a person: undone, reset, or copied here by a fork. Runs later than `toRun` no longer count. */
  z
    .object({
      kind: z.literal('state-moved'),
      ...base,
      by: personSchema,
      how: z.enum(['undo', 'reset', 'fork']),
      toRun: z.number().int().nonnegative(),
      head: snapshotIdSchema.nullable(),
    })
    .readonly(),
  /** What came before entry `from`, summed up by a model so that the history fits; the entries themselves stay. */
  z
    .object({
      kind: z.literal('summarised'),
      ...base,
      from: z.number().int().nonnegative(),
      text: z.string(),
      model: z.string(),
      /** Words of somebody outside went into it. */
      outside: z.boolean(),
      prompts: z.array(promptStampSchema).readonly(),
    })
    .readonly(),
  /** Messages that nobody said to the bot, read later and quoted to the model before the question of their turn. Untrusted. */
  z.object({ kind: z.literal('heard'), ...base, messages: z.array(earlierMessageSchema).readonly() }).readonly(),
  awaitingSchema,
  /** A person's yes or no to such a call; `message` is the one that asked. After a yes the same turn holds the call again, and its result. */
  z
    .object({
      kind: z.literal('decided'),
      ...base,
      message: messageIdSchema,
      approval: z.string(),
      by: personSchema,
      verdict: z.enum(['approved', 'denied']),
      tool: z.string(),
      arguments: z.string(),
    })
    .readonly(),
  /** Stands in the place of a message whose words were taken back (redact.ts). `replaced`: it was edited and is asked anew further on. */
  z
    .object({
      kind: z.literal('redacted'),
      ...base,
      message: messageIdSchema,
      key: keySchema,
      author: personSchema,
      why: z.enum(['deleted', 'replaced', 'forgotten']),
    })
    .readonly(),
  /** Something the thread was told by the bot itself. */
  z.object({ kind: z.literal('noticed'), ...base, message: messageIdSchema, text: z.string() }).readonly(),
]);
export type Entry = z.infer<typeof entrySchema>;
export type EntryOf<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

/** What a turn needs to know without reading all entries. */
export const sessionSchema = z
  .object({
    /** Number of the last run. Numbers are never used twice, also not after an undo. */
    runs: z.number().int().nonnegative(),
    /** The state the next run starts from; null: empty. */
    head: snapshotIdSchema.nullable(),
    /** Entries before this index are no longer put to the model (`reset`). */
    since: z.number().int().nonnegative(),
    createdAt: z.number(),
    owner: personSchema.nullable(),
    /** What the thread is called; empty: by its first message. Records of before there were titles have none. */
    title: z.string().default(''),
    /** The name of the model that this thread chose; null: its channel's, or the default. Records of before there was a choice have none. */
    model: z.string().nullable().default(null),
    /** How the bot is to present itself in this thread; empty: as itself; null: as its channel has it. */
    persona: z.string().nullable().default(null),
  })
  .readonly();
export type Session = z.infer<typeof sessionSchema>;

export const newSession = (at: number, owner: Session['owner'] = null): Session => ({
  runs: 0,
  head: null,
  since: 0,
  createdAt: at,
  owner,
  title: '',
  model: null,
  persona: null,
});
