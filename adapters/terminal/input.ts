/** Typed or piped lines -> what is to be done. Pure. */
import { belongsTo, endsInBlock, scanPython } from './python-input.ts';

export type Entry =
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'question'; readonly text: string }
  | { readonly kind: 'command'; readonly name: string; readonly args: string }
  | { readonly kind: 'leave' };

/** The lines of the entry that is being written. */
export type Pending = readonly string[];
type Fed = readonly [Pending, readonly Entry[]];

/** Stands for a line end within a pasted text while that is on the editing line, so that the paste stays one line, and verbatim. */
export const NEWLINE_SIGN = '\u2424';

/**
 * A line typed at the prompt, as in a Python REPL: a block goes on until an empty line. A line that holds a pasted text is several;
 * empty lines inside of it end nothing.
 */
export const feedTyped = (pending: Pending, typed: string): Fed => {
  const lines = [...pending, ...typed.split(NEWLINE_SIGN)];
  const special = lines.length === 0 ? undefined : specialEntry(lines.join('\n'));
  if (pending.length === 0 && special !== undefined) return [[], [special]];
  const source = lines.join('\n');
  const scan = scanPython(source);
  // A comment, or nothing: no run, as in Python.
  if (scan.lines.length === 0 && !scan.open) return [[], []];
  const ended = lines.length > 1 && lines.at(-1)?.trim() === '';
  return scan.open || (!ended && endsInBlock(scan)) ? [lines, []] : [[], [code(source)]];
};

/**
 * A line of a script from a pipe: a statement runs as soon as it is complete, and a block ends where the next statement begins, so that
 * a script needs no empty lines that it would not have as a file.
 */
export const feedPiped = (pending: Pending, line: string): Fed => {
  if (pending.length > 0) {
    const scan = scanPython(pending.join('\n'));
    if (scan.open || belongsTo(scan, line)) return settle([...pending, line]);
    const [rest, entries] = feedPiped([], line);
    return [rest, [...endPiped(pending), ...entries]];
  }
  if (line.trim() === '') return [[], []];
  const special = specialEntry(line);
  return special === undefined ? settle([line]) : [[], [special]];
};
const settle = (lines: Pending): Fed => {
  const source = lines.join('\n');
  const scan = scanPython(source);
  return scan.open || endsInBlock(scan) || scan.lines.length === 0 ? [lines, []] : [[], [code(source)]];
};

/** What is left at the end of the input. */
export const endPiped = (pending: Pending): readonly Entry[] => {
  const source = pending.join('\n');
  return scanPython(source).lines.length === 0 ? [] : [code(source)];
};

const code = (source: string): Entry => ({ kind: 'code', code: source.replace(/\n[ \t\n]*$/, '') });

/** What is not Python: a question, a command, or the wish to leave. */
const specialEntry = (text: string): Entry | undefined => {
  if (/^(?:exit|quit)(?:\(\))?\s*$/.test(text)) return { kind: 'leave' };
  if (text.startsWith('?')) return { kind: 'question', text: text.slice(1).trim() };
  const command = /^!\s*([A-Za-z][A-Za-z-]*)(?:\s([^]*))?$/.exec(text);
  return command === null ? undefined : { kind: 'command', name: (command[1] ?? '').toLowerCase(), args: command[2] ?? '' };
};
