/** Before a turn's first request: where the history is about to outgrow the model, its older part is summed up by a request of its own. */
import { modelIn } from '../core/channel-settings.ts';
import { planSummary } from '../core/context.ts';
import type { Spending } from '../core/cost.ts';
import { render } from '../core/prompt.ts';
import { isTainted } from '../core/taint.ts';
import { transcript } from '../core/transcript.ts';
import type { Model } from '../ports/model.ts';
import { summarisePrompt, toSummarisePrompt } from '../prompts/index.ts';
import { historyOf } from './scene.ts';
import type { Scene } from './scene.ts';
import { price, sumUp } from './spent.ts';
import { completeWithinBudget } from './within-budget.ts';

const SUMMARY_MS = 90_000;
/** The longest summary that is kept, in characters: one that is longer sums nothing up. */
const SUMMARY_CHARS = 24_000;

/** Feeds the summary. Where there is none to be had, nothing is fed but what it used, and the oldest turns are left out instead. */
export const summariseIfTight = async (scene: Scene, model: Model, budget: number): Promise<void> => {
  const { deps, conversation } = scene;
  const turn = scene.turn();
  const history = historyOf(scene);
  const plan = planSummary(history, budget);
  if (plan === null) return;
  scene.tell({ type: 'waiting', turn: turn.id, text: 'Summing up the earlier conversation' });
  const summariser = deps.models.forSummary(conversation, modelIn(turn.session, scene.channel));
  const system = render(summarisePrompt, {});
  // Three characters a token, as everywhere, with room for the answer and the words around it.
  const room = Math.floor(summariser.describe().contextTokens * 0.75 * 3) - (plan.previous ?? '').length;
  const content = render(toSummarisePrompt, { previous: plan.previous, transcript: transcript(plan.items, Math.max(2_000, room)) });
  const spendings: Spending[] = [];
  const signal = AbortSignal.any([scene.signal, AbortSignal.timeout(SUMMARY_MS)]);
  const replied = await completeWithinBudget(
    { ...scene, signal },
    summariser,
    { conversation, system, messages: [{ role: 'user', content }], tools: [], toolChoice: 'none' },
    { text: () => {}, retrying: () => {}, spent: (spending) => void spendings.push(spending) },
  );
  const spent = sumUp(price(deps, spendings));
  const text = replied.ok ? replied.value.text.trim() : '';
  if (replied.ok && text !== '' && text.length <= SUMMARY_CHARS && !scene.signal.aborted) {
    await scene.feed({
      type: 'history-summarised',
      at: deps.clock.now(),
      from: plan.from,
      text,
      model: replied.value.model,
      outside: isTainted(history.entries),
      prompts: [system.stamp, content.stamp],
      ...spent,
    });
    return;
  }
  if (!scene.signal.aborted)
    deps.log.warn(
      { conversation, model: model.describe().key, code: replied.ok ? 'unusable' : replied.failure.code },
      'the history could not be summed up; the oldest turns are left out instead',
    );
  if (spent.usage !== null) await scene.feed({ type: 'model-spent', at: deps.clock.now(), ...spent });
};
