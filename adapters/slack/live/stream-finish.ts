/** The end of a turn that was streamed: how the finished answer and what stands in the thread become one. */
import type { AnyChunk } from '@slack/types';
import { ok } from '../../../src/core/result.ts';
import { patience, refusal, replies } from '../api/api.ts';
import { changedTasks, endedPlan, toChunks } from '../encode/encode-tasks.ts';
import { toUpdateArgs } from '../encode.ts';
import { nothingKept } from './live-notes.ts';
import { endOf, ownProgress, shownUpTo } from './stream-segment.ts';
import type { Segment } from './stream-segment.ts';
import type { Streams } from './stream-state.ts';
import { OLD_MS } from './surface.ts';
import type { Final, Finished } from './surface.ts';

/**
 * - The stream goes on to the end where what it shows is how the answer begins: nothing is said twice, nothing changes its place.
 * - A message that has stood for long is taken away and said anew at the end, so that the thread is unread.
 * - Where nobody knows for sure what stands there, the answer is posted whole and everything before goes.
 */
export const finishStreams = async (streams: Streams, final: Final): Promise<Finished> => {
  const { state, clock } = streams;
  const all = state.segments.map(({ ts }) => ts);
  const last = state.segments.at(-1);
  if (last === undefined) return { kept: nothingKept, drop: [] };
  if (state.mode === 'broken' || !final.text.startsWith(state.shown)) return replaceAll(streams, final, last, all);
  const left = endOf(last, final.text, streams.render);
  if (left === 'diverged') return replaceAll(streams, final, last, all);
  const old = clock.now() - last.openedAt > OLD_MS && !state.stopped;
  if (state.buttoned) return replaceAll(streams, final, last, all);
  if (old) {
    await end(streams, last, final, '', false);
    return { kept: { cut: last.from }, drop: [last.ts] };
  }
  if (left !== null && last.open && (await end(streams, last, final, left.rest, true)))
    return { kept: { cut: final.text.length }, drop: [] };
  if (left !== null && last.open) return replaceAll(streams, final, last, all);
  await end(streams, last, final, '', false);
  return { kept: { cut: shownUpTo(last, final.text) }, drop: [] };
};

/** Stops the stream with what is left to say. False where it is not known that this stands. */
const end = async (streams: Streams, segment: Segment, final: Final, text: string, whole: boolean): Promise<boolean> => {
  if (!segment.open) return text === '';
  // A task that was never shown would stand in the middle of the text now.
  const tasks = changedTasks(ownProgress(segment, final.progress), segment.tasks, true).filter((task) => segment.tasks.has(task.id));
  const chunks = [...endedPlan(segment.tasks.size), ...toChunks(tasks, text)];
  const mark = whole ? final.mark : null;
  const under = whole ? final.under : [];
  const with_ = { chunks, over: true, patienceMs: patience.short };
  // Refused for its form, it is said again without what may be the reason.
  for (const form of [
    { blocks: under, mark },
    { blocks: under.filter((block) => block.type === 'actions'), mark: null },
    { blocks: [], mark: null },
  ]) {
    const said = await streams.stop(segment, { ...with_, ...form });
    if (said.ok) return true;
    if (whole && said.failure.code === 'rate-limited') return appendRest(streams, segment, chunks);
    const refused = refusal(said.failure);
    if (refused === null || !/block|metadata|invalid_arg/.test(refused)) {
      streams.log.info({ detail: said.failure.detail }, 'a stream was not ended as it should');
      return false;
    }
  }
  return false;
};

/** Streams may be ended less often than they may be added to: the words come now, and the end when its time has come. */
const appendRest = async ({ api, place, log }: Streams, segment: Segment, chunks: readonly AnyChunk[]): Promise<boolean> => {
  log.info({}, 'Slack limits how often streams are ended; an answer goes without its buttons');
  const args = { channel: place.channel, ts: segment.ts, chunks };
  const said = chunks.length === 0 ? ok(null) : await api.call('chat.appendStream', place, args, replies.done, patience.answer);
  return said.ok;
};

/** The first message in the place of the stream's own, where that is the only one and fresh; otherwise all is posted anew. */
const replaceAll = async (streams: Streams, final: Final, last: Segment, all: readonly string[]): Promise<Finished> => {
  await end(streams, last, final, '', false);
  const [message] = final.messages;
  const fresh = streams.clock.now() - last.openedAt <= OLD_MS;
  if (all.length === 1 && message !== undefined && fresh) {
    const args = toUpdateArgs(streams.place, last.ts, message, `${final.mark}:0`);
    const said = await streams.api.call('chat.update', streams.place, args, replies.done, patience.short);
    if (said.ok) return { kept: { parts: 1 }, drop: [] };
    streams.log.info({ detail: said.failure.detail }, 'a finished stream could not be edited');
  }
  return { kept: nothingKept, drop: all };
};
