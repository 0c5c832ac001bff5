/** What a running turn shows: typing until there is something to read, then the answer as it grows. Paced, and never in the way. */
import type { Failure } from '../../../src/core/failure.ts';
import type { ConversationId, TurnId } from '../../../src/core/ids.ts';
import { closeOpen } from '../../../src/core/markdown/close-open.ts';
import type { LiveOp, ProgressLine } from '../../../src/core/outbound.ts';
import type { Result } from '../../../src/core/result.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { Notes } from '../../../src/ports/notes.ts';
import { encodeDraft, encodeEnded, encodeOutput } from '../encode.ts';
import type { OutMessage } from '../encode.ts';
import { runningOutput } from '../encode-cell.ts';
import type { Calls } from '../rest/calls.ts';
import type { Sender } from '../post/sender.ts';
import { alive } from '../post/target.ts';
import type { Target } from '../post/target.ts';
import { createDraft } from './draft.ts';
import type { Draft, Left, Shown } from './draft.ts';
import { nothingShown, readLiveNote, writeLiveNote } from './note.ts';
import type { Pace } from './pace.ts';
import { keepTyping } from './typing.ts';

export type LiveDeps = {
  readonly calls: Calls;
  readonly sender: Sender;
  readonly pace: Pace;
  readonly notes: Notes;
  readonly clock: Clock;
  readonly log: Log;
};

export type LiveTurn = {
  readonly offer: (op: LiveOp) => void;
  /** Waits for what is under way, shows nothing more, and gives what stands to the finished post. */
  readonly finish: () => Promise<Draft | null>;
  /** The turn is over. What was not finished stays as it stands; typing ends. */
  readonly end: () => Promise<void>;
  /** When something was last told. */
  readonly heardAt: () => number;
  /** A post of this turn goes out. */
  readonly posted: () => void;
};

/** Work without words that takes longer is told of. */
const TELL_AFTER_MS = 2_000;

/** `target` finds where it goes, and opens the thread that is due; it is asked once. */
export const createLiveTurn = (
  deps: LiveDeps,
  conversation: ConversationId,
  turn: TurnId,
  target: () => Promise<Result<Target, Failure>>,
): LiveTurn => {
  const { calls, sender, pace, notes, clock, log } = deps;
  const startedAt = clock.now();
  let heardAt = startedAt;
  let text = '';
  let progress: readonly ProgressLine[] = [];
  let output: string | null = null;
  let running = false;
  let draft: Draft | null = null;
  let posted = false;
  let changed = false;
  let pumping = false;
  let notBefore = 0;
  let chain: Promise<unknown> = Promise.resolve();
  const closing = new AbortController();
  const { signal } = closing;

  const alone = <T>(task: () => Promise<T>): Promise<T> => {
    const run = chain.then(task, task);
    chain = run.catch(() => undefined);
    return run;
  };

  const noted = async (left: Left): Promise<void> => {
    const done = await writeLiveNote(notes, conversation, turn, { ...left, kept: null });
    if (!done.ok) log.warn({ conversation, detail: done.failure.detail }, 'what is shown of a turn could not be noted');
  };

  const begun = (async (): Promise<Target | null> => {
    const found = await target();
    if (!found.ok) {
      log.info({ conversation, detail: found.failure.detail }, 'a running turn has no place to be shown in');
      return null;
    }
    const at = found.value;
    await sender.dropFirst(conversation, at);
    // A deferred answer shows by itself that something is going on.
    const waits = alive(at.token, clock.now()) && at.token.first === 'fill';
    if (at.member && !waits) void keepTyping({ calls, clock }, at.channel, signal);
    return at;
  })().catch((error: unknown) => {
    log.error({ error: error instanceof Error ? error.stack : String(error) }, 'finding the place of a turn threw');
    return null;
  });

  /** There is nothing to see of somebody's code but what it prints. */
  const onlyOutput = (): boolean => running && text.trim() === '' && progress.length === 0;
  const sceneNow = (): readonly OutMessage[] =>
    onlyOutput() ? encodeOutput(runningOutput(output ?? ''), 'Running…') : encodeDraft(closeOpen(text), progress);
  const sceneEnded = (): readonly OutMessage[] => {
    const left = encodeEnded(onlyOutput() ? runningOutput(output ?? '') : text);
    return left.length > 0 ? left : [{ content: '-# Interrupted', rows: [], files: [] }];
  };

  const showNow = async (at: Target): Promise<Shown> => {
    if (signal.aborted) return { kind: 'no-more' };
    const age = clock.now() - startedAt;
    if (draft === null && text.trim() === '') {
      if (progress.length === 0 && !running) return { kind: 'shown' };
      if (age < TELL_AFTER_MS) return { kind: 'later', ms: TELL_AFTER_MS - age };
    }
    if (draft === null) {
      const known = await readLiveNote(notes, conversation, turn);
      // Where somebody has begun to post already, nothing is shown.
      if (!known.ok || known.value.kept !== null) return { kind: 'no-more' };
      draft = createDraft({ sender, clock, log, conversation, target: at, key: `draft:${turn}`, noted }, known.value);
    }
    return draft.show(sceneNow());
  };

  const pump = async (): Promise<void> => {
    const at = await begun;
    while (changed && at !== null && !signal.aborted) {
      if (notBefore > clock.now()) await clock.sleep(notBefore - clock.now(), signal);
      const leave = await pace.enter(at.channel, signal);
      if (leave === null) return;
      changed = false;
      let limitedMs = 0;
      try {
        const shown = await alone(() => showNow(at));
        if (shown.kind === 'later') {
          changed = true;
          notBefore = clock.now() + shown.ms;
          limitedMs = draft === null ? 0 : shown.ms;
        }
      } finally {
        leave(limitedMs);
      }
    }
  };
  const poke = (): void => {
    changed = true;
    if (pumping || signal.aborted) return;
    pumping = true;
    void pump()
      // Only a bug gets here, and what is shown meanwhile is not worth a worker.
      .catch((error: unknown) => {
        changed = false;
        log.error({ error: error instanceof Error ? error.stack : String(error) }, 'showing a running turn threw');
      })
      .finally(() => {
        pumping = false;
      });
  };

  return {
    offer: (op) => {
      heardAt = clock.now();
      if (signal.aborted) return;
      if (op.op === 'status') running = op.text === 'Running';
      if (op.op === 'draft') {
        ({ text, progress } = op);
      }
      if (op.op === 'output') output = op.text;
      // The post of the run follows at once, or its call's end says it.
      if (op.op !== 'ran') poke();
    },
    finish: async () => {
      closing.abort();
      await begun;
      return alone(async () => {
        const shown = draft;
        draft = null;
        return shown;
      });
    },
    end: async () => {
      closing.abort();
      await begun;
      await alone(async () => {
        if (draft === null) return;
        await draft.close(sceneEnded());
        // A turn that posted something else than an answer (a question for approval) leaves its words for good; any other is begun again.
        if (posted) await writeLiveNote(notes, conversation, turn, { ...nothingShown, kept: 0 });
        draft = null;
      });
    },
    heardAt: () => heardAt,
    posted: () => void (posted = true),
  };
};
