/** The sending half: the one door from the worker to Discord. Posts of one conversation go through one after another, in their order. */
import { failure } from '../../src/core/failure.ts';
import type { Failure } from '../../src/core/failure.ts';
import type { ConversationId } from '../../src/core/ids.ts';
import { createLiveLanes } from '../../src/core/live-lanes.ts';
import type { LiveOp, OutboundOp } from '../../src/core/outbound.ts';
import { err, ok } from '../../src/core/result.ts';
import type { Result } from '../../src/core/result.ts';
import type { Outbound, OutboundDeps } from '../../src/ports/adapter.ts';
import type { DiscordConfig } from './config.ts';
import { createLiveTurn } from './live/live-turn.ts';
import type { LiveTurn } from './live/live-turn.ts';
import { createPace } from './live/pace.ts';
import { openThread } from './post/open-thread.ts';
import { sendPost } from './post/post.ts';
import type { PostDeps } from './post/post.ts';
import { createSender } from './post/sender.ts';
import { createTargets } from './post/targets.ts';
import { createCalls } from './rest/calls.ts';
import { createRest } from './rest/rest.ts';

export const createOutbound = (deps: OutboundDeps, config: DiscordConfig): Result<Outbound, Failure> => {
  const { clock, log, notes, shared, blob } = deps;
  const calls = createCalls(createRest(config, { clock, log }));
  const common = { calls, notes, shared, clock, log, blob };
  const sender = createSender(common);
  const targets = createTargets(common);
  const posting: PostDeps = { ...common, sender, targets };
  const pace = createPace(clock);
  const lanes = createLiveLanes<ConversationId, LiveTurn>({
    ...clock,
    onThrow: (error) => log.error({ error: String(error) }, 'ending what a turn showed threw'),
  });

  const begin = (conversation: ConversationId, op: LiveOp) => (): LiveTurn => {
    const origin = op.op === 'status' ? op.origin : {};
    return createLiveTurn({ ...common, sender, pace }, conversation, op.turn, () => targets.of(conversation, origin, null));
  };

  const perform = async (conversation: ConversationId, op: OutboundOp): Promise<Result<void, Failure>> => {
    if (op.op !== 'post') {
      lanes.show(conversation, op, begin(conversation, op));
      return ok(undefined);
    }
    try {
      return await lanes.post(conversation, op.turn, (shown) => sendPost(posting, conversation, op, shown));
    } catch (error) {
      // A bug, for which no thread may stand still: the post is given up like one that Discord refuses.
      log.error({ conversation, post: op.key, error: error instanceof Error ? error.stack : String(error) }, 'sending a post threw');
      return err(failure('delivery-refused', {}, 'sending it threw', error));
    }
  };

  return ok({
    perform,
    openThread: (from, request) => openThread(posting, from, request),
    linkTo: targets.linkTo,
    [Symbol.asyncDispose]: () => lanes[Symbol.asyncDispose](),
  });
};
