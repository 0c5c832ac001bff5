/** What stands of a turn that is not posted yet, as noted for whoever has to finish it: this process or the one after it. */
import { z } from 'zod';
import { failure } from '../../../src/core/failure.ts';
import type { Failure } from '../../../src/core/failure.ts';
import type { ConversationId, TurnId } from '../../../src/core/ids.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { Notes } from '../../../src/ports/notes.ts';
import { decodeRef, encodeRef } from '../post/target.ts';
import type { Ref } from '../post/target.ts';

/**
 * `messages`: while `kept` is null, those that show the turn and may be gone on with; after it, those that must go once the post is out. `kept`: how many
 * messages of the finished post stand already. `made`: how many messages were begun, which is the number in the next one's key; `trying`: what came of
 * that one is not known, and it may stand.
 */
export type LiveNote = {
  readonly messages: readonly Ref[];
  readonly kept: number | null;
  readonly made: number;
  readonly trying: boolean;
};
export const nothingShown: LiveNote = { messages: [], kept: null, made: 0, trying: false };

const stored = z
  .object({ messages: z.array(z.string()).readonly(), kept: z.number().nullable(), made: z.number(), trying: z.boolean() })
  .readonly();
const nameOf = (turn: TurnId): string => `live:${turn}`;

export const readLiveNote = async (notes: Notes, conversation: ConversationId, turn: TurnId): Promise<Result<LiveNote, Failure>> => {
  const read = await notes.get(conversation, nameOf(turn));
  if (!read.ok || read.value === null) return read.ok ? ok(nothingShown) : read;
  try {
    const note = stored.parse(JSON.parse(read.value));
    return ok({ ...note, messages: note.messages.map(decodeRef) });
  } catch (cause) {
    return err(failure('entry-unreadable', {}, 'a live note', cause));
  }
};

export const writeLiveNote = (notes: Notes, conversation: ConversationId, turn: TurnId, note: LiveNote): Promise<Result<void, Failure>> =>
  notes.set(conversation, nameOf(turn), JSON.stringify({ ...note, messages: note.messages.map(encodeRef) }));
