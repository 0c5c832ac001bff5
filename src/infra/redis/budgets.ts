/** Budgets in Redis: all counters of a workspace share one hash tag, so that one script sees all that it must decide on. */
import { z } from 'zod';
import { dayOf, scopes } from '../../core/budget.ts';
import type { DayLimits, DayUse, Exceeded, Limits, ModelDay, Scope, Spender } from '../../core/budget.ts';
import { ok } from '../../core/result.ts';
import type { Budgets } from '../../ports/budgets.ts';
import type { Clock } from '../../ports/clock.ts';
import { attempt } from './attempt.ts';
import type { RedisClient } from './connection.ts';
import { budgetKeys } from './keys.ts';
import { admitScript, reserveScript, settleScript } from './scripts/budgets.ts';
import { runScript } from './scripts/script.ts';

const WINDOW_MS = 60_000;
/** A day's counters outlive it by a day, so that clocks may differ. */
const KEPT_MS = 48 * 3_600_000;
/** Longer than a command can be sent again after. */
const SETTLED_MS = 10 * 60_000;

const numberOf = (limit: number | null): number => limit ?? -1;
const pair = ({ tokens, micros }: Limits): readonly number[] => [numberOf(tokens), numberOf(micros)];

export const createBudgets = ({ client, clock }: { readonly client: RedisClient; readonly clock: Clock }): Budgets => {
  const keysOf = (who: Spender) => budgetKeys(who, dayOf(clock.now()));
  const each = (key: (scope: Scope) => string): readonly string[] => scopes.map(key);
  return {
    admit: async (who, event, limits) => {
      const { minute } = keysOf(who);
      const args = [event, clock.now(), WINDOW_MS, numberOf(limits.person), numberOf(limits.channel)];
      const reply = await attempt(() => runScript(client, admitScript, [minute('person'), minute('channel')], args));
      return reply.ok ? ok(z.number().parse(reply.value)) : reply;
    },

    reserve: async (who, hold, limits: DayLimits) => {
      const { day, held } = keysOf(who);
      const now = clock.now();
      const args = [hold.id, now, now + hold.forMs, hold.tokens, hold.micros, ...scopes.flatMap((scope) => pair(limits[scope]))];
      const reply = await attempt(() => runScript(client, reserveScript, [...each(day), ...each(held)], args));
      return reply.ok ? ok(toExceeded(z.string().parse(reply.value))) : reply;
    },

    settle: async (who, id, used) => {
      const { day, held, settled } = keysOf(who);
      const attempts = used.flatMap(({ model, input, output, micros }) => [model, input, output, numberOf(micros)]);
      const args = [id, clock.now(), KEPT_MS, SETTLED_MS, ...attempts];
      const reply = await attempt(() => runScript(client, settleScript, [...each(day), ...each(held), settled], args));
      return reply.ok ? ok(undefined) : reply;
    },

    today: async (who) => {
      const { day } = keysOf(who);
      const read = (scope: Scope) => client.hgetall(day(scope));
      const reply = await attempt(() => Promise.all([read('workspace'), read('channel'), read('person')]));
      if (!reply.ok) return reply;
      const [workspace, channel, person] = reply.value;
      return ok({ workspace: toDayUse(workspace), channel: toDayUse(channel), person: toDayUse(person) });
    },
  };
};

const toExceeded = (answer: string): Exceeded | null => {
  const scope = scopes[Number(answer[0]) - 1];
  return scope === undefined ? null : { scope, what: answer[1] === 't' ? 'tokens' : 'money' };
};

const toDayUse = (fields: { readonly [field: string]: string }): DayUse => {
  const count = (field: string): number => Number(fields[field] ?? 0);
  const models = Object.keys(fields)
    .filter((field) => field.startsWith('requests '))
    .map((field) => field.slice('requests '.length))
    .toSorted()
    .map((model): ModelDay => ({
      model,
      requests: count(`requests ${model}`),
      input: count(`input ${model}`),
      output: count(`output ${model}`),
      micros: count(`micros ${model}`),
      unknown: count(`unknown ${model}`),
    }));
  return { tokens: count('tokens'), micros: count('micros'), models };
};
