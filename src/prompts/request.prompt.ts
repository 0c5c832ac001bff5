import { definePrompt } from '../core/prompt.ts';
import type { TableFacts } from '../core/table.ts';
import type { PromptText } from '../core/trust.ts';
import { joinWords, quote, quoteInline, untrusted, words } from '../core/trust.ts';

export type RequestVariables = {
  readonly speaker: string;
  readonly text: string;
  readonly files: readonly {
    readonly name: string;
    readonly type: string;
    readonly size: number;
    readonly picture: 'shown' | 'hidden' | 'none';
    readonly table: TableFacts | null;
  }[];
};

/** A person's words, with the speaker and the files that came along. */
export const requestPrompt = definePrompt<RequestVariables>({
  id: 'request',
  version: 4,
  words: ({ speaker, text, files }) =>
    joinWords(
      [
        words`From ${quoteInline(untrusted(speaker), 80)}:`,
        quote('request', untrusted(text)),
        ...(files.length === 0 ? [] : [words`Files that came with it, now in the working directory of the Python session:`]),
        ...files.map(
          (file) =>
            words`- ${quoteInline(untrusted(file.name))}, ${quoteInline(untrusted(file.type), 80)}, ${file.size} bytes${tableWords(file.table)}${seen[file.picture]}`,
        ),
      ],
      '\n',
    ),
});

const columnWords = (columns: readonly string[]): PromptText =>
  joinWords(
    columns.map((name) => quoteInline(untrusted(name), 60)),
    ', ',
  );

const rowWords = (rows: number | null): PromptText => (rows === null ? words`many rows` : words`${rows} rows`);

const tableWords = (table: TableFacts | null): PromptText => {
  if (table === null) return words``;
  if (table.sheets.length === 0) return words`; a table of ${rowWords(table.rows)} and the columns ${columnWords(table.columns)}`;
  const sheets = table.sheets.map(
    ({ name, columns, rows }) => words`${quoteInline(untrusted(name), 60)} with ${rowWords(rows)} and the columns ${columnWords(columns)}`,
  );
  return words`; a workbook with the sheets ${joinWords(sheets, '; ')}`;
};

const seen = {
  shown: words`; shown to you with this message`,
  hidden: words`; a picture that is not shown to you: never guess what is in it. Python can open it`,
  none: words``,
} as const;
