/** Values of the core -> what goes out over HTTP and into the event stream. Pure. docs/web-api.md describes the forms. */
import type { Failure } from '../../src/core/failure.ts';
import { forPerson } from '../../src/core/failure.ts';
import type { StoredFile } from '../../src/core/message.ts';
import type { LiveOp, Post } from '../../src/core/outbound.ts';
import type { Run, RunEnd, RunFile } from '../../src/core/run.ts';
import { keptState } from '../../src/core/run.ts';
import type { MessageView } from '../../src/core/view.ts';
import type { PendingMessage } from '../../src/ports/adapter.ts';
import type { StoredEvent } from './decode.ts';

export type FileJson = {
  readonly name: string;
  readonly type: string;
  readonly size: number;
  readonly url: string;
  readonly picture: boolean;
  readonly alt: string;
};
export type RunJson = ReturnType<typeof toRunJson>;
export type MessageJson = Omit<MessageView, 'files' | 'runs' | 'undone'> & {
  readonly files: readonly FileJson[];
  readonly runs: readonly RunJson[];
  readonly pending: boolean;
};

const PICTURES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp']);

export const toFileJson = (thread: string, file: StoredFile | RunFile): FileJson => ({
  name: file.name,
  type: file.type,
  size: file.size,
  url: `/api/threads/${thread}/files/${file.blob}/${encodeURIComponent(file.name.toWellFormed())}`,
  picture: PICTURES.has(file.type),
  alt: 'alt' in file ? file.alt : '',
});

const ENDS: { readonly [E in RunEnd]: string | null } = {
  finished: null,
  raised: 'The run raised an exception.',
  'timed-out': 'The run took too long and was ended.',
  'out-of-memory': 'The run needed more memory than it may have and was ended.',
  killed: 'The run’s process was ended.',
  stopped: 'The run was stopped.',
  broken: 'The sandbox failed under this run.',
};

/** `output` is all that a REPL would show, the last value included; `printed` and `value` are its parts. `error` is null only where all went well. */
export const toRunJson = (thread: string, run: Run, undone = false) => ({
  n: run.n,
  by: run.by,
  author: run.author?.name ?? null,
  at: run.at,
  code: run.code,
  end: run.end,
  output: run.value === null ? run.output : withNewline(run.output) + run.value,
  printed: run.output,
  value: run.value,
  droppedBytes: run.droppedBytes,
  kept: keptState(run),
  undone,
  error: run.error === null ? ENDS[run.end] : run.error.traceback || `${run.error.type}: ${run.error.value}`,
  exception: run.error,
  files: run.files.map((file) => toFileJson(thread, file)),
  removedFiles: run.removedFiles,
  lost: run.lost,
  notes: run.notes,
  durationMs: run.durationMs,
});
const withNewline = (text: string): string => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

export const toMessageJson = (thread: string, { undone, ...view }: MessageView): MessageJson => ({
  ...view,
  files: view.files.map((file) => toFileJson(thread, file)),
  runs: view.runs.map((run) => toRunJson(thread, run, undone.includes(run.n))),
  pending: false,
});

/** A message that waits for its turn looks like one that had it. */
export const toPendingJson = (thread: string, waiting: PendingMessage): Omit<MessageJson, 'id'> & { readonly id: string } => ({
  id: waiting.key,
  role: 'person',
  author: waiting.author.name,
  at: waiting.at,
  text: waiting.text,
  status: 'complete',
  failure: null,
  model: '',
  files: waiting.files.map((file) => toFileJson(thread, file)),
  runs: [],
  approval: null,
  pending: true,
});

/** A person's message as it is told to those who look on, before its turn. */
export const encodeAccepted = (message: { id: string; author: string; at: number; text: string; files: number }): string =>
  toStored({ event: 'message', turn: '', data: { kind: 'person', message: message.id, ...message } });

/** An operation as an entry of the event stream. Drafts have their own, `encodeDraft`. */
export const encodeOp = (thread: string, op: Exclude<LiveOp, { op: 'draft' }> | ({ op: 'post' } & Post)): string => {
  switch (op.op) {
    case 'status':
      return toStored({ event: 'status', turn: op.turn, data: { turn: op.turn, state: op.state, text: op.text } });
    case 'output':
      return toStored({ event: 'output', turn: op.turn, data: { turn: op.turn, run: op.run, text: op.text } });
    case 'ran':
      return toStored({
        event: 'ran',
        turn: op.turn,
        data: { turn: op.turn, message: op.message, run: toRunJson(thread, op.run) },
      });
    case 'post':
      return toStored({
        event: op.kind === 'command' ? 'command' : 'message',
        turn: op.turn,
        data: {
          key: op.key,
          turn: op.turn,
          message: op.message,
          kind: op.kind,
          text: op.text,
          status: op.status,
          files: op.files.map((file) => toFileJson(thread, file)),
          run: op.run === null ? null : toRunJson(thread, op.run),
          privateTo: op.privateTo?.name ?? null,
          request: op.origin['request'] ?? null,
          actions: op.actions,
          approval: op.approval,
        },
      });
    default:
      return op satisfies never;
  }
};
const toStored = (event: StoredEvent): string => JSON.stringify(event);

/** A whole answer to a request that failed. */
export type ErrorJson = { readonly error: { readonly code: string; readonly message: string } };

/** A failure -> HTTP status, body, and after how many seconds to come back. */
export const encodeFailure = (
  failed: Failure,
): { readonly status: number; readonly body: ErrorJson; readonly retryAfter: number | null } => {
  const status = STATUS[failed.code] ?? 500;
  const wait = waitSeconds(failed) ?? (status === 429 ? 10 : 3);
  const retryAfter = status === 429 || status === 503 ? wait : null;
  return { status, retryAfter, body: { error: { code: failed.code, message: forPerson(failed) } } };
};

const waitSeconds = (failed: Failure): number | null => {
  if (failed.code === 'rate-limited') return failed.waitSeconds;
  return failed.code === 'budget-day' ? failed.minutes * 60 : null;
};

const STATUS: { readonly [C in Failure['code']]?: number } = {
  'message-empty': 400,
  'request-malformed': 400,
  'command-arguments': 400,
  'file-unreadable': 400,
  forbidden: 403,
  'thread-unknown': 404,
  'command-unknown': 404,
  'message-too-long': 413,
  'file-too-large': 413,
  'too-many-files': 413,
  'rate-limited': 429,
  'budget-day': 429,
  'mailbox-full': 429,
  'store-unreachable': 503,
  'sandbox-busy': 503,
  interrupted: 503,
};

/** One server-sent event. The data is one line: JSON has no raw newlines. */
export const encodeSse = (event: string, data: unknown, id: string | null): string =>
  `${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
