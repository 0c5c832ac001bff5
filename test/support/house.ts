/**
 * Gateway and worker of the program in this process, on a real Redis and with a platform of the test's own: what comes in is handed to
 * the gateway as an adapter would, what goes out is kept. The model is whatever answers at `modelUrl`.
 */
import { readConfig } from '../../src/app/config.ts';
import { startGatewayHalf } from '../../src/app/gateway-half.ts';
import { startWorkerHalf } from '../../src/app/worker-half.ts';
import { layFoundation } from '../../src/app/wire.ts';
import type { Foundation } from '../../src/app/wire.ts';
import { eventKey, conversationIdOf } from '../../src/core/ids.ts';
import type { Address, ConversationId } from '../../src/core/ids.ts';
import type { Person } from '../../src/core/message.ts';
import type { LiveOp, Post } from '../../src/core/outbound.ts';
import { ok } from '../../src/core/result.ts';
import type { Adapter, Gateway, IncomingOf } from '../../src/ports/adapter.ts';
import { valueOf } from './results.ts';
import { ann } from './samples.ts';
import { createTestLog } from './test-log.ts';
import { until } from './until.ts';

export type House = AsyncDisposable & {
  readonly gateway: Gateway;
  readonly base: Foundation;
  readonly lines: ReturnType<typeof createTestLog>['lines'];
  readonly posts: (conversation: ConversationId) => readonly Post[];
  readonly live: (conversation: ConversationId) => readonly LiveOp[];
  /** Waits until nothing waits or runs there. */
  readonly settled: (conversation: ConversationId) => Promise<void>;
};

export type HouseOptions = {
  readonly redisUrl: string;
  readonly modelUrl: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What stands in the config file. */
  readonly config?: object;
};

export const startHouse = async ({ redisUrl, modelUrl, env = {}, config }: HouseOptions): Promise<House> => {
  const { log, lines } = createTestLog();
  const posts = new Map<ConversationId, Post[]>();
  const live = new Map<ConversationId, LiveOp[]>();
  let gateway: Gateway | undefined;
  const adapter: Adapter = {
    name: 'chat',
    limits: { postChars: 4_000, filesPerPost: 10, fileBytes: 1_000_000, draftIntervalMs: 1 },
    inbound: (deps) => {
      gateway = deps.gateway;
      return Promise.resolve(ok({ mounts: [], problems: () => [], [Symbol.asyncDispose]: () => Promise.resolve() }));
    },
    outbound: () =>
      Promise.resolve(
        ok({
          perform: (conversation, op) => {
            if (op.op === 'post') {
              const { op: _op, ...post } = op;
              const shown = posts.get(conversation) ?? [];
              // As the contract has it: the same key is shown once.
              if (!shown.some(({ key }) => key === post.key)) posts.set(conversation, [...shown, post]);
            } else live.set(conversation, [...(live.get(conversation) ?? []), op]);
            return Promise.resolve(ok(undefined));
          },
          [Symbol.asyncDispose]: () => Promise.resolve(),
        }),
      ),
  };
  const settings = {
    PORT: '0',
    REDIS_URL: redisUrl,
    OPENAI_BASE_URL: modelUrl,
    HEKTOR_MODEL: 'scripted',
    HEKTOR_SANDBOX_POOL: '0',
    ...env,
  };
  await using stack = new AsyncDisposableStack();
  const foundation = stack.use(
    valueOf(
      await layFoundation(valueOf(readConfig(settings, () => (config === undefined ? null : JSON.stringify(config)))), settings, log),
    ),
  );
  const base: Foundation = { ...foundation, adapters: [adapter] };
  stack.use(valueOf(await startWorkerHalf(base)));
  stack.use(valueOf(await startGatewayHalf(base, undefined, null, () => undefined)));
  if (gateway === undefined) throw new Error('the inbound half was not started');
  const owned = stack.move();
  return {
    gateway,
    base,
    lines,
    posts: (conversation) => posts.get(conversation) ?? [],
    live: (conversation) => live.get(conversation) ?? [],
    settled: (conversation) =>
      until(async () => {
        const claim = valueOf(await base.ingest.store.mailbox(conversation));
        return (
          claim.length === 0 &&
          (await base.ingest.store.pendingSince(Date.now() + 1_000_000).then(valueOf)).every((id) => id !== conversation)
        );
      }, 'the conversation is settled'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
};

let serial = 0;
/** A thread that no other test has. */
export const aThread = (fields: Partial<Address> = {}): Address => ({
  platform: 'chat',
  workspace: 'T1',
  channel: `C${process.pid}-${++serial}`,
  thread: `${serial}.1`,
  ...fields,
});
export const idOf = conversationIdOf;

export const aMessage = (
  address: Address,
  key: string,
  text: string,
  fields: Partial<IncomingOf<'message'>> = {},
): IncomingOf<'message'> => ({
  kind: 'message',
  address,
  key: eventKey(key),
  author: ann,
  standing: 'member',
  text,
  files: [],
  earlier: [],
  origin: { ts: key },
  ...fields,
});
export const anEdit = (
  address: Address,
  key: string,
  text: string,
  version: string,
  fields: Partial<IncomingOf<'edit'>> = {},
): IncomingOf<'edit'> => ({
  kind: 'edit',
  address,
  key: eventKey(key),
  author: ann,
  standing: 'member',
  text,
  version,
  origin: { ts: key },
  ...fields,
});
export const aDeletion = (address: Address, key: string): IncomingOf<'delete'> => ({ kind: 'delete', address, key: eventKey(key) });
export const aCall = (
  address: Address,
  name: string,
  args = '',
  author: Person = ann,
  fields: Partial<IncomingOf<'command'>> = {},
): IncomingOf<'command'> => ({
  kind: 'command',
  address,
  key: eventKey(`call-${++serial}`),
  author,
  standing: 'member',
  name,
  args,
  origin: {},
  ...fields,
});
