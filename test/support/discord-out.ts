/** The sending half of the Discord adapter alone, with the real REST client, against the stand-in, under a clock that can be put forward. */
import { createOutbound } from '../../adapters/discord/outbound.ts';
import { readDiscordConfig } from '../../adapters/discord/config.ts';
import { blobIdOf } from '../../src/core/blob-hash.ts';
import { conversationIdOf, messageId, turnId } from '../../src/core/ids.ts';
import type { BlobId } from '../../src/core/ids.ts';
import type { LiveOp, Post, ProgressLine } from '../../src/core/outbound.ts';
import { ok } from '../../src/core/result.ts';
import type { Run } from '../../src/core/run.ts';
import type { OutboundDeps } from '../../src/ports/adapter.ts';
import { ids } from '../servers/discord/places.ts';
import { startDiscordServer } from '../servers/discord/server.ts';
import { createMemoryDeps } from './memory-ports.ts';
import { createSteeredClock } from './steered-clock.ts';

type Options = {
  readonly threads?: 'thread' | 'reply';
  /** Asked in a direct message. */
  readonly direct?: boolean;
  /** What is asked. */
  readonly text?: string;
};

export const startDiscordOut = async ({ threads = 'thread', direct = false, text = '@hektor a question' }: Options = {}) => {
  const discord = await startDiscordServer();
  const clock = createSteeredClock();
  const memory = createMemoryDeps();
  const blobs = new Map<BlobId, Uint8Array>();
  const deps: OutboundDeps = { ...memory.outbound, clock, blob: async (_, id) => ok(blobs.get(id) ?? null) };
  const read = readDiscordConfig({ DISCORD_API_URL: discord.apiUrl, DISCORD_TOKEN: discord.token });
  if (!read.ok || read.value === null) throw new Error('the settings of the test are wrong');
  const config = read.value;
  const create = () => {
    const made = createOutbound(deps, config);
    if (!made.ok) throw new Error('no sending half');
    return made.value;
  };
  let outbound = create();
  const { control } = discord;
  const channel = direct ? await control.directChannel({ user: 'alice' }) : ids.general;
  const asked = direct ? await control.dm({ user: 'alice', text }) : await control.say({ user: 'alice', channel, text });
  const address = direct
    ? { platform: 'discord', workspace: 'dm', channel, thread: channel }
    : { platform: 'discord', workspace: ids.guild, channel, thread: asked.id };
  const conversation = conversationIdOf(address);
  const origin = {
    channel,
    message: asked.id,
    guild: direct ? '' : ids.guild,
    user: ids.alice,
    threads: direct ? 'reply' : threads,
    member: 'yes',
  };

  return {
    discord,
    control,
    clock,
    lines: memory.lines,
    notes: deps.notes,
    shared: deps.shared,
    conversation,
    channel,
    /** The id of the question, and of the thread on it. */
    asked: asked.id,
    origin,
    outbound: () => outbound,
    perform: (op: Parameters<typeof outbound.perform>[1]) => outbound.perform(conversation, op),
    addBlob: (bytes: Uint8Array): BlobId => {
      const id = blobIdOf(bytes);
      blobs.set(id, bytes);
      return id;
    },
    /** A turn of this conversation, or of another one. */
    turn: (name = 'T1', from: { readonly [key: string]: string } = origin, of = conversation) => {
      const turn = turnId(name);
      const message = messageId(name);
      const live = (op: LiveOp) => outbound.perform(of, op);
      const common = { op: 'post', turn, message, status: 'complete', privateTo: null, origin: from, actions: [], approval: null } as const;
      return {
        begin: (words = 'Thinking') => live({ op: 'status', turn, state: 'working', text: words, origin: from }),
        draft: (words: string, progress: readonly ProgressLine[] = []) => live({ op: 'draft', turn, message, text: words, progress }),
        output: (words: string) => live({ op: 'output', turn, run: 1, text: words }),
        end: () => live({ op: 'status', turn, state: 'idle', text: '', origin: {} }),
        post: (fields: Partial<Post> = {}) =>
          outbound.perform(of, { ...common, key: `${name}:answer`, kind: 'answer', text: '', files: [], run: null, ...fields }),
        ran: (run: Run) =>
          outbound.perform(of, {
            ...common,
            key: run.by === 'person' ? `${name}:run` : `${name}:run:${run.n}`,
            kind: 'run',
            text: '',
            files: run.by === 'person' ? run.files : [],
            run,
          }),
      };
    },
    /** What the bot said in a channel, oldest first; without one, in the thread on the question. Lines that Discord itself writes are left out. */
    said: async (where = direct ? channel : asked.id) =>
      (await control.messages({ channel: where }).catch(() => [])).filter(
        (one) => one.bot && (one.type === 0 || one.type === 19 || one.type === 20),
      ),
    /** Another process goes on; this one is gone without a word. */
    restart: () => {
      outbound = create();
    },
    [Symbol.asyncDispose]: async () => {
      await outbound[Symbol.asyncDispose]();
      await discord[Symbol.asyncDispose]();
    },
  };
};
export type DiscordOut = Awaited<ReturnType<typeof startDiscordOut>>;

/** Starts them and ends them after each test, without a `using` in every line. */
export const createDiscordOutOwner = () => {
  const open: DiscordOut[] = [];
  return {
    start: async (options: Options = {}): Promise<DiscordOut> => {
      const out = await startDiscordOut(options);
      open.push(out);
      return out;
    },
    end: async (): Promise<void> => {
      for (const out of open.splice(0)) await out[Symbol.asyncDispose]();
    },
  };
};
