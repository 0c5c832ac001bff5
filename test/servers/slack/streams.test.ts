/** Streams: their state, their life, their budget. */
import { describe, expect, it } from 'vitest';
import { createStand } from './testing.ts';
import type { Stand } from './testing.ts';

const begin = async (stand: Stand, more: object = {}): Promise<string> => {
  const started = await stand.web.apiCall('chat.startStream', {
    channel: 'C01GEN',
    thread_ts: await stand.root(),
    recipient_user_id: 'U01ALICE',
    recipient_team_id: 'T01LAB',
    ...more,
  });
  return (started as { readonly ts?: string }).ts ?? '';
};
const append = (stand: Stand, ts: string, markdown_text: string) => stand.web.chat.appendStream({ channel: 'C01GEN', ts, markdown_text });

describe('streams', () => {
  it('adds up chunks: text goes on, titles replace, details go on', async () => {
    await using stand = await createStand();
    const ts = await begin(stand, { task_display_mode: 'plan' });
    const task = (title: string, status: string, details: string) => ({ type: 'task_update', id: '1', title, status, details });
    await stand.web.apiCall('chat.appendStream', {
      channel: 'C01GEN',
      ts,
      chunks: [task('Run', 'in_progress', 'a'), { type: 'markdown_text', text: 'one ' }],
    });
    await stand.web.apiCall('chat.appendStream', {
      channel: 'C01GEN',
      ts,
      chunks: [task('Ran', 'complete', 'b'), { type: 'markdown_text', text: 'two' }],
    });
    const shown = (await stand.control.messages({ channel: 'C01GEN' })).at(-1);
    expect(shown).toMatchObject({ stream: 'streaming', fallback: 'one two', streamCalls: 3 });
    expect(shown?.text).toContain('Ran');
    expect(shown?.text).toContain('ab');
    expect(shown?.text).not.toContain('Run\n');
    await stand.web.apiCall('chat.stopStream', { channel: 'C01GEN', ts, blocks: [{ type: 'divider' }] });
    expect((await stand.control.messages({ channel: 'C01GEN' })).at(-1)).toMatchObject({ stream: 'stopped' });
  });

  it('S13 refuses a stream without a thread or without both ids of the recipient', async () => {
    await using stand = await createStand();
    const start = async (more: object) => stand.refusal(begin(stand, more));
    expect(await start({ thread_ts: '' })).toMatchObject({ error: 'invalid_thread_ts' });
    expect(await start({ thread_ts: '1.000000' })).toMatchObject({ error: 'invalid_thread_ts' });
    expect(await start({ recipient_team_id: undefined })).toMatchObject({ error: 'missing_recipient_team_id' });
    expect(await start({ recipient_user_id: undefined })).toMatchObject({ error: 'missing_recipient_user_id' });
    // A partner's person is of the partner's team, whatever the app's is.
    expect(await start({ recipient_user_id: 'U0EXTERN' })).toMatchObject({ error: 'missing_recipient_team_id' });
  });

  it('S14 ends a stream after five minutes, appends or not; an update works then and not before', async () => {
    await using stand = await createStand();
    const ts = await begin(stand);
    const update = () => stand.web.chat.update({ channel: 'C01GEN', ts, text: 'whole' });
    await stand.control.advance({ ms: 290_000 });
    await append(stand, ts, 'still');
    expect(await stand.refusal(update())).toMatchObject({ error: 'streaming_state_conflict' });
    await stand.control.advance({ ms: 11_000 });
    expect(await stand.refusal(append(stand, ts, 'late'))).toMatchObject({ error: 'message_not_in_streaming_state' });
    expect(await stand.refusal(stand.web.chat.stopStream({ channel: 'C01GEN', ts }))).toMatchObject({
      error: 'message_not_in_streaming_state',
    });
    await update();
    expect((await stand.control.messages({ channel: 'C01GEN' })).at(-1)).toMatchObject({ text: 'whole', stream: null });
  });

  it('tells the app that a person stopped, and refuses what comes after', async () => {
    await using stand = await createStand();
    const thread = await stand.root();
    const ts = await begin(stand, { thread_ts: thread });
    expect(await stand.control.session({ channel: 'C01GEN', thread })).toMatchObject({ status: 'processing' });
    await stand.control.stopSession({ user: 'U01ALICE', channel: 'C01GEN', thread });
    expect(await stand.refusal(append(stand, ts, 'more'))).toMatchObject({ error: 'stopped_by_user' });
    const events = (await stand.control.sent()).map((one) => one.payload['event'] as { type: string; streaming_message_ts?: string[] });
    expect(events.find((one) => one.type === 'agent_session_stopped')).toMatchObject({ streaming_message_ts: [ts], thread_ts: thread });
  });

  it('keeps the limits of chunks, and takes no file block', async () => {
    await using stand = await createStand();
    const ts = await begin(stand);
    const chunk = async (one: object) => stand.refusal(stand.web.apiCall('chat.appendStream', { channel: 'C01GEN', ts, chunks: [one] }));
    expect(await chunk({ type: 'markdown_text', text: 'x'.repeat(12_001) })).toMatchObject({ error: 'invalid_chunks' });
    expect(await chunk({ type: 'task_update', id: '1', title: 'x'.repeat(257), status: 'complete' })).toMatchObject({
      error: 'invalid_chunks',
    });
    expect(await chunk({ type: 'task_update', id: '1', title: 'x', status: 'failed' })).toMatchObject({ error: 'invalid_chunks' });
    expect(await chunk({ type: 'blocks', blocks: [{ type: 'file', source: 'remote', external_id: 'x' }] })).toMatchObject({
      error: 'internal_error',
    });
    expect((await stand.control.messages({ channel: 'C01GEN' })).at(-1)?.fallback).toBe('');
  });

  it('shares 100 appends a minute among all streams of the workspace', async () => {
    await using stand = await createStand();
    const [one, two] = [await begin(stand), await begin(stand)];
    for (let n = 0; n < 50; n++) await append(stand, one, 'x');
    for (let n = 0; n < 50; n++) await append(stand, two, 'x');
    expect(await stand.refusal(append(stand, two, 'x'))).toMatchObject({ name: 'WebAPIRateLimitedError' });
    await stand.control.advance({ ms: 60_000 });
    await append(stand, one, 'x');
  });

  it('three appends at once through the client library make three messages', async () => {
    await using stand = await createStand();
    const thread_ts = await stand.root();
    const streamer = stand.web.chatStream({
      channel: 'C01GEN',
      thread_ts,
      recipient_team_id: 'T01LAB',
      recipient_user_id: 'U01ALICE',
      buffer_size: 1,
    });
    await Promise.all(['a', 'b', 'c'].map((markdown_text) => streamer.append({ markdown_text })));
    expect(await stand.control.calls({ method: 'chat.startStream' })).toHaveLength(3);
  });
});
