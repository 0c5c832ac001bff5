import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { httpLimits } from '../limits.ts';
import { SSE_HEADERS } from './reply.ts';

/**
 * Writes frames to a response as they come, with a comment every 15 seconds so that neither end takes silence for death.
 * A slow reader slows its own feed only. Resolves when the feed or the connection ends; then everything behind the feed is freed.
 */
export const streamFrames = async (
  response: ServerResponse,
  feed: (signal: AbortSignal) => AsyncIterable<string>,
  closing: AbortSignal,
): Promise<void> => {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, closing]);
  response.once('close', () => gone.abort());
  response.writeHead(200, SSE_HEADERS);
  response.write('retry: 1500\n\n');
  const heartbeat = setInterval(() => response.write(': still here\n\n'), httpLimits.heartbeatMs);
  try {
    for await (const frame of feed(signal)) {
      if (signal.aborted) break;
      if (!response.write(frame)) await once(response, 'drain', { signal });
    }
  } catch (cause) {
    // `once` rejects when the reader goes away; anything else is a bug.
    if (!signal.aborted) throw cause;
  } finally {
    clearInterval(heartbeat);
    response.end();
  }
};
