/**
 * The page's files. TypeScript modules are served as JavaScript by taking off their types; there is no build step.
 * Libraries come from node_modules under `/page/vendor/`.
 */
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { transformSync } from 'amaro';

export type Asset = { readonly body: Buffer; readonly type: string; readonly etag: string };

const PAGE = join(import.meta.dirname, '..', 'page');
const TYPES: { readonly [extension: string]: string } = {
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Reads all assets, by the path under which the page asks for them. `/` is the page itself. */
export const loadAssets = async (): Promise<ReadonlyMap<string, Asset>> => {
  const require = createRequire(import.meta.url);
  const library = (name: string, path: string): string => join(dirname(require.resolve(`${name}/package.json`)), path);
  const files: (readonly [string, string])[] = (await readdir(PAGE))
    .filter((name) => TYPES[extname(name)] !== undefined && !name.endsWith('.d.ts'))
    .map((name) => [name === 'index.html' ? '/' : `/page/${name}`, join(PAGE, name)]);
  files.push(
    ['/page/vendor/markdown-it.js', library('markdown-it', 'dist/browser/markdown-it.esm.min.mjs')],
    ['/page/vendor/highlight.js', library('@highlightjs/cdn-assets', 'es/highlight.min.js')],
  );
  return new Map(await Promise.all(files.map(async ([path, file]) => [path, await load(file)] as const)));
};

const load = async (file: string): Promise<Asset> => {
  const source = await readFile(file);
  const extension = extname(file) === '.mjs' ? '.js' : extname(file);
  const body = extension === '.ts' ? Buffer.from(transformSync(source.toString('utf8'), { mode: 'strip-only' }).code) : source;
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return { body, type: TYPES[extension] ?? 'application/octet-stream', etag };
};
