/** Edits and deletions through the whole street: gateway, Redis, worker, and a scripted model. */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Address } from '../../src/core/ids.ts';
import { goodStep } from '../servers/openai/cases.ts';
import { startScriptedServer } from '../servers/openai/server.ts';
import type { ScriptedServer, Step } from '../servers/openai/server.ts';
import { aDeletion, aMessage, anEdit, aThread, idOf, startHouse } from '../support/house.ts';
import type { House } from '../support/house.ts';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { valueOf } from '../support/results.ts';
import { ben } from '../support/samples.ts';
import { until } from '../support/until.ts';

const SECRET = 'xylophone-4711';
/** A reply of which the beginning comes, and then nothing more until the reader has gone. */
const endless: Step = { sse: [{ delta: { role: 'assistant', content: 'Let me think' }, finish_reason: null }], end: 'hang' };

describe('a message that changes', { timeout: 60_000 }, () => {
  let redis: TestRedis;
  let model: ScriptedServer;
  let house: House;
  beforeAll(async () => {
    redis = await startRedis();
    model = await startScriptedServer();
    house = await startHouse({ redisUrl: redis.url, modelUrl: model.baseUrl });
  });
  afterEach(() => {
    expect(model.requests.flatMap((request) => request.problems)).toEqual([]);
  });
  afterAll(async () => {
    await house[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  const accept = async (incoming: Parameters<House['gateway']['accept']>[0]) => valueOf(await house.gateway.accept(incoming));
  const settled = (address: Address) => house.settled(idOf(address));
  const say = async (address: Address, key: string, text: string, answer: string): Promise<void> => {
    model.play(goodStep(answer));
    await accept(aMessage(address, key, text));
    await settled(address);
  };
  const answers = (address: Address) => house.posts(idOf(address)).flatMap((post) => (post.kind === 'answer' ? [post.text] : []));
  const lastRequest = (): string => JSON.stringify(model.requests.at(-1)?.body);
  /** Every word of the conversation in Redis. */
  const stored = async (address: Address): Promise<string> => {
    const look = redis.look();
    const found: string[] = [];
    for (const key of await look.keys(`*${idOf(address)}*`)) {
      const type = await look.type(key);
      if (type === 'list') found.push(...(await look.lrange(key, 0, -1)));
      if (type === 'hash') found.push(...Object.values(await look.hgetall(key)));
      if (type === 'string') found.push((await look.get(key)) ?? '');
      if (type === 'stream') found.push(JSON.stringify(await look.xrange(key, '-', '+')));
    }
    return found.join('\n');
  };
  /** Asks, and waits until the model has begun to answer what it will never finish. */
  const begin = async (address: Address, key: string, text: string): Promise<void> => {
    const before = model.requests.length;
    model.play(endless);
    await accept(aMessage(address, key, text));
    await until(() => model.requests.length > before && house.live(idOf(address)).some((op) => op.op === 'draft'), 'the model answers');
  };

  it('U011: the last question, edited, is answered anew once, and its old words are gone', async () => {
    const address = aThread();
    await say(address, 'm1', `what is ${SECRET}?`, 'An instrument.');
    model.play(goodStep('Blue.'));
    await accept(anEdit(address, 'm1', 'what colour is the sky?', '1'));
    await settled(address);
    expect(answers(address)).toEqual(['An instrument.', 'Blue.']);
    expect(lastRequest()).toContain('what colour is the sky?');
    expect(lastRequest()).toContain('it was edited since, and comes again below');
    expect(lastRequest()).not.toContain(SECRET);
    expect(await stored(address)).not.toContain(SECRET);
    // The platform delivers the same edit again, twice.
    const requests = model.requests.length;
    for (let n = 0; n < 2; n += 1) await accept(anEdit(address, 'm1', 'what colour is the sky?', '1'));
    await settled(address);
    expect(model.requests.length).toBe(requests);
  });

  it('U010, S05: revisions that change no word of it are nothing', async () => {
    const address = aThread();
    await say(address, 'm1', 'see https://example.org', 'Seen.');
    const requests = model.requests.length;
    for (let n = 0; n < 50; n += 1) await accept(anEdit(address, 'm1', 'see https://example.org', String(n)));
    await settled(address);
    expect(model.requests.length).toBe(requests);
    expect(answers(address)).toEqual(['Seen.']);
  });

  it('is edited twice: each text is answered, the last one stands', async () => {
    const address = aThread();
    await say(address, 'm1', 'one', 'First.');
    for (const [version, text] of [
      ['1', 'two'],
      ['2', 'three'],
    ] as const) {
      model.play(goodStep(`To ${text}.`));
      await accept(anEdit(address, 'm1', text, version));
      await settled(address);
    }
    expect(answers(address)).toEqual(['First.', 'To two.', 'To three.']);
    const { entries } = valueOf(await house.base.work.store.entries(idOf(address), 0, 100));
    expect(entries.flatMap((entry) => (entry.kind === 'said' ? [entry.text] : []))).toEqual(['three']);
  });

  it('that is not the last any more is only changed in the store', async () => {
    const address = aThread();
    await say(address, 'm1', `the word is ${SECRET}`, 'Noted.');
    await say(address, 'm2', 'and now?', 'Now what?');
    const requests = model.requests.length;
    await accept(anEdit(address, 'm1', 'the word is guitar', '1'));
    await settled(address);
    expect(model.requests.length).toBe(requests);
    expect(await stored(address)).not.toContain(SECRET);
    await say(address, 'm3', 'what was the word?', 'guitar');
    expect(lastRequest()).toContain('the word is guitar');
  });

  it('that waits is answered in its new words, in its place', async () => {
    const address = aThread();
    await begin(address, 'm1', 'think long');
    await accept(aMessage(address, 'm2', `second ${SECRET}`, { author: ben }));
    await accept(aMessage(address, 'm3', 'third', { author: ben }));
    await accept(anEdit(address, 'm2', 'second, better', '1', { author: ben }));
    model.play(goodStep('Answer two.'), goodStep('Answer three.'));
    await accept(aDeletion(address, 'm1'));
    await settled(address);
    expect(answers(address).slice(-2)).toEqual(['Answer two.', 'Answer three.']);
    expect(JSON.stringify(model.requests.at(-2)?.body)).toContain('second, better');
    expect(await stored(address)).not.toContain(SECRET);
  });

  it('that is being answered is begun anew, and what was shown is told as ended', async () => {
    const address = aThread();
    await begin(address, 'm1', `think about ${SECRET}`);
    model.play(goodStep('Four.'));
    await accept(anEdit(address, 'm1', 'what is 2 + 2?', '1'));
    await settled(address);
    const posts = house.posts(idOf(address));
    expect(posts.map(({ text, status }) => [text, status])).toEqual([
      ['Stopped: the message was edited or deleted.', 'stopped'],
      ['Four.', 'complete'],
    ]);
    // The first takes the place of the draft that was shown, the second has a message of its own.
    const drafted = house.live(idOf(address)).find((op) => op.op === 'draft');
    expect(posts[0]?.message).toBe(drafted?.op === 'draft' ? drafted.message : '');
    expect(posts[1]?.message).not.toBe(posts[0]?.message);
    expect(await stored(address)).not.toContain(SECRET);
    expect(lastRequest()).not.toContain(SECRET);
    expect(lastRequest()).not.toContain('Let me think');
  });

  it('U131: that is deleted while it is being answered ends its turn; the thread goes on', async () => {
    const address = aThread();
    await begin(address, 'm1', `think about ${SECRET}`);
    await accept(aDeletion(address, 'm1'));
    await settled(address);
    expect(answers(address)).toEqual(['Stopped: the message was edited or deleted.']);
    expect(await stored(address)).not.toContain(SECRET);
    await say(address, 'm2', 'hello', 'Hello.');
    expect(answers(address).at(-1)).toBe('Hello.');
    expect(lastRequest()).not.toContain(SECRET);
  });

  it('that is deleted later leaves the store and the context, and its answer stays', async () => {
    const address = aThread();
    await say(address, 'm1', `my password is ${SECRET}`, 'Do not tell me.');
    await accept(aDeletion(address, 'm1'));
    await accept(aDeletion(address, 'm1'));
    expect(await stored(address)).not.toContain(SECRET);
    await say(address, 'm2', 'hello', 'Hello.');
    expect(lastRequest()).toContain('a message of “Ann” stood here; it was deleted');
    expect(lastRequest()).toContain('Do not tell me.');
  });

  it('that was edited and asked anew goes as a whole when it is deleted', async () => {
    const address = aThread();
    await say(address, 'm1', 'one', 'First.');
    model.play(goodStep('Second.'));
    await accept(anEdit(address, 'm1', `two ${SECRET}`, '1'));
    await settled(address);
    await accept(aDeletion(address, 'm1'));
    expect(await stored(address)).not.toContain(SECRET);
  });

  it('leaves what was read of it later', async () => {
    const address = aThread();
    model.play(goodStep('About sales.'));
    const earlier = [
      { key: aMessage(address, 'e1', '').key, at: 1, author: ben, text: `sales were ${SECRET}`, files: [] },
      { key: aMessage(address, 'e2', '').key, at: 2, author: ben, text: 'costs were 3', files: ['costs.csv'] },
    ];
    await accept(aMessage(address, 'm1', 'what is this about?', { earlier }));
    await settled(address);
    expect(lastRequest()).toContain(SECRET);
    await accept(aDeletion(address, 'e1'));
    await accept(anEdit(address, 'e2', 'costs were 4', '1', { author: ben }));
    expect(await stored(address)).not.toContain(SECRET);
    await say(address, 'm2', 'and costs?', '4');
    expect(lastRequest()).toContain('costs were 4');
    expect(lastRequest()).not.toContain('costs were 3');
  });

  it('that was never heard of makes no thread', async () => {
    const address = aThread();
    await accept(anEdit(address, 'm1', 'whatever', '1'));
    await accept(aDeletion(address, 'm1'));
    expect(valueOf(await house.gateway.knows(idOf(address)))).toBe(false);
    expect(await redis.look().keys(`*${idOf(address)}*`)).toEqual([]);
  });

  it('that becomes a command is done as one', async () => {
    const address = aThread();
    await say(address, 'm1', '!rset', 'What do you mean?');
    await accept(anEdit(address, 'm1', '!reset', '1'));
    await settled(address);
    expect(house.posts(idOf(address)).at(-1)?.text).toMatch(/^Started afresh/);
  });

  it('is refused to whoever may not talk, as the message itself would be', async () => {
    const address = aThread();
    await begin(address, 'm1', 'think long');
    const edit = await house.gateway.accept(anEdit(address, 'm1', 'other words', '1', { standing: 'outsider' }));
    expect(edit).toMatchObject({ ok: false, failure: { code: 'forbidden' } });
    await accept(aDeletion(address, 'm1'));
    await settled(address);
  });
});
