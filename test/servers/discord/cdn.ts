/** Files of messages, behind signed links that end. */
import type { ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { takeFault } from './injected.ts';
import type { Attachment } from './model.ts';
import { signatureOf } from './shapes.ts';
import type { World } from './world.ts';

export const isFilePath = (path: string): boolean => /^\/(ephemeral-)?attachments\//.test(path);

const attachmentAt = (world: World, id: string): Attachment | undefined => {
  for (const message of world.messages.values()) {
    const found = message.attachments.find((one) => one.id === id);
    if (found !== undefined) return message.deleted ? undefined : found;
  }
  return world.uploads.get(id);
};

/** Answers a request for a file: its bytes where the link is signed and has not ended. */
export const serveFile = async (world: World, url: URL, response: ServerResponse): Promise<void> => {
  const [, , , id = ''] = url.pathname.split('/');
  const fault = takeFault(world.faults, 'GET', `cdn${url.pathname}`);
  if (fault?.delayMs !== undefined) await sleep(fault.delayMs);
  if (fault?.drop !== undefined) return void response.socket?.destroy();
  const refuse = (status: number, text: string): void =>
    void response.writeHead(status, { 'content-type': 'text/plain;charset=UTF-8' }).end(text);
  if (fault?.status !== undefined) return refuse(fault.status, 'as asked');
  const expires = url.searchParams.get('ex') ?? '';
  const signed = url.searchParams.get('hm') === signatureOf(url.pathname, expires);
  if (!signed || Number.parseInt(expires, 16) * 1000 <= world.clock.now()) return refuse(404, 'This content is no longer available.');
  const found = attachmentAt(world, id);
  if (found === undefined) return refuse(404, 'This content is no longer available.');
  if (found.status !== null) return refuse(found.status, 'This content is no longer available.');
  response
    .writeHead(200, {
      'content-type': found.contentType,
      'content-length': String(found.bytes.length),
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(found.filename)}`,
      'access-control-allow-origin': '*',
    })
    .end(found.bytes);
};
