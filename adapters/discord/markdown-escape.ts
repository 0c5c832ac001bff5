/** Words as Discord shows them literally, and code that cannot leave its fence. Pure. */
import { escapeMarks } from '../../src/core/markdown/escape.ts';

const BLANK = '\u200b';

/** `lineStart`: the text begins a line, where `#`, `>`, `-` and numbers mean something. */
export const escapeText = (text: string, lineStart: boolean): string =>
  defuse(escapeMarks(text, lineStart))
    .replace(/<(?=[a-zA-Z/!?])/g, String.raw`\<`)
    .replace(/&(?=#?\w{1,32};)/g, String.raw`\&`);

/** Mentions, channel and command links and custom emoji shown as text; the two words that would call everybody broken, too. */
const defuse = (text: string): string =>
  text.replace(/<(?=[@#:!]|a:|id:|t:|\/\w)/g, `<${BLANK}`).replace(/@(?=everyone|here)/gi, `@${BLANK}`);

/** Code for Discord, which knows fences of three only: three backticks in it are kept apart. */
export const escapeFence = (code: string): string => code.replace(/`{3,}/g, (run) => run.split('').join(BLANK));

/** Code for a span, whose marks are one backtick or two: no run of backticks in it is as long. */
export const partTicks = (code: string): string => code.replace(/`(?=`)/g, `\`${BLANK}`);
