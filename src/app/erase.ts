/** The one path by which stored conversations are erased: one of them (`forget`), or all of a channel or workspace that is gone. */
import type { Failure } from '../core/failure.ts';
import { conversationIdOf } from '../core/ids.ts';
import type { Address, ConversationId, Place } from '../core/ids.ts';
import type { Person } from '../core/message.ts';
import { ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { ChannelSettingsStore } from '../ports/channel-settings.ts';
import type { ConversationStore } from '../ports/conversation-store.ts';
import type { EventStream } from '../ports/event-stream.ts';

export type EraseDeps = {
  readonly store: ConversationStore;
  readonly blobs: BlobStore;
  readonly events: EventStream;
  readonly channels: ChannelSettingsStore;
};

/** The running turn is stopped and loses its claim, and every store forgets. Bytes and events go twice: the turn may have written some until then. */
export const eraseConversation = async (
  deps: Omit<EraseDeps, 'channels'>,
  conversation: ConversationId,
  by: Person,
): Promise<Result<void, Failure>> => {
  const stopped = await deps.store.requestStop(conversation, by);
  if (!stopped.ok) return stopped;
  const { store, blobs, events } = deps;
  for (const forget of [blobs.erase, events.erase, store.erase, blobs.erase, events.erase]) {
    const forgotten = await forget(conversation);
    if (!forgotten.ok) return forgotten;
  }
  return ok(undefined);
};

const platform: Person = { id: '', name: 'the platform' };

/**
 * Everything of a channel or a workspace: its conversations and settings; of an address the one conversation there. Resolves with how many conversations there were. After a failure it
 * may be called again: a conversation is off the list only once all of it is gone.
 */
export const purge = async (deps: EraseDeps, where: Place | Address): Promise<Result<number, Failure>> => {
  if ('thread' in where) {
    const conversation = conversationIdOf(where);
    const known = await deps.store.knows(conversation);
    if (!known.ok || !known.value) return known.ok ? ok(0) : known;
    const erased = await eraseConversation(deps, conversation, platform);
    return erased.ok ? ok(1) : erased;
  }
  const listed = await deps.store.conversationsIn(where);
  if (!listed.ok) return listed;
  for (const conversation of listed.value) {
    const erased = await eraseConversation(deps, conversation, platform);
    if (!erased.ok) return erased;
  }
  const settings = await deps.channels.erase(where);
  return settings.ok ? ok(listed.value.length) : settings;
};
