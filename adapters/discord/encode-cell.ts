/** Runs as people see them in Discord: their own code answered as a Python prompt would, the model's as a line and a file to open. Pure. */
import { codeBlock } from '../../src/core/markdown-text.ts';
import type { Run } from '../../src/core/run.ts';
import { firstLines, replText, smallPrint } from '../../src/core/run-text.ts';
import type { FoldedCell } from '../../src/core/run-text.ts';
import { cutMiddle } from '../../src/core/text.ts';
import { clean } from '../../src/core/trust.ts';
import { escapeText } from './markdown-escape.ts';

type TextFile = { readonly name: string; readonly content: string };

/** Longer output is shown in part, and goes whole into a file: one message holds the run. */
const SHOWN = 1_500;
const COMMANDED = 600;

/** Somebody's words as a line of small print of about `max` characters at most; empty words give an empty line's worth of nothing. */
export const smallLine = (text: string, max: number): string => {
  const line = clean(text).replace(/\s+/g, ' ').trim();
  return `-# ${escapeText(
    line.length <= max
      ? line
      : `${line
          .slice(0, max - 1)
          .toWellFormed()
          .trimEnd()}…`,
    false,
  )}`;
};

/** A person's run: Markdown of what came of it, small print, and the whole output where it is not shown whole. Their code is their own message. */
export const personsCell = (run: Run): { readonly body: string; readonly small: string; readonly file: TextFile | null } => {
  const said = replText(run);
  const shown = cutMiddle(said, SHOWN);
  return {
    body: said === '' ? '' : codeBlock(shown),
    small: smallLine(smallPrint(run), 400),
    file: shown === said ? null : { name: `run-${run.n}-output.txt`, content: said },
  };
};

/** Code that came by a command in a place where nothing else shows it: the options of a command are not for others to read. */
export const commandedCode = ({ code }: Run): string => codeBlock(firstLines(clean(code).replace(/\n+$/, ''), COMMANDED), 'python');

/** What running code has printed so far, its end first of all. */
export const runningOutput = (text: string): string => (text === '' ? '' : codeBlock(clean(text).slice(-SHOWN).replace(/\n$/, '')));

/** Each with a line of its own, as long as they are few. */
const FEW = 3;

/** What the model ran, as small print under its answer; the code is in the file beside it. */
export const foldedLines = (cells: readonly FoldedCell[]): readonly string[] => {
  if (cells.length <= FEW) return cells.map((cell) => smallLine([cell.title, ...troubles(cell)].join(' · '), 300));
  const failed = cells.filter((cell) => cell.failed).length;
  const numbers = `runs ${cells[0]?.n ?? 0} to ${cells.at(-1)?.n ?? 0}`;
  return [smallLine(`Ran Python ${cells.length} times (${numbers})${failed === 0 ? '' : `, ${failed} of them failed`}`, 300)];
};
const troubles = (cell: FoldedCell): readonly string[] => [...(cell.failed ? ['failed'] : []), ...(cell.small === '' ? [] : [cell.small])];

/** All that the model ran and what came of it, as a Python file: Discord folds it, colours it and shows it on a press. */
export const foldedFile = (cells: readonly FoldedCell[]): TextFile | null => {
  const [first, last] = [cells[0], cells.at(-1)];
  if (first === undefined || last === undefined) return null;
  const name = first === last ? `run-${first.n}.py` : `runs-${first.n}-${last.n}.py`;
  const content = cells
    .map((cell) => [`# ${cell.title}`, cell.code, ...(cell.said === '' ? [] : ['', '# Output:', commented(cell.said)])].join('\n'))
    .join('\n\n\n');
  return { name, content: `${content}\n` };
};
const commented = (text: string): string => text.replace(/^/gm, '# ').replace(/[ \t]+$/gm, '');
