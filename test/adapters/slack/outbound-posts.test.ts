/** Durable posts to Slack: each once, in order, and visible whatever Slack refuses. The real SDK against the stand-in. */
import { afterEach, describe, expect, it } from 'vitest';
import { forOperator, mayRetry } from '../../../src/core/failure.ts';
import { blobId, conversationIdOf, snapshotId } from '../../../src/core/ids.ts';
import type { RunFile } from '../../../src/core/run.ts';
import { aRun } from '../../support/a-run.ts';
import { createSlackOutOwner } from '../../support/slack-out.ts';
import type { SlackOut } from '../../support/slack-out.ts';
import { until } from '../../support/until.ts';

const SAVED = snapshotId(blobId('a'.repeat(32)));
const long = (parts: number): string =>
  Array.from({ length: parts }, (_, n) => `Part ${n}: ${'some words '.repeat(320)}end${n}.`).join('\n\n');
const texts = async (out: SlackOut): Promise<readonly string[]> => (await out.said()).map((message) => message.fallback);

describe('posts', { timeout: 60_000 }, () => {
  const { start, end } = createSlackOutOwner();
  afterEach(end);

  it('U013, U014: parts go out in order, the next one when the one before is there', async () => {
    const out = await start();
    await out.control.fault({ method: 'chat.postMessage', delayMs: 800 });
    await out.turn().post({ text: long(4) });
    expect((await texts(out)).map((text) => /Part (\d)/.exec(text)?.[1])).toEqual(['0', '1', '2', '3']);
  });

  it('U014: posts of one thread that are handed over at once stay in order, whatever the network does', async () => {
    const out = await start();
    for (const delayMs of [400, 10, 300, 0, 150]) await out.control.fault({ method: 'chat.postMessage', delayMs });
    const turns = ['a', 'b', 'c', 'd', 'e'].map((name) => out.turn(name).post({ text: `segment ${name}` }));
    await Promise.all(turns);
    expect(await texts(out)).toEqual(['segment a', 'segment b', 'segment c', 'segment d', 'segment e']);
  });

  it('S16: two turns have a message each', async () => {
    const out = await start();
    const [first, second] = [out.turn('T1'), out.turn('T2')];
    await first.begin();
    await first.post({ text: 'one' });
    await first.end();
    await second.begin();
    await second.post({ text: 'two' });
    await second.end();
    expect(await texts(out)).toEqual(['one', 'two']);
  });

  it('a post whose reply was lost is looked for before it is sent again', async () => {
    const out = await start();
    await out.control.fault({ method: 'chat.postMessage', drop: 'reply' });
    expect(await out.turn().post({ text: 'Only once.' })).toMatchObject({ ok: true });
    await out.control.fault({ method: 'chat.postMessage', drop: 'request' });
    expect(await out.turn('T2').post({ text: 'Also once.' })).toMatchObject({ ok: true });
    expect(await texts(out)).toEqual(['Only once.', 'Also once.']);
  });

  it('a worker that dies between sending and noting leaves one message, and the next worker sends what is missing', async () => {
    const out = await start();
    const text = long(3);
    // The second part gets through, but its sender never hears of it, nor of anything after it.
    await out.control.fault({ method: 'chat.postMessage', drop: 'reply', skip: 1 });
    await out.control.fault({ method: 'conversations.replies', status: 503, times: 9 });
    const cut = await out.turn().post({ text });
    expect(cut.ok).toBe(false);
    if (!cut.ok) expect(mayRetry(cut.failure)).toBe(true);
    expect(await texts(out)).toHaveLength(2);
    await out.control.clearFaults();
    out.restart();
    expect(await out.turn().post({ text })).toMatchObject({ ok: true });
    expect((await texts(out)).map((one) => /Part (\d)/.exec(one)?.[1])).toEqual(['0', '1', '2']);
    // And again, as an outbox may: nothing more is said.
    out.restart();
    expect(await out.turn().post({ text })).toMatchObject({ ok: true });
    expect(await texts(out)).toHaveLength(3);
  });

  it('a limit is waited out, and one that is too long is left to a later pass', async () => {
    const out = await start();
    await out.control.fault({ method: 'chat.postMessage', retryAfter: 1 });
    expect(await out.turn().post({ text: 'After a second.' })).toMatchObject({ ok: true });
    await out.control.fault({ method: 'chat.postMessage', retryAfter: 600 });
    const left = await out.turn('T2').post({ text: 'Much later.' });
    expect(left).toMatchObject({ ok: false, failure: { code: 'rate-limited' } });
    expect(await texts(out)).toEqual(['After a second.']);
  });

  it('S11, U067: 9,000 characters with a code block of 5,000 and emoji arrive whole', async () => {
    const out = await start();
    const code = Array.from({ length: 250 }, (_, n) => `value_${n} = f(${n}) & g`)
      .join('\n')
      .slice(0, 5_000);
    const text = `${'Words 👩‍👩‍👧 and more. '.repeat(90)}\n\n\`\`\`python\n${code}\n\`\`\`\n\n${'The end comes. '.repeat(130)}`;
    expect(await out.turn().post({ text })).toMatchObject({ ok: true });
    const said = await out.said();
    const all =
      said.map((message) => message.fallback).join('\n') +
      said
        .flatMap((message) => message.files)
        .map((file) => file.name)
        .join();
    expect(all).toMatch(/value_0 = f\(0\)|\.py/);
    expect(all.match(/👩‍👩‍👧/g)).toHaveLength(90);
    expect(all.match(/The end comes\./g)).toHaveLength(130);
  });

  it('S11, U067: refused blocks end in plain text with every word', async () => {
    const out = await start();
    await out.control.fault({ method: 'chat.postMessage', error: 'invalid_blocks', times: 1 });
    await out.turn().post({ text: 'A **bold** word, a list:\n\n- one\n- two', actions: ['feedback'] });
    const [message] = await out.said();
    expect(message?.fallback).toMatch(/\*bold\*[\s\S]*one[\s\S]*two/);
  });

  it('U068: msg_too_long ends in shorter messages, and the door stays open', async () => {
    const out = await start();
    await out.control.fault({ method: 'chat.postMessage', error: 'msg_too_long', times: 2 });
    expect(await out.turn().post({ text: 'Sentence after sentence. '.repeat(140) })).toMatchObject({ ok: true });
    const all = (await texts(out)).join(' ').replace(/\s+/g, ' ');
    expect(all.match(/Sentence after sentence\./g)).toHaveLength(140);
    expect((await texts(out)).length).toBeGreaterThan(1);
    expect(await out.turn('T2').post({ text: 'Still here.' })).toMatchObject({ ok: true });
  });

  it('refused in every form, a sentence says so; refused for good, the post is given up', async () => {
    const out = await start();
    await out.control.fault({ method: 'chat.postMessage', error: 'invalid_blocks', times: 3 });
    await out.turn().post({ text: 'Something that Slack will not have.' });
    expect((await texts(out))[0]).toMatch(/refused/);
    await out.control.archive({ channel: out.channel });
    const gone = await out.turn('T2').post({ text: 'Hello?', origin: {} });
    expect(gone).toMatchObject({ ok: false, failure: { code: 'delivery-refused', detail: 'is_archived' } });
    if (!gone.ok) expect([mayRetry(gone.failure), forOperator(gone.failure)]).toEqual([false, 'the platform refused a message']);
  });

  it('U103: metadata_too_large loses the metadata and not the answer', async () => {
    const out = await start();
    await out.control.fault({ method: 'chat.postMessage', error: 'metadata_too_large' });
    expect(await out.turn().post({ text: 'Here I am.' })).toMatchObject({ ok: true });
    const [message] = await out.said();
    expect(message).toMatchObject({ fallback: 'Here I am.', metadata: null });
  });

  it('not_in_channel is refused and not tried for ever', async () => {
    const out = await start();
    await out.control.remove({ channel: out.channel, user: 'U0BOT' });
    const gone = await out.turn().post({ text: 'Hello?', origin: {} });
    expect(gone.ok ? '' : gone.failure.code).toBe('delivery-refused');
  });

  it('S11: where nothing may be said any more, whoever asked reads the answer in their direct messages', async () => {
    const out = await start();
    await out.control.archive({ channel: out.channel });
    const post = { text: 'It was 42. <!channel>', actions: ['feedback'] } as const;
    for (const _ of ['once', 'and again, by a worker that does not know']) expect(await out.turn().post(post)).toMatchObject({ ok: true });
    const direct = (await out.control.messages({ channel: 'D01ALICE' })).filter((message) => message.fromBot);
    expect(direct.map((message) => message.fallback)).toEqual([
      'I can say nothing in <#C01GEN>: it is archived. This is what I would have answered there:',
      expect.stringMatching(/^It was 42\. &lt;!channel&gt;/),
    ]);
    expect(direct.flatMap((message) => [...message.pings, ...message.buttons])).toEqual([]);
  });

  it('U131: where the question was deleted the answer is said in the channel', async () => {
    const out = await start();
    await out.control.fault({ method: 'chat.postMessage', error: 'thread_not_found' });
    expect(await out.turn().post({ text: 'It was 42.' })).toMatchObject({ ok: true });
    const all = await out.control.messages({ channel: out.channel });
    expect(all.filter((message) => message.fromBot).map((message) => [message.fallback, message.thread])).toEqual([['It was 42.', null]]);
  });

  it('U133: blank text is never sent', async () => {
    const out = await start();
    for (const text of ['', '\n\n', '   '])
      expect(await out.turn(`T${text.length}`).post({ text, actions: ['retry'] })).toMatchObject({ ok: true });
    expect(await out.said()).toEqual([]);
    expect(await out.control.calls({ method: 'chat.postMessage' })).toEqual([]);
  });

  it('U146, U107: nothing is unfurled and nobody is called by name, wherever the words come from', async () => {
    const out = await start();
    await out.turn().post({ text: 'See https://a.example and https://b.example. <!here> @channel <@U02BOB> <@U01ALICE>' });
    await out.turn('T2').ran(
      aRun({
        by: 'person',
        output: '<!channel> <@U02BOB>',
        after: SAVED,
        lost: [{ name: '<!here>', type: '<@U02BOB>', why: 'w', path: '' }],
      }),
    );
    for (const call of await out.control.calls({ method: 'chat.postMessage' })) {
      expect(call.args).toMatchObject({ unfurl_links: 'false', unfurl_media: 'false', link_names: 'false' });
      expect(call.args['text']).toBeTypeOf('string');
    }
    // The one who asked may be called.
    expect((await out.said()).flatMap((message) => message.pings).filter((ping) => ping !== 'U01ALICE')).toEqual([]);
  });

  it('what only one person may see is whispered, in the thread', async () => {
    const out = await start();
    await out.turn().post({ kind: 'command', text: 'Only for you.', privateTo: { id: 'U01ALICE', name: 'Alice' } });
    expect(await out.said()).toEqual([]);
    const [whispered] = await out.control.ephemerals({ channel: out.channel, user: 'U01ALICE' });
    expect(whispered).toMatchObject({ text: 'Only for you.', thread: out.thread });
  });

  it('in a direct message there is nobody to whisper past', async () => {
    const out = await start({ channel: 'D01ALICE' });
    await out.turn().post({ kind: 'command', text: 'Just us.', privateTo: { id: 'U01ALICE', name: 'Alice' } });
    expect(await texts(out)).toEqual(['Just us.']);
  });

  it('a whisper to somebody who left goes to their direct messages', async () => {
    const out = await start();
    await out.control.fault({ method: 'chat.postEphemeral', error: 'user_not_in_channel' });
    const sent = await out.turn().post({ kind: 'command', text: 'Only for you.', privateTo: { id: 'U01ALICE', name: 'Alice' } });
    expect(sent).toMatchObject({ ok: true });
    const direct = await out.control.messages({ channel: 'D01ALICE' });
    expect(direct.map((message) => message.text)).toEqual(['Only for you.']);
  });

  it('a slash command is answered where it was typed, also where the bot is no member; a used-up address is no reason for silence', async () => {
    const out = await start();
    const response_url = 'https://attacker.example/hook';
    await out.turn().post({ kind: 'command', text: 'Not to strangers.', origin: { ...out.origin, response_url } });
    expect(await texts(out)).toEqual(['Not to strangers.']);
  });

  it('an approval is asked with buttons, and what was decided takes their place', async () => {
    const out = await start();
    const approval = 'abcdef012345';
    await out.turn().post({ kind: 'notice', key: 'T1:awaiting', text: 'May I send the mail?', actions: ['approve', 'deny'], approval });
    expect((await out.said())[0]?.buttons.map((button) => [button.text, button.actionId, button.value])).toEqual([
      ['Approve', 'hektor.approve', approval],
      ['Deny', 'hektor.deny', approval],
    ]);
    await out.turn('T2').post({ kind: 'notice', key: 'T2:decided', text: 'Alice approved it.', actions: [], approval });
    const said = await out.said();
    expect(said.map((message) => [message.text, message.buttons])).toEqual([['Alice approved it.', []]]);
  });

  it('a turn that ends with a question for approval leaves its words standing, no longer alive', async () => {
    const out = await start();
    const turn = out.turn();
    await turn.begin();
    await turn.draft('I will send the mail now.', [{ call: 'c', text: 'Sending mail', state: 'running' }]);
    await until(async () => (await out.said()).length === 1, 'a stream');
    await turn.post({ kind: 'notice', key: 'T1:awaiting', text: 'May I send it?', actions: ['approve', 'deny'], approval: 'abcdef012345' });
    await turn.end();
    await until(async () => (await out.said())[0]?.stream === 'stopped', 'the end of the stream');
    expect((await texts(out)).map((text) => text.trim())).toEqual(['I will send the mail now.', 'May I send it?']);
    out.restart();
    await out.turn('T2').post({ text: 'Sent.' });
    expect(await out.said()).toHaveLength(3);
  });

  const fileOf = (out: SlackOut, name: string, content: string, fields: Partial<RunFile> = {}): RunFile => {
    const bytes = new TextEncoder().encode(content);
    return { name, type: 'text/csv', size: bytes.byteLength, blob: out.addBlob(bytes), picture: false, alt: '', ...fields };
  };

  it('U092, U086: files of runs come into the thread, plots with words for those who cannot see them', async () => {
    const out = await start();
    const plot = fileOf(out, 'figure-1.png', 'not really a picture', {
      type: 'image/png',
      picture: true,
      alt: 'A line that rises from 1 to 9',
    });
    await out.turn().post({ text: 'Here it is.', files: [plot, fileOf(out, 'out.csv', 'a,b\n1,2\n')] });
    await until(async () => (await out.said()).some((message) => message.files.length === 2), 'the files');
    const said = await out.said();
    expect(said.map((message) => message.thread)).toEqual([out.thread, out.thread]);
    expect(said[1]?.files.map((file) => [file.name, file.altText])).toEqual([
      ['figure-1.png', 'A line that rises from 1 to 9'],
      ['out.csv', ''],
    ]);
    const id = said[1]?.files[1]?.id ?? '';
    expect(atob((await out.control.fileContent({ id }))?.base64 ?? '')).toBe('a,b\n1,2\n');
    // The same post again sends nothing again.
    out.restart();
    await out.turn().post({ text: 'Here it is.', files: [plot] });
    expect(await out.control.calls({ method: 'files.completeUploadExternal' })).toHaveLength(1);
  });

  it('a file that Slack refuses, an empty one and one that is gone are told of; the text and the other files are there', async () => {
    const out = await start();
    await out.control.fault({ method: 'files.getUploadURLExternal', error: 'file_type_not_allowed' });
    const gone: RunFile = { ...fileOf(out, 'gone.csv', 'x'), blob: blobId('0'.repeat(32)) };
    const files = [fileOf(out, 'tool.exe', 'MZ'), fileOf(out, 'ok.csv', 'a'), fileOf(out, 'empty.txt', ''), gone];
    expect(await out.turn().post({ text: 'Four files.', files })).toMatchObject({ ok: true });
    await until(async () => (await out.said()).some((message) => message.files.length === 1), 'the file');
    const all = (await texts(out)).join('\n');
    expect(all).toContain('Four files.');
    expect(all).toMatch(/tool\.exe.*not allowed[\s\S]*empty\.txt.*empty[\s\S]*gone\.csv.*no longer stored/);
  });

  it('an upload whose last reply is lost shows its files once', async () => {
    const out = await start();
    await out.control.fault({ method: 'files.completeUploadExternal', drop: 'reply' });
    expect(await out.turn().post({ text: 'A file.', files: [fileOf(out, 'one.csv', 'a')] })).toMatchObject({ ok: true });
    await until(async () => (await out.said()).some((message) => message.files.length === 1), 'the file');
    expect((await out.said()).flatMap((message) => message.files)).toHaveLength(1);
  });

  it('the model’s runs are folded under its answer, people’s runs answer as a prompt would', async () => {
    const out = await start();
    const turn = out.turn();
    const code = 'import math\nx = 6\nprint(math.sqrt(x * 6))';
    await turn.ran(aRun({ n: 2, code, output: '6.0\n', after: SAVED, durationMs: 320 }));
    await turn.ran(
      aRun({
        n: 3,
        code: '1/0',
        end: 'raised',
        after: SAVED,
        error: {
          type: 'ZeroDivisionError',
          value: 'division by zero',
          traceback: 'Traceback …\nZeroDivisionError: division by zero',
          line: 1,
        },
      }),
    );
    expect(await out.said()).toEqual([]);
    out.restart();
    await turn.post({ text: 'It is 6.' });
    const [answer] = await out.said();
    expect(answer?.text).toMatch(
      /^It is 6\.\nWhat I ran: 2 pieces of Python\nRun 2: 3 lines of Python, 320 ms\nimport math[\s\S]*6\.0[\s\S]*Run 3: 1 line of Python/,
    );
    await out.turn('T2').ran(aRun({ by: 'person', n: 4, output: 'hi\n', value: "'x'", after: SAVED, durationMs: 12 }));
    expect((await out.said())[1]?.text).toBe("hi\n'x'\nRun 4 · 12 ms");
    await out.turn('T3').ran(aRun({ by: 'person', n: 5, after: SAVED, durationMs: 3 }));
    expect((await out.said())[2]?.text).toBe('Run 5 · 3 ms · nothing to show');
  });

  it('opens a thread once for a key, however often it is asked, and leads there', async () => {
    const out = await start();
    const request = {
      key: 'fork-1',
      title: 'A copy',
      text: 'Goes on from **here**.',
      by: { id: 'U01ALICE', name: 'Alice' },
      origin: out.origin,
    };
    await out.control.fault({ method: 'chat.postMessage', drop: 'reply' });
    const opened = await out.outbound().openThread?.(out.conversation, request);
    out.restart();
    const again = await out.outbound().openThread?.(out.conversation, request);
    if (opened?.ok !== true || again?.ok !== true) throw new Error('no thread was opened');
    expect(again.value).toEqual(opened.value);
    const roots = (await out.control.messages({ channel: out.channel })).filter((message) => message.fromBot && message.thread === null);
    expect(roots.map((message) => message.ts)).toEqual([opened.value.thread]);
    expect(out.outbound().linkTo?.(conversationIdOf(opened.value))).toBe(
      `https://app.slack.com/client/T01LAB/C01GEN/thread/C01GEN-${opened.value.thread}`,
    );
  });
});
