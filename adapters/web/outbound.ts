/** The worker's half: operations become events of the stream, from which every open page reads. */
import type { Failure } from '../../src/core/failure.ts';
import type { ConversationId } from '../../src/core/ids.ts';
import type { LiveOp, OutboundOp } from '../../src/core/outbound.ts';
import type { Result } from '../../src/core/result.ts';
import { ok } from '../../src/core/result.ts';
import type { Outbound, OutboundDeps } from '../../src/ports/adapter.ts';
import { threadOf } from './decode.ts';
import { encodeOp } from './encode.ts';
import type { Kept } from './http/draft-delta.ts';
import { encodeDraft } from './http/draft-delta.ts';
import { webLimits } from './limits.ts';

type Draft = Extract<LiveOp, { op: 'draft' }>;
type Output = Extract<LiveOp, { op: 'output' }>;
/** A conversation's running turn: drafts and output that came too soon after the last ones wait here, the latest wins. */
type Live = { waiting: { draft: Draft | null; output: Output | null }; timer: boolean; last: number; kept: Map<string, Kept> };

const POSTS_REMEMBERED = 2_000;

export const createOutbound = ({ events, clock, log }: OutboundDeps): Outbound => {
  const live = new Map<ConversationId, Live>();
  const shown = new Set<string>();
  const closing = new AbortController();

  const append = async (conversation: ConversationId, data: string): Promise<Result<void, Failure>> => {
    const done = await events.append(conversation, data);
    return done.ok ? ok(undefined) : done;
  };
  const appendLive = async (conversation: ConversationId, data: string): Promise<Result<void, Failure>> => {
    const done = await append(conversation, data);
    // A live operation may be lost; the next one, or the post at the end, says it again.
    if (!done.ok) log.debug({ code: done.failure.code }, 'a live event was dropped');
    return ok(undefined);
  };

  const liveOf = (conversation: ConversationId): Live => {
    const known = live.get(conversation);
    if (known !== undefined) return known;
    const made: Live = { waiting: { draft: null, output: null }, timer: false, last: 0, kept: new Map() };
    live.set(conversation, made);
    return made;
  };

  const flush = async (conversation: ConversationId): Promise<Result<void, Failure>> => {
    const state = live.get(conversation);
    if (state === undefined) return ok(undefined);
    const { draft, output } = state.waiting;
    state.waiting = { draft: null, output: null };
    state.last = clock.now();
    const sent: Promise<Result<void, Failure>>[] = [];
    if (draft !== null) {
      const [data, kept] = encodeDraft(draft, state.kept.get(draft.message));
      state.kept.set(draft.message, kept);
      sent.push(appendLive(conversation, data));
    }
    if (output !== null) sent.push(appendLive(conversation, encodeOp(threadOf(conversation), output)));
    await Promise.all(sent);
    return ok(undefined);
  };

  const soon = (conversation: ConversationId, change: Partial<Live['waiting']>): Promise<Result<void, Failure>> => {
    const state = liveOf(conversation);
    state.waiting = { ...state.waiting, ...change };
    if (state.timer) return Promise.resolve(ok(undefined));
    const wait = state.last + webLimits.draftIntervalMs - clock.now();
    if (wait <= 0) return flush(conversation);
    state.timer = true;
    void clock.sleep(wait, closing.signal).then(async () => {
      state.timer = false;
      return closing.signal.aborted ? ok(undefined) : flush(conversation);
    });
    return Promise.resolve(ok(undefined));
  };

  const perform = async (conversation: ConversationId, op: OutboundOp): Promise<Result<void, Failure>> => {
    switch (op.op) {
      case 'draft':
        return soon(conversation, { draft: op });
      case 'output':
        return soon(conversation, { output: op });
      case 'status':
        await flush(conversation);
        if (op.state === 'idle') live.delete(conversation);
        return appendLive(conversation, encodeOp(threadOf(conversation), op));
      case 'ran':
        await flush(conversation);
        return appendLive(conversation, encodeOp(threadOf(conversation), op));
      case 'post': {
        const name = `${conversation} ${op.key}`;
        if (shown.has(name)) return ok(undefined);
        if (op.kind === 'answer') live.delete(conversation);
        const done = await append(conversation, encodeOp(threadOf(conversation), op));
        if (done.ok) remember(shown, name);
        return done;
      }
      default:
        return op satisfies never;
    }
  };

  return {
    perform,
    [Symbol.asyncDispose]: async () => {
      const open = [...live.keys()];
      await Promise.all(open.map(flush));
      closing.abort();
    },
  };
};

const remember = (set: Set<string>, name: string): void => {
  set.add(name);
  const [oldest] = set;
  if (set.size > POSTS_REMEMBERED && oldest !== undefined) set.delete(oldest);
};
