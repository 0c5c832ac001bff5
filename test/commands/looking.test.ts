/** vars, why and export: commands that show what is there. */
import { describe, expect, it } from 'vitest';
import { callId, turnId } from '../../src/core/ids.ts';
import { emptyManifest } from '../../src/core/snapshot.ts';
import type { Manifest } from '../../src/core/snapshot.ts';
import { after, blob, emptyWorld, planOf, runCommand, state, withAnswer, withRun } from '../support/command-world.ts';
import type { World } from '../support/command-world.ts';

const withState = (manifest: Partial<Manifest>): World => {
  const world = withRun(emptyWorld);
  return { ...world, states: new Map([[state(1), { ...emptyManifest, ...manifest }]]) };
};

describe('vars', () => {
  it('shows names, imports, files and what could not be kept', async () => {
    const world = withState({
      names: {
        x: { type: 'int', size: 28, preview: '41' },
        df: { type: 'DataFrame', shape: '(1000, 3)', length: 1000, size: 24_128, preview: '   a  b\n0  1  2' },
        words: { type: 'list', length: 2, size: 1_500_000, preview: "['a|b', '`c`']" },
      },
      modules: { np: 'numpy', math: 'math' },
      files: [
        { path: 'data', dir: true, mode: 0o755 },
        { path: 'data/a.csv', id: blob(1), size: 2_500, mode: 0o644 },
      ],
      lost: [{ name: 'gen', type: 'generator', why: 'a generator cannot be saved', path: "gen['g'][0]", n: 3 }],
    });
    expect((await planOf(world, 'vars')).text).toMatchInlineSnapshot(`
      "| name | type | length or shape | size | value |
      | --- | --- | --- | --- | --- |
      | \`x\` | \`int\` |  | 28 B | \`41\` |
      | \`df\` | \`DataFrame\` | (1000, 3) | 24 kB | \` a b 0 1 2\` |
      | \`words\` | \`list\` | 2 | 1.5 MB | \`\`['a\\|b', '\`c\`']\`\` |

      Imported: \`numpy as np\`, \`math\`

      Files: \`data/a.csv\` (2.5 kB)

      Could not be kept:

      - \`gen\` (\`generator\`, run 3): a generator cannot be saved, at \`gen['g'][0]\`"
    `);
  });

  it('says that nothing is there', async () => {
    expect((await planOf(emptyWorld, 'vars')).text).toBe('The Python state is empty: no names, no imports, no files.');
  });

  it('is bounded', async () => {
    const names = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`v${i}`, { type: 'int', size: 28, preview: String(i) }]));
    const { text } = await planOf(withState({ names }), 'vars');
    expect(text.split('\n').length).toBeLessThan(80);
    expect(text).toContain('… and 440 more names');
  });

  it('passes on that the state is lost', async () => {
    expect(await runCommand({ ...withRun(emptyWorld), states: emptyWorld.states }, 'vars')).toMatchObject({
      failure: { code: 'snapshot-lost' },
    });
  });
});

describe('why', () => {
  const stamp = { id: 'initial', version: 3, hash: 'aaaa' };
  const gone = { id: 'hint', version: 1, hash: 'bbbb' };
  const call = { id: callId('c1'), name: 'python', arguments: '{"code":"1/0"}' };
  const turn = turnId('t-0');
  const world: World = {
    ...withAnswer(emptyWorld, 'What is `x`?', { text: 'It is 3.', prompts: [stamp, gone] }, [
      { kind: 'called', at: 1, turn, step: 1, text: '', calls: [call], passBack: null },
      {
        kind: 'result',
        at: 1,
        turn,
        call: call.id,
        name: 'python',
        text: 'ZeroDivisionError',
        failed: true,
        run: 1,
        outside: false,
        links: [],
        kept: null,
        files: [],
      },
    ]),
    sent: [
      { role: 'system', text: 'You are Hektor.\n```\nfence', stamp },
      { role: 'user', text: '<request>x?</request>', stamp: { id: 'request', version: 1, hash: 'cccc' } },
      { role: 'assistant', text: 'python({})', stamp: null },
    ],
  };

  it('names prompts with version and hash, the model, the calls and the tokens', async () => {
    const plan = await planOf(world, 'why');
    expect(plan.text).toMatchInlineSnapshot(`
      "- Asked by Ann: \`\`What is \`x\`?\`\`
      - Model: \`model-1\`, 2 requests
      - Tokens: 1,000 in (10 cached), 20 out (5 reasoning)
      - Ended: complete

      | prompt | version | hash |
      | --- | --- | --- |
      | \`initial\` | 3 | \`aaaa\` |
      | \`hint\` | 1 | \`bbbb\` |

      Not in the file in these very words: \`hint\` (sent for one request only, or changed since).

      Tool calls:

      - \`python\` \`{"code":"1/0"}\`: failed

      The whole text that the model read is in the file."
    `);
  });

  it('hands out every word, fenced so that none can break out', async () => {
    const [file] = (await planOf(world, 'why')).files ?? [];
    expect(file?.name).toBe('why.md');
    expect(file?.content).toContain(
      '## 1. system: prompt `initial`, version 3, hash `aaaa`\n\n````text\nYou are Hektor.\n```\nfence\n````',
    );
    expect(file?.content).toContain('## 3. assistant: its own words');
    expect(file?.content).toMatch(/# Its answer\n\nIt is 3\.\n$/);
  });

  it('asks for what was sent before the answer, since the last reset', async () => {
    expect((await planOf(await after(world, 'reset'), 'why')).text).toBe('There is no answer yet that I could explain.');
  });

  it('is honest about an answer that no model gave', async () => {
    const { text } = await planOf(withAnswer(emptyWorld, 'x', { text: '', model: '', usage: null, status: 'failed' }), 'why');
    expect(text).toContain('Model: none answered');
    expect(text).toContain('Tokens: unknown');
  });
});

describe('export', () => {
  it.each([
    ['', 'what-is-x.ipynb', 'application/x-ipynb+json'],
    ['ipynb', 'what-is-x.ipynb', 'application/x-ipynb+json'],
    ['MD', 'what-is-x.md', 'text/markdown'],
    ['markdown', 'what-is-x.md', 'text/markdown'],
  ])('makes a file: %j', async (args, name, type) => {
    const world = withAnswer(withRun(emptyWorld), 'What is x?', { text: '3' });
    expect((await planOf(world, 'export', args)).files).toMatchObject([{ name, type }]);
  });

  it('explains itself where it does not know the form, and exports no empty thread', async () => {
    expect(await runCommand(withRun(emptyWorld), 'export', 'pdf')).toMatchObject({ failure: { code: 'command-arguments' } });
    expect((await planOf(emptyWorld, 'export')).files).toBeUndefined();
    expect((await planOf(await after(withRun(emptyWorld), 'reset'), 'export')).files).toBeUndefined();
  });

  it('reads pictures, and says how many are no longer there or too many', async () => {
    const picture = (n: number): { readonly files: readonly [object] } => ({
      files: [{ name: `p${n}.png`, type: 'image/png', size: 3, blob: blob(n), picture: true, alt: '' }],
    });
    const one = withRun(emptyWorld, picture(1) as never);
    const two = withRun(one, picture(2) as never);
    const world = { ...two, blobs: new Map([[blob(1), new Uint8Array([1, 2, 3])]]) };
    const plan = await planOf(world, 'export');
    expect(plan.text).toContain('One picture is left out');
    expect(plan.files?.[0]?.content).toContain('"image/png": "AQID"');
    const large = { ...two, blobs: new Map([1, 2].map((n) => [blob(n), new Uint8Array(3_000_000)])) };
    expect((await planOf(large, 'export')).text).toContain('One picture is left out');
  });
});
