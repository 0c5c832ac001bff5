/** One message out, however it has to be said: by the interaction's token, in the thread, in its channel, to the asker alone. Plainer where it is refused. */
import { createHash } from 'node:crypto';
import { failure } from '../../../src/core/failure.ts';
import type { Failure } from '../../../src/core/failure.ts';
import type { ConversationId } from '../../../src/core/ids.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { OutboundDeps } from '../../../src/ports/adapter.ts';
import { toCreateBody, toEditBody, toFollowUpBody } from '../encode.ts';
import type { OutMessage } from '../encode.ts';
import { escapeText } from '../markdown-escape.ts';
import type { Calls } from '../rest/calls.ts';
import { discordCode, isGone } from '../rest/failure.ts';
import { bytesOf } from './bytes.ts';
import { firstWay, nextWay, toAsker, withLine } from './ways.ts';
import type { Way } from './ways.ts';
import { alive, encodeRef, needsRoot } from './target.ts';
import type { Ref, Target } from './target.ts';

export type SendDeps = Pick<OutboundDeps, 'notes' | 'shared' | 'clock' | 'log' | 'blob'> & { readonly calls: Calls };

/** How long a call may be held up by limits: a preview is shown now or not at all, an answer waits. */
export const patience = { preview: 0, short: 6_000, answer: 60_000 } as const;

/** `key`: unique in the conversation, the same for the same message. `first`: it may reply, and fill a command's answer. */
export type How = { readonly key: string; readonly first: boolean; readonly patienceMs: number };

export type Sender = {
  /** Refused in every form: `delivery-refused`. Sent again with the same key within some minutes, Discord says it once. */
  readonly send: (conversation: ConversationId, target: Target, message: OutMessage, how: How) => Promise<Result<Ref, Failure>>;
  readonly edit: (
    conversation: ConversationId,
    target: Target,
    at: Ref,
    message: OutMessage,
    patienceMs: number,
  ) => Promise<Result<void, Failure>>;
  /** One that cannot go says at least that it is over. */
  readonly remove: (conversation: ConversationId, target: Target, at: Ref) => Promise<void>;
  /** Takes away a command's answer that waits in vain. */
  readonly dropFirst: (conversation: ConversationId, target: Target) => Promise<void>;
};

/** Discord takes 25 characters. */
const nonceOf = (conversation: ConversationId, key: string): string =>
  createHash('sha256').update(`${conversation}\n${key}`).digest('base64url').slice(0, 25);

const KEPT_MS = 30 * 24 * 3_600_000;

export const createSender = (deps: SendDeps): Sender => {
  const { calls, notes, shared, clock, log } = deps;

  const originalNote = (interaction: string): string => `original:${interaction}`;

  /** Gives the first answer of a command, where it still waits. Null: it was given to something else, or is gone. */
  const fill = async (
    conversation: ConversationId,
    target: Target,
    message: OutMessage,
    how: How,
  ): Promise<Result<Ref, Failure> | null> => {
    const { token } = target;
    if (!alive(token, clock.now()) || token.first !== 'fill' || !how.first) return null;
    const claimed = await notes.claim(conversation, originalNote(token.interaction), how.key);
    if (!claimed.ok) return claimed;
    if (claimed.value !== how.key) return null;
    const files = await bytesOf(deps, conversation, message.files);
    if (!files.ok) return files;
    const body = toEditBody({ ...message, files: files.value.kept });
    const said = await calls.editOriginal(token, body, files.value.files, { patienceMs: how.patienceMs });
    if (said.ok) return ok({ channel: said.value.channel_id, id: said.value.id });
    if (isGone(said.failure)) return null;
    if (message.files.length > 0 && discordCode(said.failure) !== null) {
      const bare = await calls.editOriginal(token, toEditBody(withoutFiles(message)), [], { patienceMs: how.patienceMs });
      return bare.ok ? ok({ channel: bare.value.channel_id, id: bare.value.id }) : bare;
    }
    return said;
  };

  const attempt = async (
    conversation: ConversationId,
    target: Target,
    message: OutMessage,
    way: Way,
    how: How,
  ): Promise<Result<Ref, Failure>> => {
    const files = await bytesOf(deps, conversation, message.files);
    if (!files.ok) return files;
    const { kept, lost } = files.value;
    const left = { ...message, files: kept };
    const shown = lost.length === 0 ? left : withLine(left, escapeText(`No longer stored: ${lost.join(', ')}`, false));
    if (shown.content === '' && shown.files.length === 0) return err(failure('delivery-refused', {}, 'nothing to say'));
    const { token } = target;
    if (way.by === 'token') {
      if (!alive(token, clock.now())) return err(failure('delivery-refused', {}, 'the interaction is over'));
      const body = toFollowUpBody(shown, token.hidden);
      const said = await calls.followUp(token, body, files.value.files, { patienceMs: how.patienceMs });
      return said.ok ? ok({ channel: said.value.channel_id, id: said.value.id }) : said;
    }
    let { channel } = way;
    if (way.by === 'direct') {
      const opened = await calls.directChannel(target.user, { patienceMs: how.patienceMs });
      if (!opened.ok) return opened;
      channel = opened.value.id;
    }
    // Another way is another message: Discord would take it for the one before.
    const nonce = nonceOf(conversation, `${how.key} ${way.by} ${way.form} ${way.channel}`);
    const body = toCreateBody(shown, { reply: way.reply, nonce });
    const said = await calls.sendMessage(channel, body, files.value.files, { patienceMs: how.patienceMs, repeat: true });
    if (!said.ok) return said;
    if (way.by === 'channel' && needsRoot(target, channel)) await shared.set(`root:${said.value.id}`, target.session, KEPT_MS);
    return ok({ channel, id: said.value.id });
  };

  const send: Sender['send'] = async (conversation, target, message, how) => {
    const filled = await fill(conversation, target, message, how);
    if (filled !== null) {
      if (filled.ok && needsRoot(target, filled.value.channel)) await shared.set(`root:${filled.value.id}`, target.session, KEPT_MS);
      return filled;
    }
    let way: Way | null = firstWay(target, how.first, clock.now());
    let said: Result<Ref, Failure> = err(failure('delivery-refused', {}, 'there is no way to say it here'));
    while (way !== null) {
      said = await attempt(conversation, target, way.change(message), way, how);
      if (said.ok) return said;
      const next = nextWay(way, said.failure, target, message);
      if (next !== null && !('wait' in next))
        log.info({ detail: said.failure.detail, by: next.by, form: next.form }, 'a message is said another way');
      if (next !== null && 'wait' in next) return err(failure('rate-limited', { waitSeconds: next.wait }, said.failure.detail));
      way = next;
    }
    return said;
  };

  const edit: Sender['edit'] = async (conversation, target, at, message, patienceMs) => {
    const files = await bytesOf(deps, conversation, message.files);
    if (!files.ok) return files;
    // It stands where the first one could be said: that may be the direct channel of the asker.
    const aside = !target.direct && target.member && at.channel !== target.channel && at.channel !== target.parent;
    const left = { ...message, files: files.value.kept };
    const body = toEditBody(aside ? toAsker(left, target) : left);
    const { token } = target;
    const byToken = alive(token, clock.now()) && (token.hidden || !target.member);
    const put = (content: typeof body, sent: typeof files.value.files) =>
      byToken
        ? calls.editFollowUp(token, at.id, content, sent, { patienceMs })
        : calls.editMessage(at.channel, at.id, content, sent, { patienceMs });
    const said = await put(body, files.value.files);
    return said.ok ? ok(undefined) : said;
  };

  return {
    send,
    edit,
    remove: async (conversation, target, at) => {
      const gone = await calls.deleteMessage(at.channel, at.id, { patienceMs: patience.answer });
      if (gone.ok) return;
      log.info({ detail: gone.failure.detail, message: encodeRef(at) }, 'an unfinished message could not be taken away');
      await edit(conversation, target, at, { content: '-# Continued below.', rows: [], files: [] }, patience.short);
    },
    dropFirst: async (conversation, { token }) => {
      if (!alive(token, clock.now()) || token.first !== 'remove') return;
      const claimed = await notes.claim(conversation, originalNote(token.interaction), 'removed');
      if (!claimed.ok || claimed.value !== 'removed') return;
      await calls.deleteOriginal(token, { patienceMs: patience.short });
    },
  };
};

const withoutFiles = (message: OutMessage): OutMessage => ({
  ...message,
  content: message.content === '' ? '-# Discord did not take the files of this answer here.' : message.content,
  files: [],
});
