/** One request to a model within the budgets: checked and held before, settled after, whatever came of it. */
import { estimateTokens, isDayLimited, isLimited, spenderOf, toFailure, turnExceeded } from '../core/budget.ts';
import type { Amount } from '../core/budget.ts';
import type { Spending } from '../core/cost.ts';
import type { Failure } from '../core/failure.ts';
import { forOperator } from '../core/failure.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { Used } from '../ports/budgets.ts';
import type { Model, ModelListener, ModelReply, ModelRequest } from '../ports/model.ts';
import type { TurnDeps } from './deps.ts';
import type { Scene } from './scene.ts';

/** What of a turn's surroundings the budgets need. */
export type BudgetScene = Pick<Scene, 'conversation' | 'turn' | 'signal'> & {
  readonly deps: Pick<TurnDeps, 'budgets' | 'prices' | 'clock' | 'log'> & {
    readonly settings: Pick<TurnDeps['settings'], 'budgets' | 'turnMs'>;
  };
};

/** As `model.complete`; a request that no budget has room for is a `budget-turn` or `budget-day` failure, and the model is not asked. */
export const completeWithinBudget = async (
  scene: BudgetScene,
  model: Model,
  request: ModelRequest,
  listener: ModelListener,
): Promise<Result<ModelReply, Failure>> => {
  const { deps, conversation } = scene;
  const who = spenderOf(conversation, scene.turn().item.author);
  const id = deps.clock.newId();
  const held = await hold(scene, who, id, model, request);
  if (!held.ok) return held;
  const spendings: Spending[] = [];
  const replied = await model.complete(
    request,
    { ...listener, spent: (spending) => (spendings.push(spending), listener.spent(spending)) },
    scene.signal,
  );
  if (held.value || spendings.length > 0) {
    const settled = await deps.budgets.settle(who, id, spendings.map(toUsed(scene)));
    if (!settled.ok)
      deps.log.warn({ conversation, detail: settled.failure.detail }, `what was used is not counted: ${forOperator(settled.failure)}`);
  }
  return replied;
};

/** Resolves with whether anything is held. */
const hold = async (
  { deps, turn }: BudgetScene,
  who: ReturnType<typeof spenderOf>,
  id: string,
  model: Model,
  request: ModelRequest,
): Promise<Result<boolean, Failure>> => {
  const limits = deps.settings.budgets;
  if (!isLimited(limits.turn) && !isDayLimited(limits.day)) return ok(false);
  const next = estimate(deps.prices, model, request);
  const { usage, costMicros } = turn();
  const used = { tokens: usage === null ? 0 : usage.input + usage.output, micros: costMicros ?? 0 };
  const tooMuch = turnExceeded(limits.turn, used, next);
  if (tooMuch !== null) return err(toFailure(tooMuch, deps.clock.now()));
  if (!isDayLimited(limits.day)) return ok(false);
  const reserved = await deps.budgets.reserve(who, { id, ...next, forMs: deps.settings.turnMs + 60_000 }, limits.day);
  if (!reserved.ok) return reserved;
  return reserved.value === null ? ok(true) : err(toFailure(reserved.value, deps.clock.now()));
};

const estimate = (prices: TurnDeps['prices'], model: Model, request: ModelRequest): Amount => {
  const { name, server } = model.describe();
  const texts = request.messages.map((message) =>
    message.role === 'assistant' ? message.text + message.calls.map((call) => call.arguments).join('') : message.content.text,
  );
  const tools = request.tools.map((tool) => tool.description.text + JSON.stringify(tool.parameters));
  const { input, output } = estimateTokens([request.system.text, ...tools, ...texts]);
  const usage = { input, cachedInput: 0, output, reasoning: 0, estimated: true };
  const cost = prices.costOf({ model: name, answered: name, server, usage, costMicros: null });
  return { tokens: input + output, micros: cost ?? 0 };
};

const toUsed =
  ({ deps }: BudgetScene) =>
  (spending: Spending): Used => ({
    model: spending.model,
    input: Math.round(spending.usage.input),
    output: Math.round(spending.usage.output),
    micros: deps.prices.costOf(spending),
  });
