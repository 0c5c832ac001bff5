/**
 * A stand-in for Discord on the loopback interface: Gateway v10, REST v10, files behind signed links, a page to look at and a control
 * API. It keeps to the limits and refusals of the real one, so that what works here has a chance there.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { createControlClient } from '../support/control-client.ts';
import type { ControlClient } from '../support/control-client.ts';
import { bodyOf, json, listenOnLoopback } from '../support/loopback.ts';
import { servePage } from '../support/page-files.ts';
import { isFilePath, serveFile } from './cdn.ts';
import { actingOps } from './control/acting.ts';
import { arrangingOps } from './control/arranging.ts';
import type { Credentials } from './control/arranging.ts';
import { interactingOps } from './control/interacting.ts';
import { lookingOps } from './control/looking.ts';
import { troublingOps } from './control/troubling.ts';
import { createEvents } from './events.ts';
import { createGateway } from './gateway.ts';
import { createInteractions } from './interactions.ts';
import { isObject } from './json.ts';
import { furnish } from './places.ts';
import { createPosting } from './posting.ts';
import type { Parts } from './request.ts';
import { createRestApi } from './rest-api.ts';
import { RestFault } from './rest-fault.ts';
import { createWorld } from './world.ts';

/** Everything that the control API can do; see the files of `control/`. */
export type ControlOps = ReturnType<typeof actingOps> &
  ReturnType<typeof arrangingOps> &
  ReturnType<typeof interactingOps> &
  ReturnType<typeof lookingOps> &
  ReturnType<typeof troublingOps>;

export type Control = ControlClient<ControlOps>;
export type DiscordServer = AsyncDisposable & Credentials & { readonly baseUrl: string; readonly control: Control };

const PAGE = join(import.meta.dirname, 'page');

const headersOf = (request: IncomingMessage): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));

/** Starts a stand-in with one server in it; see places.ts for who and what is there. */
export const startDiscordServer = async ({ port = 0 }: { readonly port?: number } = {}): Promise<DiscordServer> => {
  const world = createWorld();
  const gateway = createGateway(world);
  const events = createEvents(world, gateway);
  const posting = createPosting(world, events);
  const parts: Parts = { world, gateway, events, posting, interactions: createInteractions(world, gateway) };
  const api = createRestApi(parts);
  const ops: ControlOps = {
    ...arrangingOps(parts),
    ...troublingOps(parts, api.limits),
    ...actingOps(parts),
    ...interactingOps(parts),
    ...lookingOps(parts),
  };
  const byName = ops as unknown as Readonly<Record<string, ((given: unknown) => unknown) | undefined>>;
  furnish(world);

  const control = async (name: string, body: Buffer, response: ServerResponse): Promise<void> => {
    const op = byName[name];
    if (op === undefined) return json(response, { error: 'unknown operation', name }, 404);
    try {
      const given: unknown = body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
      json(response, await op(isObject(given) ? given : {}));
    } catch (error) {
      if (!(error instanceof RestFault)) throw error;
      json(response, { error: error.message, code: error.code, ...error.extra }, 400);
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', world.baseUrl);
    const body = await bodyOf(request);
    if (url.pathname.startsWith('/api/')) {
      const reply = await api({ method: request.method ?? 'GET', url, headers: headersOf(request), body });
      if (reply.lost) return void request.socket.destroy();
      return void response.writeHead(reply.status, reply.headers).end(reply.body);
    }
    if (url.pathname.startsWith('/_control/')) return control(url.pathname.slice('/_control/'.length), body, response);
    if (isFilePath(url.pathname)) return serveFile(world, url, response);
    if (await servePage(PAGE, url.pathname, response)) return;
    response.writeHead(404).end('not found');
  };

  const server = await listenOnLoopback('Discord', port, handle, gateway.upgrade);
  world.baseUrl = server.baseUrl;
  return {
    ...ops.credentials(),
    baseUrl: world.baseUrl,
    control: createControlClient<ControlOps>(world.baseUrl),
    [Symbol.asyncDispose]: async () => {
      world.clock.stop();
      gateway.close();
      await server.close();
    },
  };
};
