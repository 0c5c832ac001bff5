/** One native stream: a message that grows, and what part of the answer it shows. Pure. */
import type { ProgressLine } from '../../../src/core/outbound.ts';
import { lastPiece, nextPiece, nothingWritten, restOf } from './stream-text.ts';
import type { Piece, Written } from './stream-text.ts';

export type Segment = {
  readonly ts: string;
  /** Where in the answer's source it begins. */
  readonly from: number;
  written: Written;
  /** How each of its tasks looks, by id. */
  readonly tasks: Map<string, string>;
  /** Tasks that were done before it began, and stand in an earlier message. */
  readonly elsewhere: ReadonlySet<string>;
  readonly openedAt: number;
  /** When text was last added. */
  textAt: number;
  open: boolean;
  /** Aborts with its end. */
  readonly ended: AbortController;
};

/** Characters of Markdown in one stream: Slack takes 12,000. */
const ROOM = 11_000;
/** Beyond this much source a stream counts as full, and the next begins. */
const FULL = 9_500;

/** The calls that this segment tells of. */
export const ownProgress = (segment: Segment, progress: readonly ProgressLine[]): readonly ProgressLine[] =>
  progress.filter((line) => !segment.elsewhere.has(line.call));

type Render = (markdown: string) => string;

/** How far the source of the answer is shown by this segment and those before it. */
export const shownUpTo = (segment: Segment, text: string): number =>
  Math.max(segment.from, segment.from + segment.written.upTo - restOf(text, segment.from).added);

/** What can be added to a segment, or to one that would begin at `from`. */
export const pieceFor = (
  segment: Segment | null,
  from: number,
  text: string,
  render: Render,
  pause: boolean,
): Piece | 'diverged' | 'full' | null => {
  const source = restOf(text, segment?.from ?? from).text;
  const shown = segment?.written ?? nothingWritten;
  const bounded =
    source.length > FULL ? source.slice(0, Math.max(source.lastIndexOf('\n', FULL) + 1, shown.upTo)) || source.slice(0, FULL) : source;
  const next = nextPiece(bounded, shown, render, { pause: pause && bounded === source, room: ROOM });
  return next === null && bounded !== source && segment !== null ? 'full' : next;
};

/** What completes the segment so that it shows the whole rest of the answer; as `lastPiece`. */
export const endOf = (segment: Segment, text: string, render: Render): ReturnType<typeof lastPiece> =>
  lastPiece(restOf(text, segment.from).text, segment.written, render, ROOM);
