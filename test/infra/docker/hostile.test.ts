/**
 * Code that means harm, in real containers: each cell ends in a way that is told, the state from before is whole, and the next run of the
 * conversation works. Several run at once, as they would.
 */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import { consumptionCells } from '../../support/hostile-consumption.ts';
import { reachCells } from '../../support/hostile-reach.ts';
import { openSandbox, openSession } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

describe('hostile code', { timeout: 300_000 }, () => {
  const opened = openSandbox({ limits: { memoryMb: 256, poolSize: 2, maxContainers: 4, waitMs: 280_000, saveMs: 120_000 } });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await until(async () => (await opened.containers()).length === 0, 'no container is left');
  });

  it.concurrent.each(Object.entries({ ...consumptionCells, ...reachCells }))('%s', async (_, { code, ends, see, rolledBack, limitMs }) => {
    const s = openSession(opened.sandbox, opened.blobs);
    await s.run('keep = 123');
    const before = s.head();
    const outcome = await s.run(code, { timeoutMs: limitMs ?? 200_000 });
    expect(ends, JSON.stringify(outcome).slice(0, 2_000)).toContain(outcome.end);
    see?.(outcome);
    if (rolledBack !== undefined) expect(outcome.after === before).toBe(rolledBack);
    expect(await s.run('keep')).toMatchObject({ end: 'finished', value: '123' });
    await opened.sandbox.discard(s.conversation);
  });

  it('has left nothing on the host', () => {
    expect(() => readFileSync('/tmp/pwned')).toThrow('ENOENT');
  });
});
