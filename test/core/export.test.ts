import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fileNameOf, picturesOf, toMarkdown, toStory } from '../../src/core/export.ts';
import type { Story } from '../../src/core/export.ts';
import { toNotebook } from '../../src/core/notebook.ts';
import type { Run } from '../../src/core/run.ts';
import { emptyManifest } from '../../src/core/snapshot.ts';
import { after, blob, emptyWorld, state, withAnswer, withRun } from '../support/command-world.ts';
import type { World } from '../support/command-world.ts';

const storyOf = (world: World): Story => toStory(world.entries, world.session, emptyManifest, 'Hektor', 86_400_000);

/** The parts of nbformat 4.5 that are used here, as its documentation gives them; anything else is an error. */
const lines = z.array(z.string());
const bundle = z.record(z.string(), z.union([z.string(), lines]));
const outputSchema = z.discriminatedUnion('output_type', [
  z.strictObject({ output_type: z.literal('stream'), name: z.enum(['stdout', 'stderr']), text: lines }),
  z.strictObject({ output_type: z.literal('display_data'), data: bundle, metadata: z.object({}) }),
  z.strictObject({ output_type: z.literal('execute_result'), execution_count: z.int(), data: bundle, metadata: z.object({}) }),
  z.strictObject({ output_type: z.literal('error'), ename: z.string(), evalue: z.string(), traceback: lines }),
]);
const id = z.string().regex(/^[a-zA-Z0-9-_]{1,64}$/);
const cellSchema = z.discriminatedUnion('cell_type', [
  z.strictObject({ cell_type: z.literal('markdown'), id, metadata: z.object({}), source: lines }),
  z.strictObject({
    cell_type: z.literal('code'),
    id,
    metadata: z.looseObject({ tags: z.array(z.string()).optional() }),
    source: lines,
    execution_count: z.int().nonnegative(),
    outputs: z.array(outputSchema),
  }),
]);
const notebookSchema = z.strictObject({
  nbformat: z.literal(4),
  nbformat_minor: z.literal(5),
  metadata: z.object({
    kernelspec: z.object({ name: z.string(), display_name: z.string() }),
    language_info: z.object({ name: z.string() }),
  }),
  cells: z.array(cellSchema),
});
const notebookOf = (world: World, pictures = new Map()): z.infer<typeof notebookSchema> =>
  notebookSchema.parse(JSON.parse(toNotebook(storyOf(world), pictures)));
const codeOf = (world: World): readonly string[] =>
  notebookOf(world).cells.flatMap((cell) => (cell.cell_type === 'code' ? [cell.source.join('')] : []));
const textOf = (world: World): string =>
  notebookOf(world)
    .cells.flatMap((cell) => (cell.cell_type === 'markdown' ? [cell.source.join('')] : []))
    .join('\n\n');

const raised = (type: string, traceback: string): Partial<Run> => ({ end: 'raised', error: { type, value: 'v', traceback, line: 1 } });
const ownFrame = 'Traceback (most recent call last):\n  File "<cell 1>", line 1, in <module>\n    1/0\nZeroDivisionError: v\n';

describe('a notebook', () => {
  it('has a cell for every run that counts, with all that came of it', () => {
    const picture = { name: 'figure-1.png', type: 'image/png', size: 3, blob: blob(1), picture: true, alt: 'A line' };
    const world = withRun(withAnswer(emptyWorld, 'Plot **it**', { text: 'Here it is.' }), {
      code: 'plt.plot(x)\nprint("ü")\n',
      output: 'ü\n',
      value: '[<Line2D>]',
      files: [picture, { ...picture, name: 'a.csv', type: 'text/csv', picture: false, blob: blob(2) }],
    });
    expect(notebookOf(world, new Map([[blob(1), new Uint8Array([1, 2, 3])]])).cells).toMatchObject([
      { cell_type: 'markdown', id: 'head' },
      { cell_type: 'markdown', source: ['**Ann:**\n', '\n', 'Plot **it**'] },
      { cell_type: 'markdown', source: ['**Hektor:**\n', '\n', 'Here it is.'] },
      {
        cell_type: 'code',
        id: 'run-1',
        execution_count: 1,
        source: ['plt.plot(x)\n', 'print("ü")\n'],
        outputs: [
          { output_type: 'stream', text: ['ü\n'] },
          { output_type: 'display_data', data: { 'image/png': 'AQID', 'text/plain': ['A line'] } },
          { output_type: 'execute_result', data: { 'text/plain': ['[<Line2D>]'] } },
        ],
      },
    ]);
    expect(picturesOf(storyOf(world))).toEqual([blob(1)]);
    expect(notebookOf(world).cells.at(-1)).toMatchObject({ outputs: [{}, { data: { 'text/plain': ['(picture: A line)'] } }, {}] });
  });

  it('leaves out what was undone, and what was before a reset', async () => {
    const world = withRun(await after(withRun(withRun(emptyWorld, { code: 'a' }), { code: 'b' }), 'undo'), { code: 'c' });
    expect(codeOf(world)).toEqual(['a', 'c']);
    expect(textOf(world)).toContain('*Ann took the state back here; undone runs are left out.*');
    const reset = withRun(await after(withAnswer(world, 'old question', { text: '' }), 'reset'), { code: 'd' });
    expect(codeOf(reset)).toEqual(['d']);
    expect(textOf(reset)).not.toContain('old question');
  });

  it('goes on over a run that raised, since what that changed is needed below', () => {
    const [cell] = notebookOf(withRun(emptyWorld, { code: 'x = 1; 1/0', ...raised('ZeroDivisionError', ownFrame) })).cells.slice(1);
    expect(cell).toMatchObject({
      metadata: { tags: ['raises-exception'] },
      outputs: [{ output_type: 'error', ename: 'ZeroDivisionError' }],
    });
  });

  it.each([
    ['timed-out', 'ran out of time'],
    ['out-of-memory', 'ran out of memory'],
    ['killed', 'ended the interpreter'],
    ['stopped', 'was stopped'],
    ['broken', 'was lost with its sandbox'],
  ] as const)('tells a run that was %s as text, so that the notebook runs to its end', (end, words) => {
    const world = withRun(emptyWorld, { code: 'while True: pass', end });
    expect(codeOf(world)).toEqual([]);
    expect(textOf(world)).toContain(`**Run 1**, Ann: ${words}; the state stayed as it was before it`);
    expect(codeOf(withRun(emptyWorld, { code: 'x', end: 'timed-out', after: state(1) }))).toEqual([]);
  });

  it('holds no code that does not compile: a notebook would take `!rm` for a shell command', () => {
    const syntax = raised('SyntaxError', '  File "<cell 1>", line 1\n    !rm -rf x\n    ^\nSyntaxError: invalid syntax\n');
    const world = withRun(withRun(emptyWorld, { code: '!rm -rf x', ...syntax }), {
      code: 'x = 1; eval("1+")',
      ...raised('SyntaxError', ownFrame),
    });
    expect(codeOf(world)).toEqual(['x = 1; eval("1+")']);
    expect(textOf(world)).toContain('did not compile');
  });

  it('gives every cell an id of its own', () => {
    const world = withRun(withRun(withAnswer(withAnswer(emptyWorld, 'a', { text: 'b' }), 'a', { text: 'b' })));
    const ids = notebookOf(world).cells.map((cell) => cell.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('lists the files that the code needs', () => {
    const files = [
      { path: 'sales.csv', id: blob(1), size: 2_500, mode: 0o644 },
      { path: 'out', dir: true, mode: 0o755 } as const,
      { path: 'out/a`b.txt', id: blob(2), size: 3, mode: 0o644 },
    ];
    const asked = withAnswer(emptyWorld, 'x', { text: 'y' });
    const entries = asked.entries.map((entry) =>
      entry.kind === 'said'
        ? { ...entry, files: [{ name: 'sales.csv', type: 'text/csv', size: 2_500, blob: blob(1), table: null }] }
        : entry,
    );
    const story = toStory(entries, asked.session, { ...emptyManifest, python: '3.11.2', files }, 'Hektor', 0);
    expect(toMarkdown(story)).toContain('- `sales.csv` (2.5 kB, sent by a person)\n- ``out/a`b.txt`` (3 B)');
    expect(toMarkdown(story)).toContain('Exported from Hektor on 1970-01-01. Python 3.11.2.');
  });

  it('runs from top to bottom and gives what the thread gave', async () => {
    let world = emptyWorld;
    for (const code of ['x = 41', 'def f(n):\n    """doc\n\n    # not a comment"""\n    return n + 1\n', 'y = f(x); 1/0', 'print(y)'])
      world = withRun(world, { code, ...(code.includes('1/0') ? raised('ZeroDivisionError', ownFrame) : {}) });
    world = withRun(world, { code: 'exit()', end: 'killed' });
    world = withRun(world, { code: 'print(f(1), f.__doc__)' });
    // What "run all" does: a cell may raise where its tag says so.
    const runner = `
import json, sys
space = {}
for cell in json.load(sys.stdin)['cells']:
    if cell['cell_type'] != 'code': continue
    try: exec(compile(''.join(cell['source']), cell['id'], 'exec'), space)
    except Exception:
        if 'raises-exception' not in cell['metadata'].get('tags', []): raise
`;
    const python = promisify(execFile)('python3', ['-c', runner]);
    python.child.stdin?.end(toNotebook(storyOf(world), new Map()));
    expect((await python).stdout).toBe('42\n2 doc\n\n    # not a comment\n');
  });

  it('stands lone surrogates and odd names', () => {
    const world = withRun(withAnswer(emptyWorld, 'x \ud800 [link](javascript:1) <b>', { text: '' }), {
      code: '"\ud800"',
      author: { id: 'u', name: '**A**\n# B' },
    });
    expect(toNotebook(storyOf(world), new Map())).not.toMatch(/\\ud800/);
    expect(textOf(world)).toContain(String.raw`# x � \[link\](javascript:1) \<b\>`);
  });
});

describe('Markdown', () => {
  it('tells the thread from top to bottom', () => {
    const world = withRun(withAnswer(emptyWorld, 'What is x?', { text: 'It is **3**.' }), {
      code: 'print("```")',
      output: '```\n',
      value: '3',
      droppedBytes: 2_000,
    });
    expect(toMarkdown(storyOf(world))).toMatchInlineSnapshot(`
      "# What is x?

      Exported from Hektor on 1970-01-02. Run 1.

      **Ann:**

      What is x?

      **Hektor:**

      It is **3**.

      **Run 1**, Ann

      \`\`\`python
      print("\`\`\`")
      \`\`\`

      \`\`\`\`text
      \`\`\`
      3
      \`\`\`\`

      *(2.0 kB more were printed)*
      "
    `);
  });
});

describe('a file name', () => {
  it.each([
    ['What is x?', 'what-is-x.ipynb'],
    ['Äpfel und Öl', 'apfel-und-ol.ipynb'],
    ['日本', 'hektor-thread.ipynb'],
    ['../../etc/passwd', 'etc-passwd.ipynb'],
    ['x'.repeat(200), `${'x'.repeat(48)}.ipynb`],
  ])('%j', (title, name) => expect(fileNameOf({ ...storyOf(emptyWorld), title }, 'ipynb')).toBe(name));
});
