/** What every event stream must do. See src/ports/event-stream.ts. */
import { describe, expect, it } from 'vitest';
import type { EventStream, StreamedEvent } from '../../src/ports/event-stream.ts';
import { valueOf } from '../support/results.ts';
import { aConversation } from '../support/samples.ts';
import { until } from '../support/until.ts';

/** `make` opens the storage as one more process would. */
export const eventStreamContract = (name: string, make: () => EventStream): void => {
  /** Reads in the background into `seen`; `leave` ends it and waits for that. */
  const follow = (stream: EventStream, topic: string, after: string) => {
    const seen: StreamedEvent[] = [];
    const leaving = new AbortController();
    const ended = (async () => {
      for await (const event of stream.read(topic, after, leaving.signal)) seen.push(event);
    })();
    return { seen, data: () => seen.map((event) => event.data), leave: () => (leaving.abort(), ended) };
  };
  const append = async (stream: EventStream, topic: string, ...data: string[]): Promise<string[]> => {
    const ids: string[] = [];
    for (const one of data) ids.push(valueOf(await stream.append(topic, one)));
    return ids;
  };

  describe(`event stream: ${name}`, () => {
    it('tells every reader every event once and in order, what was before and what comes', async () => {
      const [writer, elsewhere] = [make(), make()];
      const topic = aConversation();
      await append(writer, topic, 'a', 'b');
      const readers = Array.from({ length: 50 }, (_, n) => follow(n % 2 === 0 ? writer : elsewhere, topic, '0'));
      const all = Array.from({ length: 100 }, (_, n) => `event ${n}\n"`);
      await append(writer, topic, ...all);
      for (const reader of readers) {
        await until(() => reader.seen.length >= 102, 'all events are read');
        expect(reader.data()).toEqual(['a', 'b', ...all]);
      }
      await Promise.all(readers.map((reader) => reader.leave()));
    });

    it('goes on after an event that a reader names, and after the newest', async () => {
      const stream = make();
      const topic = aConversation();
      expect(valueOf(await stream.latest(topic))).toBe('0');
      const [first, second] = await append(stream, topic, 'a', 'b');
      expect(valueOf(await stream.latest(topic))).toBe(second);
      const [resumed, fresh] = [follow(make(), topic, first!), follow(make(), topic, second!)];
      await append(stream, topic, 'c');
      await until(() => resumed.seen.length === 2 && fresh.seen.length === 1, 'both have read');
      expect(resumed.data()).toEqual(['b', 'c']);
      expect(fresh.data()).toEqual(['c']);
      await Promise.all([resumed.leave(), fresh.leave()]);
    });

    it('reads from the beginning where the named event is nothing that it ever gave out', async () => {
      const stream = make();
      const topic = aConversation();
      await append(stream, topic, 'a');
      for (const forged of ['', 'x', '-1', '9'.repeat(40), '0-0 COUNT', '(', '$', '1-1-1']) {
        const reader = follow(stream, topic, forged);
        await until(() => reader.seen.length > 0, `an event after ${forged}`);
        await reader.leave();
        expect(reader.data()).toEqual(['a']);
      }
    });

    it('keeps topics apart', async () => {
      const stream = make();
      const [one, two] = [aConversation(), 'a topic {with} braces: and more'];
      const reader = follow(stream, one, '0');
      await append(stream, two, 'wrong');
      await append(stream, one, 'right');
      await until(() => reader.seen.length > 0, 'an event');
      expect(reader.data()).toEqual(['right']);
      await reader.leave();
      await stream.erase(two);
    });

    it('keeps the newest thousand', async () => {
      const stream = make();
      const topic = aConversation();
      await Promise.all(Array.from({ length: 1_500 }, (_, n) => stream.append(topic, `${n}`)));
      const reader = follow(stream, topic, '0');
      await until(() => reader.data().includes('1499'), 'the newest event');
      expect(reader.seen.length).toBeGreaterThanOrEqual(1_000);
      expect(reader.seen.length).toBeLessThanOrEqual(1_500);
      expect(reader.data()).toEqual(Array.from({ length: reader.seen.length }, (_, n) => `${1_500 - reader.seen.length + n}`));
      await reader.leave();
    });

    it('ends at once for a signal that has already aborted', async () => {
      const stream = make();
      const topic = aConversation();
      await append(stream, topic, 'a');
      const events = [];
      for await (const event of stream.read(topic, '0', AbortSignal.abort())) events.push(event);
      expect(events).toEqual([]);
    });

    it('forgets an erased topic', async () => {
      const stream = make();
      const topic = aConversation();
      await append(stream, topic, 'a');
      valueOf(await stream.erase(topic));
      expect(valueOf(await stream.latest(topic))).toBe('0');
    });
  });
};
