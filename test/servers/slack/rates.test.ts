/** Rates: 429 with Retry-After per method, workspace and channel, and what the real client makes of it. */
import { describe, expect, it } from 'vitest';
import { createStand } from './testing.ts';

describe('rates', () => {
  it('lets a short burst of posts into a channel, then asks for about one a second; another channel is free', async () => {
    await using stand = await createStand();
    const post = (channel: string) => stand.web.chat.postMessage({ channel, text: 'x' });
    for (let n = 0; n < 4; n++) await post('C01GEN');
    const refusal = await stand.refusal(post('C01GEN'));
    expect(refusal).toMatchObject({ name: 'WebAPIRateLimitedError' });
    expect(Number(refusal['retryAfter'])).toBeGreaterThanOrEqual(1);
    await post('C02LAB');
    await stand.control.advance({ ms: 4000 });
    await post('C01GEN');
  });

  it('counts chat.update per workspace: 50 a minute', async () => {
    await using stand = await createStand();
    const { ts = '' } = await stand.web.chat.postMessage({ channel: 'C01GEN', text: 'x' });
    const update = () => stand.web.chat.update({ channel: 'C01GEN', ts, text: 'y' });
    for (let n = 0; n < 50; n++) await update();
    expect(await stand.refusal(update())).toMatchObject({ name: 'WebAPIRateLimitedError' });
    const limited = (await stand.control.calls({ method: 'chat.update' })).at(-1);
    expect(limited).toMatchObject({ status: 429, reply: { ok: false, error: 'ratelimited' } });
  });

  it('S20 reads history once a minute, 15 at a time, oldest first, for an app that is distributed but not listed', async () => {
    await using stand = await createStand();
    await stand.control.app({ distribution: 'unlisted' });
    const ts = await stand.root();
    for (let n = 0; n < 20; n++) await stand.control.say({ user: 'U02BOB', channel: 'C01GEN', text: `reply ${n}`, thread: ts });
    const read = () => stand.web.conversations.replies({ channel: 'C01GEN', ts, limit: 200 });
    const page = await read();
    expect(page.messages).toHaveLength(15);
    expect(page.messages?.[0]?.ts).toBe(ts);
    expect(page.has_more).toBe(true);
    expect(await stand.refusal(read())).toMatchObject({ name: 'WebAPIRateLimitedError' });
    await stand.control.advance({ ms: 60_000 });
    const next = await stand.web.conversations.replies({ channel: 'C01GEN', ts, cursor: page.response_metadata?.next_cursor ?? '' });
    expect(next.messages).toHaveLength(6);
  });

  it('answers any method as a test asks: an error n times, a status, 429, a delay, a break before anything was done', async () => {
    await using stand = await createStand();
    const post = () => stand.web.chat.postMessage({ channel: 'C01GEN', text: 'x' });
    await stand.control.fault({ method: 'chat.postMessage', error: 'fatal_error', times: 2 });
    expect(await stand.refusal(post())).toMatchObject({ error: 'fatal_error' });
    expect(await stand.refusal(post())).toMatchObject({ error: 'fatal_error' });
    await stand.control.fault({ method: 'chat.postMessage', status: 503 });
    expect(await stand.refusal(post())).toMatchObject({ name: 'WebAPIHTTPError', statusCode: 503 });
    await stand.control.fault({ method: 'chat.postMessage', retryAfter: 7 });
    expect(await stand.refusal(post())).toMatchObject({ retryAfter: 7 });
    await stand.control.fault({ method: 'chat.postMessage', drop: 'request' });
    expect(await stand.refusal(post())).toMatchObject({ name: 'WebAPIRequestError' });
    await stand.control.fault({ method: 'chat.postMessage', delayMs: 1500 });
    const slow = stand.client(stand.server.botToken, { timeout: 300 });
    expect(await stand.refusal(slow.chat.postMessage({ channel: 'C01GEN', text: 'x' }))).toMatchObject({ name: 'WebAPIRequestError' });
    await stand.control.fault({ method: 'chat.postMessage', error: 'second', skip: 1 });
    await post();
    expect(await stand.refusal(post())).toMatchObject({ error: 'second' });
    expect(await stand.refusal(stand.web.apiCall('chat.dance'))).toMatchObject({ error: 'unknown_method' });
  });

  it('one 429 stops every call of a client with the usual settings', async () => {
    await using stand = await createStand();
    const usual = stand.client(stand.server.botToken, { rejectRateLimitedCalls: false, retryConfig: { retries: 1, minTimeout: 1 } });
    await stand.control.fault({ method: 'users.info', retryAfter: 1 });
    const began = Date.now();
    const limited = usual.users.info({ user: 'U01ALICE' });
    await stand.control.until(async () => (await stand.control.calls({ method: 'users.info' })).length === 1);
    await usual.auth.test();
    expect(Date.now() - began).toBeGreaterThanOrEqual(950);
    await limited;
  });
});
