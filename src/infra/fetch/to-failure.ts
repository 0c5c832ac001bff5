import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import { RefusedAddress } from './agents.ts';

/** What undici rejected with -> a failure. The reason is the innermost cause: undici wraps it in "fetch failed". */
export const toFailure = (cause: unknown, host: string): Failure => {
  const causes = chain(cause);
  if (causes.some((one) => one instanceof RefusedAddress)) return failure('fetch-address-refused', { host }, detailOf(causes));
  const code = causes.map(codeOf).findLast((one) => one !== undefined) ?? '';
  return failure(
    'fetch-unreachable',
    { host, problem: PROBLEMS.get(code) ?? tlsProblem(code) ?? 'the connection failed' },
    detailOf(causes),
    cause,
  );
};

const PROBLEMS = new Map([
  ['ENOTFOUND', 'there is no such host'],
  ['EAI_AGAIN', 'its name could not be looked up just now'],
  ['ECONNREFUSED', 'nothing answers there'],
  ['ECONNRESET', 'it broke the connection off'],
  ['UND_ERR_SOCKET', 'it broke the connection off'],
  ['UND_ERR_CONNECT_TIMEOUT', 'it did not answer in time'],
  ['ETIMEDOUT', 'it did not answer in time'],
  ['EHOSTUNREACH', 'there is no way to it from here'],
  ['ENETUNREACH', 'there is no way to it from here'],
  ['HPE_INVALID_CONSTANT', 'it does not speak HTTP'],
  ['UND_ERR_HEADERS_OVERFLOW', 'its headers are too large'],
]);

const tlsProblem = (code: string): string | undefined =>
  /CERT|SELF_SIGNED|ISSUER|ERR_TLS|ERR_SSL/.test(code)
    ? 'its certificate is not valid'
    : code.startsWith('HPE_')
      ? 'it does not speak HTTP'
      : undefined;

const chain = (cause: unknown): readonly unknown[] => {
  const causes: unknown[] = [];
  for (let one = cause; one instanceof Error && causes.length < 8; one = one.cause) {
    causes.push(one);
    // Several addresses were tried; the first one's fault stands for all.
    if (one instanceof AggregateError) causes.push(...one.errors.slice(0, 4).map((inner: unknown) => inner));
  }
  return causes;
};

const codeOf = (cause: unknown): string | undefined =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;

const detailOf = (causes: readonly unknown[]): string =>
  causes.map((one) => (one instanceof Error ? `${one.name}: ${one.message}` : String(one))).join(' < ');
