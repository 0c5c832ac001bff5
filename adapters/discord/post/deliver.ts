/** Messages of a post, in order, each once: whatever is lost on the way, whoever dies meanwhile. */
import { z } from 'zod';
import type { Failure } from '../../../src/core/failure.ts';
import type { ConversationId } from '../../../src/core/ids.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { OutMessage } from '../encode.ts';
import { isUnknown } from '../rest/failure.ts';
import { patience } from './sender.ts';
import type { SendDeps, Sender } from './sender.ts';
import { decodeRef, encodeRef, timeOfRef } from './target.ts';
import type { Ref, Target } from './target.ts';

export type DeliverDeps = SendDeps & { readonly sender: Sender };

/** So long Discord itself keeps a message with the same nonce from being said twice. */
const NONCE_MS = 2 * 60_000;
/** Clocks differ: ours from Discord's. */
const SLACK_MS = 60_000;

/**
 * Sends messages number `first` and up of the post `key`: the next one only when the one before is there. Resolves with the last one, null where
 * there was none.
 */
export const deliver = async (
  deps: DeliverDeps,
  conversation: ConversationId,
  target: Target,
  key: string,
  messages: readonly OutMessage[],
  first: number,
): Promise<Result<Ref | null, Failure>> => {
  let last: Ref | null = null;
  for (const [index, message] of messages.entries()) {
    const sent = await once(deps, conversation, target, message, `${key}:${first + index}`, first + index === 0);
    if (!sent.ok) return sent;
    last = sent.value;
  }
  return ok(last);
};

/**
 * A note is claimed before the attempt and replaced by its outcome. A claim of somebody else's says that an attempt was begun whose outcome
 * nobody knows: soon after it the nonce makes a second one harmless, later the message is looked for.
 */
const once = async (
  deps: DeliverDeps,
  conversation: ConversationId,
  target: Target,
  message: OutMessage,
  key: string,
  first: boolean,
): Promise<Result<Ref, Failure>> => {
  const { notes, clock, sender } = deps;
  const name = `sent:${key}`;
  const mine = `try:${clock.now()}:${clock.newId()}`;
  const claimed = await notes.claim(conversation, name, mine);
  if (!claimed.ok) return claimed;
  if (claimed.value.startsWith('ok:')) return ok(decodeRef(claimed.value.slice(3)));
  const done = async (at: Ref): Promise<Result<Ref, Failure>> => {
    // It stands; that this cannot be noted must not make it fail.
    await notes.set(conversation, name, `ok:${encodeRef(at)}`);
    return ok(at);
  };
  const since = Number(/^try:(\d+)/.exec(claimed.value)?.[1] ?? clock.now());
  if (claimed.value !== mine && clock.now() - since > NONCE_MS) {
    const found = await find(deps, target, message, since);
    if (found !== null) return done(found);
  }
  const sent = await sender.send(conversation, target, message, { key, first, patienceMs: patience.answer });
  if (sent.ok) return done(sent.value);
  // Nothing came of it for sure, so nobody has to look for it.
  if (!isUnknown(sent.failure)) await notes.remove(conversation, name);
  return sent;
};

const listed = z.array(
  z.object({
    id: z.string(),
    content: z.string().default(''),
    author: z.object({ id: z.string() }),
    attachments: z.array(z.unknown()).default([]),
  }),
);

/** A message of ours with the same words, said since then. Null also where looking is not allowed: said twice is better than not said. */
const find = async ({ calls }: DeliverDeps, target: Target, message: OutMessage, since: number): Promise<Ref | null> => {
  if (!target.member) return null;
  const [me, read] = await Promise.all([calls.me(), calls.messages(target.channel, { limit: 100 })]);
  if (!me.ok || !read.ok) return null;
  const messages = listed.safeParse(read.value).data ?? [];
  const found = messages.find((one) => {
    const at = timeOfRef({ channel: target.channel, id: one.id });
    const same = one.content.trim() === message.content.trim() && one.attachments.length === message.files.length;
    return one.author.id === me.value.id && same && at > since - SLACK_MS;
  });
  return found === undefined ? null : { channel: target.channel, id: found.id };
};
