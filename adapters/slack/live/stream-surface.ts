/** A running turn as native streams of Slack: chat.startStream, appendStream, stopStream. */
import type { AnyChunk, TaskUpdateChunk } from '@slack/types';
import { isUnknown, patience, refusal, replies } from '../api/api.ts';
import { stopButton } from '../encode/encode-buttons.ts';
import { begunPlan, changedTasks, endedPlan, signatureOf, toChunks } from '../encode/encode-tasks.ts';
import { removeMessages } from '../post/remove-messages.ts';
import { toPostArgs, toStopArgs } from '../encode.ts';
import { finishStreams } from './stream-finish.ts';
import type { StreamDeps, Streams, StreamState } from './stream-state.ts';
import { removeLostStream } from './lost-stream.ts';
import { ownProgress, pieceFor, shownUpTo } from './stream-segment.ts';
import type { Segment } from './stream-segment.ts';
import { nothingWritten } from './stream-text.ts';
import type { Piece } from './stream-text.ts';
import type { Scene, Shown, Surface } from './surface.ts';

/** Slack ends a stream after five minutes, whatever is appended; we are earlier. */
const ROLL_OVER_MS = 240_000;
/** Text that comes after so long a silence begins a message of its own: a person who left is told that there is something new. */
const SILENCE_MS = 20_000;
/** How Slack says that there is no stream any more. */
const STOPPED: ReadonlySet<string> = new Set(['message_not_in_streaming_state', 'stopped_by_user', 'message_not_found']);
/** A stream for every four minutes of the longest turn, and some that were cut off. */
const MOST_SEGMENTS = 20;

export const createStreamSurface = (deps: StreamDeps): Surface => {
  const { api, clock, place, support, log } = deps;
  const state: StreamState = { segments: [], shown: '', mode: 'live', stopped: false, buttoned: false, stopMessage: null, lostAt: null };

  const closed = (segment: Segment): void => {
    if (!segment.open) return;
    segment.open = false;
    segment.ended.abort();
    support.closed(place.workspace);
  };

  const stop: Streams['stop'] = async (segment, end) => {
    const said = await api.call('chat.stopStream', place, toStopArgs(place, segment.ts, end), replies.done, end.patienceMs);
    if (said.ok || STOPPED.has(refusal(said.failure) ?? '')) closed(segment);
    return said;
  };
  const streams: Streams = { ...deps, state, stop };

  /** Ends a message that goes on in another: tasks that run are shown there. */
  const leave = async (segment: Segment): Promise<void> => {
    const open: readonly TaskUpdateChunk[] = [...segment.tasks].flatMap(([id, look]) =>
      look.startsWith('in_progress ')
        ? [{ type: 'task_update' as const, id, title: `${look.slice(12).slice(0, 200)} (goes on below)`, status: 'complete' as const }]
        : [],
    );
    const said = await stop(segment, {
      chunks: [...endedPlan(segment.tasks.size), ...toChunks(open, '')],
      blocks: [],
      over: false,
      mark: null,
      patienceMs: patience.short,
    });
    if (!said.ok) log.debug({ detail: said.failure.detail }, 'a stream was not stopped; it ends by itself');
    closed(segment);
  };

  const open = async (
    piece: Piece | null,
    from: number,
    tasks: readonly TaskUpdateChunk[],
    elsewhere: ReadonlySet<string>,
  ): Promise<Shown> => {
    const withStop = deps.withStop && support.blocks.allowed(place.workspace);
    const chunks: AnyChunk[] = [
      ...(withStop ? [{ type: 'blocks' as const, blocks: [stopButton] }] : []),
      ...begunPlan(0, tasks),
      ...toChunks(tasks, piece?.chunk ?? ''),
    ];
    const args = {
      channel: place.channel,
      thread_ts: place.thread,
      recipient_user_id: deps.recipient.user,
      recipient_team_id: deps.recipient.team,
      task_display_mode: 'plan',
      chunks,
    };
    const begunAt = clock.now();
    const said = await api.call('chat.startStream', place, args, replies.message, patience.preview);
    if (!said.ok && isUnknown(said.failure)) state.lostAt ??= begunAt;
    if (said.ok) {
      const now = clock.now();
      const segment: Segment = {
        ts: said.value.ts,
        from,
        written: piece?.now ?? nothingWritten,
        tasks: new Map(tasks.map((task) => [task.id, signatureOf(task)])),
        elsewhere,
        openedAt: now,
        textAt: now,
        open: true,
        ended: new AbortController(),
      };
      state.segments.push(segment);
      state.buttoned ||= withStop;
      support.opened(place.workspace);
      await deps.noted(standing());
      if (deps.withStop && !withStop) await offerStop();
      const { signal } = segment.ended;
      void clock.sleep(ROLL_OVER_MS, signal).then(() => deps.alone(async () => (segment.open ? leave(segment) : undefined)));
      return { kind: 'shown' };
    }
    const refused = refusal(said.failure);
    if (refused !== null && withStop && /block|chunk/.test(refused)) {
      support.blocks.refused(place.workspace);
      return { kind: 'later', ms: 0 };
    }
    if (refused !== null && support.refused(place.workspace, refused))
      log.warn({ refused }, 'Slack has no streams here; answers are posted and edited');
    if (refused === null && said.failure.code === 'rate-limited') return { kind: 'later', ms: said.failure.waitSeconds * 1000 };
    log.info({ detail: said.failure.detail }, 'a stream could not be started');
    if (state.segments.length > 0) return paused();
    if (!isUnknown(said.failure)) return { kind: 'impossible' };
    state.mode = 'broken';
    return { kind: 'no-more' };
  };

  const standing = (): readonly string[] => [
    ...state.segments.map(({ ts }) => ts),
    ...(state.stopMessage === null ? [] : [state.stopMessage]),
  ];

  /** The Stop button in a message of its own, below the first stream. Without it the word `stop` still ends the turn. */
  const offerStop = async (): Promise<void> => {
    if (state.stopMessage !== null) return;
    const message = { text: 'Answering…', blocks: [stopButton] };
    const said = await api.call('chat.postMessage', place, toPostArgs(place, message, null), replies.message, patience.preview);
    if (!said.ok) return log.debug({ detail: said.failure.detail }, 'no Stop button is shown');
    state.stopMessage = said.value.ts;
    await deps.noted(standing());
  };

  const paused = (): Shown => {
    state.mode = 'paused';
    return { kind: 'no-more' };
  };

  const append = async (segment: Segment, piece: Piece | null, tasks: readonly TaskUpdateChunk[]): Promise<Shown | 'ended'> => {
    const args = {
      channel: place.channel,
      ts: segment.ts,
      chunks: [...begunPlan(segment.tasks.size, tasks), ...toChunks(tasks, piece?.chunk ?? '')],
    };
    const said = await api.call('chat.appendStream', place, args, replies.done, patience.preview);
    if (said.ok) {
      for (const task of tasks) segment.tasks.set(task.id, signatureOf(task));
      if (piece !== null) {
        segment.written = piece.now;
        segment.textAt = clock.now();
      }
      return { kind: 'shown' };
    }
    if (said.failure.code === 'rate-limited') return { kind: 'later', ms: said.failure.waitSeconds * 1000 };
    const refused = refusal(said.failure);
    if (refused === 'message_not_in_streaming_state') {
      closed(segment);
      return 'ended';
    }
    log.info({ detail: said.failure.detail }, 'a stream takes no more');
    // Somebody pressed Slack's own Stop: the turn is ended by the event of it, and what stands stays.
    if (refused === 'stopped_by_user') {
      closed(segment);
      state.stopped = true;
      return paused();
    }
    if (refused !== null && refused !== 'message_not_found') return paused();
    state.mode = 'broken';
    return { kind: 'no-more' };
  };

  const show = async ({ text, progress }: Scene): Promise<Shown> => {
    if (state.mode !== 'live') return { kind: 'no-more' };
    if (!text.startsWith(state.shown)) {
      state.mode = 'broken';
      return { kind: 'no-more' };
    }
    // While a tool runs nothing is added to the text before it, and what comes after it is a new paragraph.
    const pause = progress.some((line) => line.state === 'running');
    for (;;) {
      const last = state.segments.at(-1);
      const current = last?.open === true ? last : null;
      const from = last === undefined ? 0 : current === null ? shownUpTo(last, text) : current.from;
      const next = pieceFor(current, from, text, deps.render, pause);
      if (next === 'diverged') {
        state.mode = 'broken';
        return { kind: 'no-more' };
      }
      const silent = current !== null && next !== null && current.written.written !== '' && clock.now() - current.textAt > SILENCE_MS;
      if (current !== null && (next === 'full' || silent)) {
        await leave(current);
        continue;
      }
      const piece = next === 'full' ? null : next;
      if (current !== null) {
        const tasks = changedTasks(ownProgress(current, progress), current.tasks);
        if (piece === null && tasks.length === 0) return { kind: 'shown' };
        const done = await append(current, piece, tasks);
        if (done === 'ended') continue;
        noteShown(text);
        return done;
      }
      // A message that goes on with an earlier one shows of the tasks only those that run.
      const before = last === undefined ? [] : progress.filter((line) => line.state !== 'running');
      const tasks = changedTasks(
        progress.filter((line) => !before.includes(line)),
        new Map(),
      );
      if (piece === null && (last !== undefined || tasks.length === 0)) return { kind: 'shown' };
      if (state.segments.length >= MOST_SEGMENTS) return paused();
      const opened = await open(piece, from, tasks, new Set(before.map((line) => line.call)));
      noteShown(text);
      return opened;
    }
  };
  /** What stands although nobody knows of it. The answer does not wait for that. */
  const removeLost = async (): Promise<void> => {
    const since = state.lostAt;
    state.lostAt = null;
    const known = state.segments.map(({ ts }) => ts);
    if (since !== null) await removeLostStream(deps, place, since, known);
  };
  const noteShown = (text: string): void => {
    const last = state.segments.at(-1);
    if (last !== undefined) state.shown = text.slice(0, shownUpTo(last, text));
  };

  return {
    interval: () => support.interval(place.workspace),
    show,
    finish: async (final) => {
      const finished = await finishStreams(streams, final);
      void removeLost();
      return state.stopMessage === null ? finished : { ...finished, drop: [...finished.drop, state.stopMessage] };
    },
    close: async (scene) => {
      if (state.mode === 'live') await show(scene);
      const last = state.segments.at(-1);
      if (last?.open === true) {
        const tasks = changedTasks(ownProgress(last, scene.progress), last.tasks, true);
        const said = await stop(last, {
          chunks: [...endedPlan(last.tasks.size), ...toChunks(tasks, '')],
          blocks: [],
          over: true,
          mark: null,
          patienceMs: patience.short,
        });
        if (!said.ok) log.debug({ detail: said.failure.detail }, 'a stream was not stopped; it ends by itself');
        closed(last);
      }
      if (state.stopMessage !== null) await removeMessages(deps, place, [state.stopMessage]);
      await removeLost();
    },
  };
};
