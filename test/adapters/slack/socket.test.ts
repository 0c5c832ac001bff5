/** The socket that is kept open: refreshed without a storm, opened anew after silence, refusals and restarts. Real sockets throughout. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { App } from '@slack/bolt';
import { WebSocketServer } from 'ws';
import type { WebSocket } from 'ws';
import { afterEach, describe, expect, it } from 'vitest';
import { openSocket } from '../../../adapters/slack/front/socket.ts';
import { slackLog } from '../../../adapters/slack/api/slack-log.ts';
import { systemClock } from '../../../src/infra/system/clock.ts';
import { createTestLog } from '../../support/test-log.ts';
import { until } from '../../support/until.ts';

type Greeting = (socket: WebSocket, n: number) => void;

/** The least of Slack that a socket needs: an address on request, and what is done with each connection. */
const startSlack = async (greet: Greeting, port = 0) => {
  const sockets = new Set<WebSocket>();
  let connections = 0;
  let asked = 0;
  const state = { refuse: '' };
  const http = createServer((_, response) => {
    asked += 1;
    const address = http.address();
    const here = typeof address === 'object' && address !== null ? address.port : 0;
    const reply =
      state.refuse === '' ? { ok: true, url: `ws://127.0.0.1:${here}/link/?ticket=${asked}` } : { ok: false, error: state.refuse };
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify(reply));
  });
  const server = new WebSocketServer({ server: http });
  server.on('connection', (socket) => {
    sockets.add(socket);
    connections += 1;
    greet(socket, connections);
  });
  http.listen(port, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  if (typeof address !== 'object' || address === null) throw new TypeError('no port');
  return {
    apiUrl: `http://127.0.0.1:${address.port}/api/`,
    port: address.port,
    state,
    connections: () => connections,
    asked: () => asked,
    live: () => [...sockets].filter((one) => one.readyState === one.OPEN).length,
    close: async () => {
      for (const socket of sockets) socket.terminate();
      http.closeAllConnections();
      http.close();
      await once(http, 'close');
    },
  };
};
const hello = (socket: WebSocket): void =>
  socket.send(JSON.stringify({ type: 'hello', num_connections: 1, connection_info: { app_id: 'A1' } }));

const cleanups: (() => PromiseLike<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});
const open = (apiUrl: string) => {
  const { log, lines } = createTestLog();
  const app = new App({
    receiver: { init: () => {}, start: async () => {}, stop: async () => {} },
    authorize: async () => ({}),
    logger: slackLog(log),
  });
  const socket = openSocket({ appToken: 'xapp-test', apiUrl, app, log, clock: systemClock });
  cleanups.push(() => socket[Symbol.asyncDispose]());
  return { socket, lines };
};

describe('the socket to Slack', { timeout: 150_000 }, () => {
  it('S19: a connection that Slack ends right after hello is made anew, ever more slowly, and the process lives', async () => {
    const slack = await startSlack((socket, n) => {
      hello(socket);
      if (n <= 4) socket.send(JSON.stringify({ type: 'disconnect', reason: 'warning', debug_info: {} }));
    });
    cleanups.push(slack.close);
    const { socket } = open(slack.apiUrl);
    await until(() => slack.connections() >= 5 && socket.problems().length === 0, 'a connection that lasts', 60_000);
    // Five connections took several pauses, not one breath.
    expect(slack.asked()).toBeLessThanOrEqual(7);
  });

  it('S19: opens the next connection at once where Slack refreshes an old one', async () => {
    let first: WebSocket | undefined;
    const slack = await startSlack((socket) => {
      hello(socket);
      first ??= socket;
    });
    cleanups.push(slack.close);
    const { socket } = open(slack.apiUrl);
    await until(() => socket.problems().length === 0, 'a connection');
    await new Promise((done) => setTimeout(done, 10_500));
    first?.send(JSON.stringify({ type: 'disconnect', reason: 'refresh_requested', debug_info: {} }));
    await until(() => slack.connections() === 2, 'the next connection');
    expect(socket.problems()).toEqual([]);
  });

  it('S19: outlives a server that goes away and comes back', async () => {
    const slack = await startSlack(hello);
    const { socket } = open(slack.apiUrl);
    await until(() => socket.problems().length === 0, 'a connection');
    await slack.close();
    await until(() => socket.problems().length > 0, 'the loss to be noticed');
    const again = await startSlack(hello, slack.port);
    cleanups.push(again.close);
    await until(() => socket.problems().length === 0, 'a connection again', 90_000);
  });

  it('says what a person must do where the token is refused, and does not knock at the door all the while', async () => {
    const slack = await startSlack(hello);
    slack.state.refuse = 'invalid_auth';
    cleanups.push(slack.close);
    const { socket } = open(slack.apiUrl);
    await until(() => socket.problems().some((problem) => problem.includes('SLACK_APP_TOKEN')), 'what to do');
    expect(slack.asked()).toBeLessThanOrEqual(2);
  });

  it('U134: a connection that went silent without an error is given up within a minute, and another one opened', async () => {
    const slack = await startSlack((socket, n) => {
      hello(socket);
      // The peer is there and reads nothing any more: no pong, no close, no end.
      if (n === 1) setTimeout(() => socket.pause(), 200);
    });
    cleanups.push(slack.close);
    const { socket } = open(slack.apiUrl);
    await until(() => socket.problems().length === 0, 'a connection');
    await until(() => slack.connections() >= 2, 'another connection', 60_000);
    await until(() => socket.problems().length === 0, 'a connection');
  });
});
