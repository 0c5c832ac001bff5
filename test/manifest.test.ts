/** Every folder that has a list is in it, whole; every adapter has the same files. A forgotten line goes red here. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { commands } from '../src/commands/index.ts';
import { livePlugins, plugins } from '../plugins/index.ts';
import { settingNames } from '../src/app/config.ts';

const root = resolve(import.meta.dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const foldersIn = (path: string): readonly string[] =>
  readdirSync(join(root, path), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);

describe('manifest', () => {
  it('lists every command, under the name of its file', () => {
    const files = readdirSync(join(root, 'src/commands')).filter((name) => name !== 'index.ts');
    expect(commands.map((command) => `${command.name}.ts`).toSorted()).toEqual(files.toSorted());
  });

  it('lists every prompt', () => {
    const list = read('src/prompts/index.ts');
    const missing = readdirSync(join(root, 'src/prompts')).filter((name) => name.endsWith('.prompt.ts') && !list.includes(`'./${name}'`));
    expect(missing).toEqual([]);
  });

  it('lists every plugin, under the name of its folder', () => {
    expect([...plugins, ...livePlugins].map((plugin) => plugin.name).toSorted()).toEqual(foldersIn('plugins').toSorted());
  });

  it('lists every adapter, and gives each the same files', () => {
    const list = read('adapters/index.ts');
    for (const adapter of foldersIn('adapters')) {
      expect(list).toContain(`'./${adapter}/index.ts'`);
      for (const file of ['index', 'config', 'decode', 'inbound', 'encode', 'outbound', 'commands', 'limits']) {
        expect(existsSync(join(root, 'adapters', adapter, `${file}.ts`)), `adapters/${adapter}/${file}.ts`).toBe(true);
      }
    }
  });

  it('names every setting in .env.example', () => {
    const example = read('.env.example');
    const names = [...settingNames, ...plugins.flatMap((plugin) => ('settings' in plugin ? plugin.settings : []))];
    expect(names.filter((name) => !new RegExp(`^#?\\s*${name}=`, 'm').test(example))).toEqual([]);
  });

  it('hands every setting of .env.example on to the containers, but for those that Compose decides', () => {
    const byCompose = new Set(['DOCKER_HOST', 'HEKTOR_HOST', 'HEKTOR_ROLE', 'PORT', 'REDIS_URL']);
    const names = [...read('.env.example').matchAll(/^#?\s*([A-Z][A-Z0-9_]+)=/gm)].map(([, name]) => name ?? '');
    expect(names).toContain('OPENAI_API_KEY');
    const settings = read('docker-compose.yml').split(/^x-service:/m)[0] ?? '';
    expect(names.filter((name) => !byCompose.has(name) && !new RegExp(`^  ${name}:`, 'm').test(settings))).toEqual([]);
  });

  it('keeps the top level to what the design names', () => {
    const allowed =
      /^(src|adapters|plugins|test|docker|docs|package\.json|package-lock\.json|tsconfig\.json|docker-compose\.yml|vitest\.config\.ts|LICENSE|[A-Z]+\.md|\..*|node_modules|hektor\.config\..*)$/;
    expect(readdirSync(root).filter((name) => !allowed.test(name))).toEqual([]);
  });
});
