import { describe, expect, it } from 'vitest';
import { failure } from '../../../src/core/failure.ts';
import { createSlots } from '../../../src/infra/docker/slots.ts';
import { systemClock } from '../../../src/infra/system/clock.ts';

const patient = { signal: new AbortController().signal, onWaiting: () => {} };

describe('places for runs', () => {
  it('are given first come, first served, and those who wait are told who is before them', async () => {
    const slots = createSlots(1, 60_000, systemClock);
    const first = await slots.enter(patient);
    const order: string[] = [];
    const told: string[] = [];
    const later = ['second', 'third'].map(async (name) => {
      const slot = await slots.enter({ ...patient, onWaiting: (ahead) => told.push(`${name} ${ahead}`) });
      order.push(name);
      if (slot.kind === 'served') slot.what.leave();
    });
    expect(slots.waiting()).toBe(2);
    if (first.kind === 'served') first.what.leave();
    await Promise.all(later);
    expect(order).toEqual(['second', 'third']);
    expect(told).toEqual(['second 0', 'third 1', 'third 0']);
  });

  it('are not lost by those who give up waiting', async () => {
    const slots = createSlots(1, 60_000, systemClock);
    const first = await slots.enter(patient);
    const stop = new AbortController();
    const impatient = slots.enter({ ...patient, signal: stop.signal });
    const next = slots.enter(patient);
    stop.abort();
    expect(await impatient).toEqual({ kind: 'stopped' });
    if (first.kind === 'served') first.what.leave();
    expect(await next).toMatchObject({ kind: 'served' });
    expect(slots.waiting()).toBe(0);
  });

  it('are refused after a time, and to everybody once closed', async () => {
    const slots = createSlots(1, 20, systemClock);
    await slots.enter(patient);
    expect(await slots.enter(patient)).toMatchObject({ kind: 'failed', failure: { code: 'sandbox-busy' } });
    const gone = failure('sandbox-missing', {}, 'closed');
    const waiting = slots.enter(patient);
    slots.close(gone);
    expect(await waiting).toEqual({ kind: 'failed', failure: gone });
    expect(await slots.enter(patient)).toEqual({ kind: 'failed', failure: gone });
  });
});
