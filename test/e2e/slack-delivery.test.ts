/** Slack, delivery: what comes once or often, in whichever order, over whichever transport and replica, is answered once and never lost. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventsFor } from '../../adapters/slack/install/scopes.ts';
import { startSlackApp } from '../support/slack-app.ts';
import type { SlackApp, Transport } from '../support/slack-app.ts';
import { openSlowDoor } from '../support/slow-door.ts';

type Form = 'app_mention' | 'message';

let made = 0;
/** The time of a message that nobody else has. */
const newTs = (): string => `${Math.floor(Date.now() / 1000)}.${String((made += 1)).padStart(6, '0')}`;

/** An event as Slack sends it, with an id of its own unless one is given. */
const event = (fields: Record<string, unknown>, id = `Ev${newTs()}`): Record<string, unknown> => ({
  token: 'x',
  team_id: 'T01LAB',
  context_team_id: 'T01LAB',
  api_app_id: 'A01APP',
  type: 'event_callback',
  event_id: id,
  event_time: 1_796_100_001,
  authorizations: [{ enterprise_id: null, team_id: 'T01LAB', user_id: 'U0BOT', is_bot: true, is_enterprise_install: false }],
  is_ext_shared_channel: false,
  event: fields,
});
const words = (ts: string, text: string, form: Form = 'app_mention', more: Record<string, unknown> = {}): Record<string, unknown> => ({
  type: form,
  user: 'U01ALICE',
  team: 'T01LAB',
  client_msg_id: `cm-${ts}`,
  text,
  ts,
  channel: 'C01GEN',
  event_ts: ts,
  ...(form === 'message' ? { channel_type: 'channel' } : {}),
  ...more,
});

describe.each<Transport>(['socket', 'http'])('Slack over %s', { timeout: 180_000 }, (transport) => {
  let app: SlackApp;
  beforeAll(async () => {
    app = await startSlackApp({ transport });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const acked = async (n: number): Promise<void> => {
    await app.control.until(async () => (await app.control.sent({ after: n - 1 })).find((one) => one.n === n)?.acked, 'an acknowledgement');
  };
  const deliver = async (payload: Record<string, unknown>): Promise<void> => acked((await app.control.payload({ payload })).n);
  /** Writes a message that Slack tells nobody of; the test delivers its events itself. */
  const written = async (text: string): Promise<string> => {
    await app.control.app({ events: [] });
    const { ts } = await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text });
    await app.control.app({ events: eventsFor({ access: 'all', agent: true }).map((one) => one.event) });
    return ts;
  };
  const once = async (root: string, asked: string): Promise<void> => {
    await app.answered('C01GEN', root);
    await app.settled();
    expect(await app.answers('C01GEN', root)).toHaveLength(1);
    expect(app.model.questions().filter((question) => question.includes(asked))).toHaveLength(1);
  };

  it('answers a mention once, in its thread, and goes on there without one (U001, U031, U037)', async () => {
    const said = await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text: '@hektor what is 6 * 7?' });
    expect((await app.answered('C01GEN', said.ts)).thread).toBe(said.ts);
    await app.control.say({ user: 'U02BOB', channel: 'C01GEN', thread: said.ts, text: 'and in March?' });
    await app.answered('C01GEN', said.ts, 2);
    await app.settled();
    expect(await app.answers('C01GEN', said.ts)).toHaveLength(2);
    const last = JSON.stringify(app.model.asked.at(-1)?.messages);
    expect(last).toContain('what is 6 * 7?');
    expect(last).toMatch(/alice[\s\S]*bob/i);
  });

  it.each<readonly Form[]>([
    ['message', 'app_mention'],
    ['app_mention', 'message'],
  ])('S02, U001: %s and then the other form of one mention are one question', async (first, second) => {
    const text = `question ${newTs()}`;
    const ts = await written(`@hektor ${text}`);
    await deliver(event(words(ts, `<@U0BOT> ${text}`, first)));
    await deliver(event(words(ts, `<@U0BOT> ${text}`, second)));
    await once(ts, text);
  });

  it('S02: both forms at the same time are one question', async () => {
    const text = `question ${newTs()}`;
    const ts = await written(`@hektor ${text}`);
    await Promise.all((['message', 'app_mention'] as const).map((form) => deliver(event(words(ts, `<@U0BOT> ${text}`, form)))));
    await once(ts, text);
  });

  it('S01, U004, U005, U007, U008: the same event again, as a retry or as if for the first time, is acknowledged and nothing more', async () => {
    const text = `question ${newTs()}`;
    const ts = await written(`@hektor ${text}`);
    const same = event(words(ts, `<@U0BOT> ${text}`));
    app.model.answer(() => 'Slow answer.', 2_000);
    for (let copy = 0; copy < 4; copy += 1) await deliver(same);
    await once(ts, text);
    app.model.answer((_, n) => `Answer ${n}.`);
  });

  it('S04, S05, U010: what Slack does to messages afterwards asks nothing anew', async () => {
    const text = '<@U0BOT> see <https://example.org/page>';
    const ts = await written('@hektor see https://example.org/page');
    await deliver(event(words(ts, text)));
    await app.answered('C01GEN', ts);
    const asked = app.model.asked.length;
    const own = { type: 'message', user: 'U01ALICE', text, ts };
    for (let n = 0; n < 10; n += 1) {
      await deliver(
        event({
          type: 'message',
          subtype: 'message_changed',
          hidden: true,
          channel: 'C01GEN',
          channel_type: 'channel',
          ts: newTs(),
          message: n % 2 === 0 ? { ...own, attachments: [{ title: 'Example' }] } : { ...own, thread_ts: ts, reply_count: n },
          previous_message: own,
        }),
      );
    }
    await app.settled();
    expect(app.model.asked).toHaveLength(asked);
    expect(await app.answers('C01GEN', ts)).toHaveLength(1);
  });

  it('U112: what programs write is not answered, also where it mentions the bot', async () => {
    const asked = app.model.asked.length;
    const said = await app.control.say({ user: 'U0OTHERBOT', channel: 'C01GEN', text: 'Deploy failed, cc @hektor' });
    await app.settled();
    expect(await app.answers('C01GEN', said.ts)).toEqual([]);
    expect(app.model.asked).toHaveLength(asked);
  });

  it('S17: a direct message is one session with its replies', async () => {
    const said = await app.control.say({ user: 'U01ALICE', channel: 'D01ALICE', text: 'my number is 41' });
    const first = await app.answered('D01ALICE', said.ts);
    expect(first.thread).toBe(said.ts);
    await app.control.say({ user: 'U01ALICE', channel: 'D01ALICE', thread: said.ts, text: 'add one' });
    await app.answered('D01ALICE', said.ts, 2);
    expect(JSON.stringify(app.model.asked.at(-1)?.messages)).toContain('my number is 41');
    await app.settled();
    const all = await app.control.messages({ channel: 'D01ALICE' });
    expect(all.filter((one) => one.fromBot).every((one) => one.thread === said.ts)).toBe(true);
  });

  it('U022, U025, S16: ten at once are all acknowledged and each answered once', async () => {
    const roots: string[] = [];
    for (let n = 0; n < 10; n += 1) roots.push(await written(`@hektor many ${n}`));
    app.model.answer(() => 'Done.', 500);
    await Promise.all(roots.map((ts) => deliver(event(words(ts, `<@U0BOT> many ${ts}`)))));
    for (const ts of roots) await once(ts, `many ${ts}`);
    app.model.answer((_, n) => `Answer ${n}.`);
  });

  it('acknowledges what it does not know', async () => {
    await deliver(event({ type: 'hologram_opened', user: 'U01ALICE' }));
    await deliver(event({ type: 'message' }));
    expect(app.apps()[0]?.process.exitCode).toBeNull();
  });
});

describe('the socket of the whole program', { timeout: 180_000 }, () => {
  it('S19: answers through refreshed and broken connections, and closes its own at the end', async () => {
    await using app = await startSlackApp();
    const connected = (): number =>
      app
        .apps()[0]!
        .logs()
        .filter((line) => line.includes('connected to Slack')).length;
    const after = async (what: string, happens: () => Promise<unknown>): Promise<void> => {
      const before = connected();
      await happens();
      await app.control.until(async () => connected() > before && (await app.control.connections()) === 1, 'another connection', 90_000);
      const { ts } = await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text: `@hektor ${what}` });
      await app.answered('C01GEN', ts);
      await app.settled();
      expect(await app.answers('C01GEN', ts)).toHaveLength(1);
    };
    await after('after a warning', () => app.control.disconnect({ reason: 'warning' }));
    await after('after a break', () => app.control.dropSockets({}));
    await after('after a refresh', () => app.control.disconnect({ reason: 'refresh_requested' }));
    expect(await app.apps()[0]!.stop()).toBe(0);
    await app.control.until(async () => (await app.control.connections()) === 0, 'the end of the connection');
  });
});

describe('signed HTTP', { timeout: 180_000 }, () => {
  it('answers the verification of its URL, and takes nothing that Slack did not sign', async () => {
    await using app = await startSlackApp({ transport: 'http' });
    expect(await app.control.verifyUrl()).toBe(true);
    const url = `${app.apps()[0]!.url}/slack/events`;
    const body = JSON.stringify(event(words(newTs(), '<@U0BOT> forged')));
    const headers = { 'content-type': 'application/json' };
    const old = { ...headers, 'x-slack-request-timestamp': '1000000000', 'x-slack-signature': 'v0=00' };
    expect((await fetch(url, { method: 'POST', body, headers })).status).toBe(401);
    expect((await fetch(url, { method: 'POST', body, headers: old })).status).toBe(401);
    expect((await fetch(url)).status).toBe(404);
    await app.settled();
    expect(app.model.asked).toEqual([]);
  });
});

describe.each<Transport>(['socket', 'http'])('several replicas over %s', { timeout: 180_000 }, (transport) => {
  it('U002: two gateways agree on what was asked, and what one had taken outlives it', async () => {
    await using app = await startSlackApp({ transport });
    const [first] = app.apps();
    const second = await app.start();
    const at = async (url: string): Promise<void> => {
      if (transport === 'http') await app.control.app({ requestUrl: `${url}/slack/events` });
    };
    await app.control.app({ events: [] });
    const { ts } = await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text: '@hektor once' });
    await app.control.app({ events: eventsFor({ access: 'all', agent: true }).map((one) => one.event) });
    await at(first!.url);
    await app.control.payload({ payload: event(words(ts, `<@U0BOT> once ${ts}`, 'message')) });
    await at(second.url);
    await app.control.payload({ payload: event(words(ts, `<@U0BOT> once ${ts}`, 'app_mention')) });
    await app.answered('C01GEN', ts);
    await app.settled();
    expect(await app.answers('C01GEN', ts)).toHaveLength(1);

    app.model.answer(() => 'After the crash.', 1_500);
    await at(first!.url);
    const later = await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text: '@hektor will you answer?' });
    await app.control.until(async () => (await app.control.sent()).every((one) => one.acked), 'acknowledgements');
    await first!.kill();
    await at(second.url);
    expect((await app.answered('C01GEN', later.ts)).text).toContain('After the crash.');
    await app.settled();
    expect(await app.answers('C01GEN', later.ts)).toHaveLength(1);
  });
});

describe.each<Transport>(['socket', 'http'])('a store that is slow or away, over %s', { timeout: 180_000 }, (transport) => {
  it('U019: nothing is acknowledged before it is kept; Slack delivers it again, and it is answered once', async () => {
    await using app = await startSlackApp({ transport, start: false });
    const { hostname, port } = new URL(app.redis.url);
    await using door = await openSlowDoor({ host: hostname, port: Number(port) });
    await app.start({ REDIS_URL: `redis://127.0.0.1:${door.port}` });

    door.delay(3_000);
    const said = await app.control.say({ user: 'U01ALICE', channel: 'C01GEN', text: '@hektor are you there?' });
    const attempts = await app.control.until(async () => {
      const sent = (await app.control.sent()).filter((one) => JSON.stringify(one.payload).includes(said.ts));
      const made = sent.flatMap((one) => one.attempts).filter((one) => one.outcome !== 'waiting');
      return made.length > 0 && made;
    }, 'a first attempt');
    expect(attempts.map((one) => one.outcome)).not.toContain('acked');
    door.delay(0);
    // Slack tries again: at once, after a minute, after five.
    await app.control.advance({ ms: 61_000 });
    await app.answered('C01GEN', said.ts);
    await app.control.advance({ ms: 301_000 });
    await app.settled();
    expect(await app.answers('C01GEN', said.ts)).toHaveLength(1);

    // A command is never delivered again, so it is acknowledged in time all the same, and says what happened.
    door.delay(3_000);
    const outcome = await app.control.command({ user: 'U01ALICE', channel: 'C01GEN', command: '/hektor', text: 'usage' });
    expect(outcome.acked).toBe(true);
    const told = await app.control.ephemerals({ user: 'U01ALICE' });
    expect(told.some((one) => one.text.includes('cannot reach my memory'))).toBe(true);
  });
});
