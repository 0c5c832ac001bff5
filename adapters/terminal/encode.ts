/** What goes out: operations -> text for the terminal. Pure; the screen remembers what already stands there, since a terminal only appends. */
import { howItEnded, runsAgain } from '../../src/core/export.ts';
import type { BlobId } from '../../src/core/ids.ts';
import { sizeWords } from '../../src/core/markdown-text.ts';
import type { OutboundOp, ProgressLine } from '../../src/core/outbound.ts';
import type { Run, RunFile } from '../../src/core/run.ts';
import { firstLine } from '../../src/core/text.ts';
import { plainMarkdown } from './plain-markdown.ts';
import { safeText } from './safe-text.ts';

/** `live`: a terminal that a person watches, rather than a pipe or a file. */
export type Look = { readonly live: boolean; readonly colour: boolean; readonly columns: number };

/** What stands on the screen. `fresh`: the cursor is at the beginning of a line. */
export type Screen = {
  readonly fresh: boolean;
  /** A line of progress that gives way to whatever comes next. */
  readonly passing: boolean;
  /** The answer so far. */
  readonly said: string;
  /** What the running code printed so far. */
  readonly printed: { readonly run: number; readonly text: string };
  readonly runs: ReadonlySet<number>;
  /** Calls whose end was told, and the one that runs. */
  readonly steps: ReadonlySet<string>;
  readonly step: string | null;
};
export const emptyScreen: Screen = {
  fresh: true,
  passing: false,
  said: '',
  printed: { run: 0, text: '' },
  runs: new Set(),
  steps: new Set(),
  step: null,
};

type Shown = readonly [Screen, string];

/** `paths`: where the files of a run were saved. `watching`: the person waits for code of their own, so its output is shown as it comes. */
export const show = (
  screen: Screen,
  op: OutboundOp,
  look: Look,
  { paths, watching }: { readonly paths: ReadonlyMap<BlobId, string>; readonly watching: boolean },
): Shown => {
  switch (op.op) {
    case 'status':
      return op.state === 'working' && op.text !== 'Running' ? pass(screen, op.text, look) : [screen, ''];
    case 'draft':
      return look.live ? steps(say(screen, op.text, look), op.progress, look) : [screen, ''];
    case 'output': {
      if (!look.live || !watching || screen.runs.has(op.run)) return [screen, ''];
      return printed(screen, op.run, op.text, look);
    }
    case 'ran':
      return run(screen, op.run, look, paths);
    case 'post': {
      const [before, cell] = op.run === null ? ([screen, ''] as const) : run(screen, op.run, look, paths);
      if (op.kind === 'run') return [before, cell];
      const [next, text] = op.kind === 'answer' ? say(before, op.text, look) : tell(before, op.text, look);
      const left = op.files.filter((file) => !isShown(file, paths));
      const [ended, end] = lines({ ...next, said: '' }, left.map((file) => fileLine(file, paths, look)).join(''));
      return [ended, cell + text + end];
    }
    default:
      return op satisfies never;
  }
};
// Files of an answer are those of its runs, which were shown with them.
const isShown = (file: RunFile, paths: ReadonlyMap<BlobId, string>): boolean => !paths.has(file.blob);

/** Lines of the program's own words. */
export const tell = (screen: Screen, text: string, look: Look): Shown =>
  lines(screen, text === '' ? '' : `${plainMarkdown(safeText(text, { live: false, colour: false }), (code) => paint(look, CYAN, code))}\n`);

/** A line that gives way to what comes next; nothing where nobody watches, or where the cursor stands in a line. */
export const pass = (screen: Screen, text: string, look: Look): Shown => {
  if (!look.live || !screen.fresh || text === '') return [screen, ''];
  const words = firstLine(text, Math.max(10, look.columns - 3)).replace(/…$/, '');
  const line = `${safeText(words, { live: false, colour: false })}…`;
  return [{ ...screen, passing: true }, `${screen.passing ? CLEAR : ''}${paint(look, DIM, line)}`];
};

const CLEAR = '\r\u001b[K';
const DIM = '2';
const RED = '31';
const CYAN = '36';
const paint = (look: Look, style: string, text: string): string => (look.colour && text !== '' ? `\u001b[${style}m${text}\u001b[0m` : text);

const put = (screen: Screen, text: string): Shown =>
  text === '' ? [screen, ''] : [{ ...screen, passing: false, fresh: text.endsWith('\n') }, `${screen.passing ? CLEAR : ''}${text}`];
/** Text that begins on a line of its own. */
const lines = (screen: Screen, text: string): Shown => put(screen, text === '' || screen.fresh ? text : `\n${text}`);
const both = ([screen, text]: Shown, then: (screen: Screen) => Shown): Shown => {
  const [next, more] = then(screen);
  return [next, text + more];
};

/** What is new in `text` against what was said; blanks at the end of what was said may have gone. */
const addition = (said: string, text: string): string | undefined => {
  if (text.startsWith(said)) return text.slice(said.length);
  const kept = said.trimEnd();
  if (text.startsWith(kept)) return text.slice(kept.length);
  return said.startsWith(text) ? '' : undefined;
};

const say = (screen: Screen, text: string, look: Look): Shown => {
  const safe = safeText(text, look);
  const more = addition(screen.said, safe);
  const next = { ...screen, said: more === '' ? screen.said : safe };
  // An attempt that failed was shown in part: the answer begins again on a line of its own.
  if (more === undefined) return lines(next, safe);
  return put(next, screen.fresh ? more.replace(/^\n+/, '') : more);
};

const steps = (shown: Shown, progress: readonly ProgressLine[], look: Look): Shown => {
  const ended = progress.filter((line) => line.state !== 'running' && !shown[0].steps.has(line.call));
  const running = progress.findLast((line) => line.state === 'running');
  const told = ended.map((line) =>
    paint(
      look,
      DIM,
      `· ${firstLine(safeText(line.text, { live: false, colour: false }), 120)}${line.state === 'failed' ? ': failed' : ''}`,
    ),
  );
  const next = both(shown, (screen) =>
    lines({ ...screen, steps: new Set([...screen.steps, ...ended.map((line) => line.call)]) }, told.map((line) => `${line}\n`).join('')),
  );
  const at = (screen: Screen): Screen => ({ ...screen, step: running?.call ?? null });
  return both(next, (screen) => (running === undefined ? [at(screen), ''] : pass(at(screen), running.text, look)));
};

const printed = (screen: Screen, n: number, text: string, look: Look): Shown => {
  const safe = safeText(text, look);
  const before = screen.printed.run === n ? screen.printed.text : '';
  const more = safe.startsWith(before) ? safe.slice(before.length) : '';
  return put({ ...screen, printed: { run: n, text: more === '' ? before : safe } }, more);
};

/** A run, once: code that the model wrote stands before what came of it, as if it had been typed. */
const run = (screen: Screen, it: Run, look: Look, paths: ReadonlyMap<BlobId, string>): Shown => {
  if (screen.runs.has(it.n)) return [screen, ''];
  // The cell says all that the end of its call would say.
  const told = it.by === 'model' && screen.step !== null ? new Set([...screen.steps, screen.step]) : screen.steps;
  const start = { ...screen, runs: new Set([...screen.runs, it.n]), steps: told };
  const code = it.by === 'model' ? cellOf(it, look) : '';
  return both(
    both(lines(start, code), (next) => output(next, it, look)),
    (next) => lines(next, resultOf(it, look) + it.files.map((file) => fileLine(file, paths, look)).join('')),
  );
};

const cellOf = (it: Run, look: Look): string => {
  const code = safeText(it.code, { live: false, colour: false }).replace(/\n+$/, '').split('\n');
  return code.map((line, index) => `${paint(look, CYAN, `${index === 0 ? '>>>' : '...'} ${line}`)}\n`).join('');
};

/** What the run printed, less what was shown while it ran. Output cut in its middle is shown whole again only where nothing was. */
const output = (screen: Screen, it: Run, look: Look): Shown => {
  const before = screen.printed.run === it.n ? screen.printed.text : '';
  const safe = safeText(it.output, look);
  const more = safe.startsWith(before) ? safe.slice(before.length) : `\n[…]\n${safe.slice(-2_000)}`;
  return put(screen, more);
};

const resultOf = (it: Run, look: Look): string => {
  const dropped = it.droppedBytes === 0 ? '' : `[${sizeWords(it.droppedBytes)} of output left out]`;
  // The sandbox says itself how a run ended otherwise.
  const end = runsAgain(it) || it.error !== null || it.notes.length > 0 ? '' : `Run ${it.n} ${howItEnded(it)}.`;
  const lost = it.lost.map((name) => `[${name.path === '' ? name.name : name.path} (${name.type}) could not be kept: ${name.why}]`);
  const value = it.value === null ? '' : safeText(it.value, look);
  const error = it.error === null ? '' : safeText(it.error.traceback.replace(/\n$/, ''), look);
  return [
    paint(look, DIM, dropped),
    value,
    paint(look, RED, error),
    paint(look, RED, end),
    ...[...it.notes, ...lost].map((note) => paint(look, DIM, safeText(note, { live: false, colour: false }))),
  ]
    .filter((line) => line !== '')
    .map((line) => `${line}\n`)
    .join('');
};

const fileLine = (file: RunFile, paths: ReadonlyMap<BlobId, string>, look: Look): string => {
  const path = paths.get(file.blob);
  const name = safeText(file.picture && file.alt !== '' ? file.alt : file.name, { live: false, colour: false });
  return `${paint(look, DIM, `[${file.picture ? 'picture' : 'file'} ${name}, ${sizeWords(file.size)}${path === undefined ? '' : `: ${path}`}]`)}\n`;
};
