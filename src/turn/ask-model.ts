/** The effect `ask-model`: history in, reply decoded and fed back. */
import { approvalIdOf, needsYes, waitingIn } from '../core/approval.ts';
import type { Spending } from '../core/cost.ts';
import { failure, toStoredFailure } from '../core/failure.ts';
import { isTainted } from '../core/taint.ts';
import { decodeCalls } from '../core/tool-call.ts';
import type { OfferedCall } from '../core/tool-call.ts';
import type { TurnEventOf } from '../core/turn-event.ts';
import { askerOf } from '../core/turn-state.ts';
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
    calls: decoded.map((offered) => toOffered(scene, offered)),
    finish,
    model,
    usage: spent.usage ?? usage,
    costMicros: spent.costMicros,
    passBack,
    prompts: stamps,
  });
};

/** A call as the turn takes it on: with what is wrong with it, or with what makes it wait for a yes. */
const toOffered = (scene: Scene, { call, decoded }: OfferedCall): TurnEventOf<'model-replied'>['calls'][number] => {
  if (!decoded.ok) return { call, problem: failedResult(decoded.failure), grant: null };
  const tool = scene.table.get(call.name);
  const entries = [...scene.history, ...scene.turn().entries];
  const { approvals } = scene.deps.settings;
  if (tool === undefined || !needsYes(approvals, tool, isTainted(entries))) return { call, problem: null, grant: null };
  const now = scene.deps.clock.now();
  const same = waitingIn(entries, now).some((waiting) => waiting.tool === call.name && waiting.arguments === call.arguments);
  if (same) return { call, problem: failedResult(failure('tool-not-run', { name: call.name, why: ALREADY_WAITING })), grant: null };
  const { conversation } = scene;
  const expiresAt = now + approvals.waitMs;
  const about = { conversation, call: call.id, tool: call.name, arguments: call.arguments, asker: askerOf(scene.turn()), expiresAt };
  return { call, problem: null, grant: { approval: approvalIdOf(about), expiresAt } };
};
const ALREADY_WAITING = 'the very same call waits for a person to approve it already';
