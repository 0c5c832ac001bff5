/**
 * One reader's view of a thread's event stream, as server-sent events.
 *
 * Every reader is first brought up to date from what the stream remembers. One that says where it was (`after`) gets what came since;
 * one that is new, or was away for too long, gets what the running turn has shown so far. Then comes `ready`, and from there on
 * everything as it happens. A post is told once, however often it is in the stream.
 */
import type { ConversationId } from '../../../src/core/ids.ts';
import type { EventStream, StreamedEvent } from '../../../src/ports/event-stream.ts';
import type { StoredEvent } from '../decode.ts';
import { decodeStoredEvent } from '../decode.ts';
import { encodeSse } from '../encode.ts';
import { createDraftReader } from './draft-delta.ts';

export type FeedStart = { readonly conversation: ConversationId; readonly latest: string; readonly after: string | null };

/** The frames to send, in order, until the signal aborts or the stream ends. */
export async function* feedOf(events: EventStream, start: FeedStart, signal: AbortSignal): AsyncGenerator<string> {
  const reader = createReader();
  let resumed = start.after === '0' || start.after === start.latest;
  const turn = createRunningTurn();
  if (start.latest === '0') yield encodeSse('ready', { resumed }, '0');
  let caughtUp = start.latest === '0';
  for await (const event of events.read(start.conversation, '0', signal)) {
    const told = reader(event);
    if (caughtUp) {
      if (told !== null) yield told.frame;
      continue;
    }
    if (told !== null) {
      if (resumed && start.after !== start.latest) yield told.frame;
      else turn.add(told);
    }
    if (event.id === start.after) resumed = true;
    if (event.id === start.latest) {
      caughtUp = true;
      if (!resumed) yield* turn.frames();
      yield encodeSse('ready', { resumed }, event.id);
    }
  }
}

type Told = { readonly event: StoredEvent['event']; readonly turn: string; readonly data: unknown; readonly frame: string };

/** Decodes, puts drafts together and leaves out what was told before. */
const createReader = (): ((event: StreamedEvent) => Told | null) => {
  const drafts = createDraftReader();
  const posts = new Set<string>();
  return ({ id, data }) => {
    const stored = decodeStoredEvent(data);
    if (stored === null) return null;
    const { event, turn } = stored;
    if (event === 'draft') {
      const draft = drafts.read(stored.data);
      return draft === null ? null : { event, turn, data: draft, frame: encodeSse(event, draft, id) };
    }
    const key = stored.data['key'];
    if (typeof key === 'string') {
      if (posts.has(key)) return null;
      posts.add(key);
    }
    if (stored.data['kind'] === 'answer') drafts.forget(turn);
    return { event, turn, data: stored.data, frame: encodeSse(event, stored.data, id) };
  };
};

/** What a turn that has not ended has shown so far: its last status, draft and output, and its runs. */
const createRunningTurn = (): { readonly add: (told: Told) => void; readonly frames: () => readonly string[] } => {
  let turn = '';
  const parts = new Map<string, string>();
  return {
    add: ({ event, turn: of, data, frame }) => {
      if (of === '' || event === 'command') return;
      if (of !== turn) parts.clear();
      turn = of;
      const ended = (event === 'status' && stateOf(data) === 'idle') || event === 'message';
      if (ended) parts.clear();
      else if (event === 'ran') {
        parts.delete('output');
        parts.set(`ran ${parts.size}`, withoutId(frame));
      } else {
        // Latest wins, and stands where the latest came.
        parts.delete(event);
        parts.set(event, withoutId(frame));
      }
    },
    frames: () => [...parts.values()],
  };
};
const withoutId = (frame: string): string => frame.replace(/^id: [^\n]*\n/, '');
const stateOf = (data: unknown): unknown => (typeof data === 'object' && data !== null && 'state' in data ? data.state : null);
