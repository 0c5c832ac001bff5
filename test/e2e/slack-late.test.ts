/** Slack, late into a thread: what was written before is read once, as untrusted history, and never at the price of the answer. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startSlackApp } from '../support/slack-app.ts';
import type { SlackApp } from '../support/slack-app.ts';

describe('Slack, late into a thread', { timeout: 180_000 }, () => {
  let app: SlackApp;
  beforeAll(async () => {
    app = await startSlackApp();
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(async () => {
    await app.control.clearFaults();
    await app.control.resetRates();
  });

  const say = (text: string, more: Partial<Parameters<SlackApp['control']['say']>[0]> = {}) =>
    app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text, ...more });
  const lastRequest = (): string => JSON.stringify(app.model.asked.at(-1)?.messages);
  const historyCalls = async (after: number) => app.control.calls({ method: 'conversations.replies', after });
  const callsSoFar = async (): Promise<number> => (await app.control.calls()).at(-1)?.n ?? 0;

  it('U032: the parent message and the replies reach the model with their authors, quoted, before the question', async () => {
    const { ts } = await say('ticket: red button', { user: 'U02BOB' });
    await say('it is on the left side', { user: 'U01ALICE', thread: ts });
    await say('@hektor what colour?', { thread: ts });
    await app.answered('C01GEN', ts);
    const sent = lastRequest();
    expect(sent).toMatch(/bob[\s\S]*ticket: red button[\s\S]*alice[\s\S]*on the left side[\s\S]*what colour\?/i);
    const entries = await app.redis.look().lrange(`{c:slack/T01LAB/C01GEN/${ts}}:entries`, 0, -1);
    expect(entries.map((entry) => (JSON.parse(entry) as { kind: string }).kind)[0]).toBe('heard');
  });

  it('U080: six questions in a row read the thread at most once', async () => {
    const { ts } = await say('numbers of the week', { user: 'U02BOB' });
    const before = await callsSoFar();
    for (let n = 1; n <= 6; n += 1) {
      await say(n === 1 ? '@hektor sum them up' : `and question ${n}?`, { thread: ts });
      await app.answered('C01GEN', ts, n);
    }
    expect(await historyCalls(before)).toHaveLength(1);
  });

  it('S20, U079: a thread that may not be read now is answered without it, the person is told, and nothing is tried again', async () => {
    const { ts } = await app.control.say({ user: 'U0OTHERBOT', channel: 'C01GEN', text: 'pump P-7: 93 degrees' });
    const before = await callsSoFar();
    await app.control.fault({ method: 'conversations.replies', retryAfter: 60, times: 3 });
    await say('@hektor explain this alert', { thread: ts });
    await app.answered('C01GEN', ts);
    expect(await historyCalls(before)).toHaveLength(1);
    const told = await app.control.ephemerals({ channel: 'C01GEN', user: 'U01ALICE' });
    expect(told.at(-1)?.text).toMatch(/does not let me read what was written here before/);

    // Another thread, within the minute: not even asked for.
    const other = await app.control.say({ user: 'U0OTHERBOT', channel: 'C01GEN', text: 'pump P-8: 94 degrees' });
    await say('@hektor and this one?', { thread: other.ts });
    await app.answered('C01GEN', other.ts);
    expect(await historyCalls(before)).toHaveLength(1);
    await app.redis.look().del('{hektor}:fact:slack:history-limited/T01LAB');
  });

  it('S20: the alert of another program is history, with its name, and is quoted from its attachments', async () => {
    const alert = await app.control.say({
      user: 'U0OTHERBOT',
      channel: 'C01GEN',
      text: '',
      attachments: [{ title: 'Disk full', text: 'node-7 has 1 % left', fallback: 'Disk full' }],
    });
    await say('@hektor explain this alert', { thread: alert.ts });
    await app.answered('C01GEN', alert.ts);
    expect(lastRequest()).toMatch(/alerts[\s\S]*Disk full[\s\S]*node-7 has 1 % left/i);
  });

  it('U089: files of the thread’s first message come along, and others are named', async () => {
    const { ts } = await say('the numbers', { user: 'U02BOB', files: [{ name: 'numbers.csv', text: 'month,sold\nJan,120\nFeb,80\n' }] });
    await say('@hektor what is in it?', { thread: ts });
    await app.answered('C01GEN', ts);
    expect(lastRequest()).toMatch(/numbers\.csv[\s\S]*a table of 2 rows/);
  });

  it('a mention without words in somebody’s thread asks about what stands there', async () => {
    const { ts } = await say('is 2**10 more than 1000?', { user: 'U02BOB' });
    await say('@hektor', { thread: ts });
    await app.answered('C01GEN', ts);
    expect(lastRequest()).toMatch(/is 2\*\*10 more than 1000\?/);
  });
});
