/** The transport to a server over streamable HTTP: the SDK's own, behind a fetch that bounds what it reads. */
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js';
import { z } from 'zod';
import { MAX_MESSAGE, oversizeAnswer } from './oversize.ts';
import type { HttpSettings, OAuthSettings } from './settings.ts';

export const createHttpTransport = (settings: HttpSettings): Transport => {
  const inner = new StreamableHTTPClientTransport(new URL(settings.url), {
    requestInit: { headers: settings.headers },
    fetch: boundedFetch,
    ...(settings.oauth === null ? {} : { authProvider: credentialsOf(settings.oauth) }),
  });
  const transport: Transport = {
    start: () => inner.start(),
    send: (message, options) =>
      inner.send(message, options?.resumptionToken === undefined ? {} : { resumptionToken: options.resumptionToken }),
    close: async () => {
      // A server may never answer the farewell.
      await Promise.race([inner.terminateSession().catch(() => {}), new Promise((resolve) => setTimeout(resolve, 1_000).unref())]);
      await inner.close();
    },
    setProtocolVersion: (version) => inner.setProtocolVersion(version),
  };
  Object.assign(inner, {
    onclose: () => transport.onclose?.(),
    onerror: (error: Error) => transport.onerror?.(error),
    onmessage: (message: JSONRPCMessage) => transport.onmessage?.(message),
  });
  return transport;
};

/** The SDK finds the token's endpoint, asks for a token, and asks anew when it is refused. Nobody is sent to a browser. */
const credentialsOf = ({ issuer, clientId, clientSecret, scope }: OAuthSettings): OAuthClientProvider =>
  new ClientCredentialsProvider({ clientId, clientSecret, expectedIssuer: issuer, ...(scope === null ? {} : { scope }) });

const boundedFetch: FetchLike = async (url, init) => {
  const response = await fetch(url, init);
  const { body } = response;
  if (body === null) return response;
  const id = requestId(init?.body);
  const instead = id === null ? null : JSON.stringify(oversizeAnswer(id));
  const events = /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '');
  const answer = (content: ReadableStream<Uint8Array> | Blob | string): Response =>
    new Response(content, { status: response.status, statusText: response.statusText, headers: response.headers });
  return events ? answer(boundedEvents(body, instead)) : answer(await readUpTo(body, instead));
};

const request = z.object({ id: z.union([z.number(), z.string()]) });

const requestId = (body: unknown): number | string | null => {
  if (typeof body !== 'string') return null;
  const decoded = request.safeParse(JSON.parse(body));
  return decoded.success ? decoded.data.id : null;
};

/** The whole body; where it is too large, what stands in for it (nothing, where no request was answered). */
const readUpTo = async (body: ReadableStream<Uint8Array<ArrayBuffer>>, instead: string | null): Promise<Blob | string> => {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of body) {
    size += part.length;
    if (size > MAX_MESSAGE) return instead ?? '';
    parts.push(part);
  }
  return new Blob(parts);
};

/** The events as they come. One that is too large is broken off, and the stream ends with the answer that stands in for it. */
const boundedEvents = (body: ReadableStream<Uint8Array<ArrayBuffer>>, instead: string | null): ReadableStream<Uint8Array> => {
  let size = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        const end = lastBlankLine(chunk);
        size = end === -1 ? size + chunk.length : chunk.length - end;
        if (size <= MAX_MESSAGE) {
          controller.enqueue(chunk);
          return;
        }
        if (instead !== null) controller.enqueue(new TextEncoder().encode(`\n\nevent: message\ndata: ${instead}\n\n`));
        controller.terminate();
      },
    }),
  );
};

/** Where the last event of the chunk ends; -1 where none does. An end that two chunks share is missed, which only counts too much. */
const lastBlankLine = (chunk: Uint8Array): number => {
  const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
  return Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\r\n\r\n'));
};
