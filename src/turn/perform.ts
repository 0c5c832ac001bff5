/** The effects that run something: tools and people's code. Each yields the events that came of it; only `run-turn.ts` feeds them back. */
import type { Session, ToolCall } from '../core/conversation.ts';
import { failure, toStoredFailure } from '../core/failure.ts';
import type { Person } from '../core/message.ts';
import type { AnyTool, Capabilities } from '../core/plugin.ts';
import { err } from '../core/result.ts';
import { mayFetch } from '../core/taint.ts';
import { firstLine } from '../core/text.ts';
import type { ToolResult } from '../core/tool.ts';
import { decodeStored } from '../core/tool-call.ts';
import { unfinished } from '../core/turn-calls.ts';
import { botMessage, personMessage } from '../core/turn-state.ts';
import type { Turn } from '../core/turn-state.ts';
import { keepText, readKept } from './kept.ts';
import { keepFiles } from './tool-files.ts';
import { PARALLEL_CALLS } from './limits.ts';
import { runCode } from './run-code.ts';
import { failedResult, runTool } from './run-tool.ts';
import type { Scene } from './scene.ts';

/** Runs the calls of the step: parallel-safe ones together, others one after another, in call order. */
export const runTools = async (scene: Scene): Promise<void> => {
  const waiting = unfinished(scene.turn());
  const together = waiting.filter(({ call }) => scene.table.get(call.name)?.parallelSafe === true);
  const alone = waiting.filter(({ call }) => scene.table.get(call.name)?.parallelSafe !== true);
  for (let index = 0; index < together.length; index += PARALLEL_CALLS) {
    await Promise.all(together.slice(index, index + PARALLEL_CALLS).map((one) => runCall(scene, one.call, one.started)));
    if (scene.signal.aborted) return;
  }
  for (const { call, started } of alone) {
    await runCall(scene, call, started);
    if (scene.signal.aborted) return;
  }
};

const runCall = async (scene: Scene, call: ToolCall, startedBefore: boolean): Promise<void> => {
  const { deps } = scene;
  const turn = scene.turn();
  const finish = async (result: ToolResult): Promise<void> => {
    deps.metrics.count('hektor_tool_calls_total', {
      tool: scene.table.has(call.name) ? call.name : 'unknown',
      outcome: result.failed ? 'failed' : 'ok',
    });
    scene.tell({ type: 'tool-finished', turn: turn.id, call, failed: result.failed });
    await scene.feed({ type: 'tool-finished', at: deps.clock.now(), call: call.id, result });
  };
  const decoded = decodeStored(call, scene.table);
  if (!decoded.ok) return finish(failedResult(decoded.failure));
  const { tool, args } = decoded.value;
  if (startedBefore && !tool.idempotent) return finish(failedResult(failure('interrupted', {})));
  // Journalled before the tool starts: after a crash a call that may have had effects is not made again.
  if (!(await scene.feed({ type: 'tool-started', at: deps.clock.now(), call: call.id }))) return;
  scene.tell({ type: 'tool-started', turn: turn.id, call, summary: firstLine(tool.summary?.(args) ?? call.name) });
  const progress = (line: string): void => scene.tell({ type: 'tool-progressed', turn: turn.id, call, line: firstLine(line) });
  const result = await runTool({
    tool,
    args,
    callKey: keyOf(turn, call),
    keptAs: call.id,
    keep: (text) => keepText(scene, text),
    keepFiles: (files) => keepFiles(scene, files),
    capabilities: capabilitiesFor(scene, tool, progress),
    progress,
    signal: scene.signal,
    log: deps.log,
  });
  return finish(result);
};

/** An approved call has the key of the call that the model made, whichever turn makes it. */
const keyOf = ({ decided }: Turn, call: ToolCall): string => (decided?.call === call.id ? decided.waiting.call : call.id);

const capabilitiesFor = (scene: Scene, { of, name }: AnyTool, progress: (line: string) => void): Capabilities => ({
  clock: { now: scene.deps.clock.now },
  sandbox: { run: (code) => runInSession(scene, { by: 'model', author: null, session: scene.turn().session, code }, progress) },
  fetch: {
    get: async (request, signal) => {
      const own = of.services.some((service) => sameOrigin(service, request.url));
      // Entries are what the model had read when it made this call: results of calls beside it are not among them yet.
      if (!own && !mayFetch([...scene.history, ...scene.turn().entries], request.url)) return err(failure('fetch-url-unknown', {}));
      return scene.deps.fetcher.get(request, of.services, signal);
    },
  },
  kept: { read: (name) => readKept(scene, name) },
  log: { warn: (fields, message) => scene.deps.log.warn({ ...fields, plugin: of.name, tool: name }, message) },
});

const sameOrigin = (a: string, b: string): boolean => URL.canParse(a) && URL.canParse(b) && new URL(a).origin === new URL(b).origin;

/** Runs a person's code and ends the turn with it. */
export const runPersonsCode = async (scene: Scene, code: string): Promise<void> => {
  const { deps } = scene;
  const turn = scene.turn();
  const waiting = (text: string): void => scene.tell({ type: 'waiting', turn: turn.id, text });
  const ran = await runInSession(scene, { by: 'person', author: turn.item.author, session: turn.session, code }, waiting);
  if (ran.ok) await scene.feed({ type: 'code-finished', at: deps.clock.now(), run: ran.value });
  else if (!scene.signal.aborted) await scene.feed({ type: 'code-failed', at: deps.clock.now(), failure: toStoredFailure(ran.failure) });
};

type InSession = { readonly by: 'person' | 'model'; readonly author: Person | null; readonly session: Session; readonly code: string };

/** Characters of a running cell's output that are shown before it has ended. */
const SHOWN_LIVE = 32_768;

const runInSession = async (scene: Scene, request: InSession, waiting: (line: string) => void): ReturnType<typeof runCode> => {
  const turn = scene.turn();
  let printed = '';
  const ran = await runCode(scene.deps, {
    ...request,
    conversation: scene.conversation,
    signal: scene.signal,
    // The sandbox tells what is new; what is shown live is all there is so far, so that any of it may be dropped on the way.
    onOutput: (n, text) => {
      if (printed.length >= SHOWN_LIVE) return;
      printed += text.slice(0, SHOWN_LIVE - printed.length);
      scene.tell({ type: 'output-streamed', turn: turn.id, run: n, text: printed });
    },
    onWaiting: (ahead) => waiting(ahead === 0 ? 'Waiting for a free sandbox' : `Waiting for a free sandbox (${ahead} ahead)`),
  });
  if (ran.ok)
    scene.tell({
      type: 'run-finished',
      turn: turn.id,
      message: request.by === 'person' ? personMessage(turn.item) : botMessage(turn.id),
      run: ran.value,
    });
  else
    scene.deps.log.warn(
      { conversation: scene.conversation, turn: turn.id, code: ran.failure.code, detail: ran.failure.detail },
      'a run did not take place',
    );
  return ran;
};
