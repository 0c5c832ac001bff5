/** One reply from the models of a conversation's route: each is asked in its own dialect and size, the next one where the one before cannot answer. */
import { modelIn, personaIn } from '../core/channel-settings.ts';
import { leavesOut, project } from '../core/context.ts';
import type { History } from '../core/context.ts';
import type { PromptStamp } from '../core/conversation.ts';
import type { Spending } from '../core/cost.ts';
import type { Failure } from '../core/failure.ts';
import { sessionFacts } from '../core/ledger.ts';
import type { SessionFacts } from '../core/ledger.ts';
import { fallsOver } from '../core/model-choice.ts';
import type { Result } from '../core/result.ts';
import { PICTURES } from '../core/picture.ts';
import { estimateTokens } from '../core/tokens.ts';
import type { Hint } from '../core/turn-state.ts';
import type { Model, ModelListener, ModelMessage, ModelReply } from '../ports/model.ts';
import { readManifest } from './attach-files.ts';
import { dialectOf } from './dialect.ts';
import type { Dialect } from './dialect.ts';
import { stampsOf } from './messages.ts';
import { noPictures, readPictures } from './pictures.ts';
import { historyOf } from './scene.ts';
import type { Scene } from './scene.ts';
import { summariseIfTight } from './summarise.ts';
import { completeWithinBudget } from './within-budget.ts';

export type Ask = { readonly tools: boolean; readonly hint: Hint };
export type Told = { readonly text: (soFar: string) => void; readonly spent: ModelListener['spent'] };
export type Asked = { readonly replied: Result<ModelReply, Failure>; readonly dialect: Dialect; readonly stamps: readonly PromptStamp[] };
/** `size`: the tokens of the request, as estimated. */
type Sized = Asked & { readonly size: number };

/**
 * The reply of the first model that gives one; else the last one's failure. Text that a model showed before it failed is replaced: what the
 * next one says is told from its beginning.
 */
export const askRoute = async (scene: Scene, ask: Ask, told: Told): Promise<Asked> => {
  const { deps, conversation } = scene;
  const [first, ...others] = deps.models.route(conversation, modelIn(scene.turn().session, scene.channel));
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

/** A context that does not fit is halved twice before it is given up (MG1): half of what was sent, for the window may be smaller than it is said to be. */
const askShorter = async (scene: Scene, ask: Ask, model: Model, told: Told): Promise<Asked> => {
  const { key, contextTokens } = model.describe();
  let limit = contextTokens / scene.deps.calibration.ratioOf(key);
  for (let tries = 1; ; tries += 1) {
    const persona = personaIn(scene.turn().session, scene.channel);
    const dialect = dialectOf(model.describe().toolCalls, scene.table, persona);
    let asked = await askOnce(scene, ask, { model, dialect, limit, first: tries === 1 }, told);
    // The server has just been found to take no tools: what it said without knowing of them is asked again, by the text protocol.
    const refused = dialect.tools.length > 0 && !model.describe().toolCalls;
    if (refused && !scene.signal.aborted)
      asked = await askOnce(scene, ask, { model, dialect: dialectOf(false, scene.table, persona), limit, first: false }, told);
    const { replied, size } = asked;
    if (replied.ok || replied.failure.code !== 'context-overflow' || tries === SIZES) return asked;
    limit = Math.min(limit, size) / 2;
  }
};
const SIZES = 3;

/** `limit`: tokens, as estimated, that the request may take. `first`: the model has not been asked in this step. */
type Way = { readonly model: Model; readonly dialect: Dialect; readonly limit: number; readonly first: boolean };

const askOnce = async (scene: Scene, ask: Ask, { model, dialect, limit, first }: Way, told: Told): Promise<Sized> => {
  const turn = scene.turn();
  const fixed = fixedCost(dialect);
  const budget = Math.max(500, limit - fixed);
  // Once a turn, before its first request: later ones must not wait for it again.
  if (turn.step <= 1 && first) await summariseIfTight(scene, model, budget);
  const history = historyOf(scene);
  const facts = await factsFor(scene, history, budget);
  // Pictures are the first thing to go where a request was too long.
  const pictures = first && model.describe().images ? await readPictures(scene, project(history, budget, facts)) : noPictures;
  const items = project(history, budget - pictures.size * PICTURES.tokens, facts);
  const messages = dialect.messages(items, ask.hint, pictures);
  const size = fixed + costOfMessages(messages);
  let used: Spending | undefined;
  const replied = await completeWithinBudget(
    scene,
    model,
    { conversation: scene.conversation, system: dialect.system, messages, tools: dialect.tools, toolChoice: ask.tools ? 'auto' : 'none' },
    {
      text: (soFar) => told.text(dialect.shown(soFar)),
      retrying: (why, waitMs) => scene.tell({ type: 'turn-retrying', turn: turn.id, failure: why, waitMs }),
      spent: (spending) => {
        used = spending;
        told.spent(spending);
      },
    },
  );
  if (replied.ok && used?.usage.estimated === false) scene.deps.calibration.learn(model.describe().key, size, used.usage.input);
  return { replied, dialect, size, stamps: stampsOf(dialect.system, messages) };
};

const fixedCost = ({ system, tools }: Dialect): number => estimateTokens(system.text) + costOfTools(tools);
const costOfTools = (tools: Dialect['tools']): number => {
  const known = toolCosts.get(tools);
  if (known !== undefined) return known;
  const cost = estimateTokens(JSON.stringify(tools));
  toolCosts.set(tools, cost);
  return cost;
};
// The list is the same from request to request, and large.
const toolCosts = new WeakMap<Dialect['tools'], number>();

const costOfMessages = (messages: readonly ModelMessage[]): number =>
  messages.reduce(
    (sum, message) =>
      sum +
      4 +
      estimateTokens(
        message.role === 'assistant'
          ? message.text + message.calls.map((call) => call.name + call.arguments).join('')
          : message.content.text,
      ) +
      (message.role === 'user' ? (message.images ?? []).length * PICTURES.tokens : 0),
    0,
  );

/** Where the session stood when the turn began, for a context that leaves runs out. A state that cannot be read is told of by the next run. */
const factsFor = async (scene: Scene, history: History, budget: number): Promise<SessionFacts | null> => {
  if (!leavesOut(history, budget)) return null;
  const manifest = await readManifest(scene.deps.blobs, scene.conversation, scene.start.head);
  return manifest.ok ? sessionFacts(scene.start.runs, manifest.value, scene.history) : null;
};
