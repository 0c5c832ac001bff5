/** Plain words as Markdown that shows them literally. Only what a reader would take for markup is escaped. Pure. */

const WORD = /[\p{L}\p{N}]/u;

/** `lineStart`: the text begins a line, where `#`, `>`, `-` and numbers mean something. `<` and `&` are the dialect's own matter. */
export const escapeMarks = (text: string, lineStart: boolean): string =>
  text
    .split('\n')
    .map((line, index) => (lineStart || index > 0 ? escapeStart(escapeLine(line)) : escapeLine(line)))
    .join('\n');

const escapeLine = (line: string): string => {
  if (!/[\\`*_~|[]/.test(line)) return line;
  const brackets = /\](?:\(|:|\[)/.test(line);
  return line.replace(/[\\`*_~|[]/g, (sign, at: number) =>
    needsEscape(sign, line[at - 1] ?? '', line[at + 1] ?? '', brackets) ? `\\${sign}` : sign,
  );
};

// At either end of the text a mark of the surroundings may follow, so nothing there counts as a blank.
const needsEscape = (sign: string, before: string, after: string, brackets: boolean): boolean => {
  switch (sign) {
    case '*':
      return !(/\s/.test(before) && /\s/.test(after));
    case '_':
      if (before === '_' || after === '_') return true;
      return !(WORD.test(before) && WORD.test(after)) && !(/\s/.test(before) && /\s/.test(after));
    case '~':
    case '|':
      return before === sign || after === sign;
    case '[':
      return brackets || after === '^';
    default:
      return true;
  }
};

const escapeStart = (line: string): string =>
  line
    .replace(/^(\s*)(#{1,6}(?=\s|$)|>|[-+](?=[\s#=-]|$)|=+\s*$|\*(?=\s|$)|\|)/, String.raw`$1\$2`)
    .replace(/^(\s*\d{1,9})([.)])(?=\s|$)/, String.raw`$1\$2`);
