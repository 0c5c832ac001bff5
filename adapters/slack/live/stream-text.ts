/**
 * Text that may only grow: which part of an unfinished answer can be shown for good. Pure.
 *
 * A stream takes nothing back, and Markdown means something else once it goes on (`**bo` becomes bold, a line becomes a heading, a row a
 * table). So what is shown ends where all that stands before keeps its meaning, and nothing is shown whose form changes with what follows.
 */
import { openAtEnd } from '../../../src/core/markdown/close-open.ts';

/** What a stream shows. `written`: the Markdown that was sent. `upTo`: how much of the source it stands for. */
export type Written = { readonly written: string; readonly upTo: number };
export const nothingWritten: Written = { written: '', upTo: 0 };

export type Piece = { readonly chunk: string; readonly now: Written };

type Render = (markdown: string) => string;

/**
 * The next piece of `source` to send, null where there is none yet, or `diverged` where the source no longer begins with what was sent.
 * `pause`: nothing will follow for a while, and then only in a new paragraph; all there is may go out. `room`: characters that may stand in
 * the stream in all.
 */
export const nextPiece = (
  source: string,
  shown: Written,
  render: Render,
  { pause, room }: { readonly pause: boolean; readonly room: number },
): Piece | 'diverged' | null => {
  const whole = render(source);
  if (!whole.startsWith(shown.written.trimEnd())) return 'diverged';
  if (whole.trim() === '') return null;
  if (pause) {
    const written = `${whole.trimEnd()}\n\n`;
    if (written.length <= room) return piece(written, shown, source.length);
  }
  const growing = withoutClosing(whole, openFence(source) !== null);
  for (const cut of cutsOf(source)) {
    if (cut <= shown.upTo) break;
    // The beginning of a line may yet become the mark of a list, and then it stands otherwise to the line above.
    if (source.charAt(cut - 1) === '\n' && openFence(source) === null && !/^\s*(?:\S+[ \t]+\S|\S+\n|\w{3})/.test(source.slice(cut)))
      continue;
    const stands = withoutClosing(render(source.slice(0, cut)), openFence(source.slice(0, cut)) !== null);
    if (stands === '' || !growing.startsWith(stands)) continue;
    // White space goes with what stands before it (at the beginning of a chunk Slack may drop it), so something must follow already.
    const space = /^\s+(?=\S)/.exec(growing.slice(stands.length))?.[0];
    if (space === undefined) continue;
    const written = stands + space;
    if (written.length > room) continue;
    return piece(written, shown, cut);
  }
  return null;
};

const piece = (written: string, shown: Written, upTo: number): Piece | null => {
  if (!written.startsWith(shown.written) || written.length === shown.written.length) return null;
  return { chunk: written.slice(shown.written.length), now: { written, upTo } };
};

/** The rest of the finished source, to be sent as the last piece; `diverged` where what was sent is not how it begins, null where there is no room. */
export const lastPiece = (source: string, shown: Written, render: Render, room: number): { readonly rest: string } | 'diverged' | null => {
  const whole = render(source).trimEnd();
  if (shown.written.trimEnd() === whole) return { rest: '' };
  if (!whole.startsWith(shown.written)) return 'diverged';
  return whole.length > room ? null : { rest: whole.slice(shown.written.length) };
};

/** The source from `at` on, such that it can be read by itself: a code block that was cut is opened again. */
export const restOf = (source: string, at: number): { readonly text: string; readonly added: number } => {
  const fence = openFence(source.slice(0, at));
  if (fence === null) {
    const text = source.slice(at).trimStart();
    return { text, added: text.length - (source.length - at) };
  }
  const rest = source.slice(at);
  // Cut right before its end: there is nothing left of the block to open.
  const closing = new RegExp(`^\\s{0,3}${fence.mark.charAt(0)}{${fence.mark.length},}[ \\t]*(?:\\n|$)`).exec(rest);
  if (closing !== null) {
    const text = rest.slice(closing[0].length).trimStart();
    return { text, added: text.length - rest.length };
  }
  return { text: `${fence.opening}\n${rest}`, added: fence.opening.length + 1 };
};

const FENCE = /^( {0,3})(`{3,}|~{3,})([^\n]*)$/;

type Fence = { readonly opening: string; readonly mark: string };
/** The code block that is open at the end of the text. */
const openFence = (text: string): Fence | null => {
  let open: Fence | null = null;
  for (const line of text.split('\n')) {
    const match = FENCE.exec(line);
    if (match === null) continue;
    const [, , mark = '', info = ''] = match;
    if (open === null) {
      if (mark.startsWith('~') || !info.includes('`')) open = { opening: line, mark };
    } else if (mark.startsWith(open.mark) && info.trim() === '') open = null;
  }
  return open;
};

const withoutClosing = (rendered: string, open: boolean): string =>
  (open ? rendered.trimEnd().replace(/\n?[ >]*(`{3,}|~{3,})$/, '') : rendered).trimEnd();

/** Where the text may be cut, the last place first: within a plain paragraph, at the ends of lines, at the ends of paragraphs. A few only. */
const cutsOf = (source: string): readonly number[] => {
  const fence = openFence(source);
  const lineEnd = source.lastIndexOf('\n') + 1;
  if (fence !== null) {
    const opened = source.lastIndexOf(`${fence.opening}\n`);
    const before = opened === -1 ? source.lastIndexOf(fence.opening) : opened;
    // A block is opened with at least one line in it.
    const inside = opened !== -1 && lineEnd > opened + fence.opening.length + 1 ? [lineEnd] : [];
    return [...inside, before].filter((cut) => cut > 0);
  }
  const paragraph = Math.max(0, source.lastIndexOf('\n\n') + 2);
  const start = paragraph === 1 ? 0 : paragraph;
  const body = source.slice(start);
  // Rows of a table, and a line above dashes, change with what follows.
  const wholeOnly = /^\s*\||\n\s*(?:\||:?-|=)/.test(body);
  const cuts = wholeOnly ? [] : [start + settledLength(body), ...(lineEnd > start ? [lineEnd] : [])];
  return [...new Set([...cuts, start])].filter((cut) => cut > 0).toSorted((a, b) => b - a);
};

/** How much of a paragraph, up to a space, holds no mark that is still open. */
const settledLength = (text: string): number => {
  const spaces = [...text.matchAll(/\s+(?=\S)/g)].map((space) => space.index + space[0].length).slice(-LOOKED_AT);
  return spaces.findLast((end) => isSettled(text.slice(0, end))) ?? 0;
};
const LOOKED_AT = 12;

const isSettled = (text: string): boolean => {
  if (openAtEnd(text) !== 'nothing') return false;
  const last = text.trimEnd();
  // A list's or heading's mark alone, and signs that begin what only its end makes plain.
  return !/(?:^|\n)[ \t>]*(?:[-*+=_#>]+|\d+[.)])?$/.test(last) && !/[[\]<`\\!$]$/.test(last) && !/\[[^\]]*$/.test(last);
};
