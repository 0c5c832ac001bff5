/** The run ledger: one numbering per conversation over the people's runs and the model's. */
import { z } from 'zod';
import { blobIdSchema, personSchema, snapshotIdSchema } from './message.ts';

/** A name that could not be kept after the run. `path` is the expression that leads to the culprit inside a container (`d['gen'][0]`), empty where it is the value itself. */
export const lostNameSchema = z.object({ name: z.string(), type: z.string(), why: z.string(), path: z.string() }).readonly();
export type LostName = z.infer<typeof lostNameSchema>;

/** The most of one run's output that is put to the model, in characters. */
export const SHOWN_OUTPUT = 12_000;

export const runErrorSchema = z
  .object({ type: z.string(), value: z.string(), traceback: z.string(), line: z.number().nullable() })
  .readonly();
export type RunError = z.infer<typeof runErrorSchema>;

/** A file that a run made or changed, or a picture it drew; sent back to the thread. */
export const runFileSchema = z
  .object({
    name: z.string(),
    type: z.string(),
    size: z.number().int().nonnegative(),
    blob: blobIdSchema,
    picture: z.boolean(),
    alt: z.string(),
  })
  .readonly();
export type RunFile = z.infer<typeof runFileSchema>;

/**
 * How a run ended. `finished` and `raised` keep what the run changed, `timed-out` and `stopped` where the code let itself be interrupted; all
 * others leave the state as it was before it. `keptState` tells.
 * `stopped`: by a person. `killed`: ended by a signal or by leaving the interpreter. `broken`: the sandbox itself failed.
 */
export const runEndSchema = z.enum(['finished', 'raised', 'timed-out', 'out-of-memory', 'killed', 'stopped', 'broken']);
export type RunEnd = z.infer<typeof runEndSchema>;

export const runSchema = z
  .object({
    n: z.number().int().positive(),
    by: z.enum(['person', 'model']),
    author: personSchema.nullable(),
    at: z.number(),
    code: z.string(),
    end: runEndSchema,
    /** Standard output and error in the order they came, cut head and tail at 64 KiB. */
    output: z.string(),
    /** Bytes that were printed beyond the limit. */
    droppedBytes: z.number().int().nonnegative(),
    /** The last expression's value as the REPL shows it. */
    value: z.string().nullable(),
    error: runErrorSchema.nullable(),
    files: z.array(runFileSchema).readonly(),
    removedFiles: z.array(z.string()).readonly(),
    lost: z.array(lostNameSchema).readonly(),
    notes: z.array(z.string()).readonly(),
    durationMs: z.number().nonnegative(),
    before: snapshotIdSchema.nullable(),
    /** Equal to `before` where the run was rolled back. */
    after: snapshotIdSchema.nullable(),
  })
  .readonly();
export type Run = z.infer<typeof runSchema>;

/** Whether what the run did to the state is kept: every save is a snapshot of its own, so a rolled-back run is one whose state is the old one. */
export const keptState = (run: Run): boolean => run.after !== run.before;
