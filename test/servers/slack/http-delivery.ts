/** Signed HTTP delivery: the Events API, commands and interactivity, all to the app's request URL. */
import { createHmac } from 'node:crypto';
import type { Answer, Transport } from './deliver.ts';
import type { Json, Sent } from './model.ts';
import type { World } from './world.ts';

/** The signature of a body at a time, with the app's signing secret. */
export const signature = (secret: string, timestamp: string, body: string): string =>
  `v0=${createHmac('sha256', secret).update(`v0:${timestamp}:${body}`).digest('hex')}`;

/** Events travel as JSON, commands as a form, interactivity as a form with one field of JSON. */
const encode = (kind: Sent['kind'], payload: Json): { readonly body: string; readonly type: string } => {
  if (kind === 'events_api') return { body: JSON.stringify(payload), type: 'application/json' };
  const form = new URLSearchParams();
  if (kind === 'interactive') form.set('payload', JSON.stringify(payload));
  else for (const [name, value] of Object.entries(payload)) form.set(name, String(value));
  return { body: form.toString(), type: 'application/x-www-form-urlencoded' };
};

const read = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text === '' ? null : text;
  }
};

const failed = (error: unknown): Answer => ({
  outcome: error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable',
  response: null,
});

export const post = async (world: World, body: string, type: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> => {
  const timestamp = String(Math.floor(world.clock.now() / 1000));
  return fetch(world.app.requestUrl, {
    method: 'POST',
    redirect: 'manual',
    body,
    headers: {
      'content-type': type,
      'user-agent': 'Slackbot 1.0 (+https://api.slack.com/robots)',
      'x-slack-request-timestamp': timestamp,
      'x-slack-signature': signature(world.app.signingSecret, timestamp, body),
      ...headers,
    },
    signal: AbortSignal.timeout(world.settings.ackTimeoutMs),
  });
};

export const createHttpDelivery = (world: World): Transport => ({
  attempt: async (sent, { retry, reason }) => {
    if (world.app.requestUrl === '') return { outcome: 'unreachable', response: null };
    const { body, type } = encode(sent.kind, sent.payload);
    try {
      const response = await post(
        world,
        body,
        type,
        retry === 0 ? {} : { 'x-slack-retry-num': String(retry), 'x-slack-retry-reason': reason },
      );
      const text = await response.text();
      if (response.ok) return { outcome: 'acked', response: read(text) };
      return { outcome: 'refused', response: read(text), noRetry: response.headers.get('x-slack-no-retry') === '1' };
    } catch (error) {
      return failed(error);
    }
  },
});

/** `url_verification`, as Slack asks when a request URL is entered: true where the challenge came back. */
export const verifyUrl = async (world: World): Promise<boolean> => {
  const challenge = world.newId('challenge');
  try {
    const body = JSON.stringify({ token: world.app.verificationToken, challenge, type: 'url_verification' });
    const response = await post(world, body, 'application/json');
    const text = await response.text();
    if (!response.ok) return false;
    const value = read(text);
    return text === challenge || (typeof value === 'object' && value !== null && 'challenge' in value && value.challenge === challenge);
  } catch {
    return false;
  }
};
