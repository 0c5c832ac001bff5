import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadPlugins } from '../../src/app/load-plugins.ts';
import { readLivePlugins, readPlugins } from '../../src/app/read-plugins.ts';
import { livePlugins } from '../../plugins/index.ts';
import { decodeConfigFile } from '../../src/app/config-file.ts';
import type { Failure } from '../../src/core/failure.ts';
import type { Result } from '../../src/core/result.ts';
import { toolTable } from '../../src/turn/tool-table.ts';

const folder = mkdtempSync(join(tmpdir(), 'hektor-plugins-'));
const write = (name: string, source: string): string => {
  writeFileSync(join(folder, name), source);
  return `./${name}`;
};
const tool = (name: string, more = ''): string =>
  `define({ name: '${name}', description: words\`Does it.\`, parameters: z.object({ n: z.number() }), effect: 'read', idempotent: true,
     parallelSafe: true, timeoutMs: 1000, execute: async ({ n }) => ({ text: String(n * 2) }), ${more} })`;
const plugin = (name: string, tools: string, more = ''): string =>
  `export const plugin = ({ definePlugin, words, z }) => definePlugin({ name: '${name}', description: 'A test.', needs: [], ${more} tools: (define) => [${tools}] });`;
const problems = (result: Result<unknown, Failure>): readonly string[] =>
  result.ok || result.failure.code !== 'config-invalid' ? [] : result.failure.problems;

describe('plugins that the operator brings', () => {
  it('loads them by path, in TypeScript too, with settings and needs', async () => {
    const core = resolve(import.meta.dirname, '../../src/core');
    const typed = write(
      'typed.ts',
      `import { definePlugin } from '${core}/plugin.ts'; import { words } from '${core}/trust.ts'; import { z } from '${resolve(core, '../../node_modules/zod/index.js')}';
       const double = (n: number): number => n * 2;
       export const plugin = definePlugin({ name: 'typed', description: 'Doubles.', needs: ['clock'], settings: z.object({ TYPED_KEY: z.string() }),
         tools: (define) => [${tool('double')}] });`,
    );
    const loaded = await loadPlugins([typed, write('plain.mjs', plugin('plain', tool('twice')))], folder);
    if (!loaded.ok) throw new Error(loaded.failure.detail);
    const names = (env: Record<string, string>): readonly string[] => {
      const read = readPlugins(loaded.value, env);
      return read.ok ? [...toolTable(read.value).keys()] : [];
    };
    expect(names({})).toEqual(['twice']);
    expect(names({ TYPED_KEY: 'k' })).toEqual(['double', 'twice']);
    expect(loaded.value.map((one) => one.needs)).toEqual([['clock'], []]);
  });

  it('names every one that is wrong, and what is wrong with it, at once', async () => {
    const specs = [
      './not-there.mjs',
      'hektor-plugin-that-nobody-installed',
      write('broken.mjs', 'export const plugin = ;'),
      write('throws.mjs', `throw new Error('no luck');`),
      write('other.mjs', 'export const x = 1;'),
      write('object.mjs', `export const plugin = { name: 'x', description: 'y', needs: [], services: [], tools: [] };`),
      write('need.mjs', plugin('need', tool('a')).replace('needs: []', `needs: ['root']`)),
      write('name.mjs', plugin('name', tool('not a name'))),
      write('effect.mjs', plugin('effect', tool('a', `effect: 'maybe'`))),
      write('schema.mjs', plugin('schema', tool('a', `parameters: { type: 'object' }`))),
    ];
    const found = problems(await loadPlugins(specs, folder));
    expect(found).toHaveLength(specs.length);
    for (const [at, words] of [
      'not-there',
      'nobody-installed',
      'broken.mjs: ',
      'no luck',
      'nothing called plugin',
      'definePlugin',
    ].entries())
      expect(found[at]).toContain(words);
    expect(found[6]).toContain('there is no capability "root"');
    expect(found[7]).toContain('not a legal tool name');
    expect(found[8]).toContain(`must be 'read' or 'write'`);
    expect(found[9]).toContain('no zod schema');
  });

  it('does not start with two tools of one name, with more than 128 (MH4), or with parameters that are no object', async () => {
    const many = Array.from({ length: 129 }, (_, n) => tool(`t${n}`)).join(',');
    const start = async (...sources: readonly string[]): Promise<readonly string[]> => {
      const loaded = await loadPlugins(
        sources.map((source, n) => write(`start-${sources.length}-${source.length}-${n}.mjs`, source)),
        folder,
      );
      return loaded.ok ? problems(readPlugins(loaded.value, {})) : problems(loaded);
    };
    expect(await start(plugin('one', tool('same')), plugin('two', tool('same')))).toEqual([
      expect.stringContaining('two tools are called same'),
    ]);
    expect(await start(plugin('many', many))).toEqual([expect.stringContaining('129 tools are too many')]);
    expect(await start(plugin('odd', tool('odd', `parameters: z.string()`)))).toEqual([expect.stringContaining('not an object')]);
  });
});

describe('mcpServers in the configuration file', () => {
  const read = (mcpServers: unknown, env: Record<string, string> = {}) => {
    const { file, problems: inFile } = decodeConfigFile(JSON.stringify({ mcpServers, plugins: ['./a.ts'] }));
    expect(inFile).toEqual([]);
    return readLivePlugins(livePlugins, { mcpServers: file.mcpServers }, env);
  };

  it('is set up where it names servers, and not where it names none', () => {
    expect(read({ a: { command: 'npx', args: ['-y', 'x'] }, b: { url: 'https://mcp.example/mcp' } })).toMatchObject({
      ok: true,
      value: { length: 1 },
    });
    for (const none of [undefined, {}]) expect(read(none)).toEqual({ ok: true, value: [] });
  });

  it('says all that is wrong, names missing variables, and never shows a secret', () => {
    const found = problems(
      read(
        {
          a: { command: '' },
          b: { url: 'ftp://x' },
          c: { command: 'x', env: ['GONE'] },
          d: { url: 'http://x', tokenEnv: 'ODD' },
          e: { command: 'x', env: { KEY: 'sk-secret' } },
          f: { command: 'x', args: 'y', extra: 1 },
          g: 7,
        },
        { ODD: 'sk-line\nbreak' },
      ),
    ).join('\n');
    for (const at of [
      'mcpServers.a.command',
      'mcpServers.b.url',
      'mcpServers.c: GONE is not set',
      'mcpServers.d: ODD',
      'mcpServers.e.env',
      'mcpServers.f.args',
      'mcpServers.g',
    ])
      expect(found).toContain(at);
    expect(found).not.toMatch(/sk-/);
  });
});
