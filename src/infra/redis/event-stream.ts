import { z } from 'zod';
import { ok } from '../../core/result.ts';
import type { EventStream, StreamedEvent } from '../../ports/event-stream.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { createLatch } from './latch.ts';
import { topicKey } from './keys.ts';
import { runScript } from './scripts/script.ts';
import { appendScript } from './scripts/small.ts';
import type { Subscriber } from './subscriber.ts';

const KEPT = 1_000;
const LIFETIME_MS = 60 * 60 * 1000;
/** Events fetched at a time. */
const BATCH = 200;
/** A reader that has heard nothing looks again after this: a connection can die without saying so. */
const LOOK_AGAIN_MS = 15_000;

/** An id as Redis makes them. What comes back from a browser may be anything; that is read from the beginning. */
const ID = /^\d{1,16}(-\d{1,16})?$/;

export type EventStreamDeps = { readonly client: RedisClient; readonly subscriber: Subscriber };

/**
 * Topics as Redis streams. Any number of readers share the process's one subscriber: a published id wakes a reader, which then fetches what
 * it has not seen. So a lost, doubled or late nudge changes nothing but the moment.
 */
export const createEventStream = ({ client, subscriber }: EventStreamDeps): EventStream => {
  const after = async (key: string, id: string) => attempt(() => client.xrange(key, `(${id}`, '+', 'COUNT', BATCH));

  return {
    append: async (topic, data) => {
      const reply = await attempt(() => runScript(client, appendScript, [topicKey(topic)], [data, KEPT, LIFETIME_MS]));
      return reply.ok ? ok(z.string().parse(reply.value)) : reply;
    },

    latest: async (topic) => {
      const reply = await attempt(() => client.xrevrange(topicKey(topic), '+', '-', 'COUNT', 1));
      return reply.ok ? ok(reply.value[0]?.[0] ?? '0') : reply;
    },

    async *read(topic, from, signal) {
      const key = topicKey(topic);
      const latch = createLatch();
      const subscription = await subscriber.listen(key, { onMessage: latch.open, onGap: latch.open });
      if (!subscription.ok) return;
      await using _ = subscription.value;
      let last = ID.test(from) ? from : '0';
      while (!signal.aborted) {
        latch.close();
        const events = await after(key, last);
        if (!events.ok) return;
        for (const event of events.value.map(toStreamedEvent)) {
          if (signal.aborted) return;
          yield event;
          last = event.id;
        }
        if (events.value.length < BATCH) await latch.wait(LOOK_AGAIN_MS, signal);
      }
    },

    erase: async (topic) => {
      const reply = await attempt(() => client.unlink(topicKey(topic)));
      return reply.ok ? ok(undefined) : reply;
    },
  };
};

const toStreamedEvent = ([id, fields]: [id: string, fields: string[]]): StreamedEvent => ({ id, data: fields[1] ?? '' });
