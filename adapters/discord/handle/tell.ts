/**
 * What the listening half says itself: that something was refused, what a command answers, a greeting. A worker never talks to the gateway, so
 * this goes to Discord by the same API, and looks the same as an answer.
 */
import { MessageFlags, MessageReferenceType } from 'discord.js';
import type { RESTPostAPIChannelMessageJSONBody } from 'discord.js';
import type { Failure } from '../../../src/core/failure.ts';
import { forOperator, forPerson } from '../../../src/core/failure.ts';
import type { CommandAnswer } from '../../../src/ports/adapter.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { SharedFacts } from '../../../src/ports/shared-facts.ts';
import { INTERACTION_MS } from '../limits.ts';
import { partsForDiscord } from '../markdown.ts';
import type { Calls, TokenRef } from '../rest/calls.ts';
import { isForbidden } from '../rest/failure.ts';
import type { RestFile } from '../rest/rest.ts';

/** To whom, and where they are. */
export type To = {
  readonly user: string;
  /** The channel or thread. */
  readonly channel: string;
  /** The message that is answered; '' for none. */
  readonly message: string;
  /** The session's thread where it is not the channel itself: a reply to what is said finds it; '' for none. */
  readonly session: string;
  readonly interaction: Answerable | null;
};
/** An interaction that can be answered: its token, when it came, and what was said at first. */
export type Answerable = TokenRef & {
  readonly at: number;
  readonly answered: 'public' | 'private' | 'update' | 'modal' | 'none';
  /** The bot can send messages there as well. */
  readonly member: boolean;
};

export type Tell = {
  /** Says something to this person: alone where it is an interaction, otherwise in reply, or as a direct message where that is not possible. Never rejects. */
  readonly privately: (to: To, markdown: string) => Promise<void>;
  /** Says why something did not work. */
  readonly failure: (to: To, why: Failure) => Promise<void>;
  /** What a command answered. */
  readonly answer: (to: To, answer: CommandAnswer) => Promise<void>;
};

const KEPT_MS = 30 * 24 * 3_600_000;
const patience = { patienceMs: 15_000 } as const;

export const createTell = ({
  calls,
  shared,
  log,
  clock,
}: {
  readonly calls: Calls;
  readonly shared: SharedFacts;
  readonly log: Log;
  readonly clock: Clock;
}): Tell => {
  /** Answers an interaction: what was deferred is given first, the rest follows. False: its token is no longer good. */
  const respond = async (at: Answerable, bodies: readonly Body[], alone: boolean): Promise<boolean> => {
    if (clock.now() - at.at > INTERACTION_MS) return false;
    let deferred = at.answered === 'public' || at.answered === 'private';
    for (const { content, files } of bodies) {
      const body = { content, ...quiet, flags: MessageFlags.SuppressEmbeds };
      // What was begun in public cannot become private: it is taken away, and the words follow.
      if (deferred && alone && at.answered === 'public') {
        await calls.deleteOriginal(at, patience);
        deferred = false;
      }
      const sent = deferred
        ? await calls.editOriginal(at, body, files, patience)
        : await calls.followUp(at, alone ? { ...body, flags: body.flags | MessageFlags.Ephemeral } : body, files, patience);
      deferred = false;
      if (sent.ok) continue;
      log.warn({ detail: sent.failure.detail }, 'an interaction could not be answered');
      return false;
    }
    return true;
  };

  const send = async (to: To, bodies: readonly Body[]): Promise<boolean> => {
    for (const [index, { content, files }] of bodies.entries()) {
      const reference = to.message === '' || index > 0 ? {} : replyTo(to.message);
      const sent = await calls.sendMessage(
        to.channel,
        { content, ...quiet, flags: MessageFlags.SuppressEmbeds, ...reference },
        files,
        patience,
      );
      if (!sent.ok) {
        log.info({ detail: sent.failure.detail }, 'something could not be said in a channel');
        return !isForbidden(sent.failure) && index > 0;
      }
      if (to.session !== '') await shared.set(`root:${sent.value.id}`, to.session, KEPT_MS);
    }
    return true;
  };

  const directly = async (to: To, bodies: readonly Body[]): Promise<void> => {
    const direct = await calls.directChannel(to.user, patience);
    if (!direct.ok) return log.info({ detail: direct.failure.detail }, 'a person could not be told something');
    await send({ ...to, channel: direct.value.id, message: '', session: '' }, bodies);
  };

  const say = async (to: To, bodies: readonly Body[], alone: boolean): Promise<void> => {
    if (to.interaction !== null && (await respond(to.interaction, bodies, alone))) return;
    if (to.interaction !== null && !to.interaction.member) return;
    // Where words are for one person alone, and nobody pressed or typed a command, a reply is the nearest thing.
    if (alone && to.interaction !== null) return directly(to, bodies);
    if (!(await send(to, bodies))) await directly(to, bodies);
  };

  const privately: Tell['privately'] = (to, markdown) => say(to, bodiesOf(markdown, []), true);
  return {
    privately,
    failure: async (to, why) => {
      log.info({ code: why.code, detail: why.detail }, forOperator(why));
      await privately(to, forPerson(why));
    },
    answer: (to, answer) => {
      const files = answer.files.map(({ name, type, content }) => ({ name, type, bytes: Buffer.from(content) }));
      return say(to, bodiesOf(answer.text, files), answer.private && to.interaction !== null);
    },
  };
};

type Body = { readonly content: string; readonly files: readonly RestFile[] };

/** Nobody is pinged by what we say. */
const quiet = { allowed_mentions: { parse: [], replied_user: false } } satisfies Partial<RESTPostAPIChannelMessageJSONBody>;
const replyTo = (message: string): Partial<RESTPostAPIChannelMessageJSONBody> => ({
  message_reference: { type: MessageReferenceType.Default, message_id: message, fail_if_not_exists: false },
});

/** Markdown as messages; files go with the last one. */
const bodiesOf = (markdown: string, files: readonly RestFile[]): readonly Body[] => {
  const { parts, files: cutOff } = partsForDiscord(markdown);
  const contents = parts.filter((part) => part.trim() !== '');
  const all = [...files, ...cutOff.map(({ name, content }) => ({ name, type: 'text/plain', bytes: Buffer.from(content) }))].slice(0, 10);
  const bodies = contents.map((content, index) => ({ content, files: index === contents.length - 1 ? all : [] }));
  return bodies.length > 0 ? bodies : [{ content: all.length > 0 ? '' : 'Done.', files: all }];
};
