/** The effect `ask-model`: history in, reply decoded and fed back. */
import { project } from '../core/context.ts';
import type { PromptStamp } from '../core/conversation.ts';
import type { Spending } from '../core/cost.ts';
import { failure, toStoredFailure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { err } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { decodeCalls } from '../core/tool-call.ts';
import type { Hint } from '../core/turn.ts';
import type { ModelListener, ModelReply } from '../ports/model.ts';
import { dialectOf } from './dialect.ts';
import type { Dialect } from './dialect.ts';
import { stampsOf } from './messages.ts';
import { failedResult } from './run-tool.ts';
import type { Scene } from './scene.ts';
import { price, sumUp } from './spent.ts';

type Ask = { readonly tools: boolean; readonly hint: Hint };
type Told = { readonly text: (soFar: string) => void; readonly spent: ModelListener['spent'] };
type Asked = { readonly replied: Result<ModelReply, Failure>; readonly dialect: Dialect; readonly stamps: readonly PromptStamp[] };

/** Asks the model and feeds what came of it. After an abort only what was used is fed. */
export const askModel = async (scene: Scene, ask: Ask, onText: (text: string) => void): Promise<void> => {
  const { deps, table } = scene;
  const turn = scene.turn();
  const started = deps.clock.now();
  let shown = '';
  const spendings: Spending[] = [];
  const { replied, dialect, stamps } = await askShorter(scene, ask, {
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

/** A context that does not fit is halved twice before it is given up (MG1). */
const askShorter = async (scene: Scene, ask: Ask, told: Told): Promise<Asked> => {
  const { model, settings } = scene.deps;
  let asked: Asked | undefined;
  for (const share of [1, 0.5, 0.25]) {
    const tokens = settings.contextTokens * share;
    const dialect = dialectOf(model.describe().toolCalls, scene.table);
    asked = await askOnce(scene, ask, dialect, tokens, told);
    // The server has just been found to take no tools: what it said without knowing of them is asked again, by the text protocol.
    const refused = dialect.tools.length > 0 && !model.describe().toolCalls;
    if (refused && !scene.signal.aborted) asked = await askOnce(scene, ask, dialectOf(false, scene.table), tokens, told);
    if (asked.replied.ok || asked.replied.failure.code !== 'context-overflow') return asked;
  }
  return asked ?? { replied: err(failure('context-overflow', {})), dialect: dialectOf(true, scene.table), stamps: [] };
};

const askOnce = async (scene: Scene, ask: Ask, dialect: Dialect, tokens: number, told: Told): Promise<Asked> => {
  const turn = scene.turn();
  const messages = dialect.messages(project([...scene.history, ...turn.entries], tokens), ask.hint);
  const replied = await scene.deps.model.complete(
    { conversation: scene.conversation, system: dialect.system, messages, tools: dialect.tools, toolChoice: ask.tools ? 'auto' : 'none' },
    {
      text: (soFar) => told.text(dialect.shown(soFar)),
      retrying: (why, waitMs) => scene.tell({ type: 'turn-retrying', turn: turn.id, failure: why, waitMs }),
      spent: told.spent,
    },
    scene.signal,
  );
  return { replied, dialect, stamps: stampsOf(dialect.system, messages) };
};
