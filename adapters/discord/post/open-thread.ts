/** A thread that the bot begins by itself: a message in the channel and the thread on it, or a post of a forum. */
import { ThreadAutoArchiveDuration } from 'discord.js';
import { failure } from '../../../src/core/failure.ts';
import type { Failure } from '../../../src/core/failure.ts';
import { addressOf } from '../../../src/core/ids.ts';
import { newPost } from '../../../src/core/outbound.ts';
import type { Address, ConversationId } from '../../../src/core/ids.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { ThreadRequest } from '../../../src/ports/adapter.ts';
import { encodePost, toCreateBody } from '../encode.ts';
import type { OutMessage } from '../encode.ts';
import { threadName } from '../markdown.ts';
import { discordCode } from '../rest/failure.ts';
import { messageId, turnId } from '../../../src/core/ids.ts';
import { deliver } from './deliver.ts';
import type { PostDeps } from './post.ts';
import type { Target } from './target.ts';

const EXISTS = 160_004;
const FORUMS = new Set([15, 16]);

/** The same key opens one thread. */
export const openThread = async (deps: PostDeps, from: ConversationId, request: ThreadRequest): Promise<Result<Address, Failure>> => {
  const address = addressOf(from);
  if (address === undefined) return err(failure('delivery-refused', {}, 'not the id of a conversation in Discord'));
  // There are no threads in direct messages, nor where the bot is no member.
  if (address.workspace === 'dm' || request.origin['member'] === 'no')
    return err(failure('delivery-refused', {}, 'Discord has no threads in direct messages'));
  const channel = await deps.calls.channel(address.channel);
  if (!channel.ok) return channel;
  const [root, ...more] = rootOf(request);
  if (root === undefined) return err(failure('delivery-refused', {}, 'nothing to begin a thread with'));
  const thread = FORUMS.has(channel.value.type)
    ? await openPost(deps, from, address, request, root)
    : await openOnOwn(deps, from, address, request, root);
  if (!thread.ok) return thread;
  const said = await deliver(deps, from, targetIn(address, thread.value), `open:${request.key}`, more, 1);
  return said.ok ? ok({ ...address, thread: thread.value }) : said;
};

const targetIn = ({ channel }: Address, thread: string): Target => ({
  channel: thread,
  parent: channel,
  direct: false,
  reply: '',
  question: '',
  session: '',
  user: '',
  token: null,
  member: true,
});

const body = (title: string) => ({ name: threadName(title), auto_archive_duration: ThreadAutoArchiveDuration.ThreeDays });

const openOnOwn = async (
  deps: PostDeps,
  from: ConversationId,
  address: Address,
  { key, title }: ThreadRequest,
  root: OutMessage,
): Promise<Result<string, Failure>> => {
  const said = await deliver(deps, from, targetIn(address, address.channel), `open:${key}`, [root], 0);
  if (!said.ok) return said;
  const message = said.value?.id ?? '';
  const opened = await deps.calls.startThreadOn(address.channel, message, body(title));
  return opened.ok || discordCode(opened.failure) === EXISTS ? ok(message) : opened;
};

/** A post of a forum comes with its first message. What is asked for twice is prevented by a note. */
const openPost = async (
  { calls, notes }: PostDeps,
  from: ConversationId,
  address: Address,
  { key, title, origin }: ThreadRequest,
  root: OutMessage,
): Promise<Result<string, Failure>> => {
  const name = `opened:${key}`;
  const noted = await notes.get(from, name);
  if (!noted.ok) return noted;
  if (noted.value !== null) return ok(noted.value);
  const message = toCreateBody(root, { reply: '', nonce: null });
  const post = { ...body(title), message };
  let opened = await calls.startThread(address.channel, post);
  if (!opened.ok && discordCode(opened.failure) === 40_067) {
    // A forum that asks for a tag: the new post has those of the one that it goes on from.
    const before = await calls.channel(origin['channel'] || address.thread);
    if (before.ok) opened = await calls.startThread(address.channel, { ...post, applied_tags: before.value.applied_tags.slice(0, 5) });
  }
  if (!opened.ok) return opened;
  await notes.set(from, name, opened.value.id);
  return ok(opened.value.id);
};

const rootOf = ({ key, title, text }: ThreadRequest): readonly OutMessage[] =>
  encodePost(
    newPost({
      key,
      turn: turnId(key),
      message: messageId(key),
      kind: 'notice',
      text: text.trim() === '' ? title || 'New thread' : text,
    }),
  );
