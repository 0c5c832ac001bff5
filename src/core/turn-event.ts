/** What happens in a turn, as it is journalled: every event is a record, so that a turn can be replayed by another worker. */
import { z } from 'zod';
import { grantSchema } from './approval.ts';
import {
  awaitingSchema,
  callIdSchema,
  promptStampSchema,
  sessionSchema,
  toolCallSchema,
  turnIdSchema,
  usageSchema,
} from './conversation.ts';
import { storedFailureSchema } from './failure.ts';
import { mailboxItemSchema, personSchema } from './message.ts';
import { runSchema } from './run.ts';
import { toolResultSchema } from './tool.ts';

/** Counts and times after which a turn must answer with what it has. */
export const turnLimitsSchema = z
  .object({
    steps: z.number().int().positive(),
    calls: z.number().int().positive(),
    callsPerStep: z.number().int().positive(),
    wallMs: z.number().positive(),
  })
  .readonly();
export type TurnLimits = z.infer<typeof turnLimitsSchema>;

/** A call as decoded by the shell: legal name and arguments, or the result that tells the model what was wrong with it. */
const offeredCallSchema = z
  .object({
    call: toolCallSchema,
    problem: toolResultSchema.nullable(),
    /** It needs a person's yes. Journals of before there were approvals have none. */
    grant: grantSchema.nullable().default(null),
  })
  .readonly();

/** What a decision is about: the call that waits, how many others of its turn do, and what the call's server wants back with it. */
const decisionSchema = z
  .object({
    waiting: awaitingSchema,
    others: z.number().int().nonnegative(),
    passBack: z.record(z.string(), z.unknown()).nullable().default(null),
  })
  .readonly();
export type Decision = z.infer<typeof decisionSchema>;

const at = { at: z.number() };
/** What a request used over all its attempts; the cost in micro-dollars, null where unknown. */
const spentFields = { usage: usageSchema.nullable().default(null), costMicros: z.number().int().nonnegative().nullable().default(null) };
export const turnEventSchema = z.discriminatedUnion('type', [
  z
    .object({
      type: z.literal('turn-started'),
      ...at,
      turn: turnIdSchema,
      item: mailboxItemSchema,
      session: sessionSchema,
      limits: turnLimitsSchema,
      /** For an item that is a decision. */
      decision: decisionSchema.nullable().default(null),
    })
    .readonly(),
  z
    .object({
      type: z.literal('model-replied'),
      ...at,
      text: z.string(),
      calls: z.array(offeredCallSchema).readonly(),
      finish: z.enum(['stop', 'tool-calls', 'length', 'filtered']),
      model: z.string(),
      ...spentFields,
      passBack: z.record(z.string(), z.unknown()).nullable(),
      prompts: z.array(promptStampSchema).readonly(),
    })
    .readonly(),
  z.object({ type: z.literal('model-failed'), ...at, failure: storedFailureSchema, text: z.string(), ...spentFields }).readonly(),
  /** A request was broken off, and what it had used by then. */
  z.object({ type: z.literal('model-spent'), ...at, ...spentFields }).readonly(),
  /** The oldest turns were summed up; entries before index `from` are put to the model in these words only. */
  z
    .object({
      type: z.literal('history-summarised'),
      ...at,
      from: z.number().int().nonnegative(),
      text: z.string(),
      model: z.string(),
      outside: z.boolean(),
      prompts: z.array(promptStampSchema).readonly(),
      ...spentFields,
    })
    .readonly(),
  z.object({ type: z.literal('tool-started'), ...at, call: callIdSchema }).readonly(),
  z.object({ type: z.literal('tool-finished'), ...at, call: callIdSchema, result: toolResultSchema }).readonly(),
  z.object({ type: z.literal('code-finished'), ...at, run: runSchema }).readonly(),
  z.object({ type: z.literal('code-failed'), ...at, failure: storedFailureSchema }).readonly(),
  z.object({ type: z.literal('person-joined'), ...at, item: mailboxItemSchema }).readonly(),
  z.object({ type: z.literal('stop-requested'), ...at, by: personSchema, text: z.string() }).readonly(),
  z.object({ type: z.literal('time-ran-out'), ...at, failure: storedFailureSchema, text: z.string() }).readonly(),
]);
export type TurnEvent = z.infer<typeof turnEventSchema>;
export type TurnEventOf<T extends TurnEvent['type']> = Extract<TurnEvent, { type: T }>;
