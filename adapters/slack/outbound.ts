/** The sending half: the one door from the worker to Slack. Operations of one conversation go through one after another, in their order. */
import { failure } from '../../src/core/failure.ts';
import type { Failure } from '../../src/core/failure.ts';
import type { ConversationId } from '../../src/core/ids.ts';
import { createLiveLanes } from '../../src/core/live-lanes.ts';
import type { OutboundOp } from '../../src/core/outbound.ts';
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

export const createOutbound = (deps: OutboundDeps, config: SlackConfig): Outbound => {
  const { clock, log, notes, blob } = deps;
  const api = createApi({ clients: createClients(config, deps), pacer: createPacer(clock), clock });
  const status = createStatus({ api, log });
  const posting: PostDeps = { api, log, notes, clock, blob, apiUrl: config.apiUrl, renderFor };
  const beginLive = createLiveFactory({ api, log, notes, clock, status, support: createStreamSupport() });
  const lanes = createLiveLanes<ConversationId, LiveTurn>({
    ...clock,
    onThrow: (error) => log.error({ error: String(error) }, 'ending what a turn showed threw'),
  });

  /** The last word of a turn that this process shows nothing of: the process that did may be dead, and its status would stand for an hour. */
  const clearStatusOfAnother = (place: Place): void => {
    if (place.thread === '') return;
    void status.clear(place).catch((error: unknown) => log.error({ error: String(error) }, 'taking a status away threw'));
  };

  const perform = async (conversation: ConversationId, op: OutboundOp): Promise<Result<void, Failure>> => {
    const place = placeOf(conversation);
    if (place === null) return err(failure('delivery-refused', {}, 'not the id of a conversation in Slack'));
    if (op.op !== 'post') {
      lanes.show(conversation, op, () => beginLive(conversation, place, op.turn, op.op === 'status' ? op.origin : {}));
      return ok(undefined);
    }
    try {
      return await lanes.post(conversation, op.turn, async (shown, anyShown) => {
        const said = await sendPost(posting, conversation, place, op, shown);
        if (said.ok && !anyShown() && (op.kind === 'answer' || op.run?.by === 'person')) clearStatusOfAnother(place);
        return said;
      });
    } catch (error) {
      // A bug, for which no thread may stand still: the post is given up like one that Slack refuses.
      log.error({ conversation, post: op.key, error: error instanceof Error ? error.stack : String(error) }, 'sending a post threw');
      return err(failure('delivery-refused', {}, 'sending it threw', error));
    }
  };

  return {
    perform,
    openThread: (from, request) => {
      const place = placeOf(from);
      if (place === null) return Promise.resolve(err(failure('delivery-refused', {}, 'not the id of a conversation in Slack')));
      return openThread(posting, from, place, request);
    },
    linkTo,
    [Symbol.asyncDispose]: () => lanes[Symbol.asyncDispose](),
  };
};
