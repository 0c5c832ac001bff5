/** Runs as people see them in Slack: their own code answered as a Python prompt would, the model's folded away. Pure. */
import type { KnownBlock, RichTextBlock, TaskCardBlock } from '@slack/types';
import { codeBlock } from '../../../src/core/markdown-text.ts';
import type { Run } from '../../../src/core/run.ts';
import { replText, smallPrint } from '../../../src/core/run-text.ts';
import type { FoldedCell } from '../../../src/core/run-text.ts';
import { cutMiddle } from '../../../src/core/text.ts';
import { clean } from '../../../src/core/trust.ts';
import { literalCode, literalWords } from '../markdown/markdown-escape.ts';
import { escapeText, shortText } from './encode-text.ts';

/** Longer output is shown in part, and goes whole into a file. */
const SHOWN = 2_800;
/** A person's run: Markdown of what came of it, small print, and the whole output where it is not shown whole. */
export type PersonsCell = {
  readonly body: string;
  readonly small: string;
  readonly file: { readonly name: string; readonly content: string } | null;
};

/** The code itself is the person's own message, so it is not said again. */
export const personsCell = (run: Run): PersonsCell => {
  const said = replText(run);
  const shown = cutMiddle(said, SHOWN);
  return {
    body: said === '' ? '' : codeBlock(shown),
    small: escapeText(smallPrint(run)),
    file: shown === said ? null : { name: `run-${run.n}-output.txt`, content: said },
  };
};

/** More than so many would be a message of nothing else. */
const CELLS = 12;

/** What the model ran under an answer, each run folded into one line; empty where it ran nothing. */
export const toFoldedBlocks = (cells: readonly FoldedCell[]): readonly KnownBlock[] => {
  if (cells.length === 0) return [];
  const shown = cells.slice(-CELLS);
  const left = cells.length - shown.length;
  const title = `What I ran: ${cells.length === 1 ? '1 piece of Python' : `${cells.length} pieces of Python`}${left === 0 ? '' : `, the last ${CELLS} of them`}`;
  return [{ type: 'plan', title, tasks: shown.map(toCard) }];
};

const toCard = (cell: FoldedCell): TaskCardBlock => ({
  type: 'task_card',
  task_id: `run-${cell.n}`,
  title: shortText(cell.title, 200),
  status: cell.failed ? 'error' : 'complete',
  details: toPreformatted(cell.code, ''),
  ...(cell.said === '' && cell.small === '' ? {} : { output: toPreformatted(cell.said, cell.small) }),
});

// Elements of rich text are taken as they stand: nothing in them is read as a mention or a link.
const toPreformatted = (text: string, small: string): RichTextBlock => ({
  type: 'rich_text',
  elements: [
    ...(text === '' ? [] : [{ type: 'rich_text_preformatted' as const, elements: [{ type: 'text' as const, text: literalCode(text) }] }]),
    ...(small === '' ? [] : [{ type: 'rich_text_section' as const, elements: [{ type: 'text' as const, text: literalWords(small) }] }]),
  ],
});

/** What running code has printed so far, its end first of all. */
export const runningOutput = (text: string): string => codeBlock(clean(text).slice(-2_400).replace(/\n$/, ''));
