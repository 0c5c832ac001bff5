/** Who may import whom: the table of the design, checked over every file. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve, dirname } from 'node:path';
import { builtinModules } from 'node:module';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

type Rule = { readonly may: readonly string[]; readonly packages: readonly string[]; readonly node: boolean | readonly string[] };

/**
 * `may`: path prefixes (`@own` is the file's own folder). `node`: which of Node's modules. Beside zod, core holds pure parsers only
 * (docs/decisions.md); hashing is pure too.
 */
const rules: readonly (readonly [RegExp, Rule])[] = [
  [
    /^src\/core\/markdown\//,
    {
      may: ['src/core/'],
      packages: ['mdast', 'mdast-util-from-markdown', 'mdast-util-gfm', 'micromark-extension-gfm', 'string-width'],
      node: false,
    },
  ],
  [/^src\/core\//, { may: ['src/core/'], packages: ['zod', 'jsonrepair', 'fflate'], node: ['node:crypto'] }],
  [/^src\/prompts\//, { may: ['src/core/', 'src/prompts/'], packages: [], node: false }],
  [/^src\/ports\//, { may: ['src/core/', 'src/ports/'], packages: [], node: ['node:http'] }],
  [/^src\/commands\//, { may: ['src/core/', 'src/prompts/', 'src/commands/'], packages: [], node: false }],
  [/^src\/turn\//, { may: ['src/core/', 'src/prompts/', 'src/ports/', 'src/commands/', 'src/turn/'], packages: [], node: false }],
  [/^src\/infra\/redis\//, { may: ['src/core/', 'src/ports/', '@own'], packages: ['ioredis', 'zod'], node: true }],
  [/^src\/infra\/bullmq\//, { may: ['src/core/', 'src/ports/', '@own'], packages: ['bullmq', 'ioredis', 'zod'], node: true }],
  [/^src\/infra\/openai\//, { may: ['src/core/', 'src/ports/', '@own'], packages: ['openai', 'zod', 'undici'], node: true }],
  [/^src\/infra\/docker\//, { may: ['src/core/', 'src/ports/', '@own'], packages: ['dockerode', 'zod'], node: true }],
  [/^src\/infra\/fetch\//, { may: ['src/core/', 'src/ports/', '@own'], packages: ['undici', 'ipaddr.js'], node: true }],
  [/^src\/infra\/pino\//, { may: ['src/core/', 'src/ports/', '@own'], packages: ['pino'], node: true }],
  [/^src\/infra\/telemetry\//, { may: ['src/core/', 'src/ports/', '@own'], packages: ['prom-client'], node: true }],
  [/^src\/infra\/prices\//, { may: ['src/core/', 'src/ports/', '@own'], packages: ['@pydantic/genai-prices'], node: false }],
  [/^src\/infra\/(practice|system)\//, { may: ['src/core/', 'src/ports/', '@own'], packages: ['zod'], node: true }],
  [/^src\/app\//, { may: ['src/', 'adapters/', 'plugins/'], packages: ['*'], node: true }],
  [/^adapters\/index\.ts$/, { may: ['adapters/', 'src/ports/'], packages: [], node: false }],
  [
    /^adapters\/web\//,
    {
      may: ['src/core/', 'src/ports/', '@own'],
      packages: ['fastify', '@fastify/multipart', 'zod', 'amaro', 'content-disposition'],
      node: true,
    },
  ],
  [
    /^adapters\/slack\//,
    {
      may: ['src/core/', 'src/ports/', '@own'],
      packages: ['@slack/bolt', '@slack/oauth', '@slack/types', '@slack/web-api', 'zod'],
      node: true,
    },
  ],
  [/^adapters\/discord\//, { may: ['src/core/', 'src/ports/', '@own'], packages: ['discord.js', '@discordjs/ws', 'zod'], node: true }],
  [/^adapters\/terminal\//, { may: ['src/core/', 'src/ports/', '@own'], packages: ['zod'], node: true }],
  [/^plugins\/index\.ts$/, { may: ['plugins/', 'src/core/'], packages: [], node: false }],
  [
    /^plugins\/web-page\//,
    {
      may: ['src/core/', '@own'],
      packages: ['zod', '@mozilla/readability', 'linkedom', 'turndown', '@joplin/turndown-plugin-gfm', 'unpdf'],
      // Strangers' documents are parsed in a thread of their own.
      node: ['node:worker_threads'],
    },
  ],
  [
    /^plugins\/mcp\//,
    {
      may: ['src/core/', '@own'],
      packages: ['zod', '@modelcontextprotocol/sdk'],
      node: ['node:crypto', 'node:child_process', 'node:events'],
    },
  ],
  [/^plugins\/[^/]+\//, { may: ['src/core/', '@own'], packages: ['zod'], node: false }],
];

/** The folder that counts as a file's own: the adapter, the plugin, the infra folder. */
const ownFolder = (file: string): string =>
  /^(adapters\/[^/]+\/|plugins\/[^/]+\/|src\/infra\/[^/]+\/)/.exec(file)?.[1] ?? `${dirname(file)}/`;

const specifiers = (source: string): readonly string[] =>
  [
    ...source.matchAll(/(?:^|\n)\s*(?:import|export)\b[^'";]*?from\s*'([^']+)'|(?:^|\n)\s*import\s*'([^']+)'|\bimport\(\s*'([^']+)'\s*\)/g),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');

const isNode = (name: string): boolean => name.startsWith('node:') || builtinModules.includes(name);

/** What is wrong with the imports of one file; empty where all is well. */
const faults = (file: string, source: string): readonly string[] => {
  const rule = rules.find(([pattern]) => pattern.test(file))?.[1];
  if (rule === undefined) return [`${file}: no rule covers this file`];
  return specifiers(source).flatMap((name) => {
    if (name.startsWith('.')) {
      const target = relative(root, resolve(root, dirname(file), name));
      const allowed = rule.may.map((prefix) => (prefix === '@own' ? ownFolder(file) : prefix));
      return allowed.some((prefix) => target.startsWith(prefix)) ? [] : [`${file} may not import ${target}`];
    }
    if (isNode(name))
      return rule.node === true || (Array.isArray(rule.node) && rule.node.includes(name)) ? [] : [`${file} may not import ${name}`];
    const packageName = name
      .split('/')
      .slice(0, name.startsWith('@') ? 2 : 1)
      .join('/');
    return rule.packages.includes('*') || rule.packages.includes(packageName) ? [] : [`${file} may not import the package ${packageName}`];
  });
};

const filesIn = (folder: string): readonly string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((name) => name.endsWith('.ts') && !name.startsWith('adapters/web/page/'));

describe('architecture', () => {
  const files = ['src', 'adapters', 'plugins'].flatMap(filesIn);

  it('reads the files it speaks of', () => {
    expect(files.length).toBeGreaterThan(80);
    expect(specifiers(readFileSync(join(root, 'src/core/turn.ts'), 'utf8'))).toContain('./ids.ts');
  });

  it('lets every file import only what its folder may', () => {
    expect(files.flatMap((file) => faults(file, readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it('catches a planted violation of each kind', () => {
    expect(faults('src/core/x.ts', `import { a } from '../infra/redis/keys.ts';`)).toHaveLength(1);
    expect(faults('src/core/x.ts', `import fs from 'node:fs';`)).toHaveLength(1);
    expect(faults('adapters/web/x.ts', `import { a } from '../terminal/encode.ts';`)).toHaveLength(1);
    expect(faults('src/turn/x.ts', `export { a } from 'openai';`)).toHaveLength(1);
    expect(faults('plugins/clock/x.ts', `const a = await import('../python/index.ts');`)).toHaveLength(1);
  });

  it('touches the environment, signals and exit only in src/app/main.ts', () => {
    const users = files.filter((file) =>
      /\bprocess\.(env|exit|on|once|kill)\b/.test(readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')),
    );
    expect(users).toEqual(['src/app/main.ts']);
  });

  it('casts only where ids and trust are made', () => {
    const casting = /\bas (?!const\b|unknown\b)[A-Z]\w*/;
    const users = files
      .filter((file) => !/src\/core\/(ids|trust|prompt|plugin|failure)\.ts$/.test(file))
      .filter((file) => {
        const code = readFileSync(join(root, file), 'utf8')
          .replace(/\/\*[\s\S]*?\*\/|\/\/.*$/gm, '')
          .replace(/import[\s\S]*?;/g, '')
          .replace(/export \{[\s\S]*?;/g, '')
          .replace(/'[^'\n]*'|`[^`]*`/g, "''");
        return casting.test(code);
      });
    expect(users).toEqual([]);
  });
});
