/**
 * Whether a message is meant for the bot. Pure: adapters find the facts, this decides, on every platform alike.
 *
 * | rule      | a mention | plain words in its own thread | outside of threads | in other people's threads |
 * |-----------|-----------|-------------------------------|--------------------|---------------------------|
 * | `mention` | answered  | answered                      | ignored            | ignored                   |
 * | `strict`  | answered  | hint, once                    | ignored            | ignored                   |
 * | `all`     | answered  | answered                      | answered           | ignored                   |
 *
 * What is addressed to somebody else is ignored, and in a direct conversation everything is answered. Bots, webhooks, `@everyone` and
 * quoted mentions are the adapter's to leave out: they are no mention here, or no message at all.
 */
import type { z } from 'zod';
import type { ruleSchema } from './channel-settings.ts';

export type Rule = z.infer<typeof ruleSchema>;

export type Heard = {
  readonly rule: Rule;
  /** A direct message, or the platform's panel for talking to the bot. */
  readonly direct: boolean;
  /** The bot is mentioned, outside code and quotations. */
  readonly mentioned: boolean;
  /** The bot takes part in this thread: a session exists, or the bot opened it. */
  readonly inOwnThread: boolean;
  /** It begins with a mention of other people, has only such mentions, or replies to another person's message. */
  readonly toOthers: boolean;
  /** It stands in a thread. */
  readonly threaded: boolean;
};

/** `hint`: tell the person privately, once per thread, how to go on (`Gateway.hint`). */
export type Spoken = 'answer' | 'ignore' | 'hint';

export const whoIsSpokenTo = ({ rule, direct, mentioned, inOwnThread, toOthers, threaded }: Heard): Spoken => {
  if (direct || mentioned) return 'answer';
  if (toOthers) return 'ignore';
  switch (rule) {
    case 'mention':
      return inOwnThread ? 'answer' : 'ignore';
    case 'strict':
      return inOwnThread ? 'hint' : 'ignore';
    case 'all':
      // A thread that people have among themselves is theirs, also here.
      return inOwnThread || !threaded ? 'answer' : 'ignore';
    default:
      return rule satisfies never;
  }
};

/** The hint's words. */
export const hintToMention = 'In this channel I answer only when I am mentioned: mention me in your message, and I will go on from here.';
