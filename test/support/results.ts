/** Shorthands for results in tests. */
import type { FailureCode } from '../../src/core/failure.ts';
import type { Result } from '../../src/core/result.ts';

/** The value; a failure fails the test with its words. */
export const valueOf = <T>(result: Result<T>): T => {
  if (result.ok) return result.value;
  throw new Error(`${result.failure.code}: ${result.failure.detail}`, { cause: result.failure });
};
/** The failure's code, or `ok`. */
export const codeOf = (result: Result<unknown>): FailureCode | 'ok' => (result.ok ? 'ok' : result.failure.code);
