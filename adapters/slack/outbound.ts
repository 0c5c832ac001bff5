/** The sending half: the one door from the worker to Slack. Operations of one conversation go through one after another, in their order. */
import { failure } from '../../src/core/failure.ts';
import type { Failure } from '../../src/core/failure.ts';
import type { ConversationId } from '../../src/core/ids.ts';
import type { LiveOp, OutboundOp } from '../../src/core/outbound.ts';
import { err, ok } from '../../src/core/result.ts';
import type { Result } from '../../src/core/result.ts';
import type { Outbound, OutboundDeps } from '../../src/ports/adapter.ts';
import { createApi } from './api/api.ts';
import type { Place } from './api/api.ts';
import { createClients } from './api/client.ts';
import type { SlackConfig } from './config.ts';
import { createLiveFactory } from './live/live.ts';
import type { LiveTurn } from './live/live-turn.ts';
import { openThread } from './post/open-thread.ts';
import { createPacer } from './api/pace.ts';
import { linkTo, placeOf } from './post/place.ts';
import { renderFor } from './markdown/render.ts';
import { sendPost } from './post/post.ts';
import type { PostDeps } from './post/post.ts';
import { createStatus } from './live/status.ts';
import { createStreamSupport } from './live/stream-support.ts';

type Lane = { chain: Promise<unknown>; waiting: number; live: { readonly turn: string; readonly shown: LiveTurn } | null };

/** A turn that told nothing for so long is not this process's any more, and leaves no status behind. */
const FORGOTTEN_MS = 20 * 60_000;
const LOOK_MS = 60_000;
/** How long the end of the process waits for what is shown to be ended. */
const CLOSE_MS = 8_000;

export const createOutbound = (deps: OutboundDeps, config: SlackConfig): Outbound => {
  const { clock, log, notes, blob } = deps;
  const api = createApi({ clients: createClients(config, deps), pacer: createPacer(clock), clock });
  const status = createStatus({ api, log });
  const posting: PostDeps = { api, log, notes, clock, blob, apiUrl: config.apiUrl, renderFor };
  const beginLive = createLiveFactory({ api, log, notes, clock, status, support: createStreamSupport() });
  const lanes = new Map<ConversationId, Lane>();
  const closing = new AbortController();

  const laneOf = (conversation: ConversationId): Lane => {
    const known = lanes.get(conversation);
    if (known !== undefined) return known;
    const made: Lane = { chain: Promise.resolve(), waiting: 0, live: null };
    lanes.set(conversation, made);
    return made;
  };
  const tidy = (conversation: ConversationId, lane: Lane): void => {
    if (lane.waiting === 0 && lane.live === null && lanes.get(conversation) === lane) lanes.delete(conversation);
  };
  const inLane = async <T>(conversation: ConversationId, task: (lane: Lane) => Promise<T>): Promise<T> => {
    const lane = laneOf(conversation);
    lane.waiting += 1;
    const run = lane.chain.then(() => task(lane));
    lane.chain = run.catch(() => undefined);
    try {
      return await run;
    } finally {
      lane.waiting -= 1;
      tidy(conversation, lane);
    }
  };

  const endLive = async (lane: Lane): Promise<void> => {
    const { live } = lane;
    lane.live = null;
    await live?.shown.end();
  };

  const show = (conversation: ConversationId, place: Place, op: LiveOp): void => {
    if (op.op === 'status' && op.state === 'idle') {
      void inLane(conversation, async (lane) => {
        if (lane.live?.turn === op.turn) await endLive(lane);
      }).catch((error: unknown) => log.error({ error: String(error) }, 'ending what a turn showed threw'));
      return;
    }
    const lane = laneOf(conversation);
    if (lane.live?.turn !== op.turn) {
      const before = lane.live;
      if (before !== null) void before.shown.end();
      lane.live = { turn: op.turn, shown: beginLive(conversation, place, op.turn, op.op === 'status' ? op.origin : {}) };
    }
    lane.live.shown.offer(op);
  };

  /** The last word of a turn that this process shows nothing of: the process that did may be dead, and its status would stand for an hour. */
  const clearStatusOfAnother = (place: Place): void => {
    if (place.thread === '') return;
    void status.clear(place).catch((error: unknown) => log.error({ error: String(error) }, 'taking a status away threw'));
  };

  const perform = async (conversation: ConversationId, op: OutboundOp): Promise<Result<void, Failure>> => {
    const place = placeOf(conversation);
    if (place === null) return err(failure('delivery-refused', {}, 'not the id of a conversation in Slack'));
    if (op.op !== 'post') {
      if (!closing.signal.aborted) show(conversation, place, op);
      return ok(undefined);
    }
    try {
      return await inLane(conversation, async (lane) => {
        const live = lane.live?.turn === op.turn ? lane.live.shown : null;
        const said = await sendPost(posting, conversation, place, op, live);
        if (said.ok && lane.live === null && (op.kind === 'answer' || op.run?.by === 'person')) clearStatusOfAnother(place);
        return said;
      });
    } catch (error) {
      // A bug, for which no thread may stand still: the post is given up like one that Slack refuses.
      log.error({ conversation, post: op.key, error: error instanceof Error ? error.stack : String(error) }, 'sending a post threw');
      return err(failure('delivery-refused', {}, 'sending it threw', error));
    }
  };

  const look = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await clock.sleep(LOOK_MS, closing.signal);
      const old = clock.now() - FORGOTTEN_MS;
      for (const [conversation, lane] of lanes) {
        if (lane.live !== null && lane.live.shown.heardAt() < old) {
          await endLive(lane);
          tidy(conversation, lane);
        }
      }
    }
  };
  void look();

  return {
    perform,
    openThread: (from, request) => {
      const place = placeOf(from);
      if (place === null) return Promise.resolve(err(failure('delivery-refused', {}, 'not the id of a conversation in Slack')));
      return openThread(posting, from, place, request);
    },
    linkTo,
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await Promise.race([Promise.all([...lanes.values()].map(endLive)), clock.sleep(CLOSE_MS)]);
    },
  };
};
