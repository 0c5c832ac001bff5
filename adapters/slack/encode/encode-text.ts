/** Small texts of Slack's messages: titles, alt texts, plain words. Pure. */
import { clean } from '../../../src/core/trust.ts';
import { escapeWords } from '../markdown/markdown-escape.ts';

/** Somebody's words as they may stand in any text of a message. */
export const escapeText = (text: string): string => escapeWords(clean(text));

/** One line of somebody's words of at most `max` characters, escaped; never cut within a sign or an entity. */
export const shortText = (text: string, max: number): string => {
  const line = clean(text).replace(/\s+/g, ' ').trim();
  const whole = escapeText(line);
  if (whole.length <= max) return whole;
  const graphemes = [...new Intl.Segmenter(undefined, { granularity: 'grapheme' }).segment(line.slice(0, max * 2))].map(
    (one) => one.segment,
  );
  let cut = '';
  for (const one of graphemes) {
    const next = escapeText(cut + one);
    if (next.length > max - 1) break;
    cut += one;
  }
  return `${escapeText(cut.trimEnd())}…`;
};
