/** Delivery: acknowledgements, repetition, connections and signatures. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { App } from '@slack/bolt';
import { WebSocket } from 'ws';
import { describe, expect, it } from 'vitest';
import { signature } from './http-delivery.ts';
import { createStand, silent } from './testing.ts';
import type { Stand } from './testing.ts';

type Frame = {
  readonly type: string;
  readonly envelope_id?: string;
  readonly retry_attempt?: number;
  readonly reason?: string;
  readonly payload?: { readonly event: { readonly type: string } };
};

/** A bare connection that acknowledges nothing by itself. */
const connect = async (stand: Stand) => {
  const { url = '' } = await stand.client(stand.server.appToken).apps.connections.open({});
  const socket = new WebSocket(url);
  const frames: Frame[] = [];
  socket.on('message', (data: Buffer) => frames.push(JSON.parse(data.toString('utf8')) as Frame));
  await stand.control.until(async () => frames.length > 0, 'the first frame');
  return { socket, frames, events: () => frames.filter((one) => one.type === 'events_api') };
};

/** An HTTP endpoint that answers with the next of `statuses`, then 200. */
const endpoint = async (statuses: number[], extra: Readonly<Record<string, string>> = {}) => {
  const seen: { readonly headers: IncomingHttpHeaders; readonly body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString('utf8')));
    request.on('end', () => {
      seen.push({ headers: request.headers, body });
      response.writeHead(statuses.shift() ?? 200, extra).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return { url: `http://127.0.0.1:${address.port}/slack/events`, seen, [Symbol.dispose]: () => void server.close() };
};

const onlyMentions = (stand: Stand) => stand.control.app({ events: ['app_mention'] });

describe('Socket Mode', () => {
  it('S01 sends an event again where it is not acknowledged: at once, after a minute, after five', async () => {
    await using stand = await createStand();
    await onlyMentions(stand);
    await stand.control.settings({ ackTimeoutMs: 50 });
    const { events } = await connect(stand);
    await stand.control.say({ user: 'U01ALICE', channel: 'general', text: '@hektor hi' });
    const attempts = (count: number) =>
      stand.control.until(async () => (await stand.control.sent())[0]?.attempts.length === count, `attempt ${count}`);
    await attempts(2);
    await stand.control.advance({ ms: 60_000 });
    await attempts(3);
    await stand.control.advance({ ms: 300_000 });
    await attempts(4);
    expect(events().map((one) => one.retry_attempt)).toEqual([0, 1, 2, 3]);
    expect(new Set(events().map((one) => one.envelope_id)).size).toBe(4);
    expect((await stand.control.sent())[0]).toMatchObject({ acked: false, over: true });
  });

  it('S01 repeats under the first envelope, too, as was seen in live workspaces', async () => {
    await using stand = await createStand();
    await onlyMentions(stand);
    await stand.control.settings({ ackTimeoutMs: 1000, repeatEnvelopeIds: true });
    const { socket, events } = await connect(stand);
    await stand.control.say({ user: 'U01ALICE', channel: 'general', text: '@hektor hi' });
    await stand.control.until(async () => events().length === 2);
    expect(events()[1]).toMatchObject({ envelope_id: events()[0]?.envelope_id, retry_attempt: 0 });
    socket.send(JSON.stringify({ envelope_id: events()[1]?.envelope_id }));
    await stand.control.until(async () => (await stand.control.sent())[0]?.acked);
  });

  it('hands each payload to one of the connections', async () => {
    await using stand = await createStand();
    await onlyMentions(stand);
    const [one, two] = [await connect(stand), await connect(stand)];
    for (let n = 0; n < 4; n++) await stand.control.say({ user: 'U01ALICE', channel: 'general', text: `@hektor ${n}` });
    await stand.control.until(async () => one.events().length + two.events().length === 4);
    expect(one.events()).toHaveLength(2);
  });

  it('S19 refuses an eleventh connection, warns, and closes a link that was disabled', async () => {
    await using stand = await createStand();
    const all = [];
    for (let n = 0; n < 10; n++) all.push(await connect(stand));
    expect((await connect(stand)).frames[0]).toMatchObject({ type: 'disconnect', reason: 'too_many_websockets' });
    await stand.control.disconnect({ reason: 'refresh_requested' });
    await stand.control.until(async () => (await stand.control.connections()) === 0);
    expect(all[0]?.frames.at(-1)).toMatchObject({ type: 'disconnect', reason: 'refresh_requested' });
    await stand.control.app({ linkDisabled: true });
    expect(await stand.refusal(stand.client(stand.server.appToken).apps.connections.open({}))).toMatchObject({ error: 'link_disabled' });
  });

  it('S19 the real client comes back after a refresh', async () => {
    await using stand = await createStand();
    const app = new App({
      token: stand.server.botToken,
      appToken: stand.server.appToken,
      socketMode: true,
      clientOptions: { slackApiUrl: stand.server.apiUrl },
      logger: silent,
    });
    await app.start();
    await stand.control.disconnect({ reason: 'refresh_requested' });
    await stand.control.until(async () => (await stand.control.calls({ method: 'apps.connections.open' })).length === 2);
    await stand.control.until(async () => (await stand.control.connections()) === 1);
    await app.stop();
  });

  it('shows the person an error where a command is not acknowledged', async () => {
    await using stand = await createStand();
    await stand.control.settings({ ackTimeoutMs: 50 });
    await connect(stand);
    expect(await stand.control.command({ user: 'U01ALICE', channel: 'general', command: '/hektor', text: 'x' })).toMatchObject({
      acked: false,
    });
    expect((await stand.control.ephemerals({ user: 'U01ALICE' }))[0]?.text).toContain('operation_timeout');
    expect(await stand.control.sent()).toHaveLength(1);
  });
});

describe('HTTP delivery', () => {
  it('signs what it sends and repeats what was refused, saying so', async () => {
    await using stand = await createStand();
    using at = await endpoint([500, 404]);
    await onlyMentions(stand);
    await stand.control.app({ transport: 'http', requestUrl: at.url });
    await stand.control.say({ user: 'U01ALICE', channel: 'general', text: '@hektor hi' });
    await stand.control.until(async () => at.seen.length === 2);
    await stand.control.advance({ ms: 60_000 });
    await stand.control.until(async () => (await stand.control.sent())[0]?.acked);
    expect(at.seen.map(({ headers }) => [headers['x-slack-retry-num'], headers['x-slack-retry-reason']])).toEqual([
      [undefined, undefined],
      ['1', 'http_error'],
      ['2', 'http_error'],
    ]);
    for (const { headers, body } of at.seen) {
      expect(headers['x-slack-signature']).toBe(signature(stand.server.signingSecret, String(headers['x-slack-request-timestamp']), body));
    }
    expect(new Set(at.seen.map(({ body }) => (JSON.parse(body) as { event_id: string }).event_id)).size).toBe(1);
  });

  it('does not repeat where a refusal asks for that', async () => {
    await using stand = await createStand();
    using at = await endpoint([500], { 'x-slack-no-retry': '1' });
    await onlyMentions(stand);
    await stand.control.app({ transport: 'http', requestUrl: at.url });
    await stand.control.say({ user: 'U01ALICE', channel: 'general', text: '@hektor hi' });
    expect(await stand.control.until(async () => (await stand.control.sent()).find((one) => one.over))).toMatchObject({ acked: false });
  });

  it('tells of a flood once a minute, and stops where almost everything fails', async () => {
    await using stand = await createStand();
    using at = await endpoint([]);
    await onlyMentions(stand);
    await stand.control.app({ transport: 'http', requestUrl: at.url });
    await stand.control.settings({ eventsPerHour: 2, eventsBeforeDisabling: 3, retryDelaysMs: [] });
    for (let n = 0; n < 4; n++) await stand.control.say({ user: 'U01ALICE', channel: 'general', text: `@hektor ${n}` });
    const types = (await stand.control.sent()).map((one) => one.payload['type']);
    expect(types).toEqual(['event_callback', 'event_callback', 'app_rate_limited']);
    await stand.control.advance({ ms: 3_700_000 });
    await stand.control.settings({ eventsPerHour: 100 });
    await stand.control.app({ requestUrl: 'http://127.0.0.1:9/' });
    for (let n = 0; n < 6; n++) {
      const { length } = await stand.control.sent();
      await stand.control.say({ user: 'U01ALICE', channel: 'general', text: `@hektor ${n}` });
      await stand.control.until(async () => (await stand.control.sent()).slice(length).every((one) => one.over));
    }
    expect((await stand.control.sent()).slice(3)).toHaveLength(3);
  });
});
