/** A story as a Jupyter notebook, nbformat 4.5. Pure. */
import { runBlock, runsAgain, storyHead, wordsBlock } from './export.ts';
import type { Story, StoryPart } from './export.ts';
import type { BlobId } from './ids.ts';
import type { Run, RunFile } from './run.ts';

type Lines = readonly string[];
type Data = { readonly [type: string]: Lines | string };
type Output =
  | { readonly output_type: 'stream'; readonly name: 'stdout'; readonly text: Lines }
  | { readonly output_type: 'display_data'; readonly data: Data; readonly metadata: object }
  | { readonly output_type: 'execute_result'; readonly execution_count: number; readonly data: Data; readonly metadata: object }
  | { readonly output_type: 'error'; readonly ename: string; readonly evalue: string; readonly traceback: Lines };
type Cell =
  | { readonly cell_type: 'markdown'; readonly id: string; readonly metadata: object; readonly source: Lines }
  | {
      readonly cell_type: 'code';
      readonly id: string;
      readonly metadata: object;
      readonly source: Lines;
      readonly execution_count: number;
      readonly outputs: readonly Output[];
    };

/** The notebook's JSON text. A picture whose bytes are not among `pictures` is named in place of being shown. */
export const toNotebook = (story: Story, pictures: ReadonlyMap<BlobId, Uint8Array>): string => {
  const cells = [markdown('head', storyHead(story)), ...story.parts.map((part, index) => toCell(part, index, pictures))];
  const notebook = {
    cells,
    metadata: {
      kernelspec: { display_name: 'Python 3', language: 'python', name: 'python3' },
      language_info: { name: 'python', ...(story.python === '' ? {} : { version: story.python }) },
      title: story.title,
    },
    nbformat: 4,
    nbformat_minor: 5,
  };
  // A lone surrogate, from a name or an output, would make a file that Jupyter cannot read.
  return `${JSON.stringify(notebook, (_key, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value), 1)}\n`;
};

const toCell = (part: StoryPart, index: number, pictures: ReadonlyMap<BlobId, Uint8Array>): Cell => {
  switch (part.kind) {
    case 'words':
      return markdown(`text-${index}`, wordsBlock(part.who, part.text));
    case 'note':
      return markdown(`note-${index}`, `*${part.text}*`);
    case 'run':
      return runsAgain(part.run) ? code(part.run, part.who, pictures) : markdown(`run-${part.run.n}`, runBlock(part.run, part.who));
    default:
      return part satisfies never;
  }
};

const markdown = (id: string, text: string): Cell => ({ cell_type: 'markdown', id, metadata: {}, source: toLines(text) });

const code = (run: Run, who: string, pictures: ReadonlyMap<BlobId, Uint8Array>): Cell => ({
  cell_type: 'code',
  id: `run-${run.n}`,
  metadata: {
    // A cell with this tag may raise without ending "run all": what it changed before it raised is needed by the cells below.
    ...(run.error === null ? {} : { tags: ['raises-exception'] }),
    hektor: { run: run.n, by: run.by, author: who, at: new Date(run.at).toISOString(), durationMs: run.durationMs },
  },
  source: toLines(run.code),
  execution_count: run.n,
  outputs: outputsOf(run, pictures),
});

const outputsOf = (run: Run, pictures: ReadonlyMap<BlobId, Uint8Array>): readonly Output[] => {
  const printed = run.output + (run.droppedBytes === 0 ? '' : `\n[${run.droppedBytes} more bytes were printed]\n`);
  return [
    ...(printed === '' ? [] : [{ output_type: 'stream' as const, name: 'stdout' as const, text: toLines(printed) }]),
    ...run.files.flatMap((file) => (file.picture ? [toDisplay(file, pictures.get(file.blob))] : [])),
    ...(run.value === null
      ? []
      : [
          {
            output_type: 'execute_result' as const,
            execution_count: run.n,
            data: { 'text/plain': toLines(run.value) },
            metadata: {},
          },
        ]),
    ...(run.error === null
      ? []
      : [
          {
            output_type: 'error' as const,
            ename: run.error.type,
            evalue: run.error.value,
            traceback: run.error.traceback.replace(/\n$/, '').split('\n'),
          },
        ]),
  ];
};

const RASTER = /^image\/(?:png|jpeg|gif|webp)$/;
const toDisplay = (file: RunFile, bytes: Uint8Array | undefined): Output => {
  const words = file.alt === '' ? file.name : file.alt;
  const shown = bytes !== undefined && RASTER.test(file.type);
  return {
    output_type: 'display_data',
    data: shown
      ? { [file.type]: Buffer.from(bytes).toString('base64'), 'text/plain': toLines(words) }
      : { 'text/plain': toLines(`(picture: ${words})`) },
    metadata: {},
  };
};

/** Lines as nbformat has them: each with its line end, the last as it is. */
const toLines = (text: string): Lines => (text === '' ? [] : (text.match(/[^\n]*\n|[^\n]+$/g) ?? []));
