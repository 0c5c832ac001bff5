/**
 * A value or a failure. Everything that can go wrong in normal life travels as a `Result`;
 * only bugs are thrown.
 */
import type { Failure } from './failure.ts';

export type Ok<T> = { readonly ok: true; readonly value: T };
export type Err<E = Failure> = { readonly ok: false; readonly failure: E };
export type Result<T, E = Failure> = Ok<T> | Err<E>;

export const ok = <T>(value: T): Ok<T> => ({ ok: true, value });
export const err = <E>(failure: E): Err<E> => ({ ok: false, failure });
