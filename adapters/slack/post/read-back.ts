/** Looks into a thread for a message of ours whose posting ended in nobody knows what. */
import { z } from 'zod';
import type { Failure } from '../../../src/core/failure.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { patience } from '../api/api.ts';
import type { Api, Place } from '../api/api.ts';

const page = z.object({
  messages: z.array(
    z.looseObject({
      ts: z.string(),
      // Other apps put other things there.
      metadata: z
        .object({ event_payload: z.object({ key: z.string() }) })
        .optional()
        .catch(undefined),
    }),
  ),
  response_metadata: z.object({ next_cursor: z.string().optional() }).optional(),
});

/** Clocks differ: ours from Slack's. */
const SLACK_MS = 120_000;
const PAGES = 5;

/**
 * The `ts` of the message with this mark among those posted since `since`; null where there is none. Messages without threads are looked for in
 * the channel.
 */
export const findPosted = async (api: Api, place: Place, mark: string, since: number): Promise<Result<string | null, Failure>> => {
  let cursor = '';
  for (let n = 0; n < PAGES; n += 1) {
    const args = {
      channel: place.channel,
      ...(place.thread === '' ? {} : { ts: place.thread }),
      include_all_metadata: true,
      limit: 100,
      oldest: ((since - SLACK_MS) / 1000).toFixed(6),
      ...(cursor === '' ? {} : { cursor }),
    };
    const method = place.thread === '' ? 'conversations.history' : 'conversations.replies';
    const said = await api.call(method, place, args, page, patience.short);
    if (!said.ok) return said;
    const found = said.value.messages.find((message) => message.metadata?.event_payload.key === mark);
    if (found !== undefined) return ok(found.ts);
    cursor = said.value.response_metadata?.next_cursor ?? '';
    if (cursor === '') break;
  }
  return ok(null);
};
