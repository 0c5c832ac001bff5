/** Marks around words, as every dialect of Markdown has them. Pure. */
import type { Image, Link } from './nodes.ts';

/** Marks stand close to the words: blanks at either end go outside, and blanks alone get none. */
export const marked = (mark: string, inside: string): string => {
  const words = inside.trim();
  if (words === '') return inside;
  const start = inside.indexOf(words);
  return `${inside.slice(0, start)}${mark}${words}${mark}${inside.slice(start + words.length)}`;
};

/** A code span around what is one line already and holds no run of two backticks. */
export const ticked = (code: string): string => {
  if (code.trim() === '') return code;
  const mark = code.includes('`') ? '``' : '`';
  const pad = code.startsWith('`') || code.endsWith('`') ? ' ' : '';
  return `${mark}${pad}${code}${pad}${mark}`;
};

/** A picture that is not shown: the link to it, under its words. */
export const imageLink = ({ url, alt }: Image): Link => ({
  type: 'link',
  url,
  children: [{ type: 'text', value: alt === '' ? url : alt }],
});
