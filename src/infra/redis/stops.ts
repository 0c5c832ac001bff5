import { ok } from '../../core/result.ts';
import type { Clock } from '../../ports/clock.ts';
import type { ConversationStore } from '../../ports/conversation-store.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { conversationKeys } from './keys.ts';
import { decodeStop, encode } from './records.ts';
import type { StopRequest } from './records.ts';
import { runScript } from './scripts/script.ts';
import { stopScript } from './scripts/small.ts';
import type { Subscriber } from './subscriber.ts';

/** How long a stop request waits for a turn that is about to start. */
const REMEMBERED_MS = 10_000;

/**
 * Stop requests: told at once by pub/sub, and kept for a moment under a key, so that neither a turn that is just starting nor one whose
 * subscription was lost for a while misses them.
 */
export const createStops = (
  client: RedisClient,
  subscriber: Subscriber,
  clock: Clock,
): Pick<ConversationStore, 'requestStop' | 'onStop'> => ({
  requestStop: async (conversation, by) => {
    const request: StopRequest = { id: clock.newId(), at: clock.now(), by };
    const reply = await attempt(() =>
      runScript(client, stopScript, [conversationKeys(conversation).stop], [encode(request), REMEMBERED_MS]),
    );
    return reply.ok ? ok(undefined) : reply;
  },

  onStop: async (conversation, since, listener) => {
    const { stop } = conversationKeys(conversation);
    const told = new Set<string>();
    let listening = true;
    const tell = (reply: string | null): void => {
      const request = reply === null ? null : decodeStop(reply);
      if (!listening || request === null || !request.ok || request.value.at < since || told.has(request.value.id)) return;
      told.add(request.value.id);
      listener(request.value.by);
    };
    const look = async (): Promise<void> => {
      const remembered = await attempt(() => client.get(stop));
      if (remembered.ok) tell(remembered.value);
    };
    const subscription = await subscriber.listen(stop, { onMessage: tell, onGap: () => void look() });
    if (!subscription.ok) return subscription;
    // Only now, so that no request can fall between the look and the subscription.
    await look();
    return ok({
      [Symbol.asyncDispose]: async () => {
        listening = false;
        await subscription.value[Symbol.asyncDispose]();
      },
    });
  },
});
