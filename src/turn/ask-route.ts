/** One reply from the models of a conversation's route: each is asked in its own dialect and size, the next one where the one before cannot answer. */
import { project } from '../core/context.ts';
import type { PromptStamp } from '../core/conversation.ts';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { fallsOver } from '../core/model-choice.ts';
import { err } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { Hint } from '../core/turn.ts';
import type { Model, ModelListener, ModelReply } from '../ports/model.ts';
import { dialectOf } from './dialect.ts';
import type { Dialect } from './dialect.ts';
import { stampsOf } from './messages.ts';
import type { Scene } from './scene.ts';
import { completeWithinBudget } from './within-budget.ts';

export type Ask = { readonly tools: boolean; readonly hint: Hint };
export type Told = { readonly text: (soFar: string) => void; readonly spent: ModelListener['spent'] };
export type Asked = { readonly replied: Result<ModelReply, Failure>; readonly dialect: Dialect; readonly stamps: readonly PromptStamp[] };

/**
 * The reply of the first model that gives one; else the last one's failure. Text that a model showed before it failed is replaced: what the
 * next one says is told from its beginning.
 */
export const askRoute = async (scene: Scene, ask: Ask, told: Told): Promise<Asked> => {
  const { deps, conversation } = scene;
  const [first, ...others] = deps.models.route(conversation, scene.turn().session.model);
  let asked = await askShorter(scene, ask, first, told);
  for (const next of others) {
    const { replied } = asked;
    if (replied.ok || scene.signal.aborted || !fallsOver(replied.failure.code)) return asked;
    deps.log.warn({ conversation, code: replied.failure.code, next: next.describe().key }, 'a model failed; the next one is asked');
    scene.tell({ type: 'turn-retrying', turn: scene.turn().id, failure: replied.failure, waitMs: 0 });
    asked = await askShorter(scene, ask, next, told);
  }
  return asked;
};

/** A context that does not fit is halved twice before it is given up (MG1). */
const askShorter = async (scene: Scene, ask: Ask, model: Model, told: Told): Promise<Asked> => {
  let asked: Asked | undefined;
  for (const share of [1, 0.5, 0.25]) {
    const tokens = model.describe().contextTokens * share;
    const dialect = dialectOf(model.describe().toolCalls, scene.table);
    asked = await askOnce(scene, ask, model, dialect, tokens, told);
    // The server has just been found to take no tools: what it said without knowing of them is asked again, by the text protocol.
    const refused = dialect.tools.length > 0 && !model.describe().toolCalls;
    if (refused && !scene.signal.aborted) asked = await askOnce(scene, ask, model, dialectOf(false, scene.table), tokens, told);
    if (asked.replied.ok || asked.replied.failure.code !== 'context-overflow') return asked;
  }
  return asked ?? { replied: err(failure('context-overflow', {})), dialect: dialectOf(true, scene.table), stamps: [] };
};

const askOnce = async (scene: Scene, ask: Ask, model: Model, dialect: Dialect, tokens: number, told: Told): Promise<Asked> => {
  const turn = scene.turn();
  const messages = dialect.messages(project([...scene.history, ...turn.entries], tokens), ask.hint);
  const replied = await completeWithinBudget(
    scene,
    model,
    { conversation: scene.conversation, system: dialect.system, messages, tools: dialect.tools, toolChoice: ask.tools ? 'auto' : 'none' },
    {
      text: (soFar) => told.text(dialect.shown(soFar)),
      retrying: (why, waitMs) => scene.tell({ type: 'turn-retrying', turn: turn.id, failure: why, waitMs }),
      spent: told.spent,
    },
  );
  return { replied, dialect, stamps: stampsOf(dialect.system, messages) };
};
