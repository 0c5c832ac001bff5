/** The one kind of job: "look into this conversation". Its names and options, in both directions. Pure. */
import type { JobsOptions } from 'bullmq';
import { z } from 'zod';
import { isConversationId } from '../../core/ids.ts';
import type { ConversationId } from '../../core/ids.ts';

/** One hash tag for all keys of the queue, as Redis Cluster demands. */
export const QUEUE_PREFIX = '{hektor}';
export const QUEUE_NAME = 'turns';
export const WAKE = 'wake';

export type WakeData = { readonly id: string };

/**
 * `keepLastIfActive`: a wake that comes while its conversation is being worked on is kept and released when that pass ends, however it ends;
 * one that comes while another waits is that one. A single attempt: what a failed pass left undone is still in the mailbox and is swept,
 * while a job in back-off would swallow the conversation's next wakes.
 */
export const wakeOptions = (conversation: ConversationId): JobsOptions => ({
  deduplication: { id: conversation, keepLastIfActive: true },
  attempts: 1,
  removeOnComplete: true,
  removeOnFail: { age: 24 * 60 * 60, count: 1_000 },
});

const wakeSchema = z.object({ id: z.string() });

/** Undefined where the job is not one of ours. */
export const decodeWake = (data: unknown): ConversationId | undefined => {
  const parsed = wakeSchema.safeParse(data);
  return parsed.success && isConversationId(parsed.data.id) ? parsed.data.id : undefined;
};
