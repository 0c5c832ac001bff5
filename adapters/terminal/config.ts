import { failure } from '../../src/core/failure.ts';
import type { Failure } from '../../src/core/failure.ts';
import { err, ok } from '../../src/core/result.ts';
import type { Result } from '../../src/core/result.ts';

/**
 * `listening`: this process has the terminal (`HEKTOR_TERMINAL=1`, which `--adapters=terminal` sets). `thread`: where to go on; `last` is the
 * thread of the last time in this folder.
 */
export type TerminalConfig = {
  readonly listening: boolean;
  readonly thread: { readonly at: 'last' } | { readonly at: 'new' } | { readonly at: 'id'; readonly id: string };
  /** Where the thread's id, the history and the files that runs make are kept; readable by its owner only. */
  readonly folder: string;
  readonly colour: boolean;
};

/** Reads the terminal's settings. `NO_COLOR` and `TERM=dumb` are honoured as elsewhere. */
export const readTerminalConfig = (env: { readonly [name: string]: string | undefined }): Result<TerminalConfig, Failure> => {
  const thread = (env['HEKTOR_TERMINAL_THREAD'] ?? '').trim();
  if (!/^[\w.~-]{0,200}$/.test(thread))
    return err(failure('config-invalid', { problems: ['HEKTOR_TERMINAL_THREAD must be a thread’s id, or "new"'] }));
  return ok({
    listening: ['1', 'true', 'on'].includes((env['HEKTOR_TERMINAL'] ?? '').trim().toLowerCase()),
    thread: thread === '' ? { at: 'last' } : thread === 'new' ? { at: 'new' } : { at: 'id', id: thread },
    folder: '.hektor',
    colour: (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb',
  });
};
