/** One request and its reply, with two timers over it: the first byte, and silence after it. Never throws. */
import { APIError } from 'openai';
import type OpenAI from 'openai';
import { Stream } from 'openai/streaming';
import { createAccumulator } from './accumulate.ts';
import type { Draft } from './accumulate.ts';
import { decodeChunk, isCompletion } from './chunk.ts';
import type { Fault } from './fault.ts';
import { toFault } from './to-fault.ts';
import type { Body } from './to-body.ts';
import { watchBody } from './watch.ts';
import type { Watch } from './watch.ts';

export type Attempt =
  /** `ended`: how the end was known: the model gave a reason, the server said `[DONE]`, or the connection was simply closed. */
  | { readonly end: 'reply'; readonly draft: Draft; readonly ended: 'reason' | 'done' | 'closed' }
  | { readonly end: 'fault'; readonly fault: Fault; readonly draft: Draft }
  | { readonly end: 'aborted'; readonly draft: Draft };

export type AttemptOptions = {
  readonly client: OpenAI;
  readonly body: Body;
  readonly firstByteMs: number;
  readonly idleMs: number;
  readonly onText: (soFar: string) => void;
  readonly signal: AbortSignal;
  readonly secrets: readonly string[];
};

/** Some servers never close the connection after the last piece: once the reason to stop is there, this much silence is the end. */
const AFTER_REASON_MS = 3_000;

export const attempt = async (options: AttemptOptions): Promise<Attempt> => {
  const { signal } = options;
  const accumulator = createAccumulator();
  if (signal.aborted) return { end: 'aborted', draft: accumulator.draft() };
  const own = new AbortController();
  const both = AbortSignal.any([signal, own.signal]);
  let silent = false;
  const timer = startTimer(options.firstByteMs, () => {
    silent = true;
    own.abort();
  });
  let began = false;
  let watch: Watch | undefined;
  /** How the reply ended, or a fault that the server did not raise by itself. */
  const conclude = (thrown: unknown): Attempt => {
    accumulator.end();
    const draft = accumulator.draft();
    if (signal.aborted) return { end: 'aborted', draft };
    if (draft.full || draft.finish !== null) return { end: 'reply', draft, ended: 'reason' };
    if (silent) return { end: 'fault', draft, fault: plainFault('silent', 'no bytes came in time') };
    if (thrown !== undefined) return { end: 'fault', draft, fault: toFault(thrown, began, options.secrets) };
    if (!draft.started) return { end: 'fault', draft, fault: plainFault('page', 'the reply held no part of a completion') };
    return { end: 'reply', draft, ended: watch?.sawDone() === true ? 'done' : 'closed' };
  };

  try {
    const raw = await options.client.chat.completions.create(options.body, { signal: both }).asResponse();
    began = true;
    timer.restart(options.idleMs);
    watch = watchBody(raw, () => timer.restart(accumulator.glance().finished ? Math.min(AFTER_REASON_MS, options.idleMs) : options.idleMs));
    const type = raw.headers.get('content-type') ?? '';
    // Asked for a stream, some servers answer in one piece; asked for one piece, none is known to stream.
    if (options.body.stream !== true || /\bjson\b/i.test(type)) await readWhole(watch.response, accumulator);
    else await readStream(watch.response, own, options, accumulator, timer.restart);
    return conclude(undefined);
  } catch (thrown) {
    return conclude(thrown);
  } finally {
    timer.stop();
    if (watch?.isOver() !== true) own.abort();
  }
};

const readWhole = async (response: Response, accumulator: ReturnType<typeof createAccumulator>): Promise<void> => {
  const value: unknown = JSON.parse(await response.text());
  if (typeof value === 'object' && value !== null && 'error' in value && value.error !== null && value.error !== undefined)
    throw new APIError(undefined, value.error, undefined, response.headers);
  const chunk = decodeChunk(value);
  if (isCompletion(chunk)) accumulator.add(chunk);
};

const readStream = async (
  response: Response,
  own: AbortController,
  options: AttemptOptions,
  accumulator: ReturnType<typeof createAccumulator>,
  restart: (ms: number) => void,
): Promise<void> => {
  let shown = '';
  for await (const value of Stream.fromSSEResponse<unknown>(response, own, options.client)) {
    const chunk = decodeChunk(value);
    if (chunk === undefined) continue;
    accumulator.add(chunk);
    const { full, text, finished } = accumulator.glance();
    if (text !== shown && !options.signal.aborted) {
      shown = text;
      options.onText(text);
    }
    if (full) return;
    if (finished) restart(Math.min(AFTER_REASON_MS, options.idleMs));
  }
};

const plainFault = (at: Fault['at'], message: string): Fault => ({
  at,
  message,
  status: null,
  code: '',
  param: '',
  retryAfterMs: null,
  generation: '',
});

const startTimer = (firstMs: number, onEnd: () => void): { readonly restart: (ms: number) => void; readonly stop: () => void } => {
  let timer = setTimeout(onEnd, firstMs);
  let current = firstMs;
  return {
    restart: (ms) => {
      if (ms === current) {
        timer.refresh();
        return;
      }
      clearTimeout(timer);
      current = ms;
      timer = setTimeout(onEnd, ms);
    },
    stop: () => clearTimeout(timer),
  };
};
