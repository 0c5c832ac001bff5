/**
 * A thread to take home: entries -> a story of words and runs, and the story as Markdown; as a notebook in `notebook.ts`. Pure.
 *
 * Left out are what was before the last reset and the runs that were undone. A run that a limit or a person ended changed nothing, and
 * one whose code does not compile did nothing: both are told, but not as code that runs, so that the notebook runs from top to bottom.
 */
import { decidedWords } from './approval-words.ts';
import type { Entry, Session } from './conversation.ts';
import type { BlobId } from './ids.ts';
import { countingRuns, listRuns } from './ledger.ts';
import { codeBlock, codeSpan, plainWords, sizeWords } from './markdown-text.ts';
import { keptState } from './run.ts';
import type { Run, RunEnd } from './run.ts';
import type { Manifest } from './snapshot.ts';
import { firstLine } from './text.ts';

export type StoryPart =
  | { readonly kind: 'words'; readonly who: string; readonly text: string }
  | { readonly kind: 'note'; readonly text: string }
  | { readonly kind: 'run'; readonly run: Run; readonly who: string };

export type Story = {
  readonly title: string;
  readonly at: number;
  readonly parts: readonly StoryPart[];
  /** The workspace's files; `sent` were put there by a person, the others were made by a run. */
  readonly files: readonly { readonly name: string; readonly size: number; readonly sent: boolean }[];
  readonly python: string;
};

/** `state` is the manifest of the session's head. */
export const toStory = (entries: readonly Entry[], session: Session, state: Manifest, bot: string, at: number): Story => {
  const told = entries.slice(session.since);
  const counting = new Set(countingRuns(entries).map((ran) => ran.run.n));
  const sent = new Set(told.flatMap((entry) => (entry.kind === 'said' ? entry.files.map((file) => file.name) : [])));
  const question = told.find((entry) => entry.kind === 'said' && entry.intent === 'ask');
  return {
    title: question?.kind === 'said' ? firstLine(question.text, 80) : 'A Hektor thread',
    at,
    parts: told.flatMap((entry) => partsOf(entry, counting, bot)),
    files: state.files.flatMap((file) => ('id' in file ? [{ name: file.path, size: file.size, sent: sent.has(file.path) }] : [])),
    python: state.python,
  };
};

const partsOf = (entry: Entry, counting: ReadonlySet<number>, bot: string): readonly StoryPart[] => {
  switch (entry.kind) {
    case 'said':
      return entry.intent === 'ask' ? words(entry.author.name, entry.text) : [];
    case 'heard':
      return entry.messages.flatMap((one) => words(`${one.author.name}, before`, one.text));
    case 'called':
      return words(bot, entry.text);
    case 'answered':
      return words(bot, [entry.text, entry.failure?.words ?? ''].filter((text) => text.trim() !== '').join('\n\n'));
    case 'ran':
      return counting.has(entry.run.n) ? [{ kind: 'run', run: entry.run, who: entry.run.author?.name ?? bot }] : [];
    case 'state-moved':
      return entry.how === 'undo'
        ? [{ kind: 'note', text: `${plainWords(entry.by.name)} took the state back here; undone runs are left out.` }]
        : [];
    case 'decided':
      return [{ kind: 'note', text: decidedWords(entry) }];
    case 'redacted':
    case 'result':
    case 'awaiting':
    case 'noticed':
    case 'summarised':
      return [];
    default:
      return entry satisfies never;
  }
};
const words = (who: string, text: string): readonly StoryPart[] => (text.trim() === '' ? [] : [{ kind: 'words', who, text }]);

/** Whether the run's code does, when it is run again, what it did here: it came to its own end, kept what it changed, and compiles. */
export const runsAgain = (run: Run): boolean =>
  (run.end === 'finished' || run.end === 'raised') &&
  keptState(run) &&
  !(run.error !== null && SYNTAX.has(run.error.type) && !OWN_FRAME.test(run.error.traceback));
// A cell that does not compile has no frame of its own. Outside of the sandbox it may even mean something else: notebooks take `!rm x` for a shell command.
const SYNTAX = new Set(['SyntaxError', 'IndentationError', 'TabError']);
const OWN_FRAME = /^\s*File "<cell [^"]*>", line \d+, in /m;

/** How a run ended that is not run again, and what became of its changes; goes on after `Run 3`. */
export const howItEnded = (run: Run): string => {
  if (run.end === 'raised' && keptState(run)) return 'did not compile';
  return `${ended[run.end]}; ${keptState(run) ? 'what it had changed until then was kept' : 'the state stayed as it was before it'}`;
};
const ended: Readonly<Record<RunEnd, string>> = {
  finished: 'could not be saved',
  raised: 'raised an error and could not be saved',
  'timed-out': 'ran out of time',
  'out-of-memory': 'ran out of memory',
  killed: 'ended the interpreter',
  stopped: 'was stopped',
  broken: 'was lost with its sandbox',
};

/** The head of an export: title, origin, and the files that the code expects beside it. */
export const storyHead = (story: Story): string => {
  const runs = story.parts.flatMap((part) => (part.kind === 'run' ? [part.run.n] : []));
  const from = [
    `Exported from Hektor on ${new Date(story.at).toISOString().slice(0, 10)}.`,
    runs.length === 0 ? '' : `${runs.length === 1 ? 'Run' : 'Runs'} ${listRuns(runs)}.`,
    story.python === '' ? '' : `Python ${plainWords(story.python)}.`,
  ];
  const files = story.files.map((file) => `- ${codeSpan(file.name)} (${sizeWords(file.size)}${file.sent ? ', sent by a person' : ''})`);
  return [
    `# ${plainWords(story.title)}`,
    from.filter((text) => text !== '').join(' '),
    ...(files.length === 0 ? [] : ['Files of the workspace; those that were sent must lie beside the code:', files.join('\n')]),
  ].join('\n\n');
};

export const wordsBlock = (who: string, text: string): string => `**${plainWords(who)}:**\n\n${text}`;

/** The story as Markdown. Pictures are named, not shown. */
export const toMarkdown = (story: Story): string => `${[storyHead(story), ...story.parts.map(markdownPart)].join('\n\n')}\n`;

const markdownPart = (part: StoryPart): string => {
  switch (part.kind) {
    case 'words':
      return wordsBlock(part.who, part.text);
    case 'note':
      return `*${part.text}*`;
    case 'run':
      return runBlock(part.run, part.who);
    default:
      return part satisfies never;
  }
};

/** A run as Markdown: its code and what came of it. */
export const runBlock = (run: Run, who: string): string => {
  const shown = [run.output, run.value ?? '', run.error?.traceback ?? '']
    .map((text) => text.replace(/\n$/, ''))
    .filter((text) => text !== '');
  const pictures = run.files.map((file) =>
    file.picture ? `*(picture: ${plainWords(file.alt === '' ? file.name : file.alt)})*` : `*(file: ${plainWords(file.name)})*`,
  );
  return [
    `**Run ${run.n}**, ${plainWords(who)}${runsAgain(run) ? '' : `: ${howItEnded(run)}`}`,
    codeBlock(run.code, 'python'),
    ...(shown.length === 0 ? [] : [codeBlock(shown.join('\n'), 'text')]),
    ...(run.droppedBytes === 0 ? [] : [`*(${sizeWords(run.droppedBytes)} more were printed)*`]),
    ...pictures,
  ].join('\n\n');
};

/** The pictures that an export shows, each once. */
export const picturesOf = (story: Story): readonly BlobId[] => [
  ...new Set(
    story.parts.flatMap((part) => (part.kind === 'run' ? part.run.files.filter((file) => file.picture).map((file) => file.blob) : [])),
  ),
];

/** A file name made from the title; plain ASCII, so that it survives every platform. */
export const fileNameOf = (story: Story, extension: string): string => {
  const slug = story.title
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replace(/^-+|-+$/g, '');
  return `${slug === '' ? 'hektor-thread' : slug}.${extension}`;
};
