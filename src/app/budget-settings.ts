/** The settings of rates and budgets. Each is off where it is not set. */
import { z } from 'zod';
import type { BudgetLimits, Limits } from '../core/budget.ts';

const count = z.coerce.number().int().min(0).max(1e12).nullable().default(null);
const dollars = z.coerce.number().min(0).max(1e6).nullable().default(null);

export const budgetShape = {
  HEKTOR_RATE_PERSON: count,
  HEKTOR_RATE_CHANNEL: count,
  HEKTOR_TURN_TOKENS: count,
  HEKTOR_TURN_DOLLARS: dollars,
  HEKTOR_PERSON_DAY_TOKENS: count,
  HEKTOR_PERSON_DAY_DOLLARS: dollars,
  HEKTOR_CHANNEL_DAY_TOKENS: count,
  HEKTOR_CHANNEL_DAY_DOLLARS: dollars,
  HEKTOR_WORKSPACE_DAY_TOKENS: count,
  HEKTOR_WORKSPACE_DAY_DOLLARS: dollars,
} as const;

type Settings = { readonly [Name in keyof typeof budgetShape]: number | null };

export const toBudgetLimits = (it: Settings): BudgetLimits => ({
  rate: { person: it.HEKTOR_RATE_PERSON, channel: it.HEKTOR_RATE_CHANNEL },
  turn: limits(it.HEKTOR_TURN_TOKENS, it.HEKTOR_TURN_DOLLARS),
  day: {
    workspace: limits(it.HEKTOR_WORKSPACE_DAY_TOKENS, it.HEKTOR_WORKSPACE_DAY_DOLLARS),
    channel: limits(it.HEKTOR_CHANNEL_DAY_TOKENS, it.HEKTOR_CHANNEL_DAY_DOLLARS),
    person: limits(it.HEKTOR_PERSON_DAY_TOKENS, it.HEKTOR_PERSON_DAY_DOLLARS),
  },
});

const limits = (tokens: number | null, money: number | null): Limits => ({
  tokens,
  micros: money === null ? null : Math.round(money * 1e6),
});
