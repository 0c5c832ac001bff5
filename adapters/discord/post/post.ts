/** A durable post on its way out: what stands of it already, the rest, and what must go. */
import type { Failure } from '../../../src/core/failure.ts';
import type { ConversationId } from '../../../src/core/ids.ts';
import type { Post } from '../../../src/core/outbound.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { encodePost } from '../encode.ts';
import type { OutMessage } from '../encode.ts';
import { createDraft } from '../live/draft.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import { nothingShown, readLiveNote, writeLiveNote } from '../live/note.ts';
import type { LiveNote } from '../live/note.ts';
import { discordCode } from '../rest/failure.ts';
import { keepCell, readCells } from './cells.ts';
import { deliver } from './deliver.ts';
import type { DeliverDeps } from './deliver.ts';
import { deliverHidden } from './hidden.ts';
import { shortened } from './shortened.ts';
import { patience } from './sender.ts';
import { decodeRef, encodeRef } from './target.ts';
import type { Target } from './target.ts';
import type { Targets } from './targets.ts';

export type PostDeps = DeliverDeps & { readonly targets: Targets };

/** Sends a post. `live`: what this process shows of its turn. */
export const sendPost = async (
  deps: PostDeps,
  conversation: ConversationId,
  post: Post,
  live: LiveTurn | null,
): Promise<Result<void, Failure>> => {
  live?.posted();
  if (post.run !== null && post.run.by === 'model') return keepCell(deps.notes, conversation, post.turn, post.run);
  const cells = post.kind === 'answer' ? await readCells(deps.notes, conversation, post.turn) : ok([]);
  if (!cells.ok) return cells;
  const target = await deps.targets.of(conversation, post.origin, post);
  if (!target.ok) return target;
  const at = target.value;
  const encoded = encodePost(post, cells.value);
  const messages = at.member ? encoded : shortened(encoded, post.text);
  if (post.privateTo !== null && (!at.direct || !at.member)) {
    return deliverHidden(deps, conversation, at, post.privateTo.id, post.key, messages);
  }
  await deps.sender.dropFirst(conversation, at);
  if (post.kind === 'notice' && post.approval !== null) return sendApproval(deps, conversation, at, post, post.approval, messages);
  if (post.kind === 'command' || post.kind === 'notice') {
    const said = await deliver(deps, conversation, at, post.key, messages, 0);
    return said.ok ? ok(undefined) : said;
  }
  const note = await finishLive(deps, conversation, at, post, live, messages);
  if (!note.ok) return note;
  const kept = note.value.kept ?? 0;
  const said = await deliver(deps, conversation, at, post.key, messages.slice(kept), kept);
  // Refused: what was shown of it is all that people have, and stays.
  if (!said.ok) return said;
  for (const message of note.value.messages) await deps.sender.remove(conversation, at, message);
  if (note.value.messages.length > 0) await writeLiveNote(deps.notes, conversation, post.turn, { ...nothingShown, kept });
  return ok(undefined);
};

/** Lets what is shown live become the post, as far as it can, and notes what came of that before anything else is sent. */
const finishLive = async (
  deps: PostDeps,
  conversation: ConversationId,
  target: Target,
  post: Post,
  live: LiveTurn | null,
  messages: readonly OutMessage[],
): Promise<Result<LiveNote, Failure>> => {
  const shown = (await live?.finish()) ?? null;
  const known = await readLiveNote(deps.notes, conversation, post.turn);
  if (!known.ok || known.value.kept !== null) return known;
  if (shown === null && known.value.messages.length === 0 && !known.value.trying) return known;
  const noted = async (): Promise<void> => undefined;
  // What a process that is gone has left standing is gone on with.
  const draft = shown ?? createDraft({ ...deps, conversation, target, key: `draft:${post.turn}`, noted }, known.value);
  const finished = await draft.finish(messages);
  const note: LiveNote = { ...nothingShown, messages: finished.drop, kept: finished.kept };
  const written = await writeLiveNote(deps.notes, conversation, post.turn, note);
  return written.ok ? ok(note) : written;
};

/** A question whether a call may be made, and, under the same id, what was decided: that takes the place of the question and its buttons. */
const sendApproval = async (
  deps: PostDeps,
  conversation: ConversationId,
  target: Target,
  post: Post,
  approval: string,
  messages: readonly OutMessage[],
): Promise<Result<void, Failure>> => {
  const name = `approval:${approval}`;
  const asked = await deps.notes.get(conversation, name);
  if (!asked.ok) return asked;
  const [only, more] = messages;
  if (asked.value !== null && post.actions.length === 0 && only !== undefined && more === undefined) {
    const said = await deps.sender.edit(conversation, target, decodeRef(asked.value), only, patience.answer);
    if (said.ok || discordCode(said.failure) === null) return said;
  }
  const sent = await deliver(deps, conversation, target, post.key, messages, 0);
  if (!sent.ok) return sent;
  if (post.actions.length > 0 && sent.value !== null) await deps.notes.set(conversation, name, encodeRef(sent.value));
  return ok(undefined);
};
