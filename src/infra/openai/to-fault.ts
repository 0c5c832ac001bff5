/** Anything the SDK throws -> a `Fault`. Secrets are taken out here, so that no failure, log line or metric can carry one. */
import { APIConnectionError, APIError } from 'openai';
import type { Fault } from './fault.ts';

const MAX_MESSAGE = 300;

export const toFault = (thrown: unknown, began: boolean, secrets: readonly string[]): Fault => {
  const blank = { status: null, code: '', param: '', retryAfterMs: null, generation: '' };
  const say = (text: string): string => scrub(text, secrets);
  if (thrown instanceof APIConnectionError) return { ...blank, at: 'connect', message: say(causesOf(thrown)) };
  if (thrown instanceof APIError) {
    const body = fieldsOf(thrown.error);
    const code = textOf(thrown.code) || textOf(body['code']) || textOf(thrown.type);
    const status = typeof thrown.status === 'number' ? thrown.status : statusIn(code, body);
    return {
      at: status === null ? 'stream' : 'answer',
      status,
      code: textOf(body['code']) || code,
      param: textOf(thrown.param),
      message: say(thrown.message),
      retryAfterMs: retryAfter(headersOf(thrown)),
      generation: textOf(body['failed_generation']).slice(0, 4_000),
    };
  }
  return { ...blank, at: began ? 'stream' : 'connect', message: say(causesOf(thrown)) };
};

/** The chain of an error's messages and codes. */
const causesOf = (thrown: unknown): string => {
  const parts: string[] = [];
  let at: unknown = thrown;
  for (let depth = 0; depth < 4 && at instanceof Error; depth += 1) {
    const code = 'code' in at ? textOf(at.code) : '';
    parts.push(`${at.message}${code === '' ? '' : ` (${code})`}`);
    at = at.cause;
  }
  return parts.length === 0 ? String(thrown) : parts.join(' <- ');
};

/** Takes keys out of a text: the given ones, and whatever looks like one. */
const scrub = (text: string, secrets: readonly string[]): string => {
  const plain = secrets.filter((secret) => secret.length >= 4).reduce((out, secret) => out.replaceAll(secret, '[key]'), text);
  const safe = plain.replace(/\b(sk|pk|gsk|xai|key|AIza)[-_][\w*.…-]{6,}/g, '[key]').replace(/\bbearer\s+\S+/gi, 'Bearer [key]');
  return (safe.length > MAX_MESSAGE ? `${safe.slice(0, MAX_MESSAGE)}…` : safe).toWellFormed();
};

/** An error inside of a stream has no HTTP status; its code may hold one (MF1). */
const statusIn = (code: string, body: { readonly [key: string]: unknown }): number | null => {
  for (const value of [code, body['status_code'], body['status']]) {
    const number = Number(value);
    if (Number.isInteger(number) && number >= 400 && number < 600) return number;
  }
  if (/^(server_error|internal_server_error|overloaded_error|api_error)$/.test(code)) return 503;
  return null;
};

// The SDK types an error's headers as anything.
const headersOf = (error: { readonly headers?: unknown }): Headers | undefined => {
  return error.headers instanceof Headers ? error.headers : undefined;
};

const retryAfter = (headers: Headers | undefined): number | null => {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (Number.isFinite(ms) && ms >= 0) return Math.ceil(ms);
  const raw = headers?.get('retry-after') ?? '';
  if (raw === '') return null;
  const seconds = Number(raw);
  if (Number.isFinite(seconds) && seconds >= 0) return Math.ceil(seconds * 1000);
  const date = Date.parse(raw);
  const now = Date.parse(headers?.get('date') ?? '');
  // A date says nothing without the server's own clock beside it.
  return Number.isFinite(date) && Number.isFinite(now) ? Math.max(0, date - now) : null;
};

const textOf = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '');

const fieldsOf = (value: unknown): { readonly [key: string]: unknown } => {
  const fields: unknown = typeof value === 'object' && value !== null && 'error' in value ? value.error : value;
  return typeof fields === 'object' && fields !== null ? Object.fromEntries(Object.entries(fields)) : {};
};
