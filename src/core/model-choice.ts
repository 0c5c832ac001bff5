/** Which of several models is asked for a conversation, and when the next one is asked instead. Pure. */
import type { FailureCode } from './failure.ts';
import type { Address } from './ids.ts';

/** A channel's own model. `pattern`: `platform/workspace/channel`, each part a name or `*`. */
export type ChannelChoice = { readonly pattern: string; readonly model: string };

/** What the operator set up. All names are names of models that are set up; `fallback` is asked in its order. */
export type ModelPlan = {
  readonly names: readonly string[];
  readonly default: string;
  readonly fallback: readonly string[];
  readonly channels: readonly ChannelChoice[];
};

/** The model that a conversation's channel has, else the default. */
export const modelOfChannel = (plan: ModelPlan, address: Address | undefined): string =>
  plan.channels.find(({ pattern }) => address !== undefined && fits(pattern, address))?.model ?? plan.default;

const fits = (pattern: string, { platform, workspace, channel }: Address): boolean => {
  const parts = pattern.split('/');
  return parts.length === 3 && [platform, workspace, channel].every((value, index) => parts[index] === '*' || parts[index] === value);
};

/**
 * The models to ask, best first; never empty. A thread's choice that is no longer set up counts as none. Models that failed a moment ago
 * (`resting`) come last: each step of a turn would otherwise wait for them again.
 */
export const routeOf = (
  plan: ModelPlan,
  address: Address | undefined,
  chosen: string | null,
  resting: ReadonlySet<string>,
): readonly string[] => {
  const first = chosen !== null && plan.names.includes(chosen) ? chosen : modelOfChannel(plan, address);
  const route = [...new Set([first, ...plan.fallback])];
  return [...route.filter((name) => !resting.has(name)), ...route.filter((name) => resting.has(name))];
};

const FALLING: ReadonlySet<FailureCode> = new Set<FailureCode>([
  'model-missing',
  'model-unreachable',
  'model-silent',
  'model-refused-key',
  'model-not-found',
  'model-rate-limited',
  'model-quota',
  'model-overloaded',
  'model-broken-stream',
  'model-bad-reply',
]);

/** Whether another model may well not have this failure. A refused or filtered request, or one that is too long, is the request's own. */
export const fallsOver = (code: FailureCode): boolean => FALLING.has(code);
