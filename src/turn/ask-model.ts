/** The effect `ask-model`: history in, reply decoded and fed back. */
import type { Spending } from '../core/cost.ts';
import { toStoredFailure } from '../core/failure.ts';
import { decodeCalls } from '../core/tool-call.ts';
import { askRoute } from './ask-route.ts';
import type { Ask } from './ask-route.ts';
import { failedResult } from './run-tool.ts';
import type { Scene } from './scene.ts';
import { price, sumUp } from './spent.ts';

/** Asks the model and feeds what came of it. After an abort only what was used is fed. */
export const askModel = async (scene: Scene, ask: Ask, onText: (text: string) => void): Promise<void> => {
  const { deps, table } = scene;
  const turn = scene.turn();
  const started = deps.clock.now();
  let shown = '';
  const spendings: Spending[] = [];
  const { replied, dialect, stamps } = await askRoute(scene, ask, {
    text: (text) => {
      shown = text;
      onText(text);
    },
    spent: (spending) => void spendings.push(spending),
  });
  const spent = sumUp(price(deps, spendings));
  deps.metrics.observe('hektor_model_seconds', {}, (deps.clock.now() - started) / 1000);
  if (scene.signal.aborted) {
    if (spent.usage !== null) await scene.feed({ type: 'model-spent', at: deps.clock.now(), ...spent });
    return;
  }
  if (!replied.ok) {
    const { code, detail } = replied.failure;
    deps.log.warn({ conversation: scene.conversation, turn: turn.id, code, detail }, 'the model failed');
    await scene.feed({ type: 'model-failed', at: deps.clock.now(), failure: toStoredFailure(replied.failure), text: shown, ...spent });
    return;
  }
  const { finish, model, usage, passBack } = replied.value;
  const { text, calls } = dialect.read(replied.value);
  const decoded = ask.tools ? decodeCalls(calls, table, `${turn.id}:${turn.step}`, finish === 'length') : [];
  await scene.feed({
    type: 'model-replied',
    at: deps.clock.now(),
    text,
    calls: decoded.map(({ call, decoded: result }) => ({ call, problem: result.ok ? null : failedResult(result.failure) })),
    finish,
    model,
    usage: spent.usage ?? usage,
    costMicros: spent.costMicros,
    passBack,
    prompts: stamps,
  });
};
