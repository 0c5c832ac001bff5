/** The stand-in under the real Bolt, over both transports. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import { App, LogLevel } from '@slack/bolt';
import { afterEach, describe, expect, it } from 'vitest';
import { startSlackServer } from './server.ts';
import type { SlackServer } from './server.ts';

const cleanups: (() => PromiseLike<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

const stand = async (): Promise<SlackServer> => {
  const server = await startSlackServer();
  cleanups.push(() => server[Symbol.asyncDispose]());
  return server;
};

const echo = (app: App): App => {
  app.event('app_mention', async ({ event, say }) => {
    await say({ text: `echo: ${event.text}`, thread_ts: event.thread_ts ?? event.ts });
  });
  app.command('/hektor', async ({ ack, respond, command }) => {
    await ack({ response_type: 'ephemeral', text: 'at once' });
    await respond({ response_type: 'in_channel', text: `asked: ${command.text}` });
  });
  return app;
};

const freePort = async (): Promise<number> => {
  const probe = createServer().listen(0, '127.0.0.1');
  await once(probe, 'listening');
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === 'string') throw new TypeError('no port');
  return address.port;
};

const start = async (server: SlackServer, transport: 'socket' | 'http'): Promise<App> => {
  const common = { token: server.botToken, clientOptions: { slackApiUrl: server.apiUrl }, logLevel: LogLevel.ERROR };
  if (transport === 'socket') {
    const app = echo(new App({ ...common, appToken: server.appToken, socketMode: true }));
    await app.start();
    cleanups.push(() => app.stop());
    return app;
  }
  const app = echo(new App({ ...common, signingSecret: server.signingSecret }));
  const port = await freePort();
  await app.start({ port, host: '127.0.0.1' });
  cleanups.push(() => app.stop());
  await server.control.app({ transport: 'http', requestUrl: `http://127.0.0.1:${port}/slack/events` });
  return app;
};

describe.each(['socket', 'http'] as const)('the stand-in over %s', (transport) => {
  it('delivers a mention to Bolt, twice with different ids, and shows the answer in the thread', async () => {
    const server = await stand();
    await start(server, transport);
    const said = await server.control.say({ user: 'U01ALICE', channel: 'general', text: '@hektor a < b & c?' });
    const answer = await server.control.until(
      async () => (await server.control.messages({ channel: 'C01GEN', thread: said.ts })).find((one) => one.fromBot),
      'an answer',
    );
    expect(answer.text).toBe('echo: @hektor a < b & c?');
    const sent = (await server.control.sent()).map((one) => one.payload as { event_id: string; event: { type: string; ts: string } });
    const copies = sent.filter((one) => one.event.ts === said.ts);
    expect(copies.map((one) => one.event.type).toSorted()).toEqual(['app_mention', 'message']);
    expect(new Set(copies.map((one) => one.event_id)).size).toBe(2);
  });

  it('acknowledges a slash command and takes what comes through its response URL', async () => {
    const server = await stand();
    await start(server, transport);
    const outcome = await server.control.command({ user: 'U01ALICE', channel: 'quiet', command: '/hektor', text: 'ask & see' });
    expect(outcome.acked).toBe(true);
    expect((await server.control.ephemerals({ user: 'U01ALICE' })).map((one) => one.text)).toEqual(['at once']);
    const shown = await server.control.until(async () => (await server.control.messages({ channel: 'C03QUIET' }))[0]);
    expect(shown.text).toBe('asked: ask & see');
  });

  it('verifies the request URL', async () => {
    if (transport !== 'http') return;
    const server = await stand();
    await start(server, transport);
    expect(await server.control.verifyUrl()).toBe(true);
  });
});
