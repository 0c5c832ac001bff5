import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admit } from '../../src/app/admit.ts';
import { readConfig } from '../../src/app/config.ts';
import { noLimits, spenderOf } from '../../src/core/budget.ts';
import type { BudgetLimits } from '../../src/core/budget.ts';
import { forPerson } from '../../src/core/failure.ts';
import { conversationIdOf, eventKey } from '../../src/core/ids.ts';
import { systemClock } from '../../src/infra/system/clock.ts';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { codeOf, valueOf } from '../support/results.ts';
import { startStoreProcess } from '../support/store-process.ts';
import type { StoreProcess } from '../support/store-process.ts';

let redis: TestRedis;
let stores: StoreProcess;
beforeAll(async () => {
  redis = await startRedis();
  stores = await startStoreProcess(redis.url, 'ingest');
});
afterAll(async () => {
  await stores[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
});

const author = { id: 'u1', name: 'Ann' };
const open = (limits: Partial<BudgetLimits>) => {
  const conversation = conversationIdOf({ platform: 'web', workspace: randomUUID(), channel: 'c', thread: 't' });
  const deps = { budgets: stores.budgets, budgetLimits: { ...noLimits, ...limits }, clock: systemClock };
  const send = (key: string, kind: 'ask' | 'run' | 'command' = 'ask') => admit(deps, conversation, { kind, key: eventKey(key), author });
  return { conversation, send };
};

describe('coming in', () => {
  it('U082: six asks under a limit of five a minute: the sixth gets a notice with the time to wait', async () => {
    const { send } = open({ rate: { person: 5, channel: null } });
    for (let n = 1; n <= 5; n += 1) expect(codeOf(await send(`k${n}`))).toBe('ok');
    const sixth = await send('k6');
    if (sixth.ok || sixth.failure.code !== 'rate-limited') throw new Error('it came in');
    expect(sixth.failure.waitSeconds).toBeGreaterThan(0);
    expect(forPerson(sixth.failure)).toContain(`${sixth.failure.waitSeconds} second`);
    // Commands are free: `stop` and `help` always work. A message delivered again is the same message.
    expect(codeOf(await send('k7', 'command'))).toBe('ok');
    expect(codeOf(await send('k5'))).toBe('ok');
  });

  it('U140: a person over the daily budget is told so at the door; their own code still runs', async () => {
    const { conversation, send } = open({ day: { ...noLimits.day, person: { tokens: 10, micros: null } } });
    expect(codeOf(await send('k1'))).toBe('ok');
    valueOf(await stores.budgets.settle(spenderOf(conversation, author), 's', [{ model: 'm', input: 8, output: 2, micros: null }]));
    expect(codeOf(await send('k2'))).toBe('budget-day');
    expect(codeOf(await send('k3', 'run'))).toBe('ok');
  });

  it('lets everything in where nothing is limited', async () => {
    const { send } = open({});
    for (let n = 0; n < 30; n += 1) expect(codeOf(await send(`k${n}`))).toBe('ok');
  });
});

describe('the settings of budgets', () => {
  it('are off by default, and told in whole tokens and in dollars', () => {
    expect(valueOf(readConfig({})).budgets).toEqual(noLimits);
    const { budgets } = valueOf(readConfig({ HEKTOR_RATE_PERSON: '5', HEKTOR_TURN_DOLLARS: '0.5', HEKTOR_CHANNEL_DAY_TOKENS: '100000' }));
    expect(budgets.rate).toEqual({ person: 5, channel: null });
    expect(budgets.turn).toEqual({ tokens: null, micros: 500_000 });
    expect(budgets.day.channel).toEqual({ tokens: 100_000, micros: null });
    expect(codeOf(readConfig({ HEKTOR_PERSON_DAY_DOLLARS: '-1', HEKTOR_TURN_TOKENS: '1.5' }))).toBe('config-invalid');
  });
});
