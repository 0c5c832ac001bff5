/** One run, like a notebook's cell: who ran it, the code, what it printed, its value, its error, its pictures and files. */
import { h, icon, sizeOf } from './dom.ts';
import { copyButton, highlighted } from './markdown.ts';
import type { WireFile, WireRun } from './wire.ts';

export type RunActions = { readonly undo: ((n: number) => void) | null; readonly enlarge: (file: WireFile) => void };

const LONG_CODE = 16;

export const viewRun = (run: WireRun, actions: RunActions): HTMLElement => {
  const who = run.by === 'model' ? 'Hektor' : (run.author ?? 'Somebody');
  return h(
    'section',
    {
      class: `run ${run.error === null ? '' : 'run-failed'} ${run.undone ? 'run-undone' : ''}`,
      'aria-label': `Run ${run.n}, by ${who}${run.undone ? ', undone' : ''}`,
    },
    h(
      'div',
      { class: 'run-head' },
      h('span', { class: 'run-number' }, `[${run.n}]`),
      h('span', { class: 'run-who' }, `${who} ran${run.undone ? ' · undone' : ''}`),
      h('span', { class: 'run-time' }, duration(run.durationMs)),
      // What was rolled back anyway has nothing to undo.
      actions.undo !== null && run.kept && !run.undone && undoButton(run.n, actions.undo),
      copyButton(run.code),
    ),
    viewCode(run.code),
    run.printed !== '' && h('pre', { class: 'run-output', tabindex: 0, 'aria-label': 'Output' }, run.printed.replace(/\n$/, '')),
    run.droppedBytes > 0 && h('p', { class: 'run-note' }, `${sizeOf(run.droppedBytes)} more were printed and are not shown.`),
    run.value !== null &&
      h(
        'div',
        { class: 'run-value' },
        h('span', { class: 'run-arrow', 'aria-hidden': 'true' }, '→'),
        h('pre', { tabindex: 0, 'aria-label': 'Value' }, run.value),
      ),
    viewError(run),
    ...run.files.map((file) => viewFile(file, actions.enlarge)),
    ...viewNotes(run).map((note) => h('p', { class: 'run-note' }, note)),
  );
};

const undoButton = (n: number, undo: (n: number) => void): HTMLElement =>
  h(
    'button',
    { type: 'button', class: 'quiet', title: `Take the state back to before run ${n}`, onclick: () => undo(n) },
    icon('undo'),
    'Undo',
  );

const viewCode = (code: string): HTMLElement => {
  const block = highlighted(code, 'python');
  block.classList.add('run-code');
  block.setAttribute('aria-label', 'Code');
  const lines = code.split('\n').length;
  if (lines <= LONG_CODE) return block;
  return h('details', { class: 'run-fold' }, h('summary', {}, `${lines} lines of code`), block);
};

const viewError = (run: WireRun): HTMLElement | null => {
  if (run.error === null) return null;
  const { exception } = run;
  if (exception === null) return h('p', { class: 'run-error' }, run.error);
  const where = exception.line === null ? '' : ` (line ${exception.line})`;
  const words = exception.value === '' ? exception.type : `${exception.type}: ${exception.value}`;
  return h(
    'details',
    { class: 'run-error' },
    h('summary', {}, h('span', {}, `${words.length > 300 ? `${words.slice(0, 300)}…` : words}${where}`)),
    h('pre', { tabindex: 0, 'aria-label': 'Traceback' }, exception.traceback),
  );
};

const viewNotes = (run: WireRun): string[] => {
  const notes = [...run.notes];
  if (run.lost.length > 0) {
    const names = run.lost.slice(0, 8).map(({ name, type, why }) => `${name} (${type}: ${why})`);
    const more = run.lost.length > 8 ? `, and ${run.lost.length - 8} more` : '';
    notes.unshift(`Not kept for later runs: ${names.join(', ')}${more}.`);
  }
  if (run.removedFiles.length > 0) notes.push(`Removed: ${run.removedFiles.join(', ')}.`);
  return notes;
};

const duration = (ms: number): string => (ms < 950 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1000).toFixed(1)} s`);

/** A picture in place, anything else as a download. */
export const viewFile = (file: WireFile, enlarge: (file: WireFile) => void): HTMLElement => {
  if (file.picture && file.url !== '') {
    const alt = file.alt || `Picture ${file.name}`;
    return h(
      'figure',
      { class: 'picture' },
      h(
        'button',
        { type: 'button', class: 'picture-button', title: 'Enlarge', onclick: () => enlarge(file) },
        h('img', { src: file.url, alt, loading: 'lazy' }),
      ),
    );
  }
  const words = [h('span', { class: 'file-name' }, file.name), h('span', { class: 'file-size' }, sizeOf(file.size))];
  if (file.url === '') return h('span', { class: 'file' }, icon('file'), ...words);
  return h('a', { class: 'file', href: file.url, download: file.name }, icon('file'), ...words);
};
