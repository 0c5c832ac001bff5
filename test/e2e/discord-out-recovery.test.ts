/** Discord, going out: workers that are killed or stopped in the middle of an answer, and people who act on it. Nothing is lost and nothing stands twice. */
import { afterEach, describe, expect, it } from 'vitest';
import { startPacedServer } from '../servers/openai/paced.ts';
import { startDiscordApp } from '../support/discord-app.ts';

const words = (from: number, to: number): string => Array.from({ length: to - from }, (_, n) => `word${from + n}`).join(' ');
const slowly = (): readonly (string | number)[] =>
  Array.from({ length: 15 }, (_, n) => [`${words(n * 10, n * 10 + 10)}${n === 14 ? '' : ' '}`, 500]).flat();
const long = (parts: number): string =>
  Array.from({ length: parts }, (_, n) => `Part ${n}: ${'some words '.repeat(165)}end${n}.`).join('\n\n');

/** Long enough for whatever might still be said twice. */
const calm = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3_000));

describe('answers that are cut off', { timeout: 240_000 }, () => {
  const open: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).toReversed()) await one[Symbol.asyncDispose]();
  });
  const begin = async () => {
    const model = await startPacedServer();
    open.push(model);
    const app = await startDiscordApp({ env: { OPENAI_BASE_URL: model.baseUrl, HEKTOR_MODEL: 'paced' } });
    open.push(app);
    // What Discord itself writes in the bot's name (that a thread was begun) is no answer.
    const visible = async (channel: string) => (await app.answers(channel)).filter(({ type }) => [0, 19, 20].includes(type));
    const ask = async (text: string) => (await app.control.say({ user: 'alice', channel: 'general', text: `@hektor ${text}` })).id;
    return { model, app, visible, ask };
  };

  it('U130: killed with -9 while it streams, another answers once, and no half of an answer is left', async () => {
    const { model, app, visible, ask } = await begin();
    model.answer(slowly);
    const thread = await ask('tell me');
    await app.control.until(async () => (await visible(thread))[0]?.text.includes('word5') === true, 'some text', 60_000);
    await app.apps()[0]?.kill();
    await app.start();
    await app.control.until(
      async () => {
        const said = await visible(thread);
        return said.length === 1 && said[0]?.text === words(0, 150);
      },
      'one whole answer',
      120_000,
    );
    await calm();
    expect((await visible(thread)).map(({ text }) => text)).toEqual([words(0, 150)]);
    expect(await visible('general')).toEqual([]);
    expect((await visible(thread))[0]?.buttons.map(({ label }) => label)).not.toContain('Stop');
  });

  it('U013: killed with -9 between the parts of an answer, every part arrives, once and in order', async () => {
    const { model, app, visible, ask } = await begin();
    model.answer(() => [long(5)]);
    await app.control.fault({ method: 'POST', path: '/messages', delayMs: 1_500, times: 4 });
    const thread = await ask('a long answer');
    await app.control.until(async () => (await visible(thread)).length >= 2, 'the first parts', 60_000);
    await app.apps()[0]?.kill();
    await app.control.clearFaults();
    await app.start();
    const all = async () => (await visible(thread)).map(({ text }) => text).join('\n');
    await app.control.until(async () => (await all()).includes('end4.'), 'the last part', 120_000);
    await calm();
    const text = await all();
    for (let n = 0; n < 5; n += 1) expect(text.split(`end${n}.`)).toHaveLength(2);
    const order = [0, 1, 2, 3, 4].map((n) => text.indexOf(`Part ${n}:`));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('D23: Stop under a draft stops it, what was said stays, and the thread goes on', async () => {
    const { model, app, visible, ask } = await begin();
    model.answer(slowly);
    const thread = await ask('tell me');
    await app.control.until(
      async () => (await visible(thread)).at(-1)?.buttons.some(({ label }) => label === 'Stop') === true,
      'a draft with Stop',
      60_000,
    );
    await app.control.press({ user: 'alice', message: (await visible(thread)).at(-1)?.id ?? '', button: 'Stop' });
    await app.control.until(
      async () => {
        const last = (await visible(thread)).at(-1);
        return last !== undefined && last.text.includes('word0') && last.buttons.some(({ label }) => label === 'Retry');
      },
      'the stopped answer',
      30_000,
    );
    expect(
      (await visible(thread))
        .map(({ text }) => text)
        .join('\n')
        .split('word0 '),
    ).toHaveLength(2);
    model.answer(() => ['Still here.']);
    await app.control.say({ user: 'alice', channel: thread, text: '@hektor are you there?' });
    await app.said(thread, 'Still here.');
  });

  it('U019: /ask opens a thread on its answer, where people go on; in direct messages it is answered in place', async () => {
    const { model, app, visible } = await begin();
    await app.control.until(async () => (await app.control.commands()).length > 0, 'commands', 60_000);
    model.answer(() => ['It is 42.']);
    await app.control.command({ user: 'alice', channel: 'general', name: 'ask', options: { question: 'what is 6 * 7?' } });
    const thread = await app.control.until(async () => (await app.control.threads({ channel: 'general' }))[0], 'a thread', 60_000);
    await app.said(thread.id, 'It is 42.');
    const [root] = await visible('general');
    expect(root).toMatchObject({ id: thread.id, loading: false });
    expect(root?.content).toBe(String.raw`> what is 6 * 7?`);
    model.answer(() => ['And 43.']);
    await app.control.say({ user: 'alice', channel: thread.id, text: '@hektor plus one?' });
    await app.said(thread.id, 'And 43.');
    const direct = await app.control.directChannel({ user: 'bob' });
    model.answer(() => ['Hello Bob.']);
    await app.control.command({ user: 'bob', channel: direct, name: 'ask', options: { question: 'hi' } });
    await app.said(direct, 'Hello Bob.');
    expect((await visible(direct)).map(({ text, loading }) => [text, loading])).toEqual([['Hello Bob.', false]]);
  });
});
