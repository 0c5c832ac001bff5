/**
 * Words as Discord shows them literally. Only what Discord (or a Markdown reader of the result) would take for markup is escaped, so that
 * text copied from the source of a message stays readable. Pure.
 */

const BLANK = '\u200b';
const WORD = /[\p{L}\p{N}]/u;

/** `lineStart`: the text begins a line, where `#`, `>`, `-` and numbers mean something. */
export const escapeText = (text: string, lineStart: boolean): string =>
  text
    .split('\n')
    .map((line, index) => escapeLine(line, lineStart || index > 0))
    .join('\n');

const escapeLine = (line: string, atStart: boolean): string => {
  const body = defuse(
    [...line]
      .map((sign, at, signs) => (needsEscape(sign, signs[at - 1] ?? ' ', signs[at + 1] ?? ' ', signs, at) ? `\\${sign}` : sign))
      .join(''),
  );
  return atStart ? escapeStart(body) : body;
};

const needsEscape = (sign: string, before: string, after: string, signs: readonly string[], at: number): boolean => {
  switch (sign) {
    case '\\':
    case '`':
      return true;
    case '*':
      return !(/\s/.test(before) && /\s/.test(after));
    case '_':
      if (before === '_' || after === '_') return true;
      return !(WORD.test(before) && WORD.test(after)) && !(/\s/.test(before) && /\s/.test(after));
    case '~':
    case '|':
      return before === sign || after === sign;
    case '[':
      return signs.includes(']', at) && (signs.join('').slice(at).includes('](') || /\]:|\]\[/.test(signs.join('')));
    case '<':
      return /[a-zA-Z/!?]/.test(after);
    case '&':
      return /^#?\w{1,32};/.test(signs.slice(at + 1, at + 35).join(''));
    default:
      return false;
  }
};

const escapeStart = (line: string): string =>
  line
    .replace(/^(\s*)(#{1,6}(?=\s|$)|>|[-+](?=[\s#=-]|$)|=+\s*$|\*(?=\s)|\|)/, String.raw`$1\$2`)
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, String.raw`$1\$2`);

/** Mentions, channel and command links and custom emoji shown as text; the two words that would call everybody broken, too. */
export const defuse = (text: string): string =>
  text.replace(/<(?=[@#:]|a:|id:|\/\w)/g, `<${BLANK}`).replace(/@(?=everyone|here)/gi, `@${BLANK}`);

/** Code for Discord, which knows fences of three only: three backticks in it are kept apart. */
export const escapeFence = (code: string): string => code.replace(/``(?=`)/g, `\`${BLANK}\``);
