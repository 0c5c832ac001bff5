/**
 * One lane for each conversation that a sending half has to do with: posts go through it one after another, in their order, and what is shown of
 * the running turn lives in it until the turn is over. Knows no platform.
 */
import type { LiveOp } from './outbound.ts';

/** What is shown of a turn while it runs. */
export type Live = {
  readonly offer: (op: LiveOp) => void;
  /** The turn is over: nothing more is shown. */
  readonly end: () => Promise<void>;
  /** When something was last told. */
  readonly heardAt: () => number;
};

/** `onThrow` is told of bugs in what nobody waits for. */
export type LaneDeps = {
  readonly now: () => number;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  readonly onThrow: (error: unknown) => void;
};

export type LiveLanes<Key, Shown extends Live> = AsyncDisposable & {
  /** Runs the task after those of the same key. It is handed what is shown of this turn here, or null, and whether anything is shown at all. */
  readonly post: <T>(key: Key, turn: string, task: (shown: Shown | null, anyShown: () => boolean) => Promise<T>) => Promise<T>;
  /** Hands an operation to what is shown of its turn, which `begin` makes first where there is none. The idle status ends it, after the posts before it. */
  readonly show: (key: Key, op: LiveOp, begin: () => Shown) => void;
};

type Lane<Shown> = { chain: Promise<unknown>; waiting: number; live: { readonly turn: string; readonly shown: Shown } | null };

/** A turn that told nothing for so long is not this process's any more: what is shown of it is ended. */
const FORGOTTEN_MS = 20 * 60_000;
const LOOK_MS = 60_000;
/** How long disposing waits for what is shown to be ended. */
const CLOSE_MS = 8_000;

export const createLiveLanes = <Key, Shown extends Live>({ now, sleep, onThrow }: LaneDeps): LiveLanes<Key, Shown> => {
  const lanes = new Map<Key, Lane<Shown>>();
  const closing = new AbortController();

  const laneOf = (key: Key): Lane<Shown> => {
    const known = lanes.get(key);
    if (known !== undefined) return known;
    const made: Lane<Shown> = { chain: Promise.resolve(), waiting: 0, live: null };
    lanes.set(key, made);
    return made;
  };
  const tidy = (key: Key, lane: Lane<Shown>): void => {
    if (lane.waiting === 0 && lane.live === null && lanes.get(key) === lane) lanes.delete(key);
  };
  const inLane = async <T>(key: Key, task: (lane: Lane<Shown>) => Promise<T>): Promise<T> => {
    const lane = laneOf(key);
    lane.waiting += 1;
    const run = lane.chain.then(() => task(lane));
    lane.chain = run.catch(() => undefined);
    try {
      return await run;
    } finally {
      lane.waiting -= 1;
      tidy(key, lane);
    }
  };
  const endLive = async (lane: Lane<Shown>): Promise<void> => {
    const { live } = lane;
    lane.live = null;
    await live?.shown.end();
  };

  const endForgotten = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await sleep(LOOK_MS, closing.signal);
      const old = now() - FORGOTTEN_MS;
      for (const [key, lane] of lanes) {
        if (lane.live !== null && lane.live.shown.heardAt() < old) {
          await endLive(lane);
          tidy(key, lane);
        }
      }
    }
  };
  void endForgotten();

  return {
    post: (key, turn, task) => inLane(key, (lane) => task(lane.live?.turn === turn ? lane.live.shown : null, () => lane.live !== null)),
    show: (key, op, begin) => {
      if (closing.signal.aborted) return;
      if (op.op === 'status' && op.state === 'idle') {
        void inLane(key, async (lane) => {
          if (lane.live?.turn === op.turn) await endLive(lane);
        }).catch(onThrow);
        return;
      }
      const lane = laneOf(key);
      if (lane.live?.turn !== op.turn) {
        const before = lane.live;
        if (before !== null) void before.shown.end();
        lane.live = { turn: op.turn, shown: begin() };
      }
      lane.live.shown.offer(op);
    },
    [Symbol.asyncDispose]: async () => {
      closing.abort();
      await Promise.race([Promise.all([...lanes.values()].map(endLive)), sleep(CLOSE_MS)]);
    },
  };
};
