import type { Failure } from '../core/failure.ts';
import type { Fetched, FetchRequest } from '../core/fetch.ts';
import type { Result } from '../core/result.ts';

/**
 * The one door to the web. GET only; no cookies, no credentials in URLs, nothing kept between two requests but idle connections.
 *
 * It connects to public addresses only. What is checked is the very address that is connected to, at every request and every redirect, so
 * that neither an odd notation, nor a redirect, nor a name that changes its address leads inside. `services` are exempt, by origin;
 * so is what the operator allowed when the fetcher was made.
 *
 * Bodies are read up to the cap of their type, after decompression, and within a time limit. Never rejects; an aborted signal is a
 * `tool-not-run` failure.
 */
export type Fetcher = AsyncDisposable & {
  readonly get: (request: FetchRequest, services: readonly string[], signal: AbortSignal) => Promise<Result<Fetched, Failure>>;
};
