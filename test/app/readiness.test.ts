import { describe, expect, it } from 'vitest';
import { readiness } from '../../src/app/readiness.ts';
import { failure } from '../../src/core/failure.ts';
import { err, ok } from '../../src/core/result.ts';

const well = { problems: () => [] };
const all = {
  ping: () => Promise.resolve(ok(undefined)),
  configured: true,
  inbounds: new Map([['web', well]]),
  sandbox: null,
};

describe('/readyz', () => {
  it('is ready where every part works', async () => {
    expect(await readiness(all)).toMatchObject({ ready: true, parts: { adapters: { ok: true, reason: '' } } });
  });
  it('is not ready while a platform is down, and names it with the reason', async () => {
    const down = { problems: () => ['the socket is closed: invalid_auth', 'events are an hour late'] };
    const inbounds = new Map([
      ['web', well],
      ['slack', down],
    ]);
    expect(await readiness({ ...all, inbounds })).toMatchObject({
      ready: false,
      parts: {
        redis: { ok: true },
        adapters: { ok: false, reason: 'slack: the socket is closed: invalid_auth; slack: events are an hour late' },
      },
    });
  });
  it('says which other part does not work', async () => {
    const deps = {
      ...all,
      ping: () => Promise.resolve(err(failure('store-unreachable', {}))),
      configured: false,
      sandbox: {
        health: () => Promise.resolve({ available: false, reason: 'no engine', image: '', idle: 0, ripe: 0, leased: 0, waiting: 0 }),
      },
    };
    const { ready, parts } = await readiness(deps);
    expect(ready).toBe(false);
    expect(Object.entries(parts).flatMap(([name, part]) => (part.ok ? [] : [name]))).toEqual(['redis', 'model', 'sandbox']);
  });
});
