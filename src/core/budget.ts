/**
 * What people may use: messages in a minute, and tokens and money in a turn and in a day. Pure: who is counted, what is too much, and
 * the failure that says so. The counters are behind `src/ports/budgets.ts`.
 *
 * Days are days of UTC. Money counts as far as prices are known; what nobody knows the price of counts in tokens only.
 */
import { failure } from './failure.ts';
import type { Failure } from './failure.ts';
import type { ConversationId } from './ids.ts';
import { addressOf } from './ids.ts';
import type { Person } from './message.ts';

/** Who a message or a request is counted for. */
export type Spender = { readonly platform: string; readonly workspace: string; readonly channel: string; readonly person: string };

/** From the widest to the narrowest, which is the order of the words: what concerns only oneself is said last. */
export type Scope = 'workspace' | 'channel' | 'person';
export const scopes: readonly Scope[] = ['workspace', 'channel', 'person'];

export type Amount = { readonly tokens: number; readonly micros: number };
/** Null: no limit. */
export type Limits = { readonly tokens: number | null; readonly micros: number | null };
export type DayLimits = { readonly [S in Scope]: Limits };
/** Messages in any minute. Null: no limit. */
export type RateLimits = { readonly person: number | null; readonly channel: number | null };
export type BudgetLimits = { readonly rate: RateLimits; readonly turn: Limits; readonly day: DayLimits };

const none: Limits = { tokens: null, micros: null };
export const noLimits: BudgetLimits = {
  rate: { person: null, channel: null },
  turn: none,
  day: { workspace: none, channel: none, person: none },
};

export const isLimited = ({ tokens, micros }: Limits): boolean => tokens !== null || micros !== null;
export const isDayLimited = (day: DayLimits): boolean => scopes.some((scope) => isLimited(day[scope]));

export const spenderOf = (conversation: ConversationId, person: Person): Spender => {
  const address = addressOf(conversation);
  if (address === undefined) throw new TypeError('a conversation without an address');
  const { platform, workspace, channel } = address;
  return { platform, workspace, channel, person: person.id };
};

/** What was used in a day. `unknown`: attempts whose cost is not in `micros`. */
export type ModelDay = {
  readonly model: string;
  readonly requests: number;
  readonly input: number;
  readonly output: number;
  readonly micros: number;
  readonly unknown: number;
};
export type DayUse = { readonly tokens: number; readonly micros: number; readonly models: readonly ModelDay[] };

export type Exceeded = { readonly scope: Scope | 'turn'; readonly what: 'tokens' | 'money' };

/** Which of the limits `next` would break on top of what was used; null: none. A budget that is used up takes nothing more, however small. */
const breaks = (limits: Limits, used: Amount, next: Amount): Exceeded['what'] | null => {
  if (isOver(limits.tokens, used.tokens, next.tokens)) return 'tokens';
  return isOver(limits.micros, used.micros, next.micros) ? 'money' : null;
};
const isOver = (limit: number | null, used: number, next: number): boolean => limit !== null && (used >= limit || used + next > limit);

export const turnExceeded = (limits: Limits, used: Amount, next: Amount): Exceeded | null => {
  const what = breaks(limits, used, next);
  return what === null ? null : { scope: 'turn', what };
};

export const dayExceeded = (limits: DayLimits, used: { readonly [S in Scope]: Amount }, next: Amount): Exceeded | null => {
  for (const scope of scopes) {
    const what = breaks(limits[scope], used[scope], next);
    if (what !== null) return { scope, what };
  }
  return null;
};

/** What a request is going to use, before anybody knows: its text at three bytes a token, and a short answer. */
export const estimateTokens = (texts: readonly string[]): { readonly input: number; readonly output: number } => ({
  input: Math.ceil(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / 3),
  output: ANSWER_TOKENS,
});
const ANSWER_TOKENS = 300;

const DAY_MS = 24 * 3_600_000;
/** The day of a moment, as in 2026-11-30. */
export const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
const untilNextDay = (at: number): number => DAY_MS - (at % DAY_MS);

/** The failure that tells the person. */
export const toFailure = ({ scope, what }: Exceeded, at: number): Failure =>
  scope === 'turn'
    ? failure('budget-turn', { what }, `${what} of one turn`)
    : failure('budget-day', { whose: scope, what, minutes: Math.ceil(untilNextDay(at) / 60_000) }, `${what} of a ${scope} in a day`);
