/** What a CommonMark parser leaves in plain text and people still mean: bare addresses, and bold beside signs that are not letters. Pure. */
import { mergeTexts, textOf } from './nodes.ts';
import type { Inline } from './nodes.ts';

const ADDRESS = /(?:https?:\/\/|(?<![\p{L}\p{N}./@:-])www\.)[^\s<>"`|\\^{}]+/gu;

/** Text with the bare addresses in it as links. What follows an address in a sentence is not part of it. */
export const linkAddresses = (text: string): readonly Inline[] => {
  const out: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(ADDRESS)) {
    const shown = trimAddress(match[0]);
    const url = shown.startsWith('www.') ? `http://${shown}` : shown;
    if (!URL.canParse(url) || !/\w\.\w|localhost|:\d/.test(url)) continue;
    out.push(textOf(text.slice(at, match.index)), { type: 'link', url, children: [textOf(shown)] });
    at = match.index + shown.length;
  }
  return mergeTexts([...out, textOf(text.slice(at))]);
};

/** An address without the signs at its end that belong to the sentence: stops, quotes, emphasis, a bracket that it did not open. */
const trimAddress = (address: string): string => {
  let url = address;
  for (;;) {
    const last = url.at(-1) ?? '';
    if (/[.,;:!?'"*_~’”»]/.test(last)) url = url.slice(0, -1);
    else if (last === ')' && count(url, ')') > count(url, '(')) url = url.slice(0, -1);
    else if (last === ']' && count(url, ']') > count(url, '[')) url = url.slice(0, -1);
    else return url;
  }
};
const count = (text: string, sign: string): number => text.split(sign).length - 1;

/**
 * Bold that CommonMark refuses because a quotation mark or bracket stands inside its end and a letter outside, as is usual in Chinese,
 * Japanese and Korean: `**「…」**は`. Only for text in which the author escaped no asterisk.
 */
export const boldBesidePunctuation = (text: string): readonly Inline[] =>
  mergeTexts(
    text
      .split(/\*\*(?=\S)([^*\n]+?)(?<=\S)\*\*/)
      .map((part, index): Inline => (index % 2 === 0 ? textOf(part) : { type: 'strong', children: [textOf(part)] })),
  );
