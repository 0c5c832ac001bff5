/**
 * Is this Python complete, or does more belong to it? Pure, and a lexer only: brackets, strings, comments, line joins, and which lines
 * begin a block. It never refuses anything; whatever it cannot make sense of counts as complete, so that Python itself says what is wrong.
 *
 * Its limits: nested quotes of the same kind within an f-string (Python 3.12) are read as its end, and `match` is known as a block only
 * by its colon.
 */

/** A line as Python joins it: over brackets, strings and backslashes. `top`: not indented. */
export type LogicalLine = { readonly text: string; readonly top: boolean; readonly colonEnd: boolean };
export type Scan = {
  readonly lines: readonly LogicalLine[];
  /** A bracket, a string of three quotes, or a backslash at the end is open. */
  readonly open: boolean;
};

const CLOSERS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The logical lines of a source, blank and comment lines left out. */
export const scanPython = (source: string): Scan => {
  const lines: LogicalLine[] = [];
  const brackets: string[] = [];
  let quote = '';
  let text = '';
  let last = '';
  let backslash = false;
  let at = 0;
  const end = (): void => {
    if (text.trim() !== '') lines.push({ text: text.trim(), top: !/^[ \t\f]/.test(text), colonEnd: last === ':' });
    text = '';
    last = '';
  };
  while (at < source.length) {
    const char = source.charAt(at);
    if (quote !== '') {
      if (char === '\\') {
        text += source.slice(at, at + 2);
        at += 2;
        continue;
      }
      if (source.startsWith(quote, at)) {
        text += quote;
        at += quote.length;
        last = 'string';
        quote = '';
        continue;
      }
      // A string of one quote ends with its line, closed or not.
      if (char === '\n' && quote.length === 1) quote = '';
      else {
        text += char;
        at += 1;
        continue;
      }
    }
    if (char === '#') {
      const newline = source.indexOf('\n', at);
      at = newline === -1 ? source.length : newline;
      continue;
    }
    if (char === '"' || char === "'") {
      quote = source.startsWith(char.repeat(3), at) ? char.repeat(3) : char;
      text += quote;
      at += quote.length;
      continue;
    }
    if (char === '\\' && at + 2 >= source.length) backslash = true;
    if (char === '\\' && source.charAt(at + 1) === '\n') {
      text += ' ';
      at += 2;
      continue;
    }
    if (char === '\n' && brackets.length === 0) {
      end();
    } else {
      if ('([{'.includes(char)) brackets.push(char);
      // A closing bracket that nothing opened is an error that Python tells best: nothing is open then.
      if (char in CLOSERS && brackets.pop() !== CLOSERS[char]) brackets.length = 0;
      if (!/\s/.test(char)) last = char;
      text += char;
    }
    at += 1;
  }
  const open = backslash || quote.length === 3 || (quote.length === 1 && /\\\n?$/.test(source)) || brackets.length > 0;
  end();
  return { lines, open };
};

const BLOCK = /^(?:(?:if|for|while|def|class|with|try|async)\b|@)/;
const CONTINUES = /^(?:else|elif|except|finally)\b/;

/** Whether the source ends within a block that further lines may belong to: then a REPL waits for an empty line. */
export const endsInBlock = ({ lines }: Scan): boolean => {
  const last = lines.at(-1);
  if (last === undefined) return false;
  const head = lines.findLast((line) => line.top && !CONTINUES.test(line.text));
  return !last.top || last.colonEnd || CONTINUES.test(last.text) || (head !== undefined && head === last && BLOCK.test(head.text));
};

/** Whether a further line belongs to a block that stands above it: it is indented, goes on with `else` or the like, or a decorator waits for its function. */
export const belongsTo = (scan: Scan, line: string): boolean =>
  /^[ \t]/.test(line) ||
  line.trim() === '' ||
  line.startsWith('#') ||
  CONTINUES.test(line) ||
  scan.lines.at(-1)?.text.startsWith('@') === true;
