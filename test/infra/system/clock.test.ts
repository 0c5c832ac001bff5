import { expect, it } from 'vitest';
import { systemClock } from '../../../src/infra/system/clock.ts';

it('makes ids of at least 21 URL-safe characters, none twice', () => {
  const ids = Array.from({ length: 10_000 }, () => systemClock.newId());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.every((id) => /^[A-Za-z0-9_-]{21,}$/.test(id))).toBe(true);
});

it('tells the time of the machine', () => {
  const before = Date.now();
  expect(systemClock.now()).toBeGreaterThanOrEqual(before);
});

it('sleeps, wakes up when the signal aborts, and does not begin when it has', async () => {
  await systemClock.sleep(5);
  const waking = new AbortController();
  const sleeping = systemClock.sleep(600_000, waking.signal);
  waking.abort();
  await sleeping;
  await systemClock.sleep(600_000, AbortSignal.abort());
  expect(waking.signal.aborted).toBe(true);
});
