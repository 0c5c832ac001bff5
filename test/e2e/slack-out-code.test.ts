/** Slack, going out: code of people and of the model, its output, plots and files. Real containers. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startPacedServer } from '../servers/openai/paced.ts';
import type { PacedServer } from '../servers/openai/paced.ts';
import { startSlackApp } from '../support/slack-app.ts';
import type { SlackApp } from '../support/slack-app.ts';

describe('code in Slack', { timeout: 240_000 }, () => {
  let model: PacedServer;
  let app: SlackApp;
  beforeAll(async () => {
    model = await startPacedServer();
    app = await startSlackApp({ env: { OPENAI_BASE_URL: model.baseUrl, HEKTOR_MODEL: 'paced', HEKTOR_SANDBOX_POOL: '1' } });
  }, 120_000);
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
  });
  const visible = async (thread: string) => (await app.control.messages({ channel: 'C01GEN', thread })).filter((one) => one.fromBot);
  const say = async (text: string, thread?: string) =>
    (await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text, ...(thread === undefined ? {} : { thread }) })).ts;

  it('a person’s code is answered as a Python prompt would, its files come into the thread, its plot with words (U086, U092)', async () => {
    const thread = await say('@hektor >>> x = 6 * 7');
    await app.answered('C01GEN', thread);
    await say('>>>\nprint("a < b & c")\nx', thread);
    const second = await app.answered('C01GEN', thread, 2);
    expect(second.text).toMatch(/^a < b & c\n42\nRun 2 · /);
    await say(
      '>>>\nopen("out.csv", "w").write("a,b\\n1,2\\n")\nimport matplotlib.pyplot as plt\nplt.plot([1, 4, 9])\nplt.title("Squares")\nplt.show()',
      thread,
    );
    const files = await app.control.until(
      async () => (await visible(thread)).flatMap((one) => (one.thread === thread ? one.files : [])).length >= 2 && visible(thread),
      'the files',
      90_000,
    );
    const sent = files.flatMap((one) => one.files);
    expect(sent.map((file) => file.mimetype).toSorted()).toEqual(['image/png', 'text/csv']);
    expect(sent.find((file) => file.mimetype === 'image/png')?.altText).not.toBe('');
    await app.settled();
    // Our own files, which come back as an event, are nobody's question.
    expect(model.asked()).toBe(0);
  });

  it('what the model ran is folded under its answer; an error of a person’s code is shown whole', async () => {
    model.answer((_, results) =>
      results === 0 ? [{ call: 'python', args: { code: 'n = 5\nsum(range(n))' } }] : ['The sum is **10**, in total.'],
    );
    const thread = await say('@hektor what is the sum below 5?');
    const answer = await app.answered('C01GEN', thread);
    expect(answer.text).toContain('The sum is **10**, in total.');
    expect(answer.text).toMatch(/What I ran: 1 piece of Python\nRun 1: 2 lines of Python, .*\nn = 5\nsum\(range\(n\)\)\n10/);
    await say('>>> n / 0', thread);
    const failed = await app.answered('C01GEN', thread, 2);
    expect(failed.text).toMatch(/ZeroDivisionError: division by zero\nRun 2 · /);
  });

  it('code that an answer only shows can be run by a press, once it is asked for', async () => {
    model.answer(() => ['Try this:\n\n```python\n7 * 8\n```\n']);
    const thread = await say('@hektor show me code');
    const answer = await app.answered('C01GEN', thread);
    expect(answer.buttons.map((button) => button.text)).toContain('Run the code');
    await app.control.press({ user: 'U01ALICE', channel: 'C01GEN', ts: answer.ts, button: 'Run the code' });
    expect((await app.answered('C01GEN', thread, 2)).text).toMatch(/^56\nRun 1 · /);
  });

  it('Run counts the code of the whole answer, what was said before a tool was called included', async () => {
    model.answer((_, results) =>
      results === 0
        ? ['An idea:\n\n```python\n111 * 3\n```\n\n', { call: 'python', args: { code: '1' } }]
        : ['Better:\n\n```python\n7 * 9\n```\n'],
    );
    const thread = await say('@hektor show me two ways');
    const answer = await app.answered('C01GEN', thread);
    expect(answer.buttons.map((button) => button.text)).toEqual(expect.arrayContaining(['Run block 1', 'Run block 2']));
    await app.control.press({ user: 'U01ALICE', channel: 'C01GEN', ts: answer.ts, button: 'Run block 2' });
    expect((await app.answered('C01GEN', thread, 2)).text).toMatch(/^63\n/);
    await app.control.press({ user: 'U01ALICE', channel: 'C01GEN', ts: answer.ts, button: 'Run block 1' });
    expect((await app.answered('C01GEN', thread, 3)).text).toMatch(/^333\n/);
  });

  it('a fork opens a thread of its own in the channel, and says where', async () => {
    const thread = await say('@hektor >>> y = 1');
    await app.answered('C01GEN', thread);
    await say('!fork', thread);
    const told = await app.answered('C01GEN', thread, 2);
    const link = /C01GEN-(\d+\.\d+)/.exec(told.fallback)?.[1] ?? '';
    const root = (await app.control.messages({ channel: 'C01GEN' })).find((one) => one.ts === link);
    expect(root).toMatchObject({ fromBot: true, thread: null });
    await say('>>> y + 1', link);
    expect((await app.answered('C01GEN', link)).text).toMatch(/^2\n/);
  });

  it('output is shown while code runs, and gives way to what came of it', async () => {
    const thread = await say('@hektor >>>\nimport time\nfor i in range(4):\n    print("step", i, flush=True)\n    time.sleep(1.5)\n"done"');
    await app.control.until(async () => /step 0/.test((await visible(thread))[0]?.text ?? ''), 'output', 60_000);
    expect((await visible(thread))[0]?.buttons.map((button) => button.text)).toEqual(['Stop']);
    await app.control.until(async () => /'done'/.test((await visible(thread))[0]?.text ?? ''), 'the end', 60_000);
    await app.settled();
    const said = await visible(thread);
    expect(said).toHaveLength(1);
    expect(said[0]?.text).toMatch(/^step 0\nstep 1\nstep 2\nstep 3\n'done'\nRun 1 · /);
    expect(said[0]?.buttons).toEqual([]);
  });
});
