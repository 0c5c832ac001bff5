/**
 * What the page shows of a thread. Pure: events and whole readings of the thread go in, a new state comes out.
 *
 * Events are quick and may be missed; a reading is the truth and comes after every turn and every reconnection. Everything has the id that
 * the server gave it, so that neither can double anything.
 */
import type { WireEvent, WireEvents, WireMessage, WireProgress, WireRun, WireThread } from './wire.ts';

/** A turn under way: what it has shown so far. */
export type Live = {
  readonly turn: string;
  readonly message: string;
  readonly text: string;
  readonly progress: readonly WireProgress[];
  readonly runs: readonly WireRun[];
  readonly output: string;
  readonly status: string;
};
/** A message of this page that the server has not told back yet. */
export type Local = { readonly message: WireMessage; readonly problem: string | null; readonly uploaded: number | null };

export type ThreadState = {
  readonly id: string | null;
  readonly busy: boolean;
  readonly messages: readonly WireMessage[];
  readonly live: Live | null;
  readonly local: readonly Local[];
};
export const emptyThread = (id: string | null): ThreadState => ({ id, busy: false, messages: [], live: null, local: [] });

/** A reading of the whole thread. */
export const applyThread = (state: ThreadState, thread: WireThread): ThreadState => {
  if (thread.id !== state.id) return state;
  const ids = new Set(thread.messages.map((message) => message.id));
  const over = state.live !== null && (ids.has(state.live.turn) || (!thread.busy && state.live.message !== ''));
  return {
    ...state,
    busy: thread.busy,
    messages: thread.messages,
    live: over || !thread.busy ? null : state.live,
    local: state.local.filter((mine) => !ids.has(mine.message.id)),
  };
};

/** An event, except `ready` and `command`, which change nothing of the thread itself. */
export const applyEvent = (state: ThreadState, event: WireEvent): ThreadState => {
  switch (event.name) {
    case 'status':
      if (event.data.state === 'working')
        return { ...state, busy: true, live: { ...liveOf(state, event.data.turn), status: event.data.text } };
      return { ...state, live: state.live?.turn === event.data.turn ? null : state.live };
    case 'draft': {
      const { turn, message, text, progress } = event.data;
      if (isTold(state, turn)) return state;
      return { ...state, busy: true, live: { ...liveOf(state, turn), message, text, progress } };
    }
    case 'output':
      return isTold(state, event.data.turn)
        ? state
        : { ...state, busy: true, live: { ...liveOf(state, event.data.turn), output: event.data.text } };
    case 'ran':
      return applyRun(state, event.data.turn, event.data.message, event.data.run);
    case 'message':
      return applyPost(state, event.data);
    case 'ready':
    case 'command':
      return state;
    default:
      return event satisfies never;
  }
};

const applyPost = (state: ThreadState, post: WireEvents['message']): ThreadState => {
  switch (post.kind) {
    case 'person':
      if (state.local.some((mine) => mine.message.id === post.message)) return { ...state, busy: true };
      return {
        ...upsert(state, { ...blank, id: post.message, author: post.author, at: post.at, text: post.text, pending: true }),
        busy: true,
      };
    case 'run':
      return post.run === null ? state : applyRun(state, post.turn, post.message, post.run);
    case 'notice': {
      const { message: id, text, status, files } = post;
      const at = state.messages.find((other) => other.id === id)?.at ?? Date.now();
      const approval =
        post.approval !== null && post.actions.includes('approve') ? { id: post.approval, state: 'waiting' as const, until: 0 } : null;
      return upsert(state, { ...blank, id, role: 'bot', author: 'Hektor', at, text, status, files, approval });
    }
    case 'answer': {
      const live = state.live?.turn === post.turn ? state.live : null;
      const { message: id, text, status, files } = post;
      const bot: WireMessage = {
        ...blank,
        id,
        role: 'bot',
        author: 'Hektor',
        at: Date.now(),
        text,
        status,
        files,
        runs: [...(live?.runs ?? [])],
      };
      return { ...upsert(state, bot), live: live === null ? state.live : null };
    }
    default:
      return post satisfies never;
  }
};

/** A person's run stands with the person's message, the model's with the answer that is being made. */
const applyRun = (state: ThreadState, turn: string, message: string, run: WireRun): ThreadState => {
  const owner = [...state.messages, ...state.local.map((mine) => mine.message)].find((one) => one.id === message);
  if (owner !== undefined) {
    const next = { ...owner, runs: withRun(owner.runs, run), pending: false };
    return { ...upsert(state, next), live: state.live?.turn === turn ? { ...state.live, output: '' } : state.live };
  }
  const live = liveOf(state, turn);
  return { ...state, live: { ...live, runs: withRun(live.runs, run), output: '' } };
};
const withRun = (runs: readonly WireRun[], run: WireRun): WireRun[] => [...runs.filter((other) => other.n !== run.n), run];

const liveOf = (state: ThreadState, turn: string): Live =>
  state.live?.turn === turn ? state.live : { turn, message: '', text: '', progress: [], runs: [], output: '', status: '' };
const isTold = (state: ThreadState, turn: string): boolean => state.messages.some((message) => message.id === turn);

/** In place where it is known, in the local list where it is ours, else at the end. */
const upsert = (state: ThreadState, message: WireMessage): ThreadState => {
  if (state.local.some((mine) => mine.message.id === message.id)) {
    return { ...state, local: state.local.map((mine) => (mine.message.id === message.id ? { ...mine, message, problem: null } : mine)) };
  }
  const known = state.messages.some((other) => other.id === message.id);
  const messages = known ? state.messages.map((other) => (other.id === message.id ? message : other)) : [...state.messages, message];
  return { ...state, messages };
};

const blank: WireMessage = {
  id: '',
  role: 'person',
  author: '',
  at: 0,
  text: '',
  status: 'complete',
  failure: null,
  model: '',
  files: [],
  runs: [],
  approval: null,
  pending: false,
};

/** Adds a message that is being sent. */
export const addLocal = (
  state: ThreadState,
  fields: { id: string; author: string; text: string; files: WireMessage['files'] },
): ThreadState => ({
  ...state,
  busy: true,
  local: [...state.local, { message: { ...blank, ...fields, at: Date.now(), pending: true }, problem: null, uploaded: null }],
});
export const changeLocal = (state: ThreadState, id: string, change: Partial<Omit<Local, 'message'>>): ThreadState => ({
  ...state,
  local: state.local.map((mine) => (mine.message.id === id ? { ...mine, ...change } : mine)),
});
export const dropLocal = (state: ThreadState, id: string): ThreadState => ({
  ...state,
  local: state.local.filter((mine) => mine.message.id !== id),
});

/** Takes away a message that turned out not to stand in the thread, such as a command. */
export const dropMessage = (state: ThreadState, id: string): ThreadState => {
  const rest = { ...dropLocal(state, id), messages: state.messages.filter((message) => message.id !== id) };
  return { ...rest, busy: isBusy(rest) };
};

/** Whether a turn runs, or something is on its way. */
export const isBusy = (state: ThreadState): boolean => state.live !== null || state.local.some((mine) => mine.problem === null);

/** The code of a message that is code, as `>>> code` or `>>>` and lines below; null where it is words. */
export const codeOf = (text: string): string | null => {
  const rest = /^\s*>>>(?: |\n|$)?([\s\S]*)$/.exec(text)?.[1];
  return rest === undefined || !/^\s*>>>/.test(text) ? null : rest;
};
