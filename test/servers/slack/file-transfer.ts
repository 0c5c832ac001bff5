/** Bytes: uploads to the address that was handed out, and downloads with the token. */
import type { ServerResponse } from 'node:http';
import type { Parts } from './call.ts';
import { takeFault } from './injected.ts';

/** What Slack shows to whoever comes without a right to the file: a page to log in, with 200. */
const LOGIN_PAGE = `<!DOCTYPE html><html lang="en-US" data-primer data-cdn="https://a.slack-edge.com/"><head><title>Sign in | Slack</title></head><body><form>Sign in to your workspace</form></body></html>`;

const html = (response: ServerResponse): void =>
  void response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(LOGIN_PAGE);

/** The bytes of a multipart body's one file, or the body itself. */
const content = async (body: Buffer, contentType: string): Promise<Buffer> => {
  if (!contentType.startsWith('multipart/')) return body;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData();
  const file = [...form.values()].find((value) => typeof value !== 'string');
  return file === undefined ? Buffer.alloc(0) : Buffer.from(await file.arrayBuffer());
};

export const upload = async ({ world }: Parts, id: string, body: Buffer, contentType: string, response: ServerResponse): Promise<void> => {
  const fault = takeFault(world.faults, 'upload', null);
  if (fault?.drop === 'request') return void response.destroy();
  if (fault?.status !== undefined) return void response.writeHead(fault.status).end(fault.body ?? '');
  const file = world.files.get(id);
  if (file === undefined || file.bytes !== null) return void response.writeHead(404).end('no such upload');
  const bytes = await content(body, contentType);
  if (bytes.length !== file.declaredLength) return void response.writeHead(400).end('the length is not the one that was announced');
  file.bytes = bytes;
  world.changed();
  if (fault?.drop === 'reply') return void response.destroy();
  response.writeHead(200, { 'content-type': 'text/plain' }).end(`OK - ${bytes.length}`);
};

/** `files-pri`: for a bot with `files:read` and for the stand-in's own page. */
export const download = ({ world }: Parts, path: string, authorization: string, response: ServerResponse, ownPage: boolean): void => {
  const id = /^\/files-pri\/[^/]*-(F[^/]+)\//.exec(path)?.[1] ?? '';
  const fault = takeFault(world.faults, 'download', null);
  if (fault?.drop !== undefined) return void response.destroy();
  if (fault?.status !== undefined) return void response.writeHead(fault.status).end(fault.body ?? '');
  const token = /^Bearer (.+)$/i.exec(authorization)?.[1];
  const installation = world.installations.find((one) => one.botToken === token && one.state === 'active');
  const allowed = ownPage || installation?.scopes.includes('files:read') === true;
  const file = world.files.get(id);
  world.calls.push({
    n: world.calls.length + 1,
    at: world.clock.now(),
    method: 'download',
    team: installation?.team ?? null,
    args: { file: id, authorized: allowed, token: token === undefined ? 'none' : installation === undefined ? 'foreign' : 'own' },
    raw: path,
    contentType: '',
    status: file === undefined ? 404 : 200,
    reply: {},
    delivered: true,
  });
  if (!allowed || file?.download === 'login-page') return html(response);
  if (file === undefined || file.bytes === null || file.download === 'gone') return void response.writeHead(404).end();
  if (file.download === 'redirect')
    return void response.writeHead(302, { location: `${world.baseUrl.replace('127.0.0.1', 'localhost')}/elsewhere/${id}` }).end();
  if (file.download === 'endless') {
    response.writeHead(200, { 'content-type': file.mimetype });
    const more = setInterval(() => response.write(Buffer.alloc(65_536, 'x')), 5);
    response.on('close', () => clearInterval(more));
    return;
  }
  response.writeHead(200, { 'content-type': file.mimetype, 'content-length': file.bytes.length }).end(file.bytes);
};
