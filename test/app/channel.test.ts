/** What is set for a channel, and who may do what there: through gateway, Redis, worker and a scripted model. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { argsOf } from '../../src/core/command.ts';
import type { Address } from '../../src/core/ids.ts';
import type { IncomingOf } from '../../src/ports/adapter.ts';
import { conversationKeys } from '../../src/infra/redis/keys.ts';
import { goodStep } from '../servers/openai/cases.ts';
import { startScriptedServer } from '../servers/openai/server.ts';
import type { ScriptedServer } from '../servers/openai/server.ts';
import { aCall, aMessage, aThread, idOf, startHouse } from '../support/house.ts';
import type { House } from '../support/house.ts';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { codeOf, valueOf } from '../support/results.ts';
import { ann, ben } from '../support/samples.ts';

const operator = { id: 'OP', name: 'Olga' };
const SECRET = 'xylophone-4711';

describe('a channel', { timeout: 60_000 }, () => {
  let redis: TestRedis;
  let model: ScriptedServer;
  let house: House;
  beforeAll(async () => {
    redis = await startRedis();
    model = await startScriptedServer();
    const other = { name: 'other', baseUrl: model.baseUrl, model: 'other-1', profile: { tools: false } };
    const env = {
      HEKTOR_OPERATORS: 'chat/OP',
      HEKTOR_RUNNERS: 'chat/U1',
      HEKTOR_CHANNELS: 'chat/T1/C*,chat/T2/*',
    };
    house = await startHouse({ redisUrl: redis.url, modelUrl: model.baseUrl, env, config: { models: [other], default: 'default' } });
  });
  afterAll(async () => {
    await house[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
  });

  let serial = 0;
  const accept = (incoming: Parameters<House['gateway']['accept']>[0]) => house.gateway.accept(incoming);
  const say = async (address: Address, text: string, answer = 'ok', fields: Partial<IncomingOf<'message'>> = {}) => {
    model.play(goodStep(answer));
    valueOf(await accept(aMessage(address, `m-${(serial += 1)}`, text, fields)));
    await house.settled(idOf(address));
    return model.requests.at(-1)?.body ?? {};
  };
  const call = async (address: Address, name: string, args = '', author = operator): Promise<string> => {
    const accepted = valueOf(await accept(aCall(address, name, args, author)));
    if (accepted.answer !== null) return accepted.answer.text;
    await house.settled(idOf(address));
    return house.posts(idOf(address)).at(-1)?.text ?? '';
  };
  const systemOf = (body: Record<string, unknown>): string => JSON.stringify((body['messages'] as unknown[])[0]);

  it('U143: two channels have two personas at the same time, and a thread its own', async () => {
    const [pirates, poets] = [aThread(), aThread()];
    await call(pirates, 'settings', 'persona=Speak like a pirate.');
    await call(poets, 'settings', 'persona="Answer in verse, and speak=all softly"');
    expect(systemOf(await say(pirates, 'one'))).toContain('Speak like a pirate.');
    expect(systemOf(await say(poets, 'two'))).toContain('Answer in verse, and speak=all softly');
    expect(valueOf(await house.gateway.settings(poets)).speak).toBe('mention');
    await call(pirates, 'persona', 'Be brief.');
    expect(systemOf(await say(pirates, 'three'))).toMatch(/Be brief\./);
    const elsewhere = { ...pirates, thread: 'another' };
    expect(systemOf(await say(elsewhere, 'four'))).toContain('Speak like a pirate.');
    await call(pirates, 'persona', 'none');
    expect(systemOf(await say(pirates, 'five'))).not.toContain('<persona>');
  });

  it('U140: has a model of its own, which why tells in its own dialect', async () => {
    const address = aThread();
    await call(address, 'settings', 'model=other speak=strict');
    const body = await say(address, 'who are you?');
    expect(body['model']).toBe('other-1');
    // That model has no function calls: it was asked by the text protocol, and `why` shows that.
    expect(systemOf(body)).toContain('STARTCODE');
    const why = valueOf(await accept(aCall(address, 'why'))).answer;
    expect(why?.files[0]?.content).toContain('STARTCODE');
    expect(why?.files[0]?.content).not.toContain('You run code with the tool python');
    expect(await call(address, 'model')).toMatch(/`other`.*answers here, usual/);
    expect(valueOf(await house.gateway.settings(address))).toMatchObject({ model: 'other', speak: 'strict' });
    expect(await call(address, 'settings')).toMatch(/`speak`.*strict/);
    await call(address, 'settings', 'model=default');
    expect((await say(address, 'and now?'))['model']).toBe('scripted');
  });

  it('is set by operators only where there are any, and by nobody in words that mean nothing', async () => {
    const address = aThread();
    await say(address, 'mine');
    const settings = async (args: string, author = ann) => codeOf(await accept(aCall(address, 'settings', args, author)));
    expect(await settings('speak=all')).toBe('forbidden');
    expect(await settings('outsiders=on')).toBe('forbidden');
    expect(await settings('')).toBe('ok');
    expect(await settings('speak=loud', operator)).toBe('command-arguments');
    expect(await settings('model=none-such', operator)).toBe('command-arguments');
    expect(await settings('be nice', operator)).toBe('command-arguments');
    expect(valueOf(await house.gateway.settings(address))).toMatchObject({ speak: 'mention', model: null });
  });

  it('lets outsiders in only where an operator says so', async () => {
    const address = aThread();
    const ask = (key: string) => accept(aMessage(address, key, 'hello', { author: ben, standing: 'outsider' }));
    expect(codeOf(await ask('k1'))).toBe('forbidden');
    expect(codeOf(await accept(aCall(address, 'vars', '', ben, { standing: 'outsider' })))).toBe('forbidden');
    await call(address, 'settings', 'outsiders=on');
    model.play(goodStep('Hello.'));
    expect(codeOf(await ask('k2'))).toBe('ok');
    await house.settled(idOf(address));
  });

  it('U106: that is not on the list is silent to messages, commands and edits alike, threads included', async () => {
    const address = aThread({ channel: 'D1' });
    expect(codeOf(await accept(aMessage(address, 'k1', 'hello')))).toBe('forbidden');
    for (const name of ['help', 'vars', 'settings', 'py', 'ask', 'reset', 'stop', 'usage'])
      expect(codeOf(await accept(aCall(address, name, name === 'py' ? '1' : name === 'ask' ? 'x' : '', operator)))).toBe('forbidden');
    expect(valueOf(await house.gateway.knows(idOf(address)))).toBe(false);
  });

  it('runs code only for those who may, the model’s too', async () => {
    const address = aThread();
    expect(codeOf(await accept(aMessage(address, 'k1', '>>> 1', { author: ben })))).toBe('forbidden');
    expect(codeOf(await accept(aCall(address, 'py', '1', ben)))).toBe('forbidden');
    const bens = await say(address, 'run 1 for me', 'no', { author: ben });
    expect(JSON.stringify(bens['tools'])).not.toContain('"name":"python"');
    expect(systemOf(bens)).toContain('There is no code interpreter in this conversation');
    const anns = await say(address, 'run 2 for me', 'yes', { author: ann });
    expect(JSON.stringify(anns['tools'])).toContain('"name":"python"');
  });

  it('U038: gets its hint once', async () => {
    const conversation = idOf(aThread());
    expect(valueOf(await house.gateway.hint(conversation))).toMatch(/only when I am mentioned/);
    expect(valueOf(await house.gateway.hint(conversation))).toBeNull();
  });

  it('counts and keeps what people think of answers', async () => {
    const address = aThread();
    await say(address, 'rate me');
    const accepted = valueOf(await accept(aCall(address, 'feedback', 'down too long', ben)));
    expect(accepted.answer).toMatchObject({ text: 'Thank you, noted.', private: true });
    expect(valueOf(await house.base.work.store.ratings(idOf(address)))).toMatchObject([{ by: ben, verdict: 'down', words: 'too long' }]);
    expect(await house.base.metrics.text()).toContain('hektor_feedback_total{platform="chat",verdict="down"} 1');
    expect(codeOf(await accept(aCall(address, 'feedback', 'meh', ben)))).toBe('command-arguments');
  });

  it('suggests what may be typed', async () => {
    const suggest = async (command: string, option: string, partial: string) =>
      (await house.gateway.complete(aThread(), ann, command, option, partial)).map(({ value }) => value);
    expect(await suggest('model', 'name', '')).toEqual(['other', 'default']);
    expect(await suggest('settings', 'model', 'oth')).toEqual(['other']);
    expect((await suggest('help', 'command', 'un'))[0]).toBe('undo');
    expect(await suggest('settings', 'speak', '')).toEqual([]);
    expect(await suggest('none', 'such', '')).toEqual([]);
  });

  it('U115: forget me erases one person’s words everywhere, and nobody else’s', async () => {
    const address = aThread();
    const files = [{ name: 'a.txt', type: 'text/plain', bytes: Buffer.from(`file ${SECRET}`) }];
    await say(address, `I am ${SECRET}`, `Hello ${SECRET}.`, { author: ben, files });
    await say(address, 'I am Ann', 'Hello Ann.', { author: ann });
    expect((await stored()).includes(SECRET)).toBe(true);
    expect(await call(address, 'forget', 'me', ben)).toMatch(/^Erased: what you wrote/);
    expect((await stored()).includes(SECRET)).toBe(false);
    const body = JSON.stringify(await say(address, 'who was here?', 'Only you.', { author: ann }));
    expect(body).not.toContain(SECRET);
    expect(body).toContain('Hello Ann.');
    expect(await call(address, 'vars', '', ann)).not.toContain('a.txt');
    // The whole thread is the owner's to erase, and that is Ben, who asked first.
    expect(codeOf(await accept(aCall(address, 'forget', 'everything', ann)))).toBe('forbidden');
    expect(await call(address, 'forget', 'everything', ben)).toMatch(/^Erased: everything/);
    expect(await redis.look().keys(`*${idOf(address)}*`)).toEqual([]);
  });

  /** Everything that Redis holds, as text. */
  const stored = async (): Promise<string> => {
    const look = redis.look();
    const found: string[] = [];
    for (const key of await look.keys('*')) {
      const type = await look.type(key);
      if (type === 'list') found.push(...(await look.lrange(key, 0, -1)));
      if (type === 'hash') found.push(...Object.values(await look.hgetall(key)));
      if (type === 'string') found.push((await look.get(key)) ?? '');
      if (type === 'stream') found.push(JSON.stringify(await look.xrange(key, '-', '+')));
      if (type === 'zset') found.push(...(await look.zrange(key, 0, -1)));
    }
    return found.join('\n');
  };

  it('puts a message aside that it cannot read, says so, and goes on', async () => {
    const address = aThread();
    const conversation = idOf(address);
    // Written by a gateway of another version: the worker is not woken before it is there.
    const keys = conversationKeys(conversation);
    const item = JSON.stringify({ kind: 'from-the-future', author: ben, origin: { ts: 'k1' } });
    await redis.look().multi().hset(keys.items, 'k1', item).rpush(keys.mailbox, 'k1').exec();
    await say(address, 'after it', 'Here I am.');
    const posts = house.posts(conversation);
    expect(posts.map(({ text, status }) => [text.slice(0, 30), status])).toEqual([
      ['Something about this message m', 'failed'],
      ['Here I am.', 'complete'],
    ]);
    expect(posts[0]?.origin).toEqual({ ts: 'k1' });
    expect(await redis.look().hget(keys.aside, 'k1')).toBe(item);
    expect(house.lines.some(({ level, message }) => level === 'error' && message.includes('put aside'))).toBe(true);
  });

  it('that is gone takes its conversations and settings along, and a workspace all of its', async () => {
    const [one, two, other] = [aThread({ workspace: 'T2' }), aThread({ workspace: 'T2' }), aThread()];
    for (const address of [one, two, other]) await say(address, 'hello');
    await call(one, 'settings', 'speak=all');
    const { platform, workspace, channel } = one;
    expect(valueOf(await house.gateway.purge({ platform, workspace, channel }))).toBe(1);
    expect(await redis.look().keys(`*${idOf(one)}*`)).toEqual([]);
    expect(valueOf(await house.gateway.settings(one)).speak).toBe('mention');
    expect(valueOf(await house.gateway.knows(idOf(two)))).toBe(true);
    expect(valueOf(await house.gateway.purge({ platform, workspace, channel: null }))).toBe(1);
    expect(valueOf(await house.gateway.purge({ platform, workspace, channel: null }))).toBe(0);
    expect(valueOf(await house.gateway.knows(idOf(other)))).toBe(true);
  });

  it('that is one thread goes alone, and the channel keeps its settings', async () => {
    const gone = aThread();
    const left = { ...gone, thread: `2.${gone.thread}` };
    for (const address of [gone, left]) await say(address, 'hello');
    await call(left, 'settings', 'speak=all');
    expect(valueOf(await house.gateway.purge(gone))).toBe(1);
    expect(await redis.look().keys(`*${idOf(gone)}*`)).toEqual([]);
    expect(valueOf(await house.gateway.purge(gone))).toBe(0);
    expect(valueOf(await house.gateway.knows(idOf(left)))).toBe(true);
    expect(valueOf(await house.gateway.settings(left)).speak).toBe('all');
  });

  it('sets by slash options what it sets by typed words', async () => {
    const address = aThread();
    const settings = house.gateway.commands.find(({ name }) => name === 'settings');
    if (settings === undefined) throw new Error('there are no settings');
    await call(address, 'settings', argsOf(settings, { speak: 'all', persona: 'Say "arr" often.\nspeak=strict', threads: 'reply' }));
    expect(valueOf(await house.gateway.settings(address))).toMatchObject({
      speak: 'all',
      persona: 'Say "arr" often.\nspeak=strict',
      threads: 'reply',
    });
  });
});
