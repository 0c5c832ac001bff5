/**
 * A growing answer for Slack's streams, which can only be appended to. Raw Markdown cannot be filtered there, since a link or token shows
 * only when it is whole; so the part that is settled is rendered like any finished answer, and what is new of it is appended. Pure.
 */
import { openAtEnd } from '../../../src/core/markdown/close-open.ts';
import { filterOutput, strictPolicy } from '../../../src/core/markdown/filter.ts';
import type { OutputPolicy } from '../../../src/core/markdown/filter.ts';
import { parseMarkdown } from '../../../src/core/markdown/parse.ts';
import { toSlackMarkdown } from './markdown-standard.ts';

/**
 * What may be appended now to a stream that shows `sent`, for a draft that has grown to `text`; empty where nothing new is settled. With
 * `done`, all the rest. Null: what was sent is no beginning of what is now right (a late footnote changed it); the stream must then be
 * ended and its message replaced by the final one.
 */
export const streamChunk = (sent: string, text: string, done: boolean, policy: OutputPolicy = strictPolicy): string | null => {
  const source = done ? text : settled(text.replace(/\r\n?/g, '\n'));
  const shown = toSlackMarkdown(filterOutput(parseMarkdown(source), policy));
  const whole = !done && openAtEnd(source) === 'fence' ? shown.replace(/\n[ >]*```$/, '') : shown;
  if (whole.startsWith(sent)) return whole.slice(sent.length);
  return done || !sent.startsWith(whole) ? null : '';
};

/** The beginning of a draft that what follows will not change: whole words with nothing open, whole lines of code, no table in the making. */
const settled = (text: string): string => {
  for (const end of ends(text)) {
    const candidate = text.slice(0, end);
    const open = openAtEnd(candidate);
    if (open === 'fence' ? candidate.endsWith('\n') && !OPENS.test(candidate) : open === 'nothing' && isSettled(candidate))
      return candidate;
  }
  return '';
};

// A fence without a line of code in it yet.
const OPENS = /(?:^|\n)[\s>*+.)\d-]*(?:`{3,}|~{3,})[^\n`]*\n\s*$/;

/** Where a beginning might end, longest first: after a line of code, after the last word, after each of the last lines and blocks. */
const ends = (text: string): readonly number[] => {
  const newline = text.lastIndexOf('\n');
  const blank = text.search(/\s\S*$/);
  const lines = [...text.matchAll(/\n+/g)].map((match) => match.index).toReversed();
  return [newline + 1, Math.max(blank, 0), ...lines.slice(0, 40), 0]
    .toSorted((a, b) => b - a)
    .filter((end, index, all) => end !== all[index - 1]);
};

const isSettled = (candidate: string): boolean => {
  if (
    count(candidate, '$$') % 2 === 1 ||
    count(candidate, '\\[') > count(candidate, '\\]') ||
    count(candidate, '\\(') > count(candidate, '\\)')
  )
    return false;
  if (candidate.endsWith('\n\n')) return true;
  const last = candidate.slice(candidate.lastIndexOf('\n', candidate.length - 2) + 1);
  // Rows of a table move its columns; lone marks may become a list, a heading or a rule; brackets and tags may become something whole.
  if (last.includes('|') || /^[\s>]*(?:[-*+=_#>]+|\d+[.)])?\s*$/.test(last)) return false;
  if (last.lastIndexOf('[') > last.lastIndexOf(']') || /<(b|strong|i|em|s|del|code|kbd)>(?!.*<\/\1>)/i.test(last)) return false;
  return !/[[\]<`\\!$]/.test(last.slice(last.lastIndexOf(' ') + 1));
};
const count = (text: string, part: string): number => text.split(part).length - 1;
