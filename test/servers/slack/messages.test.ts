/** Messages: limits, refusals, scopes, membership, as the real client meets them. */
import type { Block } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { createStand } from './testing.ts';

const section = (text: string): Block & Record<string, unknown> => ({ type: 'section', text: { type: 'mrkdwn', text } });

describe('messages', () => {
  it('cuts text above 40,000 characters with a warning', async () => {
    await using stand = await createStand();
    const posted = await stand.web.chat.postMessage({ channel: 'C01GEN', text: 'x'.repeat(40_001) });
    expect(posted.response_metadata?.warnings).toEqual(['message_truncated']);
    expect((await stand.control.messages({ channel: 'C01GEN' }))[0]?.fallback).toHaveLength(40_000);
  });

  it('S11 refuses an update above 4,000 bytes, and markdown_text above 12,000 characters or beside text', async () => {
    await using stand = await createStand();
    const { ts = '' } = await stand.web.chat.postMessage({ channel: 'C01GEN', text: 'draft' });
    const update = (text: string) => stand.web.chat.update({ channel: 'C01GEN', ts, text });
    await update('x'.repeat(4000));
    expect(await stand.refusal(update('x'.repeat(4001)))).toMatchObject({ error: 'msg_too_long' });
    expect(await stand.refusal(update('é'.repeat(2001)))).toMatchObject({ error: 'msg_too_long' });
    const post = (more: object) => stand.web.apiCall('chat.postMessage', { channel: 'C01GEN', ...more });
    expect(await stand.refusal(post({ markdown_text: 'x'.repeat(12_001) }))).toMatchObject({ error: 'msg_too_long' });
    expect(await stand.refusal(post({ markdown_text: 'x', text: 'y' }))).toMatchObject({ error: 'markdown_text_conflict' });
    expect(await stand.refusal(post({}))).toMatchObject({ error: 'no_text' });
  });

  it.each([
    ['a section of 3,001', [section('x'.repeat(3001))], 'must be less than 3001 characters'],
    ['an empty section', [section('')], 'must be more than 0 characters'],
    ['51 blocks', Array.from({ length: 51 }, () => section('x')), 'no more than 50 items allowed'],
    ['a header of 151', [{ type: 'header', text: { type: 'plain_text', text: 'x'.repeat(151) } }], 'must be less than 151 characters'],
    [
      '11 context items',
      [{ type: 'context', elements: Array.from({ length: 11 }, () => ({ type: 'mrkdwn', text: 'x' })) }],
      'no more than 10',
    ],
    ['101 table rows', [{ type: 'table', rows: Array.from({ length: 101 }, () => [{ type: 'raw_text', text: 'x' }]) }], 'no more than 100'],
    [
      '21 table columns',
      [{ type: 'table', rows: [Array.from({ length: 21 }, () => ({ type: 'raw_text', text: 'x' }))] }],
      'no more than 20',
    ],
    ['a data table without caption', [{ type: 'data_table', rows: [[{ type: 'raw_text', text: 'x' }]] }], 'caption'],
    [
      '26 buttons',
      [
        {
          type: 'actions',
          elements: Array.from({ length: 26 }, () => ({ type: 'button', text: { type: 'plain_text', text: 'x' }, action_id: 'a' })),
        },
      ],
      'no more than 25',
    ],
    ['a long block_id', [{ ...section('x'), block_id: 'x'.repeat(256) }], 'must be less than 256'],
    ['an input', [{ type: 'input', label: { type: 'plain_text', text: 'x' }, element: { type: 'plain_text_input' } }], 'unsupported type'],
    ['an unknown block', [{ type: 'hologram' }], 'unsupported type'],
    ['a long alt text', [{ type: 'image', image_url: 'https://x', alt_text: 'x'.repeat(2001) }], 'must be less than 2001'],
  ] as const)('S11 refuses %s with invalid_blocks and says where', async (_, blocks, words) => {
    await using stand = await createStand();
    const refusal = await stand.refusal(
      stand.web.chat.postMessage({ channel: 'C01GEN', text: 'x', blocks: blocks as readonly Block[] as Block[] }),
    );
    expect(refusal).toMatchObject({ error: 'invalid_blocks' });
    expect(JSON.stringify(refusal['errors'])).toContain(words);
    expect(await stand.control.messages({ channel: 'C01GEN' })).toEqual([]);
  });

  it('counts the text of all markdown blocks of a message together', async () => {
    await using stand = await createStand();
    const blocks = [7000, 5001].map((size) => ({ type: 'markdown', text: 'x'.repeat(size) }));
    expect(await stand.refusal(stand.web.chat.postMessage({ channel: 'C01GEN', text: 'x', blocks }))).toMatchObject({
      error: 'msg_blocks_too_long',
    });
  });

  it('names the scope that is missing and those that are there', async () => {
    await using stand = await createStand();
    await stand.control.scopes({ scopes: ['chat:write', 'users:read'] });
    expect(await stand.refusal(stand.web.conversations.replies({ channel: 'C01GEN', ts: await stand.root() }))).toMatchObject({
      error: 'missing_scope',
      needed: 'channels:history',
      provided: 'chat:write,users:read',
    });
    const ok = await stand.web.auth.test();
    expect(ok.response_metadata?.scopes).toEqual(['chat:write', 'users:read']);
  });

  it('refuses to write where the bot is not, hides private channels, and knows bad tokens', async () => {
    await using stand = await createStand();
    await stand.control.channel({ id: 'G0OTHER', team: 'T01LAB', name: 'other', kind: 'group', members: ['U01ALICE'] });
    const post = (channel: string) => stand.web.chat.postMessage({ channel, text: 'x' });
    expect(await stand.refusal(post('C03QUIET'))).toMatchObject({ error: 'not_in_channel' });
    expect(await stand.refusal(post('G0OTHER'))).toMatchObject({ error: 'channel_not_found' });
    await stand.control.archive({ channel: 'C02LAB' });
    expect(await stand.refusal(post('C02LAB'))).toMatchObject({ error: 'is_archived' });
    expect(await stand.refusal(stand.client('xoxb-wrong').auth.test())).toMatchObject({ error: 'invalid_auth' });
    expect(await stand.refusal(stand.client('').auth.test())).toMatchObject({ error: 'not_authed' });
    await stand.web.conversations.join({ channel: 'C03QUIET' });
    await post('C03QUIET');
  });

  it('gives metadata back where it is asked for, so that a lost reply can be made good', async () => {
    await using stand = await createStand();
    const ts = await stand.root();
    await stand.control.fault({ method: 'chat.postMessage', drop: 'reply' });
    const metadata = { event_type: 'hektor_post', event_payload: { key: 'k1' } };
    const lost = await stand.refusal(stand.web.chat.postMessage({ channel: 'C01GEN', thread_ts: ts, text: 'once', metadata }));
    expect(lost['name']).toBe('WebAPIRequestError');
    const { messages = [] } = await stand.web.conversations.replies({ channel: 'C01GEN', ts, include_all_metadata: true });
    expect(messages.map((one) => one.metadata)).toEqual([undefined, metadata]);
    expect((await stand.control.calls({ method: 'chat.postMessage' }))[0]?.delivered).toBe(false);
  });

  it('posts twice where a client repeats after a lost reply', async () => {
    await using stand = await createStand();
    await stand.control.fault({ method: 'chat.postMessage', drop: 'reply' });
    const retrying = stand.client(stand.server.botToken, { retryConfig: { retries: 1, minTimeout: 10 } });
    await retrying.chat.postMessage({ channel: 'C01GEN', text: 'hello' });
    expect(await stand.control.messages({ channel: 'C01GEN' })).toHaveLength(2);
  });

  it('S10 shows which words of a message ping somebody, in text and in Markdown', async () => {
    await using stand = await createStand();
    const pings = async (message: object) => {
      await stand.web.apiCall('chat.postMessage', { channel: 'C01GEN', ...message });
      return (await stand.control.messages({ channel: 'C01GEN' })).at(-1)?.pings;
    };
    expect(await pings({ text: '<!channel> <@U02BOB> <!subteam^S0ALL>' })).toEqual(['channel', 'U02BOB', 'subteam^S0ALL']);
    expect(await pings({ markdown_text: 'so <!here>' })).toContain('here');
    expect(await pings({ text: '&lt;!channel&gt; @channel' })).toEqual([]);
  });

  it('unfurls a link a moment later unless the post says no', async () => {
    await using stand = await createStand();
    await stand.web.chat.postMessage({ channel: 'C01GEN', text: 'see <https://example.com/a>', unfurl_links: false, unfurl_media: false });
    await stand.web.chat.postMessage({ channel: 'C01GEN', text: 'see <https://example.com/b>' });
    const shown = await stand.control.until(async () => {
      const all = await stand.control.messages({ channel: 'C01GEN' });
      return all[1]?.attachments.length === 1 && all;
    });
    expect(shown[0]?.attachments).toEqual([]);
  });

  it('changes and deletes only messages of the bot', async () => {
    await using stand = await createStand();
    const ts = await stand.root();
    expect(await stand.refusal(stand.web.chat.update({ channel: 'C01GEN', ts, text: 'x' }))).toMatchObject({
      error: 'cant_update_message',
    });
    expect(await stand.refusal(stand.web.chat.delete({ channel: 'C01GEN', ts }))).toMatchObject({ error: 'cant_delete_message' });
    await stand.web.chat.postEphemeral({ channel: 'C01GEN', user: 'U01ALICE', text: 'psst' });
    const [psst] = await stand.control.ephemerals({ user: 'U01ALICE' });
    expect(await stand.refusal(stand.web.chat.update({ channel: 'C01GEN', ts: psst?.ts ?? '', text: 'x' }))).toMatchObject({
      error: 'message_not_found',
    });
  });
});
