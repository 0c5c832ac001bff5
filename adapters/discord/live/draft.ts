/** A running turn as messages that are edited. */
import type { ConversationId } from '../../../src/core/ids.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { OutMessage } from '../encode.ts';
import { EDITABLE_MS } from '../limits.ts';
import { isUnknown } from '../rest/failure.ts';
import { patience } from '../post/sender.ts';
import type { Sender } from '../post/sender.ts';
import type { LiveNote } from './note.ts';
import { timeOfRef } from '../post/target.ts';
import type { Ref, Target } from '../post/target.ts';

/** What a draft leaves to whoever goes on with it. */
export type Left = Pick<LiveNote, 'messages' | 'made' | 'trying'>;

export type DraftDeps = {
  readonly sender: Sender;
  readonly clock: Clock;
  readonly log: Log;
  readonly conversation: ConversationId;
  readonly target: Target;
  /** Names the draft among others; with a number it is the key of each of its messages. */
  readonly key: string;
  /** Called with all that stands, before and after a message is sent. */
  readonly noted: (left: Left) => Promise<void>;
};

/** What came of showing. `later`: not now, but after so many milliseconds. `no-more`: nothing further is shown before the end. */
export type Shown = { readonly kind: 'shown' | 'no-more' } | { readonly kind: 'later'; readonly ms: number };

/** Calls are made one after another; none rejects. */
export type Draft = {
  readonly show: (messages: readonly OutMessage[]) => Promise<Shown>;
  /** The finished messages take the places of those that stand, as far as that tells people that something is new. `drop` must go once the rest is out. */
  readonly finish: (messages: readonly OutMessage[]) => Promise<{ readonly kept: number; readonly drop: readonly Ref[] }>;
  /** The turn ended without a post: what stands stays, and is no longer alive. */
  readonly close: (messages: readonly OutMessage[]) => Promise<void>;
  readonly channel: () => string | null;
};

/**
 * A last message that is older than this when the answer is finished is posted anew and the old one removed: an edit does not make a thread
 * unread, and whoever asked may have gone elsewhere.
 */
const OLD_MS = 30_000;

type Standing = { readonly at: Ref; readonly postedAt: number; look: string };
const lookOf = (message: OutMessage): string => JSON.stringify([message.content, message.rows, message.files.map(({ name }) => name)]);

/** `left`: by an earlier process that showed the same turn. */
export const createDraft = (deps: DraftDeps, left: Left): Draft => {
  const { sender, clock, log, conversation, target } = deps;
  const standing: Standing[] = left.messages.map((at) => ({ at, postedAt: timeOfRef(at), look: '' }));
  // A message that was removed must not come back by its nonce.
  let made = left.made;
  // The next message may stand already: sent under its key again, Discord says which it is.
  let lost = left.trying;
  let over = false;

  const refs = (): readonly Ref[] => standing.map(({ at }) => at);

  const update = async (one: Standing, message: OutMessage, patienceMs: number): Promise<'done' | 'later' | 'gone' | number> => {
    if (one.look === lookOf(message)) return 'done';
    const said = await sender.edit(conversation, target, one.at, message, patienceMs);
    if (said.ok) {
      one.look = lookOf(message);
      return 'done';
    }
    if (said.failure.code === 'rate-limited') return said.failure.waitSeconds * 1000;
    log.info({ detail: said.failure.detail }, 'a message that shows a running turn could not be edited');
    // Whether an edit arrived does not matter: the next one says all of it again.
    return isUnknown(said.failure) ? 'later' : 'gone';
  };

  const note = (trying: boolean): Promise<void> => deps.noted({ messages: refs(), made, trying });

  const post = async (message: OutMessage, patienceMs: number): Promise<Shown> => {
    const first = standing.length === 0;
    await note(true);
    const said = await sender.send(conversation, target, message, { key: `${deps.key}:${made}`, first, patienceMs });
    if (said.ok) {
      made += 1;
      const one = { at: said.value, postedAt: lost ? timeOfRef(said.value) : clock.now(), look: lost ? '' : lookOf(message) };
      lost = false;
      standing.push(one);
      await note(false);
      // One that stood already shows what was shown before.
      await update(one, message, patienceMs);
      return { kind: 'shown' };
    }
    if (said.failure.code === 'rate-limited') return { kind: 'later', ms: said.failure.waitSeconds * 1000 };
    if (isUnknown(said.failure)) {
      lost = true;
      return { kind: 'later', ms: 3_000 };
    }
    log.info({ detail: said.failure.detail }, 'a running turn is not shown');
    over = true;
    lost = false;
    await note(false);
    return { kind: 'no-more' };
  };

  /** Old messages can hardly be edited: what runs so long goes on in new ones. */
  const renew = async (): Promise<void> => {
    const last = standing.at(-1);
    if (last === undefined || clock.now() - last.postedAt < EDITABLE_MS) return;
    const old = standing.splice(0);
    for (const { at } of old) await sender.remove(conversation, target, at);
    await note(false);
  };

  return {
    show: async (messages) => {
      if (over) return { kind: 'no-more' };
      await renew();
      for (const [index, message] of messages.entries()) {
        const one = standing[index];
        if (one === undefined) {
          const shown = await post(message, patience.preview);
          if (shown.kind !== 'shown') return shown;
          continue;
        }
        const done = await update(one, message, patience.preview);
        if (typeof done === 'number') return { kind: 'later', ms: done };
        if (done === 'later') return { kind: 'later', ms: 3_000 };
        if (done === 'gone') {
          over = true;
          return { kind: 'no-more' };
        }
      }
      return { kind: 'shown' };
    },
    finish: async (messages) => {
      over = true;
      const next = messages[Math.min(standing.length, messages.length - 1)];
      if (lost && next !== undefined) await post(next, patience.short);
      const last = standing.at(-1);
      // The answer to a command stays where the command is.
      const stays = target.token !== null;
      const old = !stays && last !== undefined && clock.now() - last.postedAt > OLD_MS;
      const may = Math.min(messages.length, old ? standing.length - 1 : standing.length);
      let kept = 0;
      for (const [index, message] of messages.slice(0, may).entries()) {
        const one = standing[index];
        if (one === undefined || (await update(one, message, patience.short)) !== 'done') break;
        kept += 1;
      }
      return { kept, drop: standing.slice(kept).map(({ at }) => at) };
    },
    close: async (messages) => {
      over = true;
      for (const [index, one] of standing.entries()) {
        const message = messages[index];
        if (message !== undefined) await update(one, message, patience.short);
      }
    },
    channel: () => standing.at(-1)?.at.channel ?? null,
  };
};
