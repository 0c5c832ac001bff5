/**
 * The renderer: what a turn tells -> outbound operations. Pure. One renderer per turn; its state is what the draft shows so far.
 * Live operations only; the durable posts of a turn are made from its entries (`postsOf`), because they are committed with them.
 */
import type { Entry } from './conversation.ts';
import { askingWords, decidedWords } from './approval-words.ts';
import { botMessage } from './turn-state.ts';
import type { Turn } from './turn-state.ts';
import { newPost } from './outbound.ts';
import type { LiveOp, Post, ProgressLine } from './outbound.ts';
import type { ThreadEvent } from './thread-event.ts';
import type { TurnId } from './ids.ts';

export type DraftState = { readonly said: readonly string[]; readonly text: string; readonly progress: readonly ProgressLine[] };
export const emptyDraft: DraftState = { said: [], text: '', progress: [] };

type Rendered = readonly [DraftState, readonly LiveOp[]];

export const renderEvent = (state: DraftState, event: ThreadEvent): Rendered => {
  const draft = (next: DraftState): Rendered => [next, [toDraft(event.turn, next)]];
  switch (event.type) {
    case 'turn-started':
      return [state, [status(event.turn, event.item.kind === 'run' ? 'Running' : 'Thinking', event.item.origin)]];
    case 'text-streamed':
      return draft({ ...state, text: event.text });
    case 'tool-started':
      // The text of the step before the call stays above what comes after it.
      return draft({
        said: state.text.trim() === '' ? state.said : [...state.said, state.text.trim()],
        text: '',
        progress: [...state.progress, { call: event.call.id, text: event.summary, state: 'running' }],
      });
    case 'tool-progressed':
      return draft({
        ...state,
        progress: state.progress.map((line) => (line.call === event.call.id ? { ...line, text: event.line } : line)),
      });
    case 'tool-finished':
      return draft({
        ...state,
        progress: state.progress.map((line) => (line.call === event.call.id ? { ...line, state: event.failed ? 'failed' : 'done' } : line)),
      });
    case 'output-streamed':
      return [state, [{ op: 'output', turn: event.turn, run: event.run, text: event.text }]];
    case 'run-finished':
      return [state, [{ op: 'ran', turn: event.turn, message: event.message, run: event.run }]];
    case 'turn-retrying':
      return [{ ...state, text: '' }, [status(event.turn, 'The model did not answer; trying again')]];
    case 'turn-finished':
      return [state, [{ op: 'status', turn: event.turn, state: 'idle', text: '', origin: {} }]];
    case 'waiting':
      return [state, [status(event.turn, event.text)]];
    default:
      return event satisfies never;
  }
};

const status = (turn: TurnId, text: string, origin: { readonly [key: string]: string } = {}): LiveOp => ({
  op: 'status',
  turn,
  state: 'working',
  text,
  origin,
});

const toDraft = (turn: TurnId, state: DraftState): LiveOp => ({
  op: 'draft',
  turn,
  message: botMessage(turn),
  text: [...state.said, state.text].filter((part) => part !== '').join('\n\n'),
  progress: state.progress,
});

/** The durable posts of a finished turn, in order; what asks for a yes stands below the answer. */
export const postsOf = (turn: Turn): readonly Post[] => {
  const posts = turn.entries.flatMap((entry) => postOf(turn, entry));
  const asks = (post: Post): boolean => post.actions.includes('approve');
  return [...posts.filter((post) => !asks(post)), ...posts.filter(asks)];
};

/** An answer that only says that a call waits for a yes is nothing to praise or blame yet. */
const actionsUnder = (turn: Turn, status: Post['status']): Post['actions'] => {
  if (status !== 'complete') return ['retry'];
  return turn.entries.some((entry) => entry.kind === 'awaiting') ? [] : ['feedback'];
};

const postOf = (turn: Turn, entry: Entry): readonly Post[] => {
  const post = (given: Pick<Post, 'key' | 'message' | 'kind'> & Partial<Post>): readonly Post[] => [
    newPost({ turn: turn.id, origin: turn.item.origin, ...given }),
  ];
  const { id } = turn;
  switch (entry.kind) {
    case 'ran': {
      const { message, run, call } = entry;
      // The files of the model's runs go with its answer.
      if (call === null) return post({ key: `${id}:run`, message, kind: 'run', run, files: run.files });
      return post({ key: `${id}:run:${run.n}`, message, kind: 'run', run });
    }
    case 'answered': {
      const { message, status, files, failure } = entry;
      const text = [...turn.spoken, entry.text, failure === null ? '' : failure.words].filter((part) => part.trim() !== '').join('\n\n');
      return post({ key: `${id}:answer`, message, kind: 'answer', text, status, files, actions: actionsUnder(turn, status) });
    }
    case 'awaiting': {
      const { message, approval } = entry;
      const text = askingWords(entry);
      return post({ key: `${id}:approval:${approval}`, message, kind: 'notice', text, actions: ['approve', 'deny'], approval });
    }
    case 'decided':
      // The same message as the one that asked, and no actions: an adapter may show it in that one's place.
      return post({
        key: `${id}:decided`,
        message: entry.message,
        kind: 'notice',
        text: decidedWords(entry),
        approval: entry.approval,
      });
    case 'said':
    case 'heard':
    case 'called':
    case 'result':
    case 'state-moved':
    case 'summarised':
    case 'noticed':
    case 'redacted':
      return [];
    default:
      return entry satisfies never;
  }
};
