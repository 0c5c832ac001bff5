/**
 * What to do about a failed request. Pure: a fault as it was seen -> one of five reactions.
 *
 * Servers tell most of this in free text and agree on little else, so words are looked at where codes are missing.
 * The order matters: an overflow is often dressed as a rate limit (MG2), a used-up quota always is (MF10).
 */
import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import { degrade, isBadPicture } from './profile.ts';
import type { ServerProfile } from './profile.ts';

/** A fault as it was seen on the wire. Texts are scrubbed of secrets before they get here. */
export type Fault = {
  /** `connect`: no answer at all. `answer`: the server answered with an error. `stream`: the reply began and broke. `silent`: a timer ran out. `page`: an answer that is no completion. */
  readonly at: 'connect' | 'answer' | 'stream' | 'silent' | 'page';
  readonly status: number | null;
  readonly code: string;
  readonly param: string;
  readonly message: string;
  readonly retryAfterMs: number | null;
  /** The call that the server could not read (Groq). */
  readonly generation: string;
};

export type Reaction =
  | { readonly do: 'retry'; readonly failure: Failure; readonly waitMs: number | null }
  /** Tell the model what was wrong with its call and ask again. */
  | { readonly do: 'feedback'; readonly failure: Failure; readonly generation: string }
  /** Leave out what the server does not know, and ask again at once; `once`: in this request only. */
  | { readonly do: 'degrade'; readonly failure: Failure; readonly profile: ServerProfile; readonly once: boolean }
  | { readonly do: 'give-up'; readonly failure: Failure };

export const reactTo = (fault: Fault, profile: ServerProfile, facts: { readonly model: string; readonly silentMs: number }): Reaction => {
  const detail = `${fault.at}${fault.status === null ? '' : ` ${fault.status}`}${fault.code === '' ? '' : ` ${fault.code}`}: ${fault.message}`;
  const retry = (why: Failure): Reaction => ({ do: 'retry', failure: why, waitMs: fault.retryAfterMs });
  const giveUp = (why: Failure): Reaction => ({ do: 'give-up', failure: why });
  const { status, code } = fault;

  if (fault.at === 'silent') return retry(failure('model-silent', { seconds: Math.max(1, Math.round(facts.silentMs / 1000)) }, detail));
  if (fault.at === 'connect') return retry(failure('model-unreachable', {}, detail));
  if (fault.at === 'page') return retry(failure('model-bad-reply', {}, detail));
  if (isOverflow(fault)) return giveUp(failure('context-overflow', {}, detail));
  if (/^(insufficient_quota|billing_hard_limit_reached|insufficient_balance)$/.test(code) || status === 402)
    return giveUp(failure('model-quota', {}, detail));
  if (code === 'tool_use_failed') return { do: 'feedback', failure: failure('model-bad-reply', {}, detail), generation: fault.generation };
  if (code === 'content_filter' || code === 'content_policy_violation') return giveUp(failure('model-filtered', {}, detail));
  if (status === 401 || status === 403 || code === 'invalid_api_key') return giveUp(failure('model-refused-key', {}, detail));
  if (status === 404 || code === 'model_not_found') return giveUp(failure('model-not-found', { model: facts.model }, detail));
  if (status === 429 || code === 'rate_limit_exceeded')
    return retry(failure('model-rate-limited', { waitSeconds: Math.ceil((fault.retryAfterMs ?? 20_000) / 1000) }, detail));
  if (status === 408 || status === 409 || status === 425) return retry(failure('model-overloaded', {}, detail));
  if (status === 400 || status === 422 || status === 415 || status === 501) {
    const without = degrade(profile, fault.message, fault.param);
    const rejected = failure('model-rejected', {}, detail);
    if (without !== undefined) return { do: 'degrade', failure: rejected, profile: without, once: false };
    return isBadPicture(profile, fault.message)
      ? { do: 'degrade', failure: rejected, profile: { ...profile, images: false }, once: true }
      : giveUp(rejected);
  }
  if (status !== null && status >= 500) return retry(failure('model-overloaded', {}, detail));
  if (status !== null && status >= 400) return giveUp(failure('model-rejected', {}, detail));
  return retry(failure('model-broken-stream', {}, detail));
};

const TOO_LONG =
  /maximum context length|context[ _-]?(length|window|size)|prompt is too long|input is too long|too many (input )?tokens|exceeds? the (model'?s )?(maximum|max|limit)[^.]{0,40}tokens|reduce the length|n_ctx|max_model_len|token (count|limit) exceed|input length/i;

const isOverflow = (fault: Fault): boolean => {
  if (fault.code === 'context_length_exceeded' || fault.status === 413) return true;
  // A request larger than the whole minute's allowance can never pass: waiting does not help, shortening does.
  const sizes = /limit:? *([\d,]+)[^\d]{1,20}requested:? *([\d,]+)/i.exec(fault.message);
  if (sizes !== null && count(sizes[2]) > count(sizes[1])) return true;
  return (fault.status === 400 || fault.status === 422 || fault.status === 500 || fault.status === null) && TOO_LONG.test(fault.message);
};
const count = (digits: string | undefined): number => Number((digits ?? '0').replaceAll(',', ''));

/** Reasons to stop that are faults of the server, not ends of an answer (MD12, MD13). */
export const isFaultyFinish = (finish: string | null): boolean =>
  finish !== null && /error|network|insufficient_system_resource|overloaded/i.test(finish);

/** The most attempts at one completion, and the most time it may wait between them. */
export const RETRY = { attempts: 4, silentAttempts: 2, feedbacks: 2, budgetMs: 60_000 } as const;

/**
 * How long to wait before attempt `attempt + 1`; undefined: no further attempt. The server's own word counts, with nothing taken off;
 * otherwise 1, 2, 4 s, give or take a quarter (`jitter` is between 0 and 1).
 */
export const waitBefore = (attempt: number, waitedMs: number, serverMs: number | null, jitter: number): number | undefined => {
  if (attempt >= RETRY.attempts) return undefined;
  const wait = serverMs ?? Math.round(1000 * 2 ** (attempt - 1) * (0.75 + jitter / 2));
  return waitedMs + wait > RETRY.budgetMs ? undefined : wait;
};
