/** A durable post on its way out: what stands of it already, the rest, its files, and what must go. */
import { z } from 'zod';
import type { Failure } from '../../../src/core/failure.ts';
import type { ConversationId, TurnId } from '../../../src/core/ids.ts';
import type { Post } from '../../../src/core/outbound.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { foldedCell, foldedCellSchema } from '../../../src/core/run-text.ts';
import type { FoldedCell } from '../../../src/core/run-text.ts';
import { patience, refusal, replies } from '../api/api.ts';
import type { Place } from '../api/api.ts';
import { answerDirectly } from './answer-directly.ts';
import { deliverFiles } from './deliver-files.ts';
import type { FileDeps } from './deliver-files.ts';
import { deliverHidden, deliverMessages, deliverResponse } from './deliver.ts';
import type { DeliverDeps } from './deliver.ts';
import { encodePost, toUpdateArgs } from '../encode.ts';
import type { EncodedPost, OutMessage, Render } from '../encode.ts';
import { nothingKept, readLiveNote, writeLiveNote } from '../live/live-notes.ts';
import type { LiveNote } from '../live/live-notes.ts';
import type { LiveTurn } from '../live/live-turn.ts';
import { isDirect } from './place.ts';
import { removeMessages } from './remove-messages.ts';
import { isResponseUrl } from './respond.ts';
import { restOf } from '../live/stream-text.ts';

export type PostDeps = DeliverDeps & FileDeps & { readonly renderFor: (origin: Post['origin']) => Render };

/** Sends a post. `live`: what this process shows of its turn. */
export const sendPost = async (
  deps: PostDeps,
  conversation: ConversationId,
  place: Place,
  post: Post,
  live: LiveTurn | null,
): Promise<Result<void, Failure>> => {
  live?.posted();
  if (post.run !== null && post.run.by === 'model') return keepCell(deps, conversation, post, post.run);
  const cells = post.kind === 'answer' ? await readCells(deps, conversation, post.turn) : ok([]);
  if (!cells.ok) return cells;
  const whole = encodePost(post, deps.renderFor(post.origin), cells.value);
  const said = await sendThere(deps, conversation, place, post, live, whole);
  return said.ok ? said : ((await answerDirectly(deps, conversation, place, post, said.failure, whole)) ?? said);
};

const sendThere = async (
  deps: PostDeps,
  conversation: ConversationId,
  place: Place,
  post: Post,
  live: LiveTurn | null,
  whole: EncodedPost,
): Promise<Result<void, Failure>> => {
  if (post.privateTo !== null && !isDirect(place)) return sendHidden(deps, conversation, place, post, post.privateTo.id, whole.messages);
  if (post.kind === 'notice' && post.approval !== null) return sendApproval(deps, conversation, place, post, post.approval, whole.messages);
  const url = post.origin['response_url'] ?? '';
  if (post.kind === 'command' && isResponseUrl(url, deps.apiUrl)) {
    const said = await deliverResponse(deps, conversation, place, post.key, whole.messages, url);
    return said.ok ? deliverFiles(deps, conversation, place, post.key, post.files, whole.files) : said;
  }
  if (post.kind === 'command' || post.kind === 'notice') {
    const said = await deliverMessages(deps, conversation, place, post.key, whole.messages, 0);
    return said.ok ? deliverFiles(deps, conversation, place, post.key, post.files, whole.files) : said;
  }
  const note = await finishLive(deps, conversation, post, live, whole);
  if (!note.ok) return note;
  const kept = note.value.kept ?? nothingKept;
  const rest =
    'parts' in kept
      ? { first: kept.parts, messages: whole.messages.slice(kept.parts), files: whole.files }
      : { first: 0, ...whole.rest(restOf(post.text, kept.cut).text) };
  const said = await deliverMessages(deps, conversation, place, post.key, rest.messages, rest.first);
  if (!said.ok) return said;
  // Only now: before, they were all that people could read.
  await removeMessages(deps, place, note.value.messages);
  if (note.value.messages.length > 0) await writeLiveNote(deps.notes, conversation, post.turn, { messages: [], kept });
  return deliverFiles(deps, conversation, place, post.key, post.files, rest.files);
};

/** Lets what is shown live become the post, as far as it can, and notes what came of that before anything else is sent. */
const finishLive = async (
  deps: PostDeps,
  conversation: ConversationId,
  post: Post,
  live: LiveTurn | null,
  { messages, under }: EncodedPost,
): Promise<Result<LiveNote, Failure>> => {
  const known = await readLiveNote(deps.notes, conversation, post.turn);
  if (!known.ok) return known;
  const finished = await live?.finish((scene) => ({
    text: post.text,
    progress: scene.progress,
    under,
    messages,
    mark: post.key,
  }));
  if (finished === undefined || finished === null) return known;
  const note: LiveNote = { messages: finished.drop, kept: finished.kept };
  const noted = await writeLiveNote(deps.notes, conversation, post.turn, note);
  return noted.ok ? ok(note) : noted;
};

const sendHidden = async (
  deps: PostDeps,
  conversation: ConversationId,
  place: Place,
  post: Post,
  user: string,
  messages: readonly OutMessage[],
): Promise<Result<void, Failure>> => {
  const responseUrl = post.origin['response_url'] ?? '';
  const said = await deliverHidden(deps, conversation, place, post.key, messages, { user, responseUrl });
  if (!said.ok || post.files.length === 0) return said.ok ? ok(undefined) : said;
  // Files cannot be whispered: they go where only this person reads.
  const opened = await deps.api.call('conversations.open', place, { users: user }, replies.channel, patience.answer);
  if (!opened.ok) return opened;
  return deliverFiles(deps, conversation, { ...place, channel: opened.value.channel.id, thread: '' }, post.key, post.files, []);
};

/** A question whether a call may be made, and, under the same id, what was decided: that takes the place of the question and its buttons. */
const sendApproval = async (
  deps: PostDeps,
  conversation: ConversationId,
  place: Place,
  post: Post,
  approval: string,
  messages: readonly OutMessage[],
): Promise<Result<void, Failure>> => {
  const name = `approval:${approval}`;
  const asked = await deps.notes.get(conversation, name);
  if (!asked.ok) return asked;
  const [only, more] = messages;
  if (asked.value !== null && post.actions.length === 0 && only !== undefined && more === undefined) {
    const said = await deps.api.call(
      'chat.update',
      place,
      toUpdateArgs(place, asked.value, only, `${post.key}:0`),
      replies.done,
      patience.answer,
    );
    if (said.ok) return ok(undefined);
    if (refusal(said.failure) === null) return said;
  }
  const sent = await deliverMessages(deps, conversation, place, post.key, messages, 0);
  if (!sent.ok) return sent;
  if (post.actions.length > 0) await deps.notes.set(conversation, name, sent.value);
  return ok(undefined);
};

const cellsNote = (turn: TurnId): string => `cells:${turn}`;
const cellsSchema = z.array(foldedCellSchema);

/** A run of the model is no message of its own: it is kept until the answer is posted, and stands folded under that. */
const keepCell = async (
  deps: PostDeps,
  conversation: ConversationId,
  post: Post,
  run: NonNullable<Post['run']>,
): Promise<Result<void, Failure>> => {
  const known = await readCells(deps, conversation, post.turn);
  if (!known.ok) return known;
  if (known.value.some((cell) => cell.n === run.n)) return ok(undefined);
  // A note holds 64 KB; the last runs are what people look for.
  const cells = [...known.value, foldedCell(run)].slice(-10);
  return deps.notes.set(conversation, cellsNote(post.turn), JSON.stringify(cells));
};

const readCells = async (deps: PostDeps, conversation: ConversationId, turn: TurnId): Promise<Result<readonly FoldedCell[], Failure>> => {
  const noted = await deps.notes.get(conversation, cellsNote(turn));
  if (!noted.ok) return noted;
  const read = cellsSchema.safeParse(noted.value === null ? [] : JSON.parse(noted.value));
  return ok(read.success ? read.data : []);
};
