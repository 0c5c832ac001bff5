/** The sending half of the Slack adapter alone, with the real SDK, against the stand-in, under a clock that can be put forward. */
import { createOutbound } from '../../adapters/slack/outbound.ts';
import { readSlackConfig } from '../../adapters/slack/config.ts';
import { blobIdOf } from '../../src/core/blob-hash.ts';
import { conversationIdOf, messageId, turnId } from '../../src/core/ids.ts';
import type { BlobId } from '../../src/core/ids.ts';
import type { LiveOp, Post, ProgressLine } from '../../src/core/outbound.ts';
import { ok } from '../../src/core/result.ts';
import type { Run } from '../../src/core/run.ts';
import type { OutboundDeps } from '../../src/ports/adapter.ts';
import { startSlackServer } from '../servers/slack/server.ts';
import { createMemoryDeps } from './memory-ports.ts';
import { createSteeredClock } from './steered-clock.ts';
import { aPost } from './samples.ts';

export const ALICE = 'U01ALICE';

export const startSlackOut = async (options: { readonly channel?: string } = {}) => {
  const slack = await startSlackServer();
  const clock = createSteeredClock();
  const memory = createMemoryDeps();
  const blobs = new Map<BlobId, Uint8Array>();
  const deps: OutboundDeps = { ...memory.outbound, clock, blob: async (_, id) => ok(blobs.get(id) ?? null) };
  const config = readSlackConfig({ SLACK_API_URL: slack.apiUrl, SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken });
  if (!config.ok || config.value === null) throw new Error('the settings of the test are wrong');
  const settings = config.value;
  let outbound = createOutbound(deps, settings);
  const channel = options.channel ?? 'C01GEN';
  const asked = await slack.control.say({ user: ALICE, channel, text: 'a question' });
  const conversation = conversationIdOf({ platform: 'slack', workspace: slack.team, channel, thread: asked.ts });
  const origin = { channel, ts: asked.ts, thread_ts: '', user: ALICE, team: slack.team };
  const perform = (op: Parameters<typeof outbound.perform>[1]) => outbound.perform(conversation, op);
  const live = (op: LiveOp) => perform(op);

  return {
    slack,
    control: slack.control,
    clock,
    lines: memory.lines,
    notes: deps.notes,
    conversation,
    channel,
    thread: asked.ts,
    origin,
    perform,
    outbound: () => outbound,
    addBlob: (bytes: Uint8Array): BlobId => {
      const id = blobIdOf(bytes);
      blobs.set(id, bytes);
      return id;
    },
    turn: (name = 'T1') => {
      const turn = turnId(name);
      const message = messageId(name);
      return {
        begin: (text = 'Thinking') => live({ op: 'status', turn, state: 'working', text, origin }),
        status: (text: string) => live({ op: 'status', turn, state: 'working', text, origin: {} }),
        draft: (text: string, progress: readonly ProgressLine[] = []) => live({ op: 'draft', turn, message, text, progress }),
        output: (text: string) => live({ op: 'output', turn, run: 1, text }),
        end: () => live({ op: 'status', turn, state: 'idle', text: '', origin: {} }),
        post: (fields: Partial<Post> = {}) =>
          perform({
            op: 'post',
            ...aPost(`${name}:answer`, { turn, message, text: '', origin, ...fields }),
          }),
        ran: (run: Run) =>
          perform({
            op: 'post',
            key: run.by === 'person' ? `${name}:run` : `${name}:run:${run.n}`,
            turn,
            message,
            kind: 'run',
            text: '',
            status: 'complete',
            files: run.by === 'person' ? run.files : [],
            run,
            privateTo: null,
            origin,
            actions: [],
            approval: null,
          }),
      };
    },
    /** What the bot said in the thread, as people see it, oldest first. */
    said: async () => (await slack.control.messages({ channel, thread: asked.ts })).filter((one) => one.fromBot),
    /** Another process goes on; this one is gone without a word. */
    restart: () => {
      outbound = createOutbound(deps, settings);
    },
    [Symbol.asyncDispose]: async () => {
      await outbound[Symbol.asyncDispose]();
      await slack[Symbol.asyncDispose]();
    },
  };
};
export type SlackOut = Awaited<ReturnType<typeof startSlackOut>>;

/** Starts them and ends them after each test, without a `using` in every line. */
export const createSlackOutOwner = () => {
  const open: SlackOut[] = [];
  return {
    start: async (options: Parameters<typeof startSlackOut>[0] = {}): Promise<SlackOut> => {
      const out = await startSlackOut(options);
      open.push(out);
      return out;
    },
    end: async (): Promise<void> => {
      for (const out of open.splice(0)) await out[Symbol.asyncDispose]();
    },
  };
};
