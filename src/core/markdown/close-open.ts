/**
 * A draft made whole for display: a fence, code span or emphasis that is still open is closed, and a half-written mark or link at the very
 * end is held back. Text that is complete comes back unchanged. Pure; works on the source, so that the result can go anywhere.
 */
import type { Nodes } from 'mdast';
import { tooDeep, treeOf } from './parse.ts';

export const closeOpen = (text: string): string => closed(text.replace(/\r\n?/g, '\n')).text;

/** What is open at the end of a text: a fence (whose code goes on), anything else, or nothing. */
export const openAtEnd = (text: string): 'nothing' | 'fence' | 'inline' => {
  const { text: whole, fence } = closed(text);
  return whole === text ? 'nothing' : fence ? 'fence' : 'inline';
};

const closed = (source: string): { readonly text: string; readonly fence: boolean } => {
  const same = { text: source, fence: false };
  if (tooDeep(source)) return same;
  const last = lastBlock(treeOf(source));
  const start = last?.position?.start.offset;
  if (last === undefined || start === undefined) return same;
  if (last.type === 'code') return { text: closeFence(source, start), fence: true };
  // Something follows the last block (a blank line): it is closed by itself.
  if (source.slice(last.position?.end.offset ?? source.length).includes('\n')) return same;
  if (last.type === 'html' || last.type === 'thematicBreak' || last.type === 'definition') return same;
  return { text: source.slice(0, start) + closeInline(source.slice(start)), fence: false };
};

const lastBlock = (node: Nodes): Nodes | undefined => {
  if (node.type === 'paragraph' || node.type === 'heading' || node.type === 'tableCell' || !('children' in node)) return node;
  const last = node.children.at(-1);
  return last === undefined ? (node.type === 'root' ? undefined : node) : lastBlock(last);
};

const closeFence = (source: string, start: number): string => {
  const open = /^(`{3,}|~{3,})/.exec(source.slice(start))?.[1];
  if (open === undefined) return source;
  const sign = open[0] ?? '`';
  const lines = source.slice(start).split('\n');
  const lineStart = source.lastIndexOf('\n', start - 1) + 1;
  const prefix = source.slice(lineStart, start).replace(/[^>\s]/g, ' ');
  const content = lines.slice(1).map((line) => line.replace(/^[\s>]*/, ''));
  if (content.some((line) => new RegExp(`^\\${sign}{${open.length},}[ \\t]*$`).test(line))) return source;
  // Half of the closing fence is not code.
  const last = content.at(-1) ?? '';
  const kept = last !== '' && last.length < 3 && last === sign.repeat(last.length) ? source.slice(0, source.lastIndexOf('\n')) : source;
  return `${kept.endsWith('\n') ? kept : `${kept}\n`}${prefix}${open}`;
};

const closeInline = (block: string): string => {
  // A link or picture whose address is still coming is its words; a mark at the very end has nothing to mark yet.
  const text = block
    .replace(/!?\[([^[\]\n]*)\]\([^()\s]*$/, '$1')
    .replace(/(?<![*_~`\\])(?:\*{1,3}|_{1,3}|~{1,2}|`{1,3})$/, (mark, at: number) => (opensAt(block, at) ? '' : mark));
  const open = openMarks(text);
  if (open.length === 0) return text;
  const blank = /\s*$/.exec(text)?.[0] ?? '';
  return text.slice(0, text.length - blank.length) + open.toReversed().join('') + blank;
};

/** Whether a mark at the end begins something: nothing of its kind is open before it. */
const opensAt = (block: string, at: number): boolean => {
  const mark = block.slice(at);
  return !openMarks(block.slice(0, at)).some((open) => open.startsWith(mark.slice(0, 1)));
};

const WORD = /[\p{L}\p{N}]/u;

/** The marks that are open at the end, outermost first. */
const openMarks = (text: string): readonly string[] => {
  const stack: string[] = [];
  for (let at = 0; at < text.length;) {
    const sign = text[at] ?? '';
    if (sign === '\\') {
      at += 2;
      continue;
    }
    if (sign === '`') {
      const run = /^`+/.exec(text.slice(at))?.[0] ?? '`';
      const end = closingRun(text, at + run.length, run.length);
      if (end === -1) return text.slice(at + run.length).trim() === '' ? stack : [...stack, run];
      at = end;
      continue;
    }
    if (sign !== '*' && sign !== '_' && sign !== '~') {
      at++;
      continue;
    }
    const run = new RegExp(`^\\${sign}+`).exec(text.slice(at))?.[0] ?? sign;
    const before = text[at - 1] ?? ' ';
    const after = text[at + run.length] ?? ' ';
    let left = run;
    if (!/\s/.test(before) && !(sign === '_' && WORD.test(after))) {
      while (left !== '' && stack.at(-1)?.startsWith(sign) === true && left.length >= (stack.at(-1)?.length ?? 0)) {
        left = left.slice(stack.pop()?.length ?? 1);
      }
    }
    if (left !== '' && !/\s/.test(after) && !WORD.test(before)) {
      if (sign === '~') stack.push(...(left === '~~' ? ['~~'] : []));
      else stack.push(...(left.length === 3 ? [sign, sign + sign] : left.length <= 2 ? [left] : []));
    }
    at += run.length;
  }
  return stack;
};

const closingRun = (text: string, from: number, length: number): number => {
  for (const match of text.slice(from).matchAll(/`+/g)) if (match[0].length === length) return from + match.index + length;
  return -1;
};
