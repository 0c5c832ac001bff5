/**
 * A stand-in for Slack on the loopback interface: Web API, Socket Mode, signed HTTP delivery, OAuth, files, a page to look at and a
 * control API. It keeps to the limits and refusals of the real one, so that what works here has a chance there.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { isObject } from './args.ts';
import type { Parts } from './call.ts';
import { actingOps } from './control/acting.ts';
import { arrangingOps } from './control/arranging.ts';
import type { Credentials } from './control/arranging.ts';
import { lookingOps } from './control/looking.ts';
import { createControlClient } from '../support/control-client.ts';
import type { Control } from './control.ts';
import { createDeliver } from './deliver.ts';
import { createEvents } from './events.ts';
import { ApiFault } from './fault.ts';
import { download, upload } from './file-transfer.ts';
import { createHttpDelivery } from './http-delivery.ts';
import { createInteractions, createRespond } from './interactions.ts';
import { allow } from './methods/oauth.ts';
import { bodyOf, json, listenOnLoopback } from '../support/loopback.ts';
import { servePage } from '../support/page-files.ts';
import { furnish } from './people-and-places.ts';
import { createPosting } from './posting.ts';
import { receiveResponse } from './response-url.ts';
import { createSocketMode } from './socket-mode.ts';
import { createWebApi } from './web-api.ts';
import { createWorld } from './world.ts';

/** Everything that the control API can do; see the three files of `control/`. */
export type ControlOps = ReturnType<typeof actingOps> & ReturnType<typeof arrangingOps> & ReturnType<typeof lookingOps>;

export type SlackServer = AsyncDisposable &
  Credentials & {
    readonly baseUrl: string;
    readonly control: Control;
  };

const PAGE = join(import.meta.dirname, 'page');

/** Starts a stand-in with one workspace; see people-and-places.ts for who is in it. */
export const startSlackServer = async ({ port = 0 }: { readonly port?: number } = {}): Promise<SlackServer> => {
  const world = createWorld();
  const socket = createSocketMode(world);
  const deliver = createDeliver(world, { socket, http: createHttpDelivery(world) });
  const events = createEvents(world, deliver);
  const posting = createPosting(world, events);
  const respond = createRespond(world, posting);
  const parts: Parts = { world, posting, events, socket };
  const interactions = createInteractions(world, deliver, respond);
  const ops: ControlOps = { ...arrangingOps(parts, deliver), ...actingOps(parts, interactions), ...lookingOps(parts) };
  const byName = ops as unknown as Readonly<Record<string, ((given: unknown) => unknown) | undefined>>;
  const callApi = createWebApi(parts);
  furnish(world);

  const control = async (name: string, body: Buffer, response: ServerResponse): Promise<void> => {
    const op = byName[name];
    if (op === undefined) return json(response, { error: 'unknown_operation', name }, 404);
    try {
      const given: unknown = body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
      json(response, await op(isObject(given) ? given : {}));
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error;
      json(response, { error: error.code, ...error.extra }, 400);
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', world.baseUrl);
    const path = url.pathname;
    const authorization = request.headers.authorization ?? '';
    const contentType = request.headers['content-type'] ?? '';
    const body = await bodyOf(request);
    if (path.startsWith('/api/')) {
      const reply = await callApi(path.slice('/api/'.length), { body, contentType, authorization });
      if (reply.lost) return void request.socket.destroy();
      return void response.writeHead(reply.status, reply.headers).end(reply.body);
    }
    if (path.startsWith('/_control/')) return control(path.slice('/_control/'.length), body, response);
    if (path.startsWith('/upload/v1/')) return upload(parts, path.slice('/upload/v1/'.length), body, contentType, response);
    if (path.startsWith('/files-pri/'))
      return download(parts, path, authorization, response, request.headers['sec-fetch-site'] === 'same-origin');
    if (path.startsWith('/hooks/response/')) return receiveResponse(parts, respond, path.slice('/hooks/response/'.length), body, response);
    if (path === '/oauth/v2/authorize')
      return void response
        .writeHead(302, { location: allow(parts, url.searchParams, url.searchParams.get('team') ?? 'T01LAB').href })
        .end();
    if (await servePage(PAGE, path, response)) return;
    response.writeHead(404).end('not found');
  };

  const server = await listenOnLoopback('Slack', port, handle, socket.upgrade);
  world.baseUrl = server.baseUrl;
  return {
    ...ops.credentials(),
    baseUrl: world.baseUrl,
    control: createControlClient<ControlOps>(world.baseUrl),
    [Symbol.asyncDispose]: async () => {
      world.clock.stop();
      socket.close();
      await server.close();
    },
  };
};
