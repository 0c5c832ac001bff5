/** Answers through the address that came with a slash command: good for half an hour, five times, also where the bot is no member. */
import { failure } from '../../../src/core/failure.ts';
import type { Failure } from '../../../src/core/failure.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { toResponse } from '../encode.ts';
import type { OutMessage } from '../encode.ts';

const RESPOND_MS = 15_000;

/** Whether an address is Slack's own, or of the server that stands in for it. Events are untrusted until then: this one is posted to. */
export const isResponseUrl = (url: string, apiUrl: string): boolean => {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, origin } = new URL(url);
  return (
    origin === new URL(apiUrl).origin || (protocol === 'https:' && (hostname === 'hooks.slack.com' || hostname === 'hooks.slack-gov.com'))
  );
};

/** `delivery-refused` where the address has expired or is used up. */
export const respond = async (url: string, message: OutMessage, everybody: boolean): Promise<Result<void, Failure>> => {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8' },
      body: JSON.stringify(toResponse(message, everybody)),
      redirect: 'error',
      signal: AbortSignal.timeout(RESPOND_MS),
    });
    await response.body?.cancel();
    if (response.ok) return ok(undefined);
    const passing = response.status >= 500 || response.status === 429;
    return err(failure(passing ? 'delivery-unknown' : 'delivery-refused', {}, `a response address answered HTTP ${response.status}`));
  } catch (cause) {
    return err(failure('delivery-unknown', {}, cause instanceof Error ? cause.message : 'a response failed', cause));
  }
};
