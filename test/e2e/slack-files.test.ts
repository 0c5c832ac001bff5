/** Slack, files that people send: all of them, in order, with the token at Slack's host only, and never a login page in their place. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSlackApp } from '../support/slack-app.ts';
import type { SlackApp } from '../support/slack-app.ts';

type NewFiles = NonNullable<Parameters<SlackApp['control']['say']>[0]['files']>;

describe('Slack, files that people send', { timeout: 180_000 }, () => {
  let app: SlackApp;
  beforeAll(async () => {
    app = await startSlackApp({ env: { HEKTOR_OPERATORS: 'slack/U01ALICE' } });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const send = (text: string, files: NewFiles, channel = 'C01GEN', user = 'U01ALICE') => app.control.say({ user, channel, text, files });
  const lastRequest = (): string => JSON.stringify(app.model.asked.at(-1)?.messages);
  const told = async (channel: string, user = 'U01ALICE'): Promise<string> =>
    (await app.control.ephemerals({ channel, user })).map((one) => one.text).join('\n');
  /** The files that the store holds for a message. */
  const kept = async (channel: string, ts: string): Promise<readonly { readonly name: string; readonly size: number }[]> => {
    const entries = await app.redis.look().lrange(`{c:slack/T01LAB/${channel}/${ts}}:entries`, 0, -1);
    return entries.flatMap((entry) => (JSON.parse(entry) as { files?: { name: string; size: number }[] }).files ?? []);
  };

  it('U085: takes every file of a message, in order', async () => {
    const { ts } = await send('@hektor what is in these?', [
      { name: 'one.txt', text: 'first' },
      { name: 'two.csv', text: 'a,b\n1,2\n' },
      { name: 'three.txt', text: 'third one' },
    ]);
    await app.answered('C01GEN', ts);
    expect(await kept('C01GEN', ts)).toMatchObject([
      { name: 'one.txt', size: 5 },
      { name: 'two.csv', size: 8 },
      { name: 'three.txt', size: 9 },
    ]);
    expect(lastRequest()).toMatch(/one\.txt[\s\S]*two\.csv[\s\S]*three\.txt/);
  });

  it('a file without words, in a direct message, is a question', async () => {
    const { ts } = await send('', [{ name: 'notes.txt', text: 'call Ann' }], 'D01ALICE');
    await app.answered('D01ALICE', ts);
    expect(lastRequest()).toContain('notes.txt');
  });

  it.each(['login-page', 'redirect'] as const)(
    'S07, U083: a %s in the place of a file is told with the scope, and never read as the file',
    async (download) => {
      const asked = app.model.asked.length;
      const { ts } = await send('@hektor summarise it', [{ name: 'data.pdf', text: '%PDF-1.4', download }]);
      await app.answered('C01GEN', ts);
      expect(await told('C01GEN')).toMatch(/could not read data\.pdf[\s\S]*files:read/);
      expect(app.model.asked.length).toBeGreaterThan(asked);
      expect(lastRequest()).toMatch(/data\.pdf came with this, and could not be read/);
      expect(lastRequest()).not.toMatch(/<html|<!doctype|Sign in/i);
      expect(await kept('C01GEN', ts)).toEqual([]);
    },
  );

  it('S08: asks Slack for a file that comes without an address, where strangers are welcome', async () => {
    await app.control.command({ user: 'U01ALICE', channel: 'C0SHARED', command: '/hektor', text: 'settings outsiders=on' });
    await app.settled();
    const { ts } = await send(
      '@hektor read it',
      [{ name: 'offer.txt', text: 'forty crates', checkFileInfo: true }],
      'C0SHARED',
      'U0EXTERN',
    );
    await app.answered('C0SHARED', ts);
    expect(await app.control.calls({ method: 'files.info' })).not.toEqual([]);
    expect(await kept('C0SHARED', ts)).toMatchObject([{ name: 'offer.txt', size: 12 }]);
  });

  it('refuses what is too large before it is read, and while it is read where its size was told wrong', async () => {
    const large = await send('@hektor big', [{ name: 'disk.img', text: 'x', toldSize: 80 * 1024 * 1024 }]);
    await app.answered('C01GEN', large.ts);
    expect(await told('C01GEN')).toMatch(/disk\.img is too large/);
    const endless = await send('@hektor endless', [{ name: 'endless.bin', text: 'x', download: 'endless' }]);
    await app.answered('C01GEN', endless.ts);
    expect(await told('C01GEN')).toMatch(/endless\.bin is too large/);
    expect(await kept('C01GEN', endless.ts)).toEqual([]);
  });

  it.each([
    ['tombstone', /was deleted/],
    ['hidden_by_limit', /storage limit/],
    ['external', /does not lie with Slack/],
  ] as const)('says why a file of mode %s cannot be read', async (mode, words) => {
    const { ts } = await send('@hektor what is it?', [{ name: `${mode}.txt`, text: 'x', mode }]);
    await app.answered('C01GEN', ts);
    expect(await told('C01GEN')).toMatch(words);
  });

  it('never takes the token anywhere but to Slack', async () => {
    const seen: (string | undefined)[] = [];
    const elsewhere = createServer((request, response) => {
      seen.push(request.headers.authorization);
      response.end('bytes');
    }).listen(0, '127.0.0.1');
    await once(elsewhere, 'listening');
    const address = elsewhere.address();
    if (address === null || typeof address === 'string') throw new TypeError('no port');
    const url = `http://127.0.0.1:${address.port}/cat.png`;
    const { ts } = await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text: 'see what I found' });
    const file = {
      id: 'F0FORGED',
      name: 'cat.png',
      mimetype: 'image/png',
      size: 5,
      mode: 'hosted',
      url_private: url,
      url_private_download: url,
    };
    const later = `${Math.floor(Date.now() / 1000)}.900001`;
    await app.control.event({
      event: {
        type: 'message',
        subtype: 'file_share',
        user: 'U01ALICE',
        text: '<@U0BOT> what is it?',
        ts: later,
        thread_ts: ts,
        channel: 'C01GEN',
        channel_type: 'channel',
        event_ts: later,
        files: [file],
      },
      channel: 'C01GEN',
    });
    await app.answered('C01GEN', ts);
    elsewhere.close();
    expect(seen).toEqual([]);
    expect(await told('C01GEN')).toMatch(/cat\.png: it does not lie with Slack/);
  });
});
