/** Several models behind one port: who is asked for a conversation, with a rest for models that just failed and a watch on who answers. */
import { createDriftWatch } from '../core/drift.ts';
import type { Pin } from '../core/drift.ts';
import { addressOf } from '../core/ids.ts';
import type { ConversationId } from '../core/ids.ts';
import { fallsOver, modelOfChannel, routeOf } from '../core/model-choice.ts';
import type { ModelPlan } from '../core/model-choice.ts';
import type { Clock } from '../ports/clock.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Model, Models } from '../ports/model.ts';

export type RouterOptions = {
  /** Never empty; each under its own key. */
  readonly models: readonly { readonly model: Model; readonly pinned: Pin | null }[];
  readonly plan: Omit<ModelPlan, 'names'>;
  /** The key of the model that sums history up; null: the one that answers. */
  readonly summary: string | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
};

/** A model that failed is asked last for so long. */
const REST_MS = 30_000;

export const createModelRouter = (options: RouterOptions): Models => {
  const { clock } = options;
  const rests = new Map<string, number>();
  const models = new Map(options.models.map(({ model, pinned }) => [model.describe().key, watched(model, pinned, options, rests)]));
  const plan: ModelPlan = { ...options.plan, names: [...models.keys()] };
  const resting = (): ReadonlySet<string> => new Set([...rests].filter(([, until]) => until > clock.now()).map(([key]) => key));
  const route = (conversation: ConversationId, chosen: string | null): readonly [Model, ...Model[]] => {
    const [first, ...others] = routeOf(plan, addressOf(conversation), chosen, resting()).flatMap((key) => models.get(key) ?? []);
    if (first === undefined) throw new TypeError('the plan names no model that is set up');
    return [first, ...others];
  };
  return {
    route,
    forSummary: (conversation, chosen) => {
      const own = resting().has(options.summary ?? '') ? undefined : models.get(options.summary ?? '');
      return own ?? route(conversation, chosen)[0];
    },
    choices: (conversation) => {
      const current = modelOfChannel(plan, addressOf(conversation));
      return [...models].map(([key, model]) => ({ key, name: model.describe().name, current: key === current }));
    },
  };
};

/** The model, with a note of what became of its requests. */
const watched = (model: Model, pinned: Pin | null, { clock, log, metrics }: RouterOptions, rests: Map<string, number>): Model => {
  const driftOf = createDriftWatch(pinned);
  return {
    describe: model.describe,
    complete: async (request, listener, signal) => {
      const { key, name } = model.describe();
      const reply = await model.complete(request, listener, signal);
      if (!reply.ok) {
        if (fallsOver(reply.failure.code)) rests.set(key, clock.now() + REST_MS);
        return reply;
      }
      rests.delete(key);
      const drift = driftOf(reply.value);
      if (drift !== null) {
        metrics.count('hektor_model_drift_total', { model: name });
        log.warn({ model: name, key, ...drift }, 'another model answers than the one that was chosen');
      }
      return reply;
    },
  };
};
