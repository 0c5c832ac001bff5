/** What stands in a thread of a turn that is not posted yet, as noted for whoever has to finish it: this process or the one after it. */
import { z } from 'zod';
import type { Failure } from '../../../src/core/failure.ts';
import type { ConversationId, TurnId } from '../../../src/core/ids.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { failure } from '../../../src/core/failure.ts';
import type { Notes } from '../../../src/ports/notes.ts';

/**
 * How much of the finished post stands already: its first `parts` messages, or its text up to `cut`. Everything after it is posted.
 */
const keptSchema = z.union([z.object({ cut: z.number() }).readonly(), z.object({ parts: z.number() }).readonly()]);
export type Kept = z.infer<typeof keptSchema>;
export const nothingKept: Kept = { parts: 0 };

/** `messages`: those that must go once the post is out. `kept` null: nobody has decided yet what stays. */
const liveNoteSchema = z.object({ messages: z.array(z.string()).readonly(), kept: keptSchema.nullable() }).readonly();
export type LiveNote = z.infer<typeof liveNoteSchema>;

const nothing: LiveNote = { messages: [], kept: null };
const nameOf = (turn: TurnId): string => `live:${turn}`;

export const readLiveNote = async (notes: Notes, conversation: ConversationId, turn: TurnId): Promise<Result<LiveNote, Failure>> => {
  const read = await notes.get(conversation, nameOf(turn));
  if (!read.ok || read.value === null) return read.ok ? ok(nothing) : read;
  try {
    return ok(liveNoteSchema.parse(JSON.parse(read.value)));
  } catch (cause) {
    return err(failure('entry-unreadable', {}, 'a live note', cause));
  }
};

export const writeLiveNote = (notes: Notes, conversation: ConversationId, turn: TurnId, note: LiveNote): Promise<Result<void, Failure>> =>
  notes.set(conversation, nameOf(turn), JSON.stringify(note));
