/** The listening half: Slack's deliveries are taken at the front, kept in the in-tray, and worked off from there by any replica. */
import { forOperator } from '../../src/core/failure.ts';
import type { HttpMount, Inbound, InboundDeps } from '../../src/ports/adapter.ts';
import { createClients, slackError } from './api/client.ts';
import type { Clients } from './api/client.ts';
import type { SlackConfig } from './config.ts';
import type { Desk } from './handle/desk.ts';
import { createFront, createHttpReceiver } from './front/front.ts';
import { createHandle } from './handle/handle.ts';
import { createInstallPages } from './install/install.ts';
import { createOpens } from './handle/opens.ts';
import { createPeople } from './handle/people.ts';
import { openSocket } from './front/socket.ts';
import { createTell } from './handle/tell.ts';

export const createInbound = async (deps: InboundDeps, config: SlackConfig): Promise<Inbound> => {
  await using stack = new AsyncDisposableStack();
  const { log, clock, secrets, inbox } = deps;
  const clients = createClients(config, deps);
  const desk: Desk = {
    ...deps,
    config,
    clients,
    people: createPeople(clock),
    tell: createTell({ clients, apiUrl: config.apiUrl, log, clock }),
  };
  const front = createFront({ inbox, log, clock, opens: createOpens(desk), seen: createSeen(deps) });
  stack.use(inbox.open(createHandle(desk)));
  const token = stack.adopt(watchToken(clients, deps), (watch) => watch.stop());
  const socket =
    config.transport.kind === 'socket'
      ? stack.use(openSocket({ appToken: config.transport.appToken, apiUrl: config.apiUrl, app: front.app, log, clock }))
      : null;

  const events = config.transport.kind === 'http' ? createHttpReceiver(config.transport.signingSecret, front, log) : null;
  const install = config.credentials.kind === 'oauth' ? createInstallPages(config, config.credentials, { secrets, clients, log }) : null;
  const handle: HttpMount['handle'] = (request, response) => {
    const path = (request.url ?? '').split('?', 1)[0];
    if (events !== null && path === '/slack/events' && request.method === 'POST') {
      events.requestListener(request, response);
      return;
    }
    if (install?.(request, response) === true) return;
    response.writeHead(404, { 'content-type': 'text/plain' }).end('There is nothing here.\n');
  };
  const owned = stack.move();
  return {
    mounts: events === null && install === null ? [] : [{ prefix: '/slack', handle }],
    problems: () => [...(socket?.problems() ?? []), ...token.problems()],
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

const SEEN_AGAIN_MS = 60 * 60_000;

/** Notes which events arrive: the doctor cannot ask Slack what an app is subscribed to. */
const createSeen = ({ shared, clock }: InboundDeps): ((event: string) => void) => {
  const noted = new Map<string, number>();
  return (event) => {
    if (event === '' || event.length > 60 || noted.size > 200 || (noted.get(event) ?? -Infinity) > clock.now() - SEEN_AGAIN_MS) return;
    noted.set(event, clock.now());
    void shared.set(`seen/${event}`, new Date(clock.now()).toISOString(), null);
  };
};

const LOOK_AGAIN_MS = 60_000;

/** Whether Slack takes the token of the one workspace, for /readyz: looked at once, and again while it does not. */
const watchToken = (clients: Clients, { log, clock }: InboundDeps) => {
  const stopping = new AbortController();
  let problem: string | null = null;
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const identity = await clients.identity();
      problem = null;
      if (identity.ok) return;
      const refused = slackError(identity.failure);
      if (refused !== null) {
        problem = `Slack refuses SLACK_BOT_TOKEN (${refused})`;
        log.error({ detail: identity.failure.detail }, forOperator(identity.failure));
      }
      await clock.sleep(LOOK_AGAIN_MS, stopping.signal);
    }
  };
  const running = run();
  return {
    problems: (): readonly string[] => (problem === null ? [] : [problem]),
    stop: async (): Promise<void> => {
      stopping.abort();
      await running;
    },
  };
};
