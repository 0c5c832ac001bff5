import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Failure } from '../../../src/core/failure.ts';
import { httpLimits } from '../limits.ts';
import type { ErrorJson } from '../encode.ts';
import { encodeFailure } from '../encode.ts';

/** Answers with a failure, in the words meant for the person. */
export const sendFailure = (reply: FastifyReply, failed: Failure): FastifyReply => {
  const { status, body, retryAfter } = encodeFailure(failed);
  return sendError(retryAfter === null ? reply : reply.header('retry-after', String(retryAfter)), status, body.error);
};

export const sendError = (reply: FastifyReply, status: number, error: ErrorJson['error']): FastifyReply =>
  reply.code(status).header('cache-control', 'no-store').send({ error });

/**
 * Reads what is left of a refused upload and throws it away. A sender that is cut off in mid-upload sees a broken connection and
 * never the answer; so it is let finish, within bounds.
 */
export const drain = (request: FastifyRequest): void => {
  const { raw } = request;
  if (raw.readableEnded) return;
  let left: number = httpLimits.drainBytes;
  const timer = setTimeout(() => raw.destroy(), httpLimits.drainMs).unref();
  raw.on('data', (chunk: Buffer) => {
    left -= chunk.length;
    if (left < 0) raw.destroy();
  });
  raw.once('close', () => clearTimeout(timer));
  raw.once('error', () => {}); // the sender is gone, and nobody waits for the rest
  raw.resume();
};

/** An event stream needs no more than this to be told to nobody's cache and to no proxy's buffer. */
export const SSE_HEADERS = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
} as const;
