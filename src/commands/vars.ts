import { defineCommand } from '../core/command.ts';
import { codeSpan, markdownTable, plainWords, sizeWords } from '../core/markdown-text.ts';
import { ok } from '../core/result.ts';
import type { Manifest, NamedValue } from '../core/snapshot.ts';

/** Shows what is in the Python state: names, imports, files, and what could not be kept and why. */
export const varsCommand = defineCommand({
  name: 'vars',
  description: 'Show the names, imports and files of the Python state',
  usage: 'vars',
  options: [],
  action: 'read',
  when: 'now',
  run: async (_call, { session, manifest }) => {
    const state = await manifest(session.head);
    return state.ok ? ok({ text: describe(state.value) }) : state;
  },
});

/* More than this is a wall of text in a chat. */
const ROWS = 60;
const FILES = 40;

const describe = (state: Manifest): string => {
  const parts = [names(state), imports(state), files(state), lost(state)].filter((part) => part !== '');
  return parts.length === 0 ? 'The Python state is empty: no names, no imports, no files.' : parts.join('\n\n');
};

const names = (state: Manifest): string => {
  const all = Object.entries(state.names);
  if (all.length === 0) return '';
  const rows = all
    .slice(0, ROWS)
    .map(([name, value]) => [codeSpan(name), codeSpan(value.type), extent(value), sizeWords(value.size), codeSpan(value.preview)]);
  return withRest(markdownTable(['name', 'type', 'length or shape', 'size', 'value'], rows), all.length - ROWS, 'names');
};
const extent = (value: NamedValue): string => (value.shape === undefined ? (value.length?.toString() ?? '') : plainWords(value.shape));

const imports = (state: Manifest): string => {
  const all = Object.entries(state.modules);
  if (all.length === 0) return '';
  const words = all.slice(0, ROWS).map(([alias, module]) => codeSpan(alias === module ? module : `${module} as ${alias}`));
  return withRest(`Imported: ${words.join(', ')}`, all.length - ROWS, 'modules');
};

const files = (state: Manifest): string => {
  const all = state.files.flatMap((file) => ('id' in file ? [`${codeSpan(file.path)} (${sizeWords(file.size)})`] : []));
  if (all.length === 0) return '';
  return withRest(`Files: ${all.slice(0, FILES).join(', ')}`, all.length - FILES, 'files');
};

const lost = (state: Manifest): string => {
  if (state.lost.length === 0) return '';
  const lines = state.lost.slice(0, FILES).map((name) => {
    const where = name.path === '' || name.path === name.name ? '' : `, at ${codeSpan(name.path)}`;
    return `- ${codeSpan(name.name)} (${codeSpan(name.type)}, run ${name.n}): ${plainWords(name.why)}${where}`;
  });
  return withRest(`Could not be kept:\n\n${lines.join('\n')}`, state.lost.length - FILES, 'names');
};

const withRest = (text: string, left: number, what: string): string => (left > 0 ? `${text}\n\n… and ${left} more ${what}` : text);
