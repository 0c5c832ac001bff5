/**
 * What goes out. Live operations (`status`, `draft`, `output`) may be dropped, coalesced or fail without loss: latest wins.
 * A `post` is durable: it goes through the conversation's outbox, has a key, and is sent until the platform has it.
 */
import { z } from 'zod';
import { messageIdSchema, turnIdSchema } from './conversation.ts';
import { personSchema } from './message.ts';
import { runFileSchema, runSchema } from './run.ts';

/** One tool call's line under a draft. */
export const progressLineSchema = z.object({ call: z.string(), text: z.string(), state: z.enum(['running', 'done', 'failed']) }).readonly();
export type ProgressLine = z.infer<typeof progressLineSchema>;

/** `origin` is that of the event which is answered, at the beginning of a turn (somebody may have to be named to a stream); later it is empty. */
const statusSchema = z
  .object({
    op: z.literal('status'),
    turn: turnIdSchema,
    state: z.enum(['working', 'idle']),
    text: z.string(),
    origin: z.record(z.string(), z.string()).readonly().default({}),
  })
  .readonly();
/** `text` and `progress` are the whole of what the message shows so far. */
const draftSchema = z
  .object({
    op: z.literal('draft'),
    turn: turnIdSchema,
    message: messageIdSchema,
    text: z.string(),
    progress: z.array(progressLineSchema).readonly(),
  })
  .readonly();
/** `text` is all that the run has printed so far, up to a limit. */
const outputSchema = z.object({ op: z.literal('output'), turn: turnIdSchema, run: z.number().int(), text: z.string() }).readonly();
/** A run has ended in mid-turn; the durable post of the same run follows when the turn is committed. */
const ranSchema = z.object({ op: z.literal('ran'), turn: turnIdSchema, message: messageIdSchema, run: runSchema }).readonly();

export const liveOpSchema = z.discriminatedUnion('op', [statusSchema, draftSchema, outputSchema, ranSchema]);
export type LiveOp = z.infer<typeof liveOpSchema>;

/** Buttons under a post; what a press does is a command of the same name. `approve` and `deny` take the post's `approval` as their argument. */
const actionSchema = z.enum(['retry', 'undo', 'approve', 'deny', 'feedback']);
export type PostAction = z.infer<typeof actionSchema>;

export const postSchema = z
  .object({
    /** Unique in the conversation; a second send with the same key must not show twice. */
    key: z.string(),
    turn: turnIdSchema,
    message: messageIdSchema,
    kind: z.enum(['answer', 'run', 'notice', 'command']),
    /** Markdown as the model or the project wrote it; the adapter turns it into the platform's own form. */
    text: z.string(),
    status: z.enum(['complete', 'cut', 'stopped', 'failed']),
    files: z.array(runFileSchema).readonly(),
    run: runSchema.nullable(),
    /** Null: everybody in the thread. Otherwise only this person should see it, where the platform can do that. */
    privateTo: personSchema.nullable(),
    /** The origin of the event that this answers. */
    origin: z.record(z.string(), z.string()).readonly(),
    actions: z.array(actionSchema).readonly(),
    /** The id of the call that waits for somebody's yes; what `approve` and `deny` are said about. Records of before there were approvals have none. */
    approval: z.string().nullable().default(null),
  })
  .readonly();
export type Post = z.infer<typeof postSchema>;

/** A post for everybody that says nothing but what is given. */
export const newPost = (given: Pick<Post, 'key' | 'turn' | 'message' | 'kind'> & Partial<Post>): Post => ({
  text: '',
  status: 'complete',
  files: [],
  run: null,
  privateTo: null,
  origin: {},
  actions: [],
  approval: null,
  ...given,
});

/** An operation as an adapter may store it, to be shown by another process. */
export const outboundOpSchema = z.discriminatedUnion('op', [
  ...liveOpSchema.options,
  z.object({ op: z.literal('post'), ...postSchema.unwrap().shape }).readonly(),
]);
export type OutboundOp = LiveOp | ({ readonly op: 'post' } & Post);

/** What a platform can take; the renderer keeps to it. Lengths in UTF-16 units. */
export type PlatformLimits = {
  readonly postChars: number;
  readonly filesPerPost: number;
  readonly fileBytes: number;
  /** Least time between two drafts of one conversation, milliseconds. */
  readonly draftIntervalMs: number;
};
