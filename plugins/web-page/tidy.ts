/**
 * Text without what people do not see: characters that only set the direction of writing, and the invisible copies of ASCII in which
 * instructions for models have been hidden. Blank lines are kept to one.
 */
export const tidy = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(INVISIBLE, '')
    .replace(/[ \t\u00a0]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim()
    .toWellFormed();

const INVISIBLE = /[\u00ad\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/gu;
