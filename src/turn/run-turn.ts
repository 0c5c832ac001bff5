/**
 * The loop: performs the turn's effects one after another and feeds back their events, each journalled before it counts.
 * The only place of a turn that awaits. It ends with a finished turn, or `abandoned`: the claim on the conversation is lost or this worker
 * is shutting down; the journal stays and the next worker goes on from it.
 */
import type { ChannelSettings } from '../core/channel-settings.ts';
import type { Entry, Session } from '../core/conversation.ts';
import { mayRunCode } from '../core/gate.ts';
import { failure, forOperator, toStoredFailure } from '../core/failure.ts';
import type { ConversationId, Fence } from '../core/ids.ts';
import { addressOf, turnId } from '../core/ids.ts';
import type { Person } from '../core/message.ts';
import type { ThreadEvent } from '../core/thread-event.ts';
import { askerOf, botMessage, itemsOf, maySteer } from '../core/turn-state.ts';
import { beginTurn, replay, step } from '../core/turn.ts';
import type { Effect, Turn, TurnItem } from '../core/turn-state.ts';
import type { Decision, TurnEvent } from '../core/turn-event.ts';
import type { TurnDeps } from './deps.ts';
import { turnLimits } from './limits.ts';
import { askModel } from './ask-model.ts';
import { runPersonsCode, runTools } from './perform.ts';
import type { Scene } from './scene.ts';
import { currentTable, withoutCode } from './tool-table.ts';

export type TurnRequest = {
  readonly conversation: ConversationId;
  readonly fence: Fence;
  readonly session: Session;
  readonly item: TurnItem;
  /** For an item that is a decision: what it is about. */
  readonly decision: Decision | null;
  /** Events of this very turn from a worker that died; empty for a new turn. */
  readonly journal: readonly TurnEvent[];
  /** The entries that the model may see, oldest first, and the index of the first one. */
  readonly history: readonly Entry[];
  readonly base: number;
  /** How the bot behaves in the channel. */
  readonly channel: ChannelSettings;
  readonly tell: (event: ThreadEvent) => void;
};

const platformOf = (conversation: ConversationId): string => addressOf(conversation)?.platform ?? '';

type Cause =
  | { readonly kind: 'stop'; readonly by: Person }
  | { readonly kind: 'time' }
  | { readonly kind: 'shutdown' }
  | { readonly kind: 'lost' };

export const runTurn = async (deps: TurnDeps, request: TurnRequest, shutdown: AbortSignal): Promise<Turn | 'abandoned'> => {
  const { conversation, fence } = request;
  const now = deps.clock.now;
  const abort = new AbortController();
  let cause: Cause | undefined;
  const cancel = (why: Cause): void => {
    cause ??= why;
    abort.abort();
  };

  const resumed = replay(request.journal);
  const first: TurnEvent = {
    type: 'turn-started',
    at: now(),
    turn: turnId(deps.clock.newId()),
    item: request.item,
    session: request.session,
    decision: request.decision,
    limits: turnLimits(deps.settings.turnMs),
  };
  if (resumed === undefined && !(await journal(deps, conversation, fence, first))) return 'abandoned';
  let [turn, effect] = resumed ?? beginTurn(first);
  let streamed = '';

  const feed = async (event: TurnEvent): Promise<boolean> => {
    // This worker is leaving: what its leaving has cut short did not happen, and the next worker does it again. What ended by itself counts.
    if ((cause?.kind === 'shutdown' || cause?.kind === 'lost') && isCutShort(event)) return false;
    if (!(await journal(deps, conversation, fence, event))) {
      cancel({ kind: 'lost' });
      return false;
    }
    const [next, following] = step(turn, event);
    turn = next;
    if (following.do !== 'wait') effect = following;
    return true;
  };

  const stops = await deps.store.onStop(conversation, request.item.at, (by) => cancel({ kind: 'stop', by }));
  if (!stops.ok) return 'abandoned';
  await using _stops = stops.value;
  // A resumed turn gets its full time again: what it did before the crash is not held against it.
  const timer = setTimeout(() => cancel({ kind: 'time' }), turn.limits.wallMs);
  using _timer = { [Symbol.dispose]: () => clearTimeout(timer) };
  const onShutdown = (): void => cancel({ kind: 'shutdown' });
  if (shutdown.aborted) onShutdown();
  else shutdown.addEventListener('abort', onShutdown, { once: true });
  using _shutdown = { [Symbol.dispose]: () => shutdown.removeEventListener('abort', onShutdown) };

  const scene: Scene = {
    deps,
    conversation,
    history: request.history,
    base: request.base,
    start: turn.session,
    table: mayRunCode(askerOf(turn), platformOf(conversation), deps.rules)
      ? currentTable(deps.plugins)
      : withoutCode(currentTable(deps.plugins)),
    channel: request.channel,
    tell: request.tell,
    feed,
    turn: () => turn,
    signal: abort.signal,
  };
  request.tell({ type: 'turn-started', turn: turn.id, item: turn.item });

  while (effect.do !== 'finish') {
    if (cause === undefined) {
      streamed = '';
      await perform(scene, effect, (text) => {
        streamed = text;
        request.tell({ type: 'text-streamed', turn: turn.id, message: botMessage(turn.id), text });
      });
    }
    if (cause !== undefined && !turn.ended && !(await endEarly(cause, turn, streamed, feed, deps))) return 'abandoned';
  }
  return turn;
};

const perform = async (scene: Scene, effect: Effect, onText: (text: string) => void): Promise<void> => {
  switch (effect.do) {
    case 'ask-model':
      await joinWaiting(scene);
      return askModel(scene, effect, onText);
    case 'run-tools':
      return runTools(scene);
    case 'run-code':
      return runPersonsCode(scene, effect.code);
    case 'wait':
    case 'finish':
      return;
    default:
      return effect satisfies never;
  }
};

const isCutShort = (event: TurnEvent): boolean =>
  (event.type === 'code-finished' && event.run.end === 'stopped') ||
  event.type === 'code-failed' ||
  (event.type === 'tool-finished' && event.result.failed);

/** Feeds the event that ends the turn for this cause; false where the turn is to be left as it is. */
const endEarly = async (cause: Cause, turn: Turn, text: string, feed: Scene['feed'], deps: TurnDeps): Promise<boolean> => {
  const at = deps.clock.now();
  switch (cause.kind) {
    case 'stop':
      return feed({ type: 'stop-requested', at, by: cause.by, text });
    case 'time':
      return feed({
        type: 'time-ran-out',
        at,
        text,
        failure: toStoredFailure(failure('turn-timeout', { seconds: Math.round(turn.limits.wallMs / 1000) })),
      });
    case 'shutdown':
    case 'lost':
      return false;
    default:
      return cause satisfies never;
  }
};

/**
 * Messages that the same person, or the thread's owner, sent right after the one being answered steer the running turn: they join it before
 * the next request. Only a run of them directly behind the head joins, so that the mailbox is always taken from its front.
 */
const joinWaiting = async (scene: Scene): Promise<void> => {
  const turn = scene.turn();
  if (turn.item.kind !== 'ask' || turn.step <= 1) return;
  const mailbox = await scene.deps.store.mailbox(scene.conversation);
  if (!mailbox.ok) return;
  const taken = itemsOf(turn);
  for (const item of mailbox.value.slice(taken.length)) {
    if (!maySteer(item, turn, (person) => mayRunCode(person, platformOf(scene.conversation), scene.deps.rules))) return;
    if (!(await scene.feed({ type: 'person-joined', at: scene.deps.clock.now(), item }))) return;
  }
};
const journal = async (deps: TurnDeps, conversation: ConversationId, fence: Fence, event: TurnEvent): Promise<boolean> => {
  const written = await deps.store.journal(conversation, fence, [event]);
  if (!written.ok)
    deps.log.warn({ conversation, code: written.failure.code, detail: written.failure.detail }, forOperator(written.failure));
  return written.ok;
};
