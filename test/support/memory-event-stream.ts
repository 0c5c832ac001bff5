/** An event stream in this process's memory; it passes the port's contract suite. */
import type { EventStream, StreamedEvent } from '../../src/ports/event-stream.ts';
import { ok } from '../../src/core/result.ts';

const KEPT = 1_000;

export const createMemoryEventStream = (): EventStream => {
  const topics = new Map<string, { events: readonly StreamedEvent[]; wake: Set<() => void> }>();
  let serial = 0;
  const topicOf = (name: string) => {
    const known = topics.get(name) ?? { events: [], wake: new Set<() => void>() };
    topics.set(name, known);
    return known;
  };
  const numberOf = (id: string): number => (/^\d{1,15}$/.test(id) ? Number(id) : 0);
  return {
    append: (name, data) => {
      const topic = topicOf(name);
      const id = String(++serial);
      topic.events = [...topic.events, { id, data }].slice(-KEPT);
      for (const wake of topic.wake) wake();
      return Promise.resolve(ok(id));
    },
    latest: (name) => Promise.resolve(ok(topicOf(name).events.at(-1)?.id ?? '0')),
    async *read(name, after, signal) {
      const topic = topicOf(name);
      let last = numberOf(after);
      while (!signal.aborted) {
        const next = topic.events.find((event) => Number(event.id) > last);
        if (next !== undefined) {
          last = Number(next.id);
          yield next;
          continue;
        }
        await new Promise<void>((resolve) => {
          const done = (): void => {
            topic.wake.delete(done);
            signal.removeEventListener('abort', done);
            resolve();
          };
          topic.wake.add(done);
          signal.addEventListener('abort', done);
        });
      }
    },
    erase: (name) => {
      topics.delete(name);
      return Promise.resolve(ok(undefined));
    },
  };
};
