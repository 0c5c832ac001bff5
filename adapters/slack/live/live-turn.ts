/** What a running turn shows in its thread: a status until there is something to read, then the answer as it grows. Paced, and never in the way. */
import type { LiveOp } from '../../../src/core/outbound.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { Place } from '../api/api.ts';
import type { Kind, Status } from './status.ts';
import type { Final, Finished, Scene, Shown, Surface } from './surface.ts';

export type LiveTurnDeps = {
  readonly clock: Clock;
  readonly log: Log;
  readonly status: Status;
  readonly place: Place;
  /** Who asked; '' where that is not known. */
  readonly user: string;
  /** The surfaces; null where there is no such thing here. `alone` runs a task when no other call of this turn is under way, `shownBy` is how Slack itself shows the turn. */
  readonly stream: (alone: Alone, shownBy: Kind) => Promise<Surface | null>;
  readonly edits: () => Promise<Surface>;
  readonly output: () => Promise<Surface>;
  /** Notes that what stands stays, whoever takes the turn up. */
  readonly keep: () => Promise<void>;
};
export type Alone = <T>(task: () => Promise<T>) => Promise<T>;

export type LiveTurn = {
  readonly offer: (op: LiveOp) => void;
  /** Waits for what is under way, shows nothing more, and gives what stands to the finished post. */
  readonly finish: (final: (scene: Scene) => Final) => Promise<Finished | null>;
  /** The turn is over. What was not finished stays as it stands; no status is left. */
  readonly end: () => Promise<void>;
  /** When something was last told. */
  readonly heardAt: () => number;
  /** A post of this turn goes out. */
  readonly posted: () => void;
};

/** Code that ends sooner shows only what came of it. */
const OUTPUT_AFTER_MS = 2_000;
/** Where no status can be shown, work that takes longer is told by a message. */
const TELL_AFTER_MS = 3_000;

export const createLiveTurn = (deps: LiveTurnDeps): LiveTurn => {
  const { clock, status, place } = deps;
  const startedAt = clock.now();
  let heardAt = startedAt;
  let scene: Scene = { text: '', progress: [] };
  let output = '';
  let words = '';
  let wordsShown = '';
  let statusOn = false;
  let shownBy: Kind = 'none';
  let surface: Surface | null = null;
  let streamsTried = false;
  let over = false;
  let posted = false;
  let changed = false;
  let pumping = false;
  let nextAt = 0;
  let chain: Promise<unknown> = Promise.resolve();
  const closing = new AbortController();

  const alone: Alone = (task) => {
    const run = chain.then(task, task);
    chain = run.catch(() => undefined);
    return run;
  };

  const showStatus = async (): Promise<void> => {
    // Once there is something to read, a late status would only be in its way.
    if (surface !== null || words === wordsShown || status.kind(place.workspace) === 'none') return;
    if (statusOn && status.kind(place.workspace) === 'sessions') return;
    wordsShown = words;
    statusOn = true;
    shownBy = await status.show(place, words, deps.user);
  };

  const showScene = async (): Promise<Shown> => {
    if (surface === null) {
      const age = clock.now() - startedAt;
      const wordless = scene.text.trim() === '';
      if (wordless) {
        const silent = status.kind(place.workspace) === 'none';
        if (!silent || scene.progress.length === 0) return { kind: 'shown' };
        if (age < TELL_AFTER_MS) return { kind: 'later', ms: TELL_AFTER_MS - age };
      }
      surface = streamsTried ? null : await deps.stream(alone, shownBy);
      streamsTried = true;
      surface ??= await deps.edits();
    }
    const shown = await surface.show(scene);
    if (shown.kind !== 'impossible') return shown;
    surface = await deps.edits();
    return surface.show(scene);
  };

  const showOutput = async (): Promise<Shown> => {
    const age = clock.now() - startedAt;
    if (age < OUTPUT_AFTER_MS) return { kind: 'later', ms: OUTPUT_AFTER_MS - age };
    surface ??= await deps.output();
    return surface.show({ text: output, progress: [] });
  };

  const showNow = async (): Promise<Shown> => {
    if (over) return { kind: 'no-more' };
    await showStatus();
    // The model's runs have a call; only a person's has none, and its output is then all there is to see.
    if (output !== '' && scene.progress.length === 0 && scene.text === '') return showOutput();
    return showScene();
  };

  const pump = async (): Promise<void> => {
    while (changed && !over) {
      const wait = nextAt - clock.now();
      if (wait > 0) await clock.sleep(wait, closing.signal);
      if (over) return;
      changed = false;
      const shown = await alone(showNow);
      const interval = surface?.interval() ?? 0;
      if (shown.kind === 'later') {
        changed = true;
        nextAt = clock.now() + Math.max(interval, shown.ms, 50);
      } else nextAt = clock.now() + interval;
    }
  };
  const poke = (): void => {
    changed = true;
    if (pumping || over) return;
    pumping = true;
    void pump()
      // Only a bug gets here, and what is shown meanwhile is not worth a worker.
      .catch((error: unknown) => {
        changed = false;
        deps.log.error({ error: error instanceof Error ? error.stack : String(error) }, 'showing a running turn threw');
      })
      .finally(() => {
        pumping = false;
        if (changed && !over) poke();
      });
  };

  const quiet = (): void => {
    over = true;
    closing.abort();
  };

  return {
    offer: (op) => {
      heardAt = clock.now();
      if (over) return;
      if (op.op === 'status') words = op.text;
      if (op.op === 'draft') {
        scene = { text: op.text, progress: op.progress };
        words = op.progress.findLast((line) => line.state === 'running')?.text ?? words;
      }
      if (op.op === 'output') output = op.text;
      // The post of the run follows at once, or its call's end says it.
      if (op.op === 'ran') return;
      poke();
    },
    finish: (final) => {
      quiet();
      return alone(async () => {
        if (surface === null) return null;
        const finished = await surface.finish(final(scene));
        surface = null;
        return finished;
      });
    },
    end: () => {
      quiet();
      return alone(async () => {
        if (surface !== null) await surface.close(scene);
        // A turn that posted something else than an answer (a question for approval) leaves its words for good; any other is begun again.
        if (surface !== null && posted) await deps.keep();
        surface = null;
        if (statusOn) await status.clear(place);
        statusOn = false;
      });
    },
    heardAt: () => heardAt,
    posted: () => void (posted = true),
  };
};
