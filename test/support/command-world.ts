/** A small conversation for tests of commands: entries are added in order, and a command is run over them as the shell would do it. */
import { findApproval } from '../../src/core/approval.ts';
import { commandHelp, commandOf } from '../../src/commands/index.ts';
import { defaultChannelSettings } from '../../src/core/channel-settings.ts';
import type { ChannelSettings } from '../../src/core/channel-settings.ts';
import type { DayUse } from '../../src/core/budget.ts';
import type { CommandPlan, ModelChoice, SentPart } from '../../src/core/command.ts';
import type { Entry, Session } from '../../src/core/conversation.ts';
import { newSession } from '../../src/core/conversation.ts';
import { failure } from '../../src/core/failure.ts';
import type { Failure } from '../../src/core/failure.ts';
import { blobId, conversationIdOf, eventKey, messageId, snapshotId, turnId } from '../../src/core/ids.ts';
import type { BlobId, SnapshotId } from '../../src/core/ids.ts';
import type { Person } from '../../src/core/message.ts';
import { err, ok } from '../../src/core/result.ts';
import type { Result } from '../../src/core/result.ts';
import type { Run } from '../../src/core/run.ts';
import { emptyManifest } from '../../src/core/snapshot.ts';
import type { Manifest } from '../../src/core/snapshot.ts';
import { aRun } from './a-run.ts';

export const ann: Person = { id: 'u1', name: 'Ann' };
/** Where all of it is said to be. */
export const conversation = conversationIdOf({ platform: 'web', workspace: 'w', channel: 'c', thread: 't' });
export const state = (n: number): SnapshotId => snapshotId(blobId(n.toString(16).padStart(32, '0')));
export const blob = (n: number): BlobId => blobId((0xff00 + n).toString(16).padStart(32, '0'));

export type World = {
  readonly entries: readonly Entry[];
  readonly session: Session;
  readonly states: ReadonlyMap<SnapshotId, Manifest>;
  readonly blobs: ReadonlyMap<BlobId, Uint8Array>;
  readonly sent: readonly SentPart[];
  readonly busy: boolean;
  readonly today: { readonly person: DayUse; readonly channel: DayUse };
  readonly models: readonly ModelChoice[];
  readonly settings: ChannelSettings;
  readonly platform: string;
};
const unused: DayUse = { tokens: 0, micros: 0, models: [] };
export const emptyWorld: World = {
  entries: [],
  session: newSession(1, ann),
  states: new Map<SnapshotId, Manifest>(),
  blobs: new Map<BlobId, Uint8Array>(),
  sent: [],
  busy: false,
  today: { person: unused, channel: unused },
  settings: defaultChannelSettings,
  platform: 'web',
  models: [
    { key: 'small', name: 'vendor/small-1', current: true },
    { key: 'large', name: 'vendor/large-1', current: false },
  ],
};

/** A person's run; the state after run n is `state(n)`, as long as it kept anything. */
export const withRun = (world: World, fields: Partial<Run> = {}): World => {
  const n = world.session.runs + 1;
  const keeps = (fields.end ?? 'finished') === 'finished' || fields.end === 'raised';
  const before = world.session.head;
  const run = aRun({ n, by: 'person', author: ann, before, after: keeps ? state(n) : before, ...fields });
  const turn = turnId(`t-run-${n}`);
  const message = messageId(`m-run-${n}`);
  const text = `>>> ${run.code}`;
  return {
    ...world,
    entries: [
      ...world.entries,
      { kind: 'said', at: n, turn, message, key: eventKey(`k-run-${n}`), author: ann, text, intent: 'run', files: [] },
      { kind: 'ran', at: n, turn, call: null, message, run },
    ],
    session: { ...world.session, runs: n, head: run.after },
    states: new Map([...world.states, [state(n), world.states.get(state(n)) ?? { ...emptyManifest, n }]]),
  };
};

/** A question and its answer. */
export const withAnswer = (
  world: World,
  question: string,
  answer: Partial<Extract<Entry, { kind: 'answered' }>> & { readonly text: string },
  between: readonly Entry[] = [],
): World => {
  const n = world.entries.length;
  const turn = turnId(`t-${n}`);
  return {
    ...world,
    entries: [
      ...world.entries,
      {
        kind: 'said',
        at: n,
        turn,
        message: messageId(`m-${n}`),
        key: eventKey(`k-${n}`),
        author: ann,
        text: question,
        intent: 'ask',
        files: [],
      },
      ...between,
      {
        kind: 'answered',
        at: n,
        turn,
        message: messageId(turn),
        files: [],
        status: 'complete',
        failure: null,
        model: 'model-1',
        usage: { input: 1000, cachedInput: 10, output: 20, reasoning: 5, estimated: false },
        costMicros: null,
        prompts: [],
        ...answer,
      },
    ],
  };
};

export const runCommand = (world: World, name: string, args = ''): Promise<Result<CommandPlan, Failure>> => {
  const command = commandOf(name);
  if (command === undefined) throw new TypeError(`no command ${name}`);
  return command.run(
    {
      args,
      item: { kind: 'command', key: eventKey('k-command'), at: 99, author: ann, origin: { at: 'here' }, name, args },
      turn: turnId('t-command'),
      now: 100,
      files: [],
    },
    {
      author: ann,
      session: world.session,
      platform: world.platform,
      busy: world.busy,
      entries: () => Promise.resolve(ok(world.entries)),
      manifest: (snapshot) => {
        const manifest = snapshot === null ? emptyManifest : world.states.get(snapshot);
        return Promise.resolve(manifest === undefined ? err(failure('snapshot-lost', {})) : ok(manifest));
      },
      blob: (id) => Promise.resolve(ok(world.blobs.get(id) ?? null)),
      today: () => Promise.resolve(ok(world.today)),
      sent: () => Promise.resolve(ok(world.sent)),
      approval: (id, now) => Promise.resolve(ok(findApproval(world.entries.slice(world.session.since), conversation, id, now))),
      settings: world.settings,
      commands: commandHelp,
      models: world.models,
    },
  );
};

/** The plan of a command that is expected to say yes or no, but not to fail. */
export const planOf = async (world: World, name: string, args = ''): Promise<CommandPlan> => {
  const plan = await runCommand(world, name, args);
  if (!plan.ok) throw new Error(`${name} failed: ${plan.failure.code}`);
  return plan.value;
};

/** The world after an in-turn command was committed. */
export const after = async (world: World, name: string, args = ''): Promise<World> => {
  const plan = await planOf(world, name, args);
  return { ...world, entries: [...world.entries, ...(plan.append ?? [])], session: plan.session ?? world.session };
};
