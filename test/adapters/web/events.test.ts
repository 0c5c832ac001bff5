/** Server-sent events over a real socket, and the contract of the stream in memory that these tests use. */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventStreamContract } from '../../contracts/event-stream.ts';
import { aRun } from '../../support/a-run.ts';
import { messageId, turnId } from '../../../src/core/ids.ts';
import { createMemoryEventStream } from '../../support/memory-event-stream.ts';
import { aPost } from '../../support/samples.ts';
import { until } from '../../support/until.ts';
import { webClient } from '../../support/web-client.ts';
import type { WebWorld } from '../../support/web-world.ts';
import { startWebWorld } from '../../support/web-world.ts';

const shared = createMemoryEventStream();
eventStreamContract('memory', () => shared);

let world: WebWorld;
let client: ReturnType<typeof webClient>;
let thread: string;
beforeEach(async () => {
  world = await startWebWorld();
  client = webClient(world.url);
  thread = await client.open();
});
afterEach(() => world[Symbol.asyncDispose]());

type Data = Partial<Record<'turn' | 'text' | 'state' | 'kind' | 'key', string>> & {
  readonly resumed?: boolean;
  readonly run?: { readonly n: number };
};
type Event = { readonly id: string | null; readonly name: string; readonly data: Data };
/** Reads the thread's events until `leave`. */
const listen = async (after?: string) => {
  const leaving = new AbortController();
  const headers = after === undefined ? {} : { 'last-event-id': after };
  const response = await fetch(`${world.url}/api/threads/${thread}/events`, { headers, signal: leaving.signal });
  const events: Event[] = [];
  const ended = (async () => {
    let text = '';
    try {
      for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
        text += chunk;
        const frames = text.split('\n\n');
        text = frames.pop() ?? '';
        for (const frame of frames) {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'm').exec(frame)?.[1] ?? null;
          if (field('event') !== null) events.push({ id: field('id'), name: field('event')!, data: JSON.parse(field('data')!) });
        }
      }
    } catch {
      // Left, or cut off.
    }
  })();
  return {
    response,
    events,
    names: () => events.map((event) => event.name),
    seen: (name: string, count = 1) => until(() => events.filter((event) => event.name === name).length >= count, `${count} × ${name}`),
    leave: () => (leaving.abort(), ended),
  };
};
const draft = (text: string) => ({ op: 'draft', turn: turnId('T'), message: messageId('T'), text, progress: [] }) as const;
const status = (state: 'working' | 'idle') => ({ op: 'status', turn: turnId('T'), state, text: '', origin: {} }) as const;
const post = (key: string, fields: object = {}) =>
  ({ op: 'post', ...aPost(key, { turn: turnId('T'), message: messageId('T'), ...fields }) }) as const;

describe('a thread’s events', () => {
  it('come as they happen, in order, the draft whole each time', async () => {
    const reader = await listen();
    expect(reader.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    await reader.seen('ready');
    world.bot = async (turn) => {
      await turn.status('working', 'Thinking');
      for (const text of ['One', 'One two', 'One two three']) {
        await turn.draft(text);
        await sleep(60);
      }
      await turn.ran(aRun({ n: 1, code: '1' }));
      await turn.finish({ text: 'One two three.' });
    };
    await client.post(thread, 'count', { key: 'q' });
    await until(() => reader.events.some((event) => event.data.state === 'idle'), 'idle');
    const drafts = reader.events.filter((event) => event.name === 'draft').map((event) => event.data.text);
    expect(drafts).toEqual(['One', 'One two', 'One two three']);
    const rest = reader.events
      .filter((event) => event.name !== 'draft')
      .map((event) => [event.name, event.data.kind ?? event.data.state ?? '']);
    expect(rest).toEqual([
      ['ready', ''],
      ['message', 'person'],
      ['status', 'working'],
      ['ran', ''],
      ['message', 'run'],
      ['message', 'answer'],
      ['status', 'idle'],
    ]);
    await reader.leave();
  });

  it('are few where drafts are many, and the last one always comes', async () => {
    const reader = await listen();
    await reader.seen('ready');
    for (let n = 1; n <= 2_000; n++) void world.perform(thread, draft(`text ${n}`));
    await until(() => reader.events.some((event) => event.data.text === 'text 2000'), 'the last draft');
    expect(reader.events.length).toBeLessThan(500);
    await reader.leave();
  });

  it('go on after the one that a reader names', async () => {
    const first = await listen();
    await world.perform(thread, status('working'));
    await world.perform(thread, draft('The beginning'));
    await first.seen('draft');
    const last = first.events.at(-1)!.id!;
    await first.leave();
    await sleep(50);
    await world.perform(thread, draft('The beginning and the middle'));
    await sleep(50);
    const second = await listen(last);
    await second.seen('ready');
    await world.perform(thread, post('a', { text: 'The end' }));
    await second.seen('message');
    expect(second.events.map(({ name, data }) => [name, data.text ?? data.resumed])).toEqual([
      ['draft', 'The beginning and the middle'],
      ['ready', true],
      ['message', 'The end'],
    ]);
    await second.leave();
  });

  it('bring a new reader up to date with the turn under way, and not with what is over', async () => {
    await world.perform(thread, status('working'));
    await world.perform(thread, draft('old'));
    await world.perform(thread, post('old', { text: 'old' }));
    await world.perform(thread, status('idle'));
    const running = turnId('U');
    await world.perform(thread, { ...status('working'), turn: running });
    await world.perform(thread, { op: 'ran', turn: running, message: messageId('U'), run: aRun({ n: 3 }) });
    for (const text of ['n', 'ne', 'new']) {
      await world.perform(thread, { ...draft(text), turn: running, message: messageId('U') });
      await sleep(50);
    }
    const reader = await listen();
    await reader.seen('ready');
    expect(reader.events.map(({ name, data }) => [name, data.turn ?? data.resumed, data.text ?? data.run?.n])).toEqual(
      [
        ['status', 'U', ''],
        ['ran', 'U', undefined],
        ['draft', 'U', 'new'],
        ['ready', false, undefined],
      ].map(([name, turn, text]) => [name, turn, name === 'ran' ? 3 : text]),
    );
    await reader.leave();
  });

  it('tell a post once, however often it was performed (U001)', async () => {
    const reader = await listen();
    await reader.seen('ready');
    await Promise.all([1, 2, 3].map(() => world.perform(thread, post('same'))));
    await world.events.append(world.conversation(thread), (await lastStored())!);
    await world.perform(thread, post('other'));
    await until(() => reader.events.some((event) => event.data.key === 'other'), 'the other post');
    expect(reader.events.filter((event) => event.data.key === 'same')).toHaveLength(1);
    await reader.leave();
  });

  it('survive what is not an event, and free everything when the reader goes', async () => {
    await world.events.append(world.conversation(thread), 'not JSON');
    await world.events.append(world.conversation(thread), '{"event":"nothing","turn":"","data":{}}');
    const readers = await Promise.all(Array.from({ length: 20 }, () => listen()));
    await Promise.all(readers.map((reader) => reader.seen('ready')));
    await Promise.all(readers.map((reader) => reader.leave()));
    await until(async () => (await world.connections()) === 0, 'all connections closed');
    expect(world.log.filter((line) => line.level === 'error')).toEqual([]);
  });

  it('are not there for a thread that is not', async () => {
    expect((await fetch(`${world.url}/api/threads/no-such-thread/events`)).status).toBe(404);
  });

  const lastStored = async (): Promise<string | undefined> => {
    const leaving = new AbortController();
    for await (const event of world.events.read(world.conversation(thread), '0', leaving.signal)) {
      if (event.data.includes('"same"')) return event.data;
    }
    return undefined;
  };
});
