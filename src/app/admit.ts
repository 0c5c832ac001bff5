/** Whether a message may come in: not too many in a minute, and no question once the budget of the day is used up. */
import { dayExceeded, isDayLimited, spenderOf, toFailure } from '../core/budget.ts';
import type { BudgetLimits } from '../core/budget.ts';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import type { ConversationId } from '../core/ids.ts';
import type { MailboxItem } from '../core/message.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { Budgets } from '../ports/budgets.ts';
import type { Clock } from '../ports/clock.ts';

export type AdmitDeps = { readonly budgets: Budgets; readonly budgetLimits: BudgetLimits; readonly clock: Clock };

/** `kind` of the item that it becomes: commands are free, and code that a person runs uses no model. */
export const admit = async (
  { budgets, budgetLimits: { rate, day }, clock }: AdmitDeps,
  conversation: ConversationId,
  item: Pick<MailboxItem, 'kind' | 'key' | 'author'>,
): Promise<Result<void, Failure>> => {
  if (item.kind === 'command') return ok(undefined);
  const who = spenderOf(conversation, item.author);
  if (rate.person !== null || rate.channel !== null) {
    const wait = await budgets.admit(who, `${conversation} ${item.key}`, rate);
    if (!wait.ok) return wait;
    if (wait.value > 0) return err(failure('rate-limited', { waitSeconds: Math.ceil(wait.value / 1000) }));
  }
  if (item.kind === 'run' || !isDayLimited(day)) return ok(undefined);
  const used = await budgets.today(who);
  if (!used.ok) return used;
  const exceeded = dayExceeded(day, used.value, { tokens: 0, micros: 0 });
  return exceeded === null ? ok(undefined) : err(toFailure(exceeded, clock.now()));
};
