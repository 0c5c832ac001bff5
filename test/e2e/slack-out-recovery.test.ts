/** Slack, going out: workers that are killed or stopped in the middle of an answer. Nothing is lost and nothing stands twice. */
import { afterEach, describe, expect, it } from 'vitest';
import { startPacedServer } from '../servers/openai/paced.ts';
import { startSlackApp } from '../support/slack-app.ts';

const words = (from: number, to: number): string => Array.from({ length: to - from }, (_, n) => `word${from + n}`).join(' ');
const long = (parts: number): string =>
  Array.from({ length: parts }, (_, n) => `Part ${n}: ${'some words '.repeat(320)}end${n}.`).join('\n\n');

/** Long enough for whatever might still be said twice. */
const calm = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 3_000));

describe('answers that were cut off', { timeout: 240_000 }, () => {
  const open: AsyncDisposable[] = [];
  afterEach(async () => {
    for (const one of open.splice(0).toReversed()) await one[Symbol.asyncDispose]();
  });
  const begin = async () => {
    const model = await startPacedServer();
    open.push(model);
    const app = await startSlackApp({ env: { OPENAI_BASE_URL: model.baseUrl, HEKTOR_MODEL: 'paced' } });
    open.push(app);
    const visible = async (thread: string) => (await app.control.messages({ channel: 'C01GEN', thread })).filter((one) => one.fromBot);
    const ask = async (text: string) => (await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text: `@hektor ${text}` })).ts;
    return { model, app, visible, ask };
  };

  it('U098, U128, U130: killed with -9 while it streams, another answers once, and no half of an answer is left', async () => {
    const { model, app, visible, ask } = await begin();
    const text = words(0, 150);
    const pieces = Array.from({ length: 15 }, (_, n) => [`${words(n * 10, n * 10 + 10)}${n === 14 ? '' : ' '}`, 400]).flat();
    model.answer(() => pieces);
    const thread = await ask('tell me');
    await app.control.until(async () => ((await visible(thread))[0]?.streamCalls ?? 0) > 2, 'some text');
    await app.apps()[0]?.kill();
    await app.start();
    await app.control.until(
      async () => {
        const said = await visible(thread);
        return said.length === 1 && said[0]?.stream !== 'streaming' && said[0]?.fallback === text;
      },
      'one whole answer',
      90_000,
    );
    await calm();
    expect((await visible(thread)).map((message) => message.fallback)).toEqual([text]);
    expect((await app.control.session({ channel: 'C01GEN', thread }))?.status).toBe('active');
  });

  it('killed with -9 between the parts of an answer, every part arrives, once and in order', async () => {
    const { model, app, visible, ask } = await begin();
    await app.control.fault({ method: 'chat.startStream', error: 'unknown_method', times: 99 });
    // All at once, so that nothing is shown before; each part then takes its time on the way.
    model.answer(() => [long(5)]);
    for (let n = 0; n < 3; n += 1) await app.control.fault({ method: 'chat.postMessage', delayMs: 1_500 });
    const thread = await ask('a long answer');
    await app.control.until(async () => (await visible(thread)).length >= 2, 'the first parts', 60_000);
    await app.apps()[0]?.kill();
    await app.control.clearFaults();
    await app.start();
    const all = async () => (await visible(thread)).map((message) => message.fallback).join('\n');
    await app.control.until(async () => (await all()).includes('end4.'), 'the last part', 90_000);
    await calm();
    const text = await all();
    for (let n = 0; n < 5; n += 1) expect(text.split(`end${n}.`)).toHaveLength(2);
    const order = [0, 1, 2, 3, 4].map((n) => text.indexOf(`Part ${n}:`));
    expect(order).toEqual(order.toSorted((a, b) => a - b));
  });

  it('U128: stopped in an orderly way while it streams, the next process answers in its place', async () => {
    const { model, app, visible, ask } = await begin();
    const text = words(0, 150);
    model.answer(() => Array.from({ length: 15 }, (_, n) => [`${words(n * 10, n * 10 + 10)}${n === 14 ? '' : ' '}`, 400]).flat());
    const thread = await ask('tell me');
    await app.control.until(async () => ((await visible(thread))[0]?.streamCalls ?? 0) > 2, 'some text');
    await app.apps()[0]?.stop();
    // Nothing looks as if it were still going on.
    expect((await visible(thread)).map((message) => message.stream)).not.toContain('streaming');
    await app.start();
    await app.control.until(
      async () => {
        const said = await visible(thread);
        return said.length === 1 && said[0]?.fallback === text;
      },
      'one whole answer',
      90_000,
    );
    await calm();
    expect(await visible(thread)).toHaveLength(1);
  });
});
