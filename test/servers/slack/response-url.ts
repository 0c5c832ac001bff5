/** `response_url`: five posts within half an hour, also where the bot is not a member. */
import type { ServerResponse } from 'node:http';
import { isObject } from './args.ts';
import type { Parts } from './call.ts';
import { ApiFault } from './fault.ts';
import { takeFault } from './injected.ts';
import type { Json } from './model.ts';
import type { ResponseUrl } from './world.ts';

const read = (body: Buffer): Json | null => {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
};

export const receiveResponse = (
  { world }: Parts,
  respond: (url: ResponseUrl, content: Json) => void,
  id: string,
  body: Buffer,
  response: ServerResponse,
): void => {
  const content = read(body);
  const url = world.responseUrls.get(id);
  const answer = (status: number, reply: Json): void => {
    world.calls.push({
      n: world.calls.length + 1,
      at: world.clock.now(),
      method: 'response_url',
      team: null,
      args: content ?? {},
      raw: body.toString('utf8'),
      contentType: 'application/json',
      status,
      reply,
      delivered: true,
    });
    world.changed();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(reply));
  };
  const fault = takeFault(world.faults, 'response_url', url?.channel ?? null);
  if (fault?.drop !== undefined) return void response.destroy();
  if (fault?.status !== undefined) return answer(fault.status, { ok: false, error: fault.error ?? 'fault' });
  if (url === undefined || url.expiresAt < world.clock.now()) return answer(404, { ok: false, error: 'expired_url' });
  if (url.left <= 0) return answer(404, { ok: false, error: 'used_url' });
  if (content === null) return answer(400, { ok: false, error: 'invalid_payload' });
  url.left -= 1;
  try {
    respond(url, content);
    answer(200, { ok: true });
  } catch (error) {
    if (!(error instanceof ApiFault)) throw error;
    answer(400, { ok: false, error: error.code, ...error.extra });
  }
};
