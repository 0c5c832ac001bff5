/** Requests within budgets: real Redis, a real model client on a scripted server. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noLimits, spenderOf } from '../../src/core/budget.ts';
import type { BudgetLimits } from '../../src/core/budget.ts';
import { newSession } from '../../src/core/conversation.ts';
import type { Spending } from '../../src/core/cost.ts';
import { conversationIdOf, eventKey, turnId } from '../../src/core/ids.ts';
import type { ConversationId } from '../../src/core/ids.ts';
import { beginTurn, step } from '../../src/core/turn.ts';
import type { Turn } from '../../src/core/turn-state.ts';
import { createPrices } from '../../src/infra/prices/prices.ts';
import { systemClock } from '../../src/infra/system/clock.ts';
import { completeWithinBudget } from '../../src/turn/within-budget.ts';
import { openModel, request } from '../infra/openai/harness.ts';
import { goodStep, stepOf } from '../servers/openai/cases.ts';
import { startScriptedServer } from '../servers/openai/server.ts';
import type { ScriptedServer, Step } from '../servers/openai/server.ts';
import { startRedis } from '../support/redis.ts';
import type { TestRedis } from '../support/redis.ts';
import { codeOf, valueOf } from '../support/results.ts';
import { startStoreProcess } from '../support/store-process.ts';
import type { StoreProcess } from '../support/store-process.ts';

let redis: TestRedis;
let stores: StoreProcess;
let server: ScriptedServer;
beforeAll(async () => {
  redis = await startRedis();
  stores = await startStoreProcess(redis.url);
  server = await startScriptedServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await stores[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
});

const ann = { id: 'u1', name: 'Ann' };
const aConversation = (): ConversationId => conversationIdOf({ platform: 'web', workspace: randomUUID(), channel: 'c', thread: 't' });
const [fresh] = beginTurn({
  type: 'turn-started',
  at: 1,
  turn: turnId('t1'),
  item: { kind: 'ask', key: eventKey('k'), at: 1, author: ann, origin: {}, text: 'hi', files: [], earlier: [] },
  session: newSession(0),
  decision: null,
  limits: { steps: 4, calls: 4, callsPerStep: 4, wallMs: 1_000 },
});

/** One request; what the model's server was asked, and what is counted for the person, come along. */
const ask = async (limits: Partial<BudgetLimits>, steps: readonly Step[], conversation = aConversation(), turn: Turn = fresh) => {
  const before = server.requests.length;
  server.play(...steps);
  const { model, lines } = openModel(server.baseUrl);
  const spent: Spending[] = [];
  const replied = await completeWithinBudget(
    {
      conversation,
      turn: () => turn,
      signal: new AbortController().signal,
      deps: {
        budgets: stores.budgets,
        prices: createPrices(new Map([['m', { input: 1, cachedInput: null, output: 2 }]])),
        clock: systemClock,
        log: {
          debug: () => {},
          info: () => {},
          warn: () => {},
          error: () => {},
          with: () => {
            throw new Error('not used');
          },
        },
        settings: { turnMs: 60_000, budgets: { ...noLimits, ...limits } },
      },
    },
    model,
    request({ tools: [] }),
    { text: () => {}, retrying: () => {}, spent: (one) => void spent.push(one) },
  );
  const today = valueOf(await stores.budgets.today(spenderOf(conversation, ann)));
  return { replied, spent, today, asked: server.requests.length - before, lines, conversation };
};
/** It says something, and then the connection breaks. */
const brokenOff: Step = { sse: [{ delta: { content: 'The' }, finish_reason: null }], end: 'reset' };
const personDay = (limits: BudgetLimits['turn']): Partial<BudgetLimits> => ({ day: { ...noLimits.day, person: limits } });

describe('a request within the budgets', () => {
  it('is counted for person, channel and workspace where there are no limits, too', async () => {
    const { replied, today, spent } = await ask({}, [goodStep()]);
    expect(codeOf(replied)).toBe('ok');
    expect(spent).toHaveLength(1);
    expect(today.person).toMatchObject({ tokens: 12, micros: 9 + 6, models: [{ model: 'm', requests: 1, unknown: 0 }] });
    expect([today.channel.tokens, today.workspace.tokens]).toEqual([12, 12]);
  });

  it('counts failed attempts, too', async () => {
    const { replied, today } = await ask({}, [brokenOff, goodStep()]);
    expect(codeOf(replied)).toBe('ok');
    expect(today.person.models[0]!.requests).toBe(2);
    expect(today.person.tokens).toBeGreaterThan(12);
  });

  it('U140: is refused, and the model not asked, once the budget of the day is used up', async () => {
    const limits = personDay({ tokens: 1_000, micros: 10_000 });
    const first = await ask(limits, [goodStep()]);
    expect(codeOf(first.replied)).toBe('ok');
    const second = await ask(personDay({ tokens: 12, micros: null }), [], first.conversation);
    expect(second.replied).toMatchObject({ failure: { code: 'budget-day', whose: 'person', what: 'tokens' } });
    expect([second.asked, second.today.person.tokens]).toEqual([0, 12]);
    const third = await ask(personDay({ tokens: null, micros: 15 }), [], first.conversation);
    expect(third.replied).toMatchObject({ failure: { code: 'budget-day', what: 'money' } });
  });

  it('holds money by the price that is known beforehand', async () => {
    // 300 tokens of an answer cost 600 at least.
    const { replied, asked } = await ask(personDay({ tokens: null, micros: 600 }), []);
    expect(replied).toMatchObject({ failure: { code: 'budget-day', what: 'money' } });
    expect(asked).toBe(0);
  });

  it('is refused where the turn itself has used what a turn may use', async () => {
    const usage = { input: 400, cachedInput: 0, output: 100, reasoning: 0, estimated: false };
    const [spentTurn] = step(fresh, { type: 'model-spent', at: 2, usage, costMicros: 70 });
    for (const turn of [
      { tokens: 500, micros: null },
      { tokens: null, micros: 70 },
    ]) {
      const { replied, asked } = await ask({ turn }, [], aConversation(), spentTurn);
      expect([codeOf(replied), asked]).toEqual(['budget-turn', 0]);
    }
    expect(codeOf((await ask({ turn: { tokens: 5_000, micros: 5_000 } }, [goodStep()], aConversation(), spentTurn)).replied)).toBe('ok');
  });

  it('gives back what was held where the model gave no answer', async () => {
    const limits = personDay({ tokens: 1_000, micros: null });
    const { replied, conversation } = await ask(limits, [stepOf('MF10')]);
    expect(codeOf(replied)).not.toBe('ok');
    const held = await redis.look().keys('*:held:*');
    expect(held).toEqual([]);
    expect(codeOf((await ask(limits, [goodStep()], conversation)).replied)).toBe('ok');
  });
});
