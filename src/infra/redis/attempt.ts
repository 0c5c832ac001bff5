import { failure } from '../../core/failure.ts';
import type { Failure } from '../../core/failure.ts';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';

/** The words of whatever was thrown; an aggregate (IPv4 and IPv6 both refused) has its words in its parts. */
export const describe = (error: unknown): string => {
  if (error instanceof AggregateError && error.message === '') return error.errors.map(describe).join('; ');
  return error instanceof Error ? error.message : String(error);
};

export const unreachable = (error: unknown): Failure => failure('store-unreachable', {}, describe(error), error);

/** Runs one exchange with Redis. Whatever the client rejects with means: it is not known whether this was done, try again later. */
export const attempt = async <T>(exchange: () => Promise<T>): Promise<Result<T, Failure>> => {
  try {
    return ok(await exchange());
  } catch (error) {
    return err(unreachable(error));
  }
};
