/**
 * What goes out. Live operations (`status`, `draft`, `output`) may be dropped, coalesced or fail without loss: latest wins.
 * A `post` is durable: it goes through the conversation's outbox, has a key, and is sent until the platform has it.
 */
import { z } from 'zod';
import type { MessageId, TurnId } from './ids.ts';
import { messageIdSchema, turnIdSchema } from './conversation.ts';
import { personSchema } from './message.ts';
import type { Run } from './run.ts';
import { runFileSchema, runSchema } from './run.ts';

/** One tool call's line under a draft. */
export type ProgressLine = { readonly call: string; readonly text: string; readonly state: 'running' | 'done' | 'failed' };

export type LiveOp =
  | { readonly op: 'status'; readonly turn: TurnId; readonly state: 'working' | 'idle'; readonly text: string }
  | {
      readonly op: 'draft';
      readonly turn: TurnId;
      readonly message: MessageId;
      readonly text: string;
      readonly progress: readonly ProgressLine[];
    }
  | { readonly op: 'output'; readonly turn: TurnId; readonly run: number; readonly text: string }
  /** A run has ended in mid-turn; the durable post of the same run follows when the turn is committed. */
  | { readonly op: 'ran'; readonly turn: TurnId; readonly message: MessageId; readonly run: Run };

/** Buttons under a post; what a press does is a command of the same name. */
export const actionSchema = z.enum(['retry', 'undo']);

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
    /** Part `part` of `of`, for platforms with short messages; parts are sent in order. */
    part: z.number().int().positive(),
    of: z.number().int().positive(),
  })
  .readonly();
export type Post = z.infer<typeof postSchema>;

export type OutboundOp = LiveOp | ({ readonly op: 'post' } & Post);

/** What a platform can take; the renderer keeps to it. Lengths in UTF-16 units. */
export type PlatformLimits = {
  readonly postChars: number;
  readonly filesPerPost: number;
  readonly fileBytes: number;
  /** Least time between two drafts of one conversation, milliseconds. */
  readonly draftIntervalMs: number;
};
