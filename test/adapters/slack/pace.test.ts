/** How often Slack is called, and what its answers mean for a second try. */
import { WebAPIHTTPError, WebAPIPlatformError, WebAPIRequestError } from '@slack/web-api';
import { describe, expect, it } from 'vitest';
import { isUnknown, refusal } from '../../../adapters/slack/api/api.ts';
import { attempt } from '../../../adapters/slack/api/client.ts';
import { createPacer } from '../../../adapters/slack/api/pace.ts';
import { placeOf } from '../../../adapters/slack/post/place.ts';
import { isResponseUrl } from '../../../adapters/slack/post/respond.ts';
import { createStreamSupport } from '../../../adapters/slack/live/stream-support.ts';
import { conversationIdOf } from '../../../src/core/ids.ts';
import { createSteeredClock } from '../../support/steered-clock.ts';

describe('the pace of calls', () => {
  it('a post a second in a channel, each channel for itself', async () => {
    const clock = createSteeredClock();
    const pacer = createPacer(clock);
    const turn = (channel: string) => pacer.turn('chat.postMessage', 'T', channel, 100);
    expect([await turn('C1'), await turn('C1')]).toEqual([0, 0]);
    expect(await turn('C1')).toBeGreaterThan(800);
    expect(await turn('C2')).toBe(0);
    clock.advance(1_000);
    expect(await turn('C1')).toBe(0);
  });

  it('no minute sees more calls than Slack allows', async () => {
    for (const [method, limit] of [
      ['chat.startStream', 20],
      ['chat.appendStream', 100],
      ['chat.update', 50],
      ['agents.sessions.setStatus', 50],
    ] as const) {
      const clock = createSteeredClock();
      const pacer = createPacer(clock);
      let calls = 0;
      for (let second = 0; second < 60; second += 1) {
        while ((await pacer.turn(method, 'T', 'C', 1)) === 0) calls += 1;
        clock.advance(1_000);
      }
      expect(calls).toBeGreaterThan(limit / 2);
      expect(calls).toBeLessThanOrEqual(limit);
    }
  });

  it('previews leave the last calls of a burst to answers', async () => {
    const pacer = createPacer(createSteeredClock());
    while ((await pacer.turn('chat.update', 'T', 'C', 0)) === 0);
    expect(await pacer.turn('chat.update', 'T', 'C', 1)).toBe(0);
    expect(await pacer.turn('chat.update', 'T', 'C', 1)).toBe(0);
  });

  it('a method that Slack limited rests in that workspace, and only there', async () => {
    const clock = createSteeredClock();
    const pacer = createPacer(clock);
    pacer.rest('chat.update', 'T1', 'C', 30_000);
    expect(await pacer.turn('chat.update', 'T1', 'C', 1_000)).toBeGreaterThan(29_000);
    expect(await pacer.turn('chat.update', 'T2', 'C', 0)).toBe(0);
    expect(await pacer.turn('chat.delete', 'T1', 'C', 0)).toBe(0);
    clock.advance(30_000);
    expect(await pacer.turn('chat.update', 'T1', 'C', 0)).toBe(0);
  });

  it('waits in line while its patience lasts', async () => {
    const clock = createSteeredClock();
    const pacer = createPacer(clock);
    const waits = [1, 2, 3, 4].map(() => pacer.turn('chat.postMessage', 'T', 'C', 10_000));
    clock.advance(2_100);
    expect(await Promise.all(waits)).toEqual([0, 0, 0, 0]);
  });

  it('streams share their appends: each of n has its turn every 0.6·n seconds', () => {
    const support = createStreamSupport();
    expect(support.interval('T')).toBe(600);
    for (let n = 0; n < 5; n += 1) support.opened('T');
    expect(support.interval('T')).toBe(3_000);
    support.closed('T');
    expect(support.interval('T')).toBe(2_400);
    expect(support.interval('other')).toBe(600);
  });
});

describe('what an answer means', () => {
  const failed = async (error: Error) => {
    const said = await attempt(async (): Promise<never> => {
      throw error;
    });
    if (said.ok) throw new Error('it went well');
    return said.failure;
  };

  it('a refusal is known by its word, and nothing came of it', async () => {
    const why = await failed(new WebAPIPlatformError({ ok: false, error: 'msg_too_long' }));
    expect([refusal(why), isUnknown(why)]).toEqual(['msg_too_long', false]);
    expect(refusal(await failed(new WebAPIHTTPError(404, 'Not Found', {})))).toBe('http_404');
  });

  it('a lost reply and a failing server may have done it, a connection that never was cannot', async () => {
    expect(isUnknown(await failed(new WebAPIHTTPError(503, 'Unavailable', {})))).toBe(true);
    expect(isUnknown(await failed(new WebAPIPlatformError({ ok: false, error: 'internal_error' })))).toBe(true);
    expect(isUnknown(await failed(new WebAPIRequestError(new TypeError('terminated'))))).toBe(true);
    const refused = Object.assign(new Error('connect'), { code: 'ECONNREFUSED' });
    expect(isUnknown(await failed(new WebAPIRequestError(new TypeError('fetch failed', { cause: refused }))))).toBe(false);
  });
});

describe('places', () => {
  it('a thread is a message; anything else is its channel', () => {
    const at = (thread: string) => placeOf(conversationIdOf({ platform: 'slack', workspace: 'T1', channel: 'C1', thread }));
    expect(at('1700000000.000100')).toEqual({ workspace: 'T1', channel: 'C1', thread: '1700000000.000100' });
    expect(at('command')).toEqual({ workspace: 'T1', channel: 'C1', thread: '' });
  });

  it('only Slack’s own addresses are answered to', () => {
    const api = 'https://slack.com/api/';
    expect(isResponseUrl('https://hooks.slack.com/commands/T1/2/x', api)).toBe(true);
    for (const url of [
      'https://hooks.slack.com.evil.example/x',
      'http://hooks.slack.com/x',
      'http://169.254.169.254/',
      'https://evil.example/hooks.slack.com',
      '',
    ])
      expect(isResponseUrl(url, api)).toBe(false);
  });
});
