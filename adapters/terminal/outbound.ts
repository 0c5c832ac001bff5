/** The worker's half: operations become events of the stream, from which the terminal reads, in this process or in another. */
import { ok } from '../../src/core/result.ts';
import type { Result } from '../../src/core/result.ts';
import type { Failure } from '../../src/core/failure.ts';
import type { ConversationId } from '../../src/core/ids.ts';
import type { LiveOp, OutboundOp } from '../../src/core/outbound.ts';
import type { Outbound, OutboundDeps } from '../../src/ports/adapter.ts';
import { terminalLimits } from './limits.ts';

/** What may wait for a moment, since a later one says all that it says. */
type Coalesced = Extract<LiveOp, { op: 'draft' | 'output' }>;
type Waiting = { op: Coalesced | null; since: number };

export const createOutbound = ({ events, clock, log }: OutboundDeps): Outbound => {
  const waiting = new Map<ConversationId, Waiting>();
  const closing = new AbortController();

  const append = async (conversation: ConversationId, op: OutboundOp): Promise<Result<void, Failure>> => {
    const done = await events.append(conversation, JSON.stringify(op));
    if (done.ok) return ok(undefined);
    if (op.op === 'post') return done;
    log.debug({ op: op.op, code: done.failure.code }, 'a live event was dropped');
    return ok(undefined);
  };

  const flush = async (conversation: ConversationId): Promise<void> => {
    const held = waiting.get(conversation);
    if (held === undefined || held.op === null) return;
    const { op } = held;
    held.op = null;
    held.since = clock.now();
    await append(conversation, op);
  };

  const soon = async (conversation: ConversationId, op: Coalesced): Promise<void> => {
    const held = waiting.get(conversation) ?? { op: null, since: 0 };
    waiting.set(conversation, held);
    if (held.op !== null && held.op.op === op.op) {
      held.op = op;
      return;
    }
    await flush(conversation);
    held.op = op;
    const wait = held.since + terminalLimits.draftIntervalMs - clock.now();
    if (wait <= 0) return flush(conversation);
    void clock.sleep(wait, closing.signal).then(() => flush(conversation));
  };

  return {
    perform: async (conversation, op) => {
      if (op.op === 'draft' || op.op === 'output') {
        await soon(conversation, op);
        return ok(undefined);
      }
      await flush(conversation);
      if (op.op === 'status' && op.state === 'idle') waiting.delete(conversation);
      return append(conversation, op);
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await Promise.all([...waiting.keys()].map(flush));
    },
  };
};
