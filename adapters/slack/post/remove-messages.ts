/** Takes messages away whose words stand elsewhere now. */
import { patience, refusal, replies } from '../api/api.ts';
import type { Place } from '../api/api.ts';
import { toStopArgs, toUpdateArgs } from '../encode.ts';
import type { SendDeps } from './send.ts';

/** One that cannot go is at least not alive any more. */
export const removeMessages = async ({ api, log }: SendDeps, place: Place, messages: readonly string[]): Promise<void> => {
  for (const ts of messages) {
    const remove = () => api.call('chat.delete', place, { channel: place.channel, ts }, replies.done, patience.answer);
    let said = await remove();
    if (!said.ok && refusal(said.failure) === 'streaming_state_conflict') {
      // A worker that died left it streaming.
      const end = { chunks: [], blocks: [], over: false, mark: null };
      await api.call('chat.stopStream', place, toStopArgs(place, ts, end), replies.done, patience.short);
      said = await remove();
    }
    if (said.ok || refusal(said.failure) === 'message_not_found') continue;
    log.info({ detail: said.failure.detail }, 'an unfinished message could not be taken away');
    const moved = { text: '_Continued below._', blocks: [] };
    await api.call('chat.update', place, toUpdateArgs(place, ts, moved, null), replies.done, patience.short);
  }
};
