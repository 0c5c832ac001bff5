/** Commands over HTTP: what a slash command is elsewhere. The request waits for the answer, wherever it is made. */
import { z } from 'zod';
import type { Failure } from '../../src/core/failure.ts';
import type { ConversationId } from '../../src/core/ids.ts';
import type { Person } from '../../src/core/message.ts';
import type { Result } from '../../src/core/result.ts';
import { err, ok } from '../../src/core/result.ts';
import type { InboundDeps } from '../../src/ports/adapter.ts';
import type { StoredEvent } from './decode.ts';
import { addressOfThread, decodeStoredEvent, messageKey, threadOf } from './decode.ts';
import { httpLimits } from './limits.ts';

export type CommandRequest = {
  readonly conversation: ConversationId;
  readonly author: Person;
  readonly name: string;
  readonly args: string;
  readonly key: string | undefined;
};
/** `done` false: it was accepted and its answer has not come yet; it will come as an event. */
export type CommandReply = {
  readonly done: boolean;
  /** The command said no; `text` says why. */
  readonly refused: boolean;
  readonly text: string;
  readonly files: readonly unknown[];
  readonly run: unknown;
};

const NOT_YET = 'Accepted. The answer will come in the thread.';
const DONE_BEFORE = 'This was done before; what came of it is in the thread.';

/** Runs a command and waits for its answer, at most a minute. */
export const runCommand = async (
  { gateway, events, clock }: InboundDeps,
  request: CommandRequest,
  signal: AbortSignal,
): Promise<Result<CommandReply, Failure>> => {
  const { conversation, author, name, args } = request;
  // Read from before the command is accepted, so that no answer can be missed.
  const latest = await events.latest(conversation);
  if (!latest.ok) return latest;
  const key = messageKey(request.key, () => `command:${clock.newId()}`);
  const accepted = await gateway.accept({
    kind: 'command',
    address: addressOfThread(threadOf(conversation)),
    key,
    author,
    standing: 'member',
    name,
    args,
    origin: { request: key },
  });
  if (!accepted.ok) return err(accepted.failure);
  const { answer } = accepted.value;
  if (answer !== null) return ok({ done: true, refused: false, text: answer.text, files: answer.files, run: null });
  // What was asked before is answered or will be; its answer is in the thread.
  if (accepted.value.duplicate) {
    const read = await gateway.read(conversation);
    if (!read.ok) return read;
    const done = read.value?.busy !== true;
    return ok({ done, refused: false, text: done ? DONE_BEFORE : NOT_YET, files: [], run: null });
  }

  const ended = new AbortController();
  const waiting = AbortSignal.any([signal, ended.signal]);
  const timer = clock.sleep(httpLimits.commandWaitMs, waiting).then(() => ended.abort());
  try {
    for await (const event of events.read(conversation, latest.value, waiting)) {
      const reply = replyIn(decodeStoredEvent(event.data), key);
      if (reply !== null) return ok(reply);
    }
  } finally {
    ended.abort();
    await timer;
  }
  return ok({ done: false, refused: false, text: NOT_YET, files: [], run: null });
};

const postSchema = z.object({
  request: z.string().nullable(),
  status: z.string(),
  text: z.string(),
  files: z.array(z.unknown()),
  run: z.unknown(),
});

/** `py` ends in a run, `ask` and `retry` in an answer, all others in a post of their own kind. */
const replyIn = (event: StoredEvent | null, key: string): CommandReply | null => {
  if (event === null || (event.event !== 'command' && event.event !== 'message')) return null;
  const post = postSchema.safeParse(event.data);
  if (!post.success || post.data.request !== key) return null;
  // A run of the model's is on the way to its answer.
  if (event.data['kind'] === 'run' && byModel(post.data.run)) return null;
  const refused = event.event === 'command' && post.data.status === 'failed';
  return { done: true, refused, text: post.data.text, files: post.data.files, run: post.data.run ?? null };
};
const byModel = (run: unknown): boolean => typeof run === 'object' && run !== null && 'by' in run && run.by === 'model';
