/** Rates, refusals and files, with the real client. */
import { RateLimitError, REST, Routes } from 'discord.js';
import type { APIMessage } from 'discord.js';
import { describe, expect, it } from 'vitest';
import { ids } from './places.ts';
import { createStand } from './testing.ts';
import type { Stand } from './testing.ts';

const post = (stand: Stand, content: string, rest: REST = stand.rest): Promise<APIMessage> =>
  rest.post(Routes.channelMessages(ids.general), { body: { content } }) as Promise<APIMessage>;

describe('rates', () => {
  it('gives a channel five writes in five seconds, tells so in headers, and discord.js waits (rules 21 and 22)', async () => {
    await using stand = await createStand();
    const rest = new REST({ api: stand.server.apiUrl, version: '10' }).setToken(stand.server.token);
    const from = Date.now();
    await Promise.all(Array.from({ length: 7 }, (_, n) => post(stand, String(n), rest)));
    expect(Date.now() - from).toBeGreaterThan(4000);
    expect(await stand.control.messages({ channel: 'general' })).toHaveLength(7);
    await Promise.all(
      Array.from({ length: 20 }, () =>
        fetch(`${stand.server.apiUrl}/v10/channels/${ids.random}/messages`, {
          method: 'POST',
          body: '{"content":"x"}',
          headers: { 'content-type': 'application/json', authorization: `Bot ${stand.server.token}` },
        }),
      ),
    );
    const calls = await stand.control.calls({ path: ids.random });
    const refused = calls.filter((one) => one.status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect((await stand.control.invalidRequests()).count).toBe(refused.length);
    expect(refused[0]?.reply).toMatchObject({ message: 'You are being rate limited.', global: false });
  });

  it('has a limit over all requests of a second', async () => {
    await using stand = await createStand();
    await stand.control.settings({ globalPerSecond: 2 });
    const replies = await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        fetch(`${stand.server.apiUrl}/v10/users/${n % 2 === 0 ? '@me' : ids.alice}`, {
          headers: { authorization: `Bot ${stand.server.token}` },
        }),
      ),
    );
    const refused = replies.filter((one) => one.status === 429);
    expect(refused.length).toBeGreaterThan(0);
    expect(
      refused.some((one) => one.headers.get('x-ratelimit-global') === 'true' && one.headers.get('x-ratelimit-scope') === 'global'),
    ).toBe(true);
  });

  it('shuts out who is refused too often (rule 21); a wrong token is a 401', async () => {
    await using stand = await createStand();
    await stand.control.settings({ invalidRequests: 5 });
    const wrong = new REST({ api: stand.server.apiUrl, version: '10', retries: 0, rejectOnRateLimit: () => true });
    for (let n = 0; n < 5; n += 1) expect((await stand.refusal(wrong.setToken('no.such.token').get('/users/@me'))).status).toBe(401);
    await expect(stand.rest.get('/users/@me')).rejects.toBeInstanceOf(RateLimitError);
    await stand.control.advance({ ms: 600_001 });
    expect(await stand.rest.get('/users/@me')).toMatchObject({ username: 'Hektor' });
  });

  it('fails as a test asks it to: any code, any status, before or after the work', async () => {
    await using stand = await createStand();
    await stand.control.fault({ method: 'POST', path: '/messages', code: 20028 });
    expect((await stand.refusal(post(stand, 'x'))).code).toBe(20028);
    await stand.control.fault({ path: '/messages', status: 500, times: 2 });
    expect((await stand.refusal(post(stand, 'x'))).status).toBe(500);
    const retrying = new REST({ api: stand.server.apiUrl, version: '10' }).setToken(stand.server.token);
    await post(stand, 'through', retrying);
    await stand.control.fault({ path: '/messages', drop: 'request' });
    await expect(post(stand, 'lost')).rejects.toThrow(/other side closed|fetch failed|socket/i);
    expect((await stand.control.messages({ channel: 'general' })).map((one) => one.text)).toEqual(['through']);
  });

  it('knows closed direct messages, and typing for ten seconds (rules 25 and 40)', async () => {
    await using stand = await createStand();
    const dm = (await stand.rest.post(Routes.userChannels(), { body: { recipient_id: ids.alice } })) as { id: string };
    await stand.rest.post(Routes.channelTyping(dm.id));
    expect(await stand.control.typing({ channel: dm.id })).toEqual([stand.server.applicationId]);
    await stand.control.advance({ ms: 10_000 });
    expect(await stand.control.typing({ channel: dm.id })).toEqual([]);
    await stand.rest.post(Routes.channelTyping(dm.id));
    await stand.rest.post(Routes.channelMessages(dm.id), { body: { content: 'x' } });
    expect(await stand.control.typing({ channel: dm.id })).toEqual([]);
    await stand.control.changePerson({ user: 'alice', dmsClosed: true });
    expect((await stand.refusal(stand.rest.post(Routes.channelMessages(dm.id), { body: { content: 'x' } }))).code).toBe(50007);
  });
});

describe('files', () => {
  const file = (name: string, bytes: number) => ({ name, data: Buffer.alloc(bytes, 'x') });
  const upload = (stand: Stand, files: ReturnType<typeof file>[], body: Record<string, unknown> = {}) =>
    stand.rest.post(Routes.channelMessages(ids.general), { files, body }) as Promise<APIMessage>;

  it('takes ten files of ten MiB at most, keeps what an edit names, and tells the alt text (rules 18 and 19)', async () => {
    await using stand = await createStand();
    await stand.control.settings({ rateLimits: false });
    expect(await stand.refusal(upload(stand, [file('big.bin', 10 * 1024 * 1024 + 1)]))).toMatchObject({ status: 413, code: 40005 });
    expect(
      (
        await stand.refusal(
          upload(
            stand,
            Array.from({ length: 11 }, (_, n) => file(`${n}.txt`, 1)),
          ),
        )
      ).code,
    ).toBe(30015);
    const made = await upload(stand, [file('a plot.png', 3), file('b.txt', 3)], { attachments: [{ id: 0, description: 'a plot' }] });
    expect(made.attachments.map((one) => [one.filename, one.description])).toEqual([
      ['a_plot.png', 'a plot'],
      ['b.txt', undefined],
    ]);
    const edited = (await stand.rest.patch(Routes.channelMessage(ids.general, made.id), {
      files: [file('c.txt', 1)],
      body: { attachments: [{ id: made.attachments[0]?.id }, { id: 0 }] },
    })) as APIMessage;
    expect(edited.attachments.map((one) => one.filename)).toEqual(['a_plot.png', 'c.txt']);
    await stand.rest.patch(Routes.channelMessage(ids.general, made.id), { body: { content: 'only words', attachments: [] } });
    expect((await stand.control.message({ id: made.id }))?.files).toEqual([]);
    await stand.control.permit({ channel: 'general', user: 'hektor', deny: ['AttachFiles'] });
    expect((await stand.refusal(upload(stand, [file('a.txt', 1)]))).code).toBe(50013);
  });

  it('D25: signs links that end, gives new ones with the message, and tells sizes that may not be true (rule 19)', async () => {
    await using stand = await createStand();
    const { id } = await stand.control.say({
      user: 'alice',
      channel: 'general',
      text: '@hektor look',
      files: [
        { name: 'a.csv', text: 'x,y' },
        { name: 'huge.pdf', text: '', toldSize: 33_000_000, status: 404 },
      ],
    });
    const read = async () => ((await stand.rest.get(Routes.channelMessage(ids.general, id))) as APIMessage).attachments;
    const [csv, pdf] = await read();
    expect([csv?.size, csv?.content_type, pdf?.size]).toEqual([3, 'text/csv', 33_000_000]);
    expect(await (await fetch(csv?.url ?? '')).text()).toBe('x,y');
    expect((await fetch(pdf?.url ?? '')).status).toBe(404);
    expect((await fetch((csv?.url ?? '').replace(/ex=\w+/, 'ex=ffffffff'))).status).toBe(404);
    await stand.control.advance({ ms: 25 * 3_600_000 });
    expect((await fetch(csv?.url ?? '')).status).toBe(404);
    expect(await (await fetch((await read())[0]?.url ?? '')).text()).toBe('x,y');
  });
});
