/**
 * The door at which Slack delivers. Real Bolt receivers stand in it (signatures, envelopes, retries); what they hand over is made durable
 * before it is acknowledged, and nothing else happens until then.
 *
 * - An event that cannot be made durable in time is refused (503, or no acknowledgement over the socket): Slack delivers it again, and the
 *   in-tray knows a second copy. No event is lost, and none is dropped because it is a retry: a retry may be the first copy that arrives.
 * - Commands, shortcuts, presses and views are never delivered again, so a person is told at once where one could not be taken.
 * - Everything is acknowledged, also what nobody listens for.
 */
import { App, HTTPReceiver } from '@slack/bolt';
import type { Receiver } from '@slack/bolt';
import type { Failure } from '../../../src/core/failure.ts';
import { failure, forPerson } from '../../../src/core/failure.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Inbox } from '../../../src/ports/inbox.ts';
import type { Log } from '../../../src/ports/log.ts';
import { decode, inboxPlace } from '../decode.ts';
import type { Decoded } from '../decode.ts';
import { inboundLimits } from '../limits.ts';
import { slackLog } from '../api/slack-log.ts';

export type FrontDeps = {
  readonly inbox: Pick<Inbox, 'put'>;
  readonly log: Log;
  readonly clock: Clock;
  /** Called for what a person did that opens a view, as soon as it is acknowledged: the trigger lives three seconds. */
  readonly opens: (decoded: Decoded) => void;
  /** Called with the type of each event that arrives, for the doctor. */
  readonly seen: (event: string) => void;
};

type Taken = { readonly decoded: Decoded; readonly fresh: boolean };

/** What is made of a delivery: its place in the in-tray, unless it means nothing. Resolves in time to be acknowledged. */
const createTake =
  ({ inbox, log, clock, seen }: FrontDeps) =>
  async (body: unknown): Promise<Result<Taken, Failure>> => {
    const decoded = decode(body);
    seen(eventNameOf(body));
    if (decoded.kind === 'ignored') {
      log.debug({ reason: decoded.reason }, 'a delivery that means nothing here');
      return ok({ decoded, fresh: false });
    }
    const waited = new AbortController();
    const late = clock
      .sleep(inboundLimits.ackMs, waited.signal)
      .then((): Result<'new' | 'duplicate', Failure> => err(failure('store-unreachable', {}, 'the in-tray did not answer in time')));
    const put = await Promise.race([inbox.put({ ...inboxPlace(decoded, body), payload: JSON.stringify(body) }), late]);
    waited.abort();
    if (!put.ok) {
      log.warn({ detail: put.failure.detail, what: decoded.kind }, 'a delivery could not be kept; Slack delivers it again');
      return put;
    }
    return ok({ decoded, fresh: put.value === 'new' });
  };

/** The name by which Slack's settings list an event: `message.channels`, `app_mention`. '' for what is no event. */
const eventNameOf = (body: unknown): string => {
  if (typeof body !== 'object' || body === null || !('event' in body)) return '';
  const { event } = body;
  if (typeof event !== 'object' || event === null || !('type' in event) || typeof event.type !== 'string') return '';
  if (event.type !== 'message' || !('channel_type' in event)) return event.type;
  const kinds = new Map<unknown, string>([
    ['channel', 'channels'],
    ['group', 'groups'],
    ['im', 'im'],
    ['mpim', 'mpim'],
  ]);
  return `message.${kinds.get(event.channel_type) ?? 'channels'}`;
};

/** Thrown into a receiver so that it refuses a delivery. */
class NotTaken extends Error {}

export type Front = {
  /** Where a receiver hands its deliveries. */
  readonly app: App;
};

export const createFront = (deps: FrontDeps): Front => {
  const take = createTake(deps);
  const app = new App({
    receiver: idleReceiver,
    // Tokens are found when a delivery is worked off: nothing that could take time stands before the acknowledgement.
    authorize: () => Promise.resolve({}),
    ignoreSelf: false,
    convoStore: false,
    logger: slackLog(deps.log),
  });
  addListeners(app, deps, take);
  const processEvent: App['processEvent'] = async (delivery) => {
    const { body, ack } = delivery;
    if (isInteraction(body)) return app.processEvent(delivery);
    if (body['type'] === 'app_rate_limited') deps.log.warn({}, 'Slack holds events back: more than 30,000 came in an hour');
    const taken = await take(body);
    if (!taken.ok) throw new NotTaken(taken.failure.detail);
    await acknowledge(deps.log, () => ack());
  };
  return {
    app: new Proxy(app, {
      get: (target, name, self): unknown => (name === 'processEvent' ? processEvent : Reflect.get(target, name, self)),
    }),
  };
};

const INTERACTIONS: ReadonlySet<unknown> = new Set([
  'block_actions',
  'block_suggestion',
  'dialog_cancellation',
  'dialog_submission',
  'interactive_message',
  'message_action',
  'shortcut',
  'view_closed',
  'view_submission',
]);
/** What a person did at a surface of Slack; Bolt knows how each kind is acknowledged. Anything else is an event, or means nothing. */
const isInteraction = (body: Readonly<Record<string, unknown>>): boolean => 'command' in body || INTERACTIONS.has(body['type']);

/** What came in is kept by now; where the acknowledgement does not get through, Slack delivers a second copy, which is known. */
const acknowledge = async (log: Log, ack: () => Promise<void>): Promise<void> => {
  try {
    await ack();
  } catch (error) {
    log.warn({ error: error instanceof Error ? error.message : String(error) }, 'an acknowledgement did not get through');
  }
};

/** Bolt wants a receiver of its own; deliveries come from the real ones, which may come and go. */
const idleReceiver: Receiver = { init: () => {}, start: () => Promise.resolve(), stop: () => Promise.resolve() };

/** Every kind of interaction has a listener for all of its kind: what nobody answers is shown to people as an error of the app. */
const addListeners = (app: App, deps: FrontDeps, take: (body: unknown) => Promise<Result<Taken, Failure>>): void => {
  const ANY = /[\s\S]*/;
  const followUp = (taken: Result<Taken, Failure>): void => {
    if (taken.ok && taken.value.fresh) deps.opens(taken.value.decoded);
  };
  app.command(ANY, async ({ ack, body }) => {
    const taken = await take(body);
    const refusal = taken.ok ? undefined : { response_type: 'ephemeral' as const, text: forPerson(taken.failure) };
    await acknowledge(deps.log, () => ack(refusal));
    followUp(taken);
  });
  app.view(ANY, async ({ ack, body }) => {
    const taken = await take(body);
    const block = Object.keys(body.view.state?.values ?? {})[0];
    const refused =
      taken.ok || block === undefined ? undefined : { response_action: 'errors' as const, errors: { [block]: forPerson(taken.failure) } };
    await acknowledge(deps.log, () => (refused === undefined ? ack() : ack(refused)));
  });
  app.view({ callback_id: ANY, type: 'view_closed' }, async ({ ack }) => acknowledge(deps.log, () => ack()));
  app.shortcut(ANY, async ({ ack, body }) => {
    const taken = await take(body);
    if (!taken.ok) throw new NotTaken(taken.failure.detail);
    await acknowledge(deps.log, () => ack());
    followUp(taken);
  });
  const pressed = async (body: unknown, ack: () => Promise<void>): Promise<void> => {
    const taken = await take(body);
    if (!taken.ok) throw new NotTaken(taken.failure.detail);
    await acknowledge(deps.log, ack);
    followUp(taken);
  };
  app.action(ANY, async ({ ack, body }) => pressed(body, () => ack()));
  // Buttons of old-fashioned attachments are none of ours, and are acknowledged all the same.
  app.action({ callback_id: ANY }, async ({ ack, body }) => (body.type === 'block_actions' ? undefined : pressed(body, () => ack())));
  app.options(ANY, async ({ ack }) => acknowledge(deps.log, () => ack({ options: [] })));
  app.error(async (error) => {
    // Thrown on, so that the receiver refuses the delivery.
    throw error.original ?? error;
  });
};

/** The receiver of signed HTTP requests, for the process's one server. */
export const createHttpReceiver = (signingSecret: string, front: Front, log: Log): HTTPReceiver => {
  const receiver = new HTTPReceiver({
    signingSecret,
    logger: slackLog(log),
    unhandledRequestTimeoutMillis: inboundLimits.ackMs + 300,
    unhandledRequestHandler: ({ response }) => {
      if (!response.headersSent) response.writeHead(503);
      response.end();
    },
    processEventErrorHandler: async ({ response }) => {
      if (!response.headersSent) response.writeHead(503);
      response.end();
      return true;
    },
    dispatchErrorHandler: ({ response }) => {
      if (!response.headersSent) response.writeHead(404);
      response.end();
    },
  });
  receiver.init(front.app);
  return receiver;
};
