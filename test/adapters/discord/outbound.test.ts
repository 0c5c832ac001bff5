/** The sending half of the Discord adapter against the stand-in: where answers go, and that they arrive once and whole. */
import { afterEach, describe, expect, it } from 'vitest';
import { blobId, conversationIdOf, snapshotId } from '../../../src/core/ids.ts';
import { aRun } from '../../support/a-run.ts';
import { createDiscordOutOwner } from '../../support/discord-out.ts';
import { ids } from '../../servers/discord/places.ts';
import { until } from '../../support/until.ts';

const owner = createDiscordOutOwner();
const after = snapshotId(blobId('a'.repeat(32)));
afterEach(() => owner.end());

const long = (parts: number): string =>
  Array.from({ length: parts }, (_, n) => `Part ${n}: ${'some words '.repeat(170)}end${n}.`).join('\n\n');

describe('where an answer goes', { timeout: 60_000 }, () => {
  it('D05, U031: into the thread that is opened on the question, named once; nothing in the channel', async () => {
    const out = await owner.start({ text: '@hektor what is the mean of **price**?' });
    const turn = out.turn();
    await turn.begin();
    await turn.post({ text: 'It is 42.', actions: ['feedback'] });
    await out.turn('T2').post({ text: 'Again.' });
    expect((await out.said()).map(({ text }) => text)).toEqual(['It is 42.', 'Again.']);
    expect(await out.said(out.channel)).toEqual([]);
    const [thread] = await out.control.threads({ channel: out.channel });
    expect(thread).toMatchObject({ id: out.asked, name: 'what is the mean of price?' });
    // D20: no rename, ever.
    expect(await out.control.calls({ method: 'PATCH', path: `/channels/${out.asked}` })).toEqual([]);
    expect(out.outbound().linkTo?.(out.conversation)).toBe(`https://discord.com/channels/${ids.guild}/${out.asked}`);
  });

  it('U040: into the thread that exists already', async () => {
    const out = await owner.start();
    await out.control.openThread({ user: 'bob', channel: out.channel, name: 'mine', from: out.asked });
    expect(await out.turn().post({ text: 'Here.' })).toMatchObject({ ok: true });
    expect((await out.said()).map(({ text }) => text)).toEqual(['Here.']);
  });

  it('U041: as a reply where the channel wants that, and replies to it find the session', async () => {
    const out = await owner.start({ threads: 'reply' });
    await out.turn().post({ text: long(2) });
    const said = await out.said(out.channel);
    expect(said.map(({ replyTo }) => replyTo)).toEqual([out.asked, null]);
    for (const { id } of said) expect(await out.shared.get(`root:${id}`)).toEqual({ ok: true, value: out.asked });
    expect(await out.control.threads({ channel: out.channel })).toEqual([]);
    expect(out.outbound().linkTo?.(out.conversation)).toBe(`https://discord.com/channels/${ids.guild}/${out.channel}/${out.asked}`);
  });

  it.each([
    ['too many threads', { code: 160_006 }],
    ['no permission', { code: 50_013 }],
    ['a channel without threads', { code: 50_024 }],
    ['limited for minutes', { retryAfter: 300, scope: 'shared' as const }],
  ])('as a reply in the channel: %s; and it stays there', async (_, fault) => {
    const out = await owner.start();
    await out.control.fault({ method: 'POST', path: '/threads', ...fault });
    await out.turn().post({ text: 'Here then.' });
    await out.turn('T2').post({ text: 'Still here.' });
    expect((await out.said(out.channel)).map(({ text, replyTo }) => [text, replyTo])).toEqual([
      ['Here then.', out.asked],
      ['Still here.', out.asked],
    ]);
    expect(await out.control.threads({ channel: out.channel })).toEqual([]);
  });

  it('D10, U131: the question is deleted at once; the answer comes without a reference', async () => {
    const out = await owner.start();
    await out.control.delete({ id: out.asked });
    expect(await out.turn().post({ text: 'Too late?' })).toMatchObject({ ok: true });
    expect((await out.said(out.channel)).map(({ text, replyTo }) => [text, replyTo])).toEqual([['Too late?', null]]);
  });

  it('direct messages: no thread, no reply, and each message tells its session', async () => {
    const out = await owner.start({ direct: true });
    await out.turn().begin();
    await out.turn().post({ text: 'Hello.' });
    const [said] = await out.said();
    expect(said).toMatchObject({ text: 'Hello.', replyTo: null });
    expect(await out.shared.get(`root:${said?.id}`)).toEqual({ ok: true, value: out.channel });
  });

  it('archived threads are woken by the answer; locked ones send it to the channel', async () => {
    const out = await owner.start();
    await out.turn().post({ text: 'One.' });
    await out.control.changeThread({ thread: out.asked, archived: true });
    const inside = { ...out.origin, channel: out.asked, message: (await out.said())[0]?.id ?? '' };
    expect(await out.turn('T2', inside).post({ text: 'Two.' })).toMatchObject({ ok: true });
    expect((await out.said()).map(({ text }) => text)).toEqual(['One.', 'Two.']);
    await out.control.fault({ method: 'POST', path: `/channels/${out.asked}/messages`, code: 160_005 });
    expect(await out.turn('T3', inside).post({ text: 'Three.' })).toMatchObject({ ok: true });
    expect((await out.said(out.channel)).map(({ text }) => text)).toEqual(['Three.']);
  });

  it('rule 40: where it may write nowhere, the asker is told directly; closed direct messages are given up quietly', async () => {
    const out = await owner.start({ threads: 'reply' });
    await out.control.fault({ method: 'POST', path: `/channels/${out.channel}/messages`, code: 50_013, times: 9 });
    expect(await out.turn().post({ text: 'For you.' })).toMatchObject({ ok: true });
    const direct = await out.control.directChannel({ user: 'alice' });
    expect((await out.said(direct)).map(({ text }) => text)).toEqual([expect.stringContaining('For you.')]);
    await out.control.fault({ method: 'POST', path: `/channels/${direct}/messages`, code: 50_007 });
    expect(await out.turn('T2').post({ text: 'Again.' })).toMatchObject({ ok: false, failure: { code: 'delivery-refused' } });
    expect((await out.control.calls({ method: 'POST', path: `/channels/${direct}/messages` })).length).toBe(2);
  });

  it('D14: a fork opens a thread once; in a forum a post with its first message', async () => {
    const out = await owner.start();
    const request = {
      key: 'fork:1',
      title: 'Sales *2026*',
      text: 'This goes on.',
      by: { id: ids.alice, name: 'Alice' },
      origin: out.origin,
    };
    const first = await out.outbound().openThread?.(out.conversation, request);
    out.restart();
    const second = await out.outbound().openThread?.(out.conversation, request);
    expect(second).toEqual(first);
    expect(await out.control.threads({ channel: out.channel })).toMatchObject([{ name: 'Sales 2026' }]);
    const forum = conversationIdOf({ platform: 'discord', workspace: ids.guild, channel: ids.help, thread: '1' });
    const opened = await out.outbound().openThread?.(forum, { ...request, title: 'Release notes' });
    expect(opened).toMatchObject({ ok: true });
    const [post] = await out.control.threads({ channel: ids.help });
    expect(post?.name).toBe('Release notes');
    expect((await out.said(post?.id)).map(({ text }) => text)).toEqual(['This goes on.']);
  });
});

describe('each part once, in order', { timeout: 90_000 }, () => {
  it('U013, U059, D23: the next part only when the one before is there; controls on the last', async () => {
    const out = await owner.start();
    await out.control.fault({ method: 'POST', path: `/channels/${out.asked}/messages`, delayMs: 800 });
    await out.turn().post({ text: long(3), actions: ['retry'] });
    const said = await out.said();
    expect(said.map(({ text }) => /end\d/.exec(text)?.[0])).toEqual(['end0', 'end1', 'end2']);
    expect(said.map(({ buttons }) => buttons.length)).toEqual([0, 0, 1]);
  });

  it('a lost reply is no second message: the nonce is the same', async () => {
    const out = await owner.start();
    await out.control.fault({ method: 'POST', path: `/channels/${out.asked}/messages`, drop: 'reply' });
    expect(await out.turn().post({ text: 'Once.' })).toMatchObject({ ok: true });
    expect((await out.said()).map(({ text }) => text)).toEqual(['Once.']);
    const calls = await out.control.calls({ method: 'POST', path: `/channels/${out.asked}/messages` });
    expect(calls).toHaveLength(2);
  });

  it('whoever takes over goes on where the other one failed, and what is out stays single', async () => {
    const out = await owner.start();
    await out.control.fault({ method: 'POST', path: `/channels/${out.asked}/messages`, skip: 1, drop: 'reply', times: 3 });
    expect(await out.turn().post({ text: long(3) })).toMatchObject({ ok: false });
    out.restart();
    expect(await out.turn().post({ text: long(3) })).toMatchObject({ ok: true });
    expect(await out.turn().post({ text: long(3) })).toMatchObject({ ok: true });
    expect((await out.said()).map(({ text }) => /end\d/.exec(text)?.[0])).toEqual(['end0', 'end1', 'end2']);
  });

  it('much later it looks for what may have arrived instead of saying it again', async () => {
    const out = await owner.start();
    await out.control.fault({ method: 'POST', path: `/channels/${out.asked}/messages`, drop: 'reply', times: 3 });
    expect(await out.turn().post({ text: 'Once.' })).toMatchObject({ ok: false });
    out.restart();
    out.clock.advance(30 * 60_000);
    await out.control.advance({ ms: 30 * 60_000 });
    expect(await out.turn().post({ text: 'Once.' })).toMatchObject({ ok: true });
    expect((await out.said()).map(({ text }) => text)).toEqual(['Once.']);
  });

  it('rule 21: after a 403 the same is not asked again, and a refused token stops everything', async () => {
    const out = await owner.start({ threads: 'reply' });
    await out.control.resetToken();
    expect(await out.turn().post({ text: 'a' })).toMatchObject({ ok: false });
    const calls = (await out.control.calls()).length;
    expect(await out.turn('T2').post({ text: 'b' })).toMatchObject({ ok: false });
    expect((await out.control.calls()).length).toBe(calls);
  });

  it('rule 40: AutoMod held it back, and people are told so', async () => {
    const out = await owner.start();
    await out.control.fault({ method: 'POST', path: `/channels/${out.asked}/messages`, code: 200_000 });
    expect(await out.turn().post({ text: 'Something rude.', actions: ['retry'] })).toMatchObject({ ok: true });
    expect((await out.said()).map(({ text, buttons }) => [text, buttons.length])).toEqual([[expect.stringContaining('AutoMod'), 1]]);
  });
});

describe('files', { timeout: 60_000 }, () => {
  const file = (name: string, blob: ReturnType<typeof blobId>, size: number) => ({
    name,
    type: 'image/png',
    size,
    blob,
    picture: true,
    alt: 'Prices by month',
  });

  it('go with the text, with their alt text', async () => {
    const out = await owner.start();
    const blob = out.addBlob(Buffer.from('PNG'));
    await out.turn().post({ text: 'A plot.', files: [file('plot.png', blob, 3)] });
    const [said] = await out.said();
    expect(said?.files).toMatchObject([{ name: 'plot.png', description: 'Prices by month', size: 3 }]);
    expect(Buffer.from((await out.control.fileContent({ id: said?.files[0]?.id ?? '' }))?.base64 ?? '', 'base64').toString()).toBe('PNG');
  });

  it('rule 18: too large or not allowed, the text still goes out with a note', async () => {
    const out = await owner.start();
    const blob = out.addBlob(Buffer.alloc(11 * 1024 * 1024));
    const small = out.addBlob(Buffer.from('PNG'));
    await out.turn().post({ text: 'Both.', files: [file('big.png', blob, 11 * 1024 * 1024), file('small.png', small, 3)] });
    expect((await out.said()).map(({ text, files }) => [text, files.map(({ name }) => name)])).toEqual([
      ['Both.', ['small.png']],
      [expect.stringContaining('Without big.png: Discord says that this is too large.'), []],
    ]);
    await out.control.fault({ method: 'POST', path: `/channels/${out.asked}/messages`, code: 50_013 });
    await out.turn('T2').post({ text: 'Again.', files: [file('small.png', small, 3)] });
    expect((await out.said()).at(-1)?.text).toContain('I may not attach files here');
  });

  it('the code that the model ran is a file under the answer; people’s own runs are answered in place', async () => {
    const out = await owner.start();
    const turn = out.turn();
    await turn.ran(aRun({ after, n: 1, code: 'print(6 * 7)', output: '42\n' }));
    await turn.post({ text: 'It is 42.' });
    await out.turn('T2').ran(aRun({ after, n: 2, by: 'person', value: '5' }));
    const said = await out.said();
    expect(said.map(({ content }) => content)).toEqual(['It is 42.\n-# Run 1: 1 line of Python, 1 ms', '```\n5\n```\n-# Run 2 · 1 ms']);
    expect(said[0]?.files.map(({ name }) => name)).toEqual(['run-1.py']);
  });
});

describe('approvals and what is for one person', { timeout: 60_000 }, () => {
  it('the decision takes the place of the question and its buttons', async () => {
    const out = await owner.start();
    const asks = { kind: 'notice', approval: 'abc123def456' } as const;
    await out.turn().post({ ...asks, key: 'T1:approval', text: 'May I?', actions: ['approve', 'deny'] });
    expect((await out.said())[0]?.buttons.map(({ label }) => label)).toEqual(['Approve', 'Deny']);
    await out.turn('T2').post({ ...asks, key: 'T2:decided', text: 'Ann approved it.' });
    expect((await out.said()).map(({ text, buttons }) => [text, buttons.length])).toEqual([['Ann approved it.', 0]]);
  });

  it('without an interaction it is a direct message; with those closed, a hint how to ask', async () => {
    const out = await owner.start();
    const alone = { kind: 'command', privateTo: { id: ids.alice, name: 'Alice' } } as const;
    await out.turn().post({ ...alone, text: 'A secret.' });
    const direct = await out.control.directChannel({ user: 'alice' });
    expect((await out.said(direct)).map(({ text }) => text)).toEqual(['A secret.']);
    await out.control.fault({ method: 'POST', path: `/channels/${direct}/messages`, code: 50_007 });
    await out.turn('T2').post({ ...alone, text: 'Another secret.' });
    const told = await out.said();
    expect(told.map(({ text }) => text)).toEqual([expect.stringContaining('direct messages are closed')]);
    expect(JSON.stringify(told)).not.toContain('secret');
  });

  it('nobody is ever pinged', async () => {
    const out = await owner.start();
    await out.turn().begin();
    await out.turn().post({ text: `@everyone <@${ids.bob}> <@&${ids.botRole}> hi`, files: [] });
    await until(async () => (await out.said()).length === 1, 'the answer');
    const [said] = await out.said();
    expect([...(said?.pings ?? []), ...(said?.editPings ?? [])]).toEqual([]);
  });
});
