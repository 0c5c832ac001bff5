/** What the benchmark of the loop is made of: the processes it starts, and the conversations it fills. */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createTurnQueue } from '../../src/infra/bullmq/turn-queue.ts';
import { createLog } from '../../src/infra/pino/log.ts';
import { conversationIdOf, eventKey, messageId, turnId } from '../../src/core/ids.ts';
import type { ConversationId } from '../../src/core/ids.ts';
import type { Entry } from '../../src/core/conversation.ts';
import { newSession } from '../../src/core/conversation.ts';
import { createRedis } from '../../src/infra/redis/connection.ts';
import { createConversationStore } from '../../src/infra/redis/conversation-store.ts';
import { createEventStream } from '../../src/infra/redis/event-stream.ts';
import { createSubscriber } from '../../src/infra/redis/subscriber.ts';
import { systemClock } from '../../src/infra/system/clock.ts';
import { startApp } from '../support/app.ts';
import type { App } from '../support/app.ts';
import { valueOf } from '../support/results.ts';

export const sharedNow = (): number => performance.timeOrigin + performance.now();
const ann = { id: 'ann', name: 'Ann' };

const run = (script: string, args: readonly string[]): ChildProcess =>
  spawn(process.execPath, [new URL(script, import.meta.url).pathname, ...args], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
const firstLine = async (child: ChildProcess): Promise<string> => {
  const [line] = (await once(createInterface({ input: child.stdout! }), 'line')) as [string];
  return line;
};

export type Instant = AsyncDisposable & {
  readonly url: string;
  readonly seen: () => Promise<{ requests: number; first: number; last: number }>;
};
export const startInstant = async (): Promise<Instant> => {
  const child = run('../servers/openai/instant.ts', []);
  const root = `http://127.0.0.1:${await firstLine(child)}`;
  return {
    url: `${root}/v1`,
    seen: async () => (await (await fetch(`${root}/seen`)).json()) as { requests: number; first: number; last: number },
    [Symbol.asyncDispose]: async () => {
      child.kill();
      await once(child, 'exit');
    },
  };
};

export type Plain = { readonly perSecond: number; readonly cpuMs: number; readonly before: number[]; readonly after: number[] };
export const plainChat = async (url: string, parallel: number, count: number, messages = 1): Promise<Plain> =>
  JSON.parse(await firstLine(run('./plain-chat.ts', [url, `${parallel}`, `${count}`, `${messages}`]))) as Plain;

/** A process of the program; nothing of the machine's own settings gets in. */
export const startRole = (role: 'worker' | 'gateway', redisUrl: string, model: string, concurrency: number): Promise<App> =>
  startApp({
    redisUrl,
    env: {
      HEKTOR_ROLE: role,
      OPENAI_BASE_URL: model,
      HEKTOR_MODEL: 'instant',
      HEKTOR_SANDBOX_POOL: '0',
      HEKTOR_CONCURRENCY: `${concurrency}`,
      NODE_ENV: 'production',
    },
  });

/** Processor time that the process has used, and the memory that it holds. */
export const usageOf = (process: ChildProcess): { readonly cpuMs: number; readonly rssMb: number } => {
  const fields = readFileSync(`/proc/${process.pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  const rss = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${process.pid}/status`, 'utf8'))?.[1];
  return { cpuMs: (Number(fields[11]) + Number(fields[12])) * 10, rssMb: Number(rss) / 1024 };
};

export type Door = AsyncDisposable & {
  readonly conversation: (name: string) => ConversationId;
  /** Puts a question into the mailbox, as the gateway does; resolves when it is durable and woken. */
  readonly ask: (conversation: ConversationId, key: string, wake?: boolean) => Promise<void>;
  readonly wake: (conversation: ConversationId) => Promise<void>;
  /** Makes a thread of so many messages. */
  readonly fill: (conversation: ConversationId, messages: number) => Promise<void>;
  /** Listens before the question is asked; resolves with the text of the answer and when it could be seen. */
  readonly answer: (conversation: ConversationId) => Promise<{ readonly came: Promise<{ text: string; at: number }> }>;
};

/** The gateway's side, in this process. */
export const openDoor = async (redisUrl: string): Promise<Door> => {
  const log = createLog({ level: 'silent' });
  const stack = new AsyncDisposableStack();
  const { client } = stack.use(createRedis({ url: redisUrl, purpose: 'work', log }));
  const subscriber = stack.use(createSubscriber(stack.use(createRedis({ url: redisUrl, purpose: 'subscribe', log }))));
  const queue = stack.use(createTurnQueue({ connection: client, log }));
  const store = createConversationStore({ client, subscriber, clock: systemClock });
  const events = createEventStream({ client, subscriber });
  const wake = async (conversation: ConversationId): Promise<void> => {
    valueOf(await queue.wake(conversation));
  };
  return {
    conversation: (name) => conversationIdOf({ platform: 'web', workspace: 'bench', channel: 'bench', thread: name }),
    wake,
    ask: async (conversation, key, woken = true) => {
      const item = {
        kind: 'ask' as const,
        key: eventKey(key),
        at: Date.now(),
        author: ann,
        origin: {},
        text: 'What do you say?',
        files: [],
        earlier: [],
      };
      valueOf(await store.ingest(conversation, item, 20));
      if (woken) await wake(conversation);
    },
    fill: async (conversation, messages) => {
      const claim = valueOf(await store.claim(conversation));
      const entries = Array.from({ length: messages }, (_, n) => filler(n));
      valueOf(await store.commit(conversation, claim.fence, { taken: [], entries, session: newSession(1, ann), posts: [] }));
    },
    answer: async (conversation) => {
      const latest = valueOf(await events.latest(conversation));
      const listening = new AbortController();
      const read = async (): Promise<{ text: string; at: number }> => {
        for await (const event of events.read(conversation, latest, listening.signal)) {
          const at = sharedNow();
          const { event: name, data } = JSON.parse(event.data) as { event: string; data: { kind?: string; text: string } };
          if (name !== 'message' || data.kind !== 'answer') continue;
          return { text: data.text, at };
        }
        throw new Error('the stream of events ended');
      };
      return { came: read() };
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
};

const filler = (n: number): Entry => {
  const turn = turnId(`filled-${Math.floor(n / 2)}`);
  const text = `Message ${n} of this thread, about as long as what people write in a chat when they have something to say to each other.`;
  if (n % 2 === 0)
    return {
      kind: 'said',
      at: n + 1,
      turn,
      message: messageId(`m${n}`),
      key: eventKey(`f${n}`),
      author: ann,
      text,
      intent: 'ask',
      files: [],
    };
  return {
    kind: 'answered',
    at: n + 1,
    turn,
    message: messageId(turn),
    text,
    files: [],
    status: 'complete',
    failure: null,
    model: 'instant',
    usage: { input: 100, cachedInput: 0, output: 20, reasoning: 0, estimated: false },
    costMicros: null,
    prompts: [],
  };
};
