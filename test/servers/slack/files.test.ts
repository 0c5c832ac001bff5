/** Files: up by the external flow, down with the token. */
import { describe, expect, it } from 'vitest';
import { createStand } from './testing.ts';
import type { Stand } from './testing.ts';

const get = (url: string, token?: string) =>
  fetch(url, { redirect: 'manual', ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }) });

const shared = async (stand: Stand, file: object = {}): Promise<{ readonly id: string; readonly url: string }> => {
  const { files } = await stand.control.say({
    user: 'U01ALICE',
    channel: 'general',
    text: 'look',
    files: [{ name: 'a.txt', text: 'inside', ...file }],
  });
  const { file: info } = await stand.web.files.info({ file: files[0] ?? '' });
  return { id: files[0] ?? '', url: info?.url_private_download ?? '' };
};

describe('uploads', () => {
  it('share a file in its thread a moment after the call has been answered, with the alternative text', async () => {
    await using stand = await createStand();
    const thread_ts = await stand.root();
    await stand.control.settings({ fileShareDelayMs: 60_000 });
    await stand.web.filesUploadV2({
      channel_id: 'C01GEN',
      thread_ts,
      file: Buffer.from('PNG'),
      filename: 'plot.png',
      alt_text: 'a plot',
      title: 'Plot',
    });
    const inThread = () => stand.control.messages({ channel: 'C01GEN', thread: thread_ts });
    expect(await inThread()).toHaveLength(1);
    await stand.control.advance({ ms: 60_000 });
    expect((await inThread())[1]).toMatchObject({
      fromBot: true,
      files: [{ name: 'plot.png', title: 'Plot', altText: 'a plot', size: 3 }],
    });
    const event = (await stand.control.sent())
      .map((one) => one.payload['event'] as Record<string, unknown>)
      .find((one) => one['subtype'] === 'file_share');
    expect(event).toMatchObject({ user: 'U0BOT', bot_id: 'B0BOT', thread_ts });
  });

  it('refuse nothing at all, a wrong length, a channel without the bot, and a second completion', async () => {
    await using stand = await createStand();
    expect(await stand.refusal(stand.web.files.getUploadURLExternal({ filename: 'a.txt', length: 0 }))).toMatchObject({
      error: 'invalid_arguments',
    });
    const { upload_url = '', file_id = '' } = await stand.web.files.getUploadURLExternal({ filename: 'a.txt', length: 3 });
    const complete = (channel_id: string) => stand.web.files.completeUploadExternal({ files: [{ id: file_id }], channel_id });
    expect(await stand.refusal(complete('C01GEN'))).toMatchObject({ error: 'file_not_found' });
    expect((await fetch(upload_url, { method: 'POST', body: 'four' })).status).toBe(400);
    expect((await fetch(upload_url, { method: 'POST', body: 'abc' })).status).toBe(200);
    expect(await stand.refusal(complete('C03QUIET'))).toMatchObject({ error: 'not_in_channel' });
    await complete('C01GEN');
    expect(await stand.refusal(complete('C01GEN'))).toMatchObject({ error: 'file_already_completed' });
  });
});

describe('downloads', () => {
  it('S07 give the bytes for a token with files:read, and a page to log in, with 200, for anybody else', async () => {
    await using stand = await createStand();
    const { url } = await shared(stand);
    expect(await (await get(url, stand.server.botToken)).text()).toBe('inside');
    await stand.control.scopes({ scopes: ['chat:write'] });
    for (const token of [undefined, 'xoxb-wrong', stand.server.botToken]) {
      const page = await get(url, token);
      expect(page.status).toBe(200);
      expect(page.headers.get('content-type')).toContain('text/html');
      expect(await page.text()).toMatch(/^<!doctype html/i);
    }
    expect((await stand.control.calls({ method: 'download' })).map((one) => one.args['token'])).toEqual(['own', 'none', 'foreign', 'own']);
  });

  it('can lead elsewhere, never end, or be gone', async () => {
    await using stand = await createStand();
    const token = stand.server.botToken;
    const away = await get((await shared(stand, { download: 'redirect' })).url, token);
    expect([away.status, away.headers.get('location')]).toEqual([302, expect.stringContaining('//localhost:')]);
    const endless = await get((await shared(stand, { download: 'endless', toldSize: 10 })).url, token);
    let read = 0;
    for await (const part of endless.body ?? []) {
      read += part.length;
      if (read > 500_000) break;
    }
    expect(read).toBeGreaterThan(500_000);
    const { id, url } = await shared(stand);
    await stand.control.file({ id, download: 'gone' });
    expect((await get(url, token)).status).toBe(404);
    expect(await stand.refusal(stand.web.files.info({ file: id }))).toMatchObject({ error: 'file_not_found' });
  });
});
