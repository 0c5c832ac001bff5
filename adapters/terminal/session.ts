/** One thread at a terminal: entries go in one after the other, and whatever the thread shows is written as it comes. */
import { forPerson } from '../../src/core/failure.ts';
import { eventKey } from '../../src/core/ids.ts';
import type { Address, BlobId, ConversationId } from '../../src/core/ids.ts';
import type { Person } from '../../src/core/message.ts';
import type { OutboundOp } from '../../src/core/outbound.ts';
import type { RunFile } from '../../src/core/run.ts';
import type { CommandAnswer, InboundDeps } from '../../src/ports/adapter.ts';
import { decodeOp, isLast, toIncoming } from './decode.ts';
import { emptyScreen, pass, show, tell } from './encode.ts';
import type { Look, Screen } from './encode.ts';
import type { Home } from './home.ts';
import type { Entry } from './input.ts';
import { QUIET_MS, STILL_BUSY_MS } from './limits.ts';

export type SessionOptions = {
  readonly deps: Pick<InboundDeps, 'gateway' | 'events' | 'clock' | 'log'>;
  readonly conversation: ConversationId;
  readonly address: Address;
  readonly author: Person;
  readonly home: Home;
  readonly look: () => Look;
  readonly write: (text: string) => void;
};

export type Session = AsyncDisposable & {
  /** Resolves when the entry is answered: whether all went well (code that raised did not). */
  readonly submit: (entry: Exclude<Entry, { kind: 'leave' }>) => Promise<boolean>;
  readonly busy: () => boolean;
  /** Asks for what runs to be stopped; `submit` resolves when it has. */
  readonly stop: () => Promise<void>;
  readonly tell: (text: string) => void;
};

type Current = { readonly id: string; readonly code: boolean; readonly done: (well: boolean) => void };

/** Listens from now on: what was shown before is not shown again. */
export const createSession = async (options: SessionOptions): Promise<Session> => {
  const { deps, conversation, address, author, home, look, write } = options;
  const { gateway, events, clock, log } = deps;
  const closing = new AbortController();
  const posts = new Set<string>();
  let screen: Screen = emptyScreen;
  let current: Current | null = null;

  const put = ([next, text]: readonly [Screen, string]): void => {
    screen = next;
    if (text !== '') write(text);
  };

  const hear = async (op: OutboundOp): Promise<void> => {
    // Live operations of what somebody else asked for in this thread would write into the line that is being typed.
    if (op.op !== 'post' && current === null) return;
    if (op.op === 'post' && posts.has(op.key)) return;
    if (op.op === 'post') posts.add(op.key);
    const paths = await saveFiles(op);
    put(show(screen, op, look(), { paths, watching: current?.code === true }));
    if (op.op === 'post' && current !== null && isLast(op, current.id)) {
      current.done(op.run === null ? op.status === 'complete' || op.status === 'cut' : op.run.error === null && op.run.end === 'finished');
    }
  };

  const saveFiles = async (op: OutboundOp): Promise<ReadonlyMap<BlobId, string>> => {
    const run = op.op === 'ran' || op.op === 'post' ? op.run : null;
    const files: readonly RunFile[] = run === null ? (op.op === 'post' && op.kind === 'command' ? op.files : []) : run.files;
    const paths = new Map<BlobId, string>();
    if (run !== null && screen.runs.has(run.n)) return paths;
    for (const file of files) {
      const bytes = await gateway.blob(conversation, file.blob);
      if (!bytes.ok || bytes.value === null) continue;
      const path = await home.save(address.thread, run === null ? file.name : `run-${run.n}-${file.name}`, bytes.value);
      if (path !== undefined) paths.set(file.blob, path);
    }
    return paths;
  };

  const latest = await events.latest(conversation);
  const listen = async (): Promise<void> => {
    let after = latest.ok ? latest.value : '0';
    while (!closing.signal.aborted) {
      for await (const event of events.read(conversation, after, closing.signal)) {
        after = event.id;
        const op = decodeOp(event.data);
        if (op === undefined) log.warn({ conversation }, 'a stored operation does not decode');
        else await hear(op);
      }
      // The store went away: what it keeps is read when it is back.
      await clock.sleep(1_000, closing.signal);
    }
  };
  const listening = listen();

  const answer = async ({ text, files }: CommandAnswer): Promise<void> => {
    const saved: string[] = [];
    for (const file of files) {
      const path = await home.save(address.thread, file.name, file.content);
      saved.push(path === undefined ? `[${file.name} could not be saved]` : `[file ${path}]`);
    }
    put(tell(screen, [text, ...saved].filter((line) => line !== '').join('\n'), look()));
  };

  /** An answer that was lost on the way must not leave the person waiting for ever. */
  const watch = async (mine: Current, signal: AbortSignal): Promise<void> => {
    await clock.sleep(QUIET_MS, signal);
    if (!signal.aborted && mine.code && screen.fresh && !screen.passing) put(pass(screen, 'Running; Ctrl-C stops it', look()));
    let idle = 0;
    while (!signal.aborted) {
      await clock.sleep(STILL_BUSY_MS, signal);
      const state = signal.aborted ? undefined : await gateway.read(conversation);
      idle = state?.ok === true && state.value?.busy !== true ? idle + 1 : 0;
      if (idle >= 2 && !signal.aborted) {
        put(tell(screen, 'No answer came back. `!retry` tries again.', look()));
        mine.done(false);
      }
    }
  };

  const submit: Session['submit'] = async (entry) => {
    const id = clock.newId();
    const waiting = Promise.withResolvers<boolean>();
    const ended = new AbortController();
    const mine: Current = { id, code: entry.kind === 'code' || entry.kind === 'command', done: waiting.resolve };
    current = mine;
    const watched = watch(mine, ended.signal);
    try {
      const accepted = await gateway.accept(toIncoming(entry, address, author, id));
      if (!accepted.ok) {
        put(tell(screen, forPerson(accepted.failure), look()));
        return false;
      }
      if (accepted.value.answer !== null) {
        await answer(accepted.value.answer);
        return true;
      }
      return await waiting.promise;
    } finally {
      current = null;
      ended.abort();
      await watched;
      // Whatever was left standing makes room for the prompt.
      put(tell({ ...screen, said: '' }, '', look()));
      if (screen.passing || !screen.fresh) put([{ ...screen, passing: false, fresh: true }, screen.passing ? '\r\u001b[K' : '\n']);
    }
  };

  const stop = async (): Promise<void> => {
    const stopped = await gateway.accept({
      kind: 'command',
      address,
      key: eventKey(clock.newId()),
      author,
      standing: 'member',
      name: 'stop',
      args: '',
      origin: {},
    });
    if (!stopped.ok) put(tell(screen, forPerson(stopped.failure), look()));
  };

  return {
    submit,
    stop,
    busy: () => current !== null,
    tell: (text) => put(tell(screen, text, look())),
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await listening;
    },
  };
};
