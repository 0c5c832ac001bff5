/**
 * Keeps one socket to Slack open, whatever ends it.
 *
 * Each connection is a receiver of its own. Slack ends connections every few hours and says so before: then the next one is opened at once,
 * beside the one that closes. Bolt's own reconnecting is off, because it waits five seconds each time, gives up with an unhandled
 * rejection where a reconnect fails, and takes a peer that went silent for a live one.
 */
import { channel } from 'node:diagnostics_channel';
import { SocketModeReceiver } from '@slack/bolt';
import type { App } from '@slack/bolt';
import { WebAPIPlatformError, WebAPIRateLimitedError } from '@slack/web-api';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import { inboundLimits } from '../limits.ts';
import { slackLog } from '../api/slack-log.ts';

export type Socket = AsyncDisposable & {
  /** Empty while a connection stands; otherwise why there is none, and since when not. */
  readonly problems: () => readonly string[];
};

export type SocketDeps = {
  readonly appToken: string;
  readonly apiUrl: string;
  /** What deliveries are handed to. */
  readonly app: App;
  readonly log: Log;
  readonly clock: Clock;
};

/** Why a connection ended, or could not be made. `againMs`: after how long the next is tried at the soonest. `refused`: a person must act. `lasted`: milliseconds that it stood. */
type Ended = { readonly why: string; readonly againMs: number; readonly refused: boolean; readonly lasted: number };

const HELLO_MS = 15_000;
const STEADY_MS = 10_000;
const MAX_PAUSE_MS = 60_000;
const REFUSED_PAUSE_MS = 60_000;

export const openSocket = (deps: SocketDeps): Socket => {
  const closing = new AbortController();
  let problem: string | null = 'the connection to Slack is being opened';
  const run = async (): Promise<void> => {
    let failures = 0;
    while (!closing.signal.aborted) {
      const ended = await connect(deps, closing.signal, () => {
        problem = null;
        deps.log.info({}, 'connected to Slack');
      });
      if (closing.signal.aborted) return;
      // A connection that ends right after its beginning is no reason to hurry.
      failures = ended.lasted >= STEADY_MS ? 0 : failures + 1;
      if (ended.againMs === 0 && failures <= 1 && ended.lasted > 0) continue;
      problem = ended.why;
      deps.log[ended.refused ? 'error' : 'warn']({ why: ended.why }, 'the connection to Slack ended');
      await deps.clock.sleep(Math.max(ended.againMs, backOff(failures)), closing.signal);
    }
  };
  const running = run();
  return {
    problems: () => (problem === null ? [] : [`Slack: ${problem}`]),
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await running;
    },
  };
};

/** Longer each time, with a part of chance in it, so that many replicas do not come back at once. */
const backOff = (failures: number): number => {
  if (failures === 0) return 0;
  const pause = Math.min(MAX_PAUSE_MS, 500 * 2 ** Math.min(failures, 10));
  return pause / 2 + (pause / 2) * Math.random();
};

/** One connection, from its opening until it ends for whatever reason. Never rejects. */
const connect = async (deps: SocketDeps, closing: AbortSignal, connected: () => void): Promise<Ended> => {
  const receiver = new SocketModeReceiver({
    appToken: deps.appToken,
    logger: slackLog(deps.log),
    autoReconnectEnabled: false,
    clientPingTimeout: 15_000,
    serverPingTimeout: 30_000,
    installerOptions: {
      clientOptions: { slackApiUrl: deps.apiUrl, timeout: 15_000, retryConfig: { retries: 0 }, rejectRateLimitedCalls: true },
    },
    // A delivery that was not taken is not acknowledged: Slack delivers it again.
    processEventErrorHandler: () => Promise.resolve(false),
  });
  receiver.init(deps.app);
  let since: number | null = null;
  const ended = new Promise<Ended>((resolve) => {
    const end = (why: string, fields: Partial<Ended> = {}): void =>
      resolve({ why, againMs: 0, refused: false, lasted: since === null ? 0 : deps.clock.now() - since, ...fields });
    watch(receiver, deps.clock, closing, end);
    receiver.start().then(
      () => {
        since = deps.clock.now();
        return connected();
      },
      (cause: unknown) => end(...refusal(cause)),
    );
    const unheard = AbortSignal.any([closing, AbortSignal.timeout(HELLO_MS)]);
    unheard.addEventListener('abort', () => {
      if (since === null) end('Slack did not greet the connection');
    });
  });
  const result = await ended;
  // The old connection closes by itself, and Slack may take its time over that.
  void receiver.stop().catch(() => {});
  return result;
};

const refusal = (cause: unknown): [string, Partial<Ended>] => {
  if (cause instanceof WebAPIRateLimitedError)
    return [`Slack limits how often a connection may be opened`, { againMs: cause.retryAfter * 1000 }];
  if (cause instanceof WebAPIPlatformError) {
    const { error } = cause.data;
    if (/^(internal_error|fatal_error|service_unavailable|request_timeout|ratelimited|too_many_websockets)$/.test(error)) {
      return [`Slack opens no connection now (${error})`, error === 'too_many_websockets' ? { againMs: 30_000 } : {}];
    }
    return [
      `Slack refuses the app-level token (${error}): check SLACK_APP_TOKEN and its scope connections:write`,
      { againMs: REFUSED_PAUSE_MS, refused: true },
    ];
  }
  return [`Slack cannot be reached (${cause instanceof Error ? cause.message : 'the connection closed'})`, {}];
};

/** Calls `end` as soon as the connection is of no more use: Slack says so, it closes, or it has been silent for too long. */
const watch = (
  { client }: SocketModeReceiver,
  clock: Clock,
  closing: AbortSignal,
  end: (why: string, fields?: Partial<Ended>) => void,
): void => {
  let url = '';
  let alive = clock.now();
  const sign = (): void => {
    alive = clock.now();
  };
  // Pings and pongs of every socket in the process pass here; ours are those of our URL.
  const onFrame = (message: unknown): void => {
    if (url !== '' && urlOf(message) === url) sign();
  };
  const frames = [channel('undici:websocket:ping'), channel('undici:websocket:pong')];
  for (const frame of frames) frame.subscribe(onFrame);
  const timer = setInterval(() => {
    if (url !== '' && clock.now() - alive > inboundLimits.socketSilentMs) stop('the connection to Slack went silent');
  }, 1_000);
  const stop = (why: string, fields: Partial<Ended> = {}): void => {
    clearInterval(timer);
    for (const frame of frames) frame.unsubscribe(onFrame);
    end(why, fields);
  };
  client.on('authenticated', (reply: unknown) => {
    url = fieldOf(reply, 'url');
    sign();
  });
  client.on('ws_message', (data: unknown) => {
    sign();
    const reason = disconnectReason(data);
    if (reason === null) return;
    if (reason === 'link_disabled') {
      const why =
        'Socket Mode is switched off for the app: switch it on at Slack, or set SLACK_SIGNING_SECRET and take SLACK_APP_TOKEN away';
      stop(why, { againMs: REFUSED_PAUSE_MS, refused: true });
    } else stop(`Slack closes the connection (${reason})`, reason === 'too_many_websockets' ? { againMs: 30_000 } : {});
  });
  client.on('disconnected', () => stop('the connection to Slack closed'));
  closing.addEventListener('abort', () => stop('this process ends'));
};

const fieldOf = (value: unknown, name: string): string => {
  if (typeof value !== 'object' || value === null || !(name in value)) return '';
  const field: unknown = Reflect.get(value, name);
  return typeof field === 'string' ? field : '';
};
const urlOf = (message: unknown): string =>
  typeof message === 'object' && message !== null && 'websocket' in message ? fieldOf(message.websocket, 'url') : '';

/** The reason in a `disconnect` message; null for any other. */
const disconnectReason = (data: unknown): string | null => {
  if (typeof data !== 'string' || !data.includes('disconnect')) return null;
  try {
    const message: unknown = JSON.parse(data);
    return fieldOf(message, 'type') === 'disconnect' ? fieldOf(message, 'reason') || 'no reason' : null;
  } catch {
    return null;
  }
};
