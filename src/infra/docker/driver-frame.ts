/**
 * What the driver says, decoded. Everything but `H`, `K` and `X` originates in a process that ran somebody's code, so texts and
 * lists are clipped rather than trusted, and what does not decode becomes `garbled`.
 */
import { z } from 'zod';
import type { BlobId } from '../../core/ids.ts';
import { isBlobId } from '../../core/ids.ts';
import { blobIdSchema } from '../../core/message.ts';
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';
import { workspacePathSchema } from '../../core/snapshot.ts';
import type { Frame, FrameBounds } from './frames.ts';

const KiB = 1024;
const MiB = 1 << 20;

/** The largest payloads; the driver's own bounds are the same or tighter. */
export const driverBounds: FrameBounds = {
  H: 64 * KiB,
  K: 64 * KiB,
  O: MiB,
  E: MiB,
  P: 17 * MiB,
  N: 512 * KiB,
  D: 2 * MiB,
  S: 5 * MiB,
  B: 256 * MiB,
  X: 64 * KiB,
};

/** Cut to a length, and without lone surrogates: JSON can carry them, UTF-8 cannot. */
const text = (limit: number) =>
  z.string().transform((value) => (value.length > limit ? `${value.slice(0, limit)}…` : value).toWellFormed());
const listOf = <T>(item: z.ZodType<T>, limit: number) =>
  z
    .array(z.unknown())
    .transform((values) => values.slice(0, limit))
    .pipe(z.array(item));
const count = z.number().nonnegative();

/** The version of the protocol that this worker speaks; the driver in the image must speak the same (PROTOCOL.md). */
export const PROTOCOL = 2;

const helloSchema = z.object({ protocol: count, python: text(40), packages: z.record(text(100), text(100)), readyMs: count });
export type Hello = z.infer<typeof helloSchema>;

const answerSchema = z.object({
  n: z.number().int(),
  ok: z.boolean(),
  error: z.object({ type: text(200), value: text(8_000), traceback: text(16_000), line: z.number().int().nullable() }).nullable(),
  value: z.object({ text: text(20_000), type: text(200) }).nullable(),
  notes: listOf(text(500), 20),
  ms: count,
});
export type Answer = z.infer<typeof answerSchema>;

const savedSchema = z.object({
  n: z.number().int(),
  /** Still undecoded: see `checkState`. */
  manifest: z.unknown(),
  lost: listOf(z.object({ name: text(200), type: text(200), why: text(500), path: text(500) }), 100),
  changed: listOf(z.object({ path: workspacePathSchema, size: count, id: blobIdSchema.nullish() }), 1_000),
  removed: listOf(workspacePathSchema, 1_000),
  new: z.array(blobIdSchema).max(30_000),
});
export type Saved = z.infer<typeof savedSchema>;

const endSchema = z.object({
  n: z.number().int(),
  exit: z.number().int().nullable(),
  signal: text(20).nullable(),
  timedOut: z.boolean(),
  interrupted: z.boolean(),
  oom: z.boolean(),
  done: z.boolean(),
  refused: text(500).nullable(),
  dropped: z.object({ stdout: count, stderr: count }),
  cpuMs: count,
  peakKb: count,
  wallMs: count,
  alive: z.boolean(),
});
export type End = z.infer<typeof endSchema>;

const pictureSchema = z.object({ mime: text(100), alt: text(500) });

export type DriverFrame =
  | { readonly kind: 'hello'; readonly hello: Hello }
  | { readonly kind: 'ripe' }
  | { readonly kind: 'output'; readonly stream: 'stdout' | 'stderr'; readonly bytes: Buffer }
  | { readonly kind: 'picture'; readonly alt: string; readonly bytes: Buffer }
  | { readonly kind: 'need'; readonly ids: readonly BlobId[] }
  | { readonly kind: 'answer'; readonly answer: Answer }
  | { readonly kind: 'saved'; readonly saved: Saved }
  | { readonly kind: 'blob'; readonly id: BlobId; readonly bytes: Buffer }
  | { readonly kind: 'end'; readonly end: End }
  | { readonly kind: 'garbled'; readonly what: string };

const parse = <T>(schema: z.ZodType<T>, bytes: Buffer): Result<T, string> => {
  try {
    const decoded = schema.safeParse(JSON.parse(bytes.toString('utf8')));
    return decoded.success ? ok(decoded.data) : err(z.prettifyError(decoded.error));
  } catch {
    return err('not JSON');
  }
};

const decoded = <T>(type: string, result: Result<T, string>, toFrame: (value: T) => DriverFrame): DriverFrame =>
  result.ok ? toFrame(result.value) : { kind: 'garbled', what: `${type}: ${result.failure}`.slice(0, 500) };

const decodePicture = (payload: Buffer): DriverFrame => {
  const size = payload.length >= 4 ? payload.readUInt32BE(0) : Number.POSITIVE_INFINITY;
  if (size > payload.length - 4) return { kind: 'garbled', what: 'P: too short' };
  const meta = parse(pictureSchema, payload.subarray(4, 4 + size));
  return decoded('P', meta, ({ alt }) => ({ kind: 'picture', alt, bytes: payload.subarray(4 + size) }));
};

const decodeBlob = (payload: Buffer): DriverFrame => {
  const id = payload.toString('latin1', 0, 32);
  return isBlobId(id) ? { kind: 'blob', id, bytes: payload.subarray(32) } : { kind: 'garbled', what: 'B: no blob id' };
};

export const decodeDriverFrame = ({ type, payload }: Frame): DriverFrame => {
  switch (type) {
    case 'H':
      return decoded(type, parse(helloSchema, payload), (hello) => ({ kind: 'hello', hello }));
    case 'K':
      return { kind: 'ripe' };
    case 'O':
    case 'E':
      return { kind: 'output', stream: type === 'O' ? 'stdout' : 'stderr', bytes: payload };
    case 'P':
      return decodePicture(payload);
    case 'N':
      return decoded(type, parse(z.array(blobIdSchema).max(10_000), payload), (ids) => ({ kind: 'need', ids }));
    case 'D':
      return decoded(type, parse(answerSchema, payload), (answer) => ({ kind: 'answer', answer }));
    case 'S':
      return decoded(type, parse(savedSchema, payload), (saved) => ({ kind: 'saved', saved }));
    case 'B':
      return decodeBlob(payload);
    case 'X':
      return decoded(type, parse(endSchema, payload), (end) => ({ kind: 'end', end }));
    default:
      return { kind: 'garbled', what: `unknown type ${JSON.stringify(type)}` };
  }
};
