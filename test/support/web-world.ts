/**
 * The web adapter over a real socket, in front of a small world in memory: conversations are lists of entries, and a scripted bot
 * answers through the adapter's outbound half, as the worker would.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { web } from '../../adapters/web/index.ts';
import { commandHelp } from '../../src/commands/index.ts';
import type { Entry, Session } from '../../src/core/conversation.ts';
import { defaultChannelSettings } from '../../src/core/channel-settings.ts';
import { newSession } from '../../src/core/conversation.ts';
import type { Failure } from '../../src/core/failure.ts';
import { forPerson } from '../../src/core/failure.ts';
import type { BlobId, ConversationId, TurnId } from '../../src/core/ids.ts';
import { blobId, conversationIdOf, messageId, turnId } from '../../src/core/ids.ts';
import type { Person, StoredFile } from '../../src/core/message.ts';
import type { OutboundOp, Post } from '../../src/core/outbound.ts';
import { err, ok } from '../../src/core/result.ts';
import type { Result } from '../../src/core/result.ts';
import type { Run } from '../../src/core/run.ts';
import type { Accepted, Gateway, Incoming, IncomingOf, PendingMessage } from '../../src/ports/adapter.ts';
import type { EventStream } from '../../src/ports/event-stream.ts';
import { createMemoryDeps } from './memory-ports.ts';
import { aPost } from './samples.ts';
import type { createTestLog } from './test-log.ts';
import { valueOf } from './results.ts';

type Said = IncomingOf<'message' | 'command'>;

/** What the scripted bot can do in one turn. */
export type BotTurn = {
  readonly turn: TurnId;
  readonly incoming: Said;
  readonly perform: (op: OutboundOp) => Promise<void>;
  readonly status: (state: 'working' | 'idle', text?: string) => Promise<void>;
  readonly draft: (text: string, progress?: Extract<OutboundOp, { op: 'draft' }>['progress']) => Promise<void>;
  readonly ran: (run: Run) => Promise<void>;
  readonly put: (bytes: Uint8Array) => BlobId;
  /** Commits: the person's message, the runs, and the answer where there is one. */
  readonly finish: (answer: { text?: string; status?: 'complete' | 'cut' | 'stopped' | 'failed'; failure?: Failure }) => Promise<void>;
  /** Commits a run of the person's own. */
  readonly finishRun: (run: Run) => Promise<void>;
  readonly answerCommand: (text: string, fields?: Partial<Post>) => Promise<void>;
};
export type Bot = (turn: BotTurn) => Promise<void>;

type Conversation = { session: Session; entries: Entry[]; pending: PendingMessage[]; keys: Set<string>; busy: number };

export type WebWorld = AsyncDisposable & {
  readonly url: string;
  readonly port: number;
  readonly events: EventStream;
  readonly accepted: Said[];
  readonly log: ReturnType<typeof createTestLog>['lines'];
  bot: Bot;
  /** Every call of the gateway fails with this while it is set. */
  broken: Failure | null;
  /** Cuts every open connection, as a proxy that restarts would. */
  readonly cut: () => void;
  readonly connections: () => Promise<number>;
  readonly conversation: (thread: string) => ConversationId;
  readonly perform: (thread: string, op: OutboundOp) => Promise<void>;
};

export type WebWorldOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly limits?: Gateway['limits'];
  readonly model?: ReturnType<Gateway['model']>;
  readonly port?: number;
};

export const digest = (bytes: Uint8Array): BlobId => blobId(createHash('sha256').update(bytes).digest('hex').slice(0, 32));

export const startWebWorld = async (options: WebWorldOptions = {}): Promise<WebWorld> => {
  const memory = createMemoryDeps();
  const { events } = memory.inbound;
  const blobs = new Map<string, Uint8Array>();
  const conversations = new Map<ConversationId, Conversation>();
  const accepted: Said[] = [];
  const limits = options.limits ?? { textChars: 100_000, files: 10, fileBytes: 1024 * 1024 };
  const adapter = valueOf(web.create(options.env ?? {}));
  if (adapter === null) throw new Error('the web adapter is always set up');
  const outbound = valueOf(await adapter.outbound(memory.outbound));
  let serial = 0;

  const conversationOf = (id: ConversationId, owner: Person | null): Conversation => {
    const known = conversations.get(id) ?? {
      session: newSession(Date.now(), owner),
      entries: [],
      pending: [],
      keys: new Set<string>(),
      busy: 0,
    };
    conversations.set(id, known);
    return known;
  };

  const turnOf = (id: ConversationId, conversation: Conversation, incoming: Said, files: readonly StoredFile[]): BotTurn => {
    const turn = turnId(`turn-${++serial}`);
    const message = messageId(turn);
    const runs: Run[] = [];
    const perform = async (op: OutboundOp): Promise<void> => valueOf(await outbound.perform(id, op));
    const post = (fields: Partial<Post>): Promise<void> =>
      perform({
        op: 'post',
        ...aPost(`${turn}:${fields.kind}:${fields.run?.n ?? ''}`, { turn, message, origin: incoming.origin, ...fields }),
      });
    const said = (intent: 'ask' | 'run'): void => {
      if (incoming.kind !== 'message') return;
      conversation.pending = conversation.pending.filter((item) => item.key !== incoming.key);
      const { author, text, key } = incoming;
      conversation.entries.push({ kind: 'said', at: Date.now(), turn, message: messageId(key), key, author, text, intent, files });
    };
    return {
      turn,
      incoming,
      perform,
      status: (state, text = '') => perform({ op: 'status', turn, state, text, origin: {} }),
      draft: (text, progress = []) => perform({ op: 'draft', turn, message, text, progress }),
      ran: async (run) => {
        runs.push(run);
        await perform({ op: 'ran', turn, message, run });
      },
      put: (bytes) => {
        blobs.set(`${id} ${digest(bytes)}`, bytes);
        return digest(bytes);
      },
      finish: async ({ text = '', status = 'complete', failure: failed }) => {
        said('ask');
        const stored = failed === undefined ? null : { code: failed.code, words: forPerson(failed) };
        const runFiles = runs.flatMap((run) => run.files);
        for (const run of runs) conversation.entries.push({ kind: 'ran', at: Date.now(), turn, call: null, message, run });
        conversation.entries.push({
          kind: 'answered',
          at: Date.now(),
          turn,
          message,
          text,
          files: runFiles,
          status,
          failure: stored,
          model: 'practice',
          usage: null,
          costMicros: null,
          prompts: [],
        });
        for (const run of runs) await post({ kind: 'run', text: '', run });
        const actions = status === 'complete' ? [] : (['retry'] as const);
        await post({ kind: 'answer', text: text || (stored?.words ?? ''), status, files: runFiles, actions });
        await perform({ op: 'status', turn, state: 'idle', text: '', origin: {} });
      },
      finishRun: async (run) => {
        said('run');
        const own = messageId(incoming.key);
        conversation.entries.push({ kind: 'ran', at: Date.now(), turn, call: null, message: own, run });
        await post({ kind: 'run', message: own, text: '', run, files: run.files });
        await perform({ op: 'status', turn, state: 'idle', text: '', origin: {} });
      },
      answerCommand: (text, fields = {}) => {
        conversation.pending = conversation.pending.filter((item) => item.key !== incoming.key);
        return post({ kind: 'command', text, ...fields });
      },
    };
  };

  const accept = async (incoming: Incoming): Promise<Result<Accepted, Failure>> => {
    if (world.broken !== null) return err(world.broken);
    if (incoming.kind !== 'message' && incoming.kind !== 'command') throw new TypeError('nothing is edited or deleted on the web');
    const id = conversationIdOf(incoming.address);
    const conversation = conversationOf(id, incoming.author);
    if (conversation.keys.has(incoming.key)) return ok({ conversation: id, duplicate: true, answer: null });
    conversation.keys.add(incoming.key);
    accepted.push(incoming);
    if (incoming.kind === 'command' && incoming.name === 'help') {
      return ok({ conversation: id, duplicate: false, answer: { text: '`help` lists them.', private: true, files: [] } });
    }
    const files: StoredFile[] = [];
    if (incoming.kind === 'message') {
      const { key, author, text } = incoming;
      for (const { name, type, bytes } of incoming.files) {
        blobs.set(`${id} ${digest(bytes)}`, bytes);
        files.push({ name, type, size: bytes.length, blob: digest(bytes), table: null });
      }
      conversation.pending.push({ key, at: Date.now(), author, text, files });
    }
    conversation.busy += 1;
    const turn = turnOf(id, conversation, incoming, files);
    setImmediate(() => {
      void world.bot(turn).finally(() => {
        conversation.busy -= 1;
      });
    });
    return ok({ conversation: id, duplicate: false, answer: null });
  };

  const gateway: Gateway = {
    accept,
    open: (address, owner) => {
      if (world.broken !== null) return Promise.resolve(err(world.broken));
      const id = conversationIdOf(address);
      conversationOf(id, owner);
      return Promise.resolve(ok(id));
    },
    read: (id) => {
      if (world.broken !== null) return Promise.resolve(err(world.broken));
      const found = conversations.get(id);
      if (found === undefined) return Promise.resolve(ok(null));
      const { session, entries, pending, busy } = found;
      return Promise.resolve(ok({ session, entries, pending, busy: busy > 0 }));
    },
    recent: (_platform, _workspace, limit) =>
      Promise.resolve(
        ok(
          [...conversations]
            .map(([conversation, { entries, session }]) => {
              const said = entries.find((entry) => entry.kind === 'said');
              return { conversation, title: said?.text.slice(0, 60) ?? 'New thread', at: entries.at(-1)?.at ?? session.createdAt };
            })
            .toSorted((a, b) => b.at - a.at)
            .slice(0, limit),
        ),
      ),
    blob: (id, blob) => Promise.resolve(ok(blobs.get(`${id} ${blob}`) ?? null)),
    settings: () => Promise.resolve(ok(defaultChannelSettings)),
    moveSettings: () => Promise.resolve(ok(undefined)),
    knows: () => Promise.resolve(ok(true)),
    hint: () => Promise.resolve(ok(null)),
    purge: () => Promise.resolve(ok(0)),
    complete: () => Promise.resolve([]),
    commands: commandHelp,
    model: () => options.model ?? { name: 'practice', practice: true, toolCalls: true },
    limits,
  };

  const inbound = valueOf(await adapter.inbound({ ...memory.inbound, gateway }));
  const root = inbound.mounts.find((mount) => mount.prefix === '/');
  const server = createServer((request, response) => root?.handle(request, response));
  await new Promise<void>((listening) => {
    server.listen(options.port ?? 0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;

  const world: WebWorld = {
    url: `http://127.0.0.1:${port}`,
    port,
    events,
    accepted,
    log: memory.lines,
    bot: (turn) => turn.finish({ text: `You said: ${turn.incoming.kind === 'message' ? turn.incoming.text : turn.incoming.name}` }),
    broken: null,
    cut: () => server.closeAllConnections(),
    connections: () =>
      new Promise((resolve, reject) => {
        server.getConnections((cause, count) => (cause === null ? resolve(count) : reject(cause)));
      }),
    conversation: (thread) => conversationIdOf({ platform: 'web', workspace: '', channel: '', thread }),
    perform: async (thread, op) =>
      valueOf(await outbound.perform(conversationIdOf({ platform: 'web', workspace: '', channel: '', thread }), op)),
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await inbound[Symbol.asyncDispose]();
      await outbound[Symbol.asyncDispose]();
      await new Promise((closed) => {
        server.close(closed);
      });
    },
  };
  return world;
};
