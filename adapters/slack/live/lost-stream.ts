/** A stream whose start Slack carried out although its reply was lost: nobody knows its `ts`, so it would stand half said beside the answer. */
import { z } from 'zod';
import { patience, replies } from '../api/api.ts';
import type { Place } from '../api/api.ts';
import { toStopArgs } from '../encode.ts';
import { removeMessages } from '../post/remove-messages.ts';
import type { SendDeps } from '../post/send.ts';

const page = z.object({
  messages: z.array(
    z.looseObject({
      ts: z.string(),
      bot_id: z.string().optional(),
      files: z.array(z.unknown()).optional(),
      metadata: z
        .looseObject({ event_payload: z.looseObject({ key: z.string() }) })
        .optional()
        .catch(undefined),
    }),
  ),
});

/** Clocks differ: ours from Slack's. */
const SLACK_MS = 120_000;
/** Each look at a message costs a call of a method that Slack allows 20 of a minute. */
const MOST = 3;

/**
 * Takes away what was begun in the thread since `since` and is none of `known`; the turn is over by now. Only a message of our own that is still streaming can be stopped, so
 * that nothing else is touched. Where the thread cannot be read, the stream ends by itself after five minutes.
 */
export const removeLostStream = async (deps: SendDeps, place: Place, since: number, known: readonly string[]): Promise<void> => {
  const args = {
    channel: place.channel,
    ts: place.thread,
    include_all_metadata: true,
    limit: 100,
    oldest: ((since - SLACK_MS) / 1000).toFixed(6),
  };
  const read = await deps.api.call('conversations.replies', place, args, page, patience.short);
  if (!read.ok) {
    deps.log.info({ detail: read.failure.detail }, 'a stream whose start nobody knows of could not be looked for; it ends by itself');
    return;
  }
  const ours = read.value.messages.filter(
    (one) =>
      one.bot_id !== undefined &&
      one.ts !== place.thread &&
      one.metadata === undefined &&
      (one.files ?? []).length === 0 &&
      !known.includes(one.ts),
  );
  for (const { ts } of ours.slice(-MOST)) {
    const end = { chunks: [], blocks: [], over: true, mark: null };
    const stopped = await deps.api.call('chat.stopStream', place, toStopArgs(place, ts, end), replies.done, patience.short);
    if (stopped.ok) await removeMessages(deps, place, [ts]);
  }
};
