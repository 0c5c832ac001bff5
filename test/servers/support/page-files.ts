/** The page of a stand-in, and the library that it renders Markdown with. */
import { readFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { mimeOf } from './mime.ts';

const LIBRARY = fileURLToPath(import.meta.resolve('markdown-it/browser'));

/** Nothing is loaded from elsewhere, as a picture in an answer would be. */
const POLICY = "default-src 'self'; img-src 'self' data:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'";

/** What all pages share is imported by its place in the source, which is `/support/page/…` for a browser. */
const SHARED = join(import.meta.dirname, 'page');

const fileAt = (folder: string, path: string): string | null => {
  if (path === '/') return join(folder, 'index.html');
  const [, shared, name] = /^(\/support)?\/page\/([a-z-]+\.(?:js|css))$/.exec(path) ?? [];
  if (name === undefined) return null;
  return name === 'markdown-it.js' ? LIBRARY : join(shared === undefined ? folder : SHARED, name);
};

/** Answers a request for the page or one of the files of its `folder`; false where it is none. */
export const servePage = async (folder: string, path: string, response: ServerResponse): Promise<boolean> => {
  const file = fileAt(folder, path);
  if (file === null) return false;
  try {
    const text = await readFile(file);
    response
      .writeHead(200, {
        'content-type': `${mimeOf(path === '/' ? 'index.html' : path)}; charset=utf-8`,
        'content-security-policy': POLICY,
        'cache-control': 'no-store',
      })
      .end(text);
  } catch {
    response.writeHead(404).end('not found');
  }
  return true;
};
