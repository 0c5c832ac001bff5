/** One route of the REST API. */
import type { Handler } from '../request.ts';

export type Route = {
  readonly method: string;
  /** With `:names` for the ids in it. */
  readonly path: string;
  readonly run: Handler;
  /** Wants the bot's token. Routes of interactions and webhooks carry their own in the path, and are outside the global limit. */
  readonly auth: boolean;
  /** The ids that part its bucket. */
  readonly major: readonly string[];
  readonly limit: number;
  readonly windowMs: number;
  /** The bucket's name, where several routes share one. */
  readonly bucket?: string;
  /** Instead of 200. */
  readonly status?: number;
};

type Options = Partial<Omit<Route, 'method' | 'path' | 'run'>>;

/** A route in the bucket of its own channel, server or webhook. */
export const route = (method: string, path: string, run: Handler, options: Options = {}): Route => ({
  method,
  path,
  run,
  auth: true,
  major: ['channel', 'guild', 'webhook', 'token'].filter((name) => path.includes(`:${name}`)),
  limit: 50,
  windowMs: 1000,
  ...options,
});
