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
 * messages of the finished post stand already.
 */
export type LiveNote = { readonly messages: readonly Ref[]; readonly kept: number | null };

const stored = z.object({ messages: z.array(z.string()).readonly(), kept: z.number().nullable() }).readonly();
const nameOf = (turn: TurnId): string => `live:${turn}`;

export const readLiveNote = async (notes: Notes, conversation: ConversationId, turn: TurnId): Promise<Result<LiveNote, Failure>> => {
  const read = await notes.get(conversation, nameOf(turn));
  if (!read.ok || read.value === null) return read.ok ? ok({ messages: [], kept: null }) : read;
  try {
    const { messages, kept } = stored.parse(JSON.parse(read.value));
    return ok({ messages: messages.map(decodeRef), kept });
  } catch (cause) {
    return err(failure('entry-unreadable', {}, 'a live note', cause));
  }
};

export const writeLiveNote = (
  notes: Notes,
  conversation: ConversationId,
  turn: TurnId,
  { messages, kept }: LiveNote,
): Promise<Result<void, Failure>> => notes.set(conversation, nameOf(turn), JSON.stringify({ messages: messages.map(encodeRef), kept }));
