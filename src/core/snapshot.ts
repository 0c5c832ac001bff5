/**
 * A snapshot's manifest: the state of a conversation's Python session as names of blobs. It comes from a process that ran
 * somebody's code, so it is decoded as untrusted; nobody outside a sandbox ever reads the blobs themselves.
 * The format is described in docker/sandbox/driver/PROTOCOL.md.
 */
import { z } from 'zod';
import type { BlobId } from './ids.ts';
import { blobIdSchema } from './message.ts';
import type { StoredFile } from './message.ts';
import { lostNameSchema } from './run.ts';

const nameSchema = z.string().regex(/^[\p{ID_Start}_][\p{ID_Continue}]{0,200}$/u);
const moduleSchema = z.string().regex(/^[\w.]{1,200}$/u);
const sizeSchema = z.number().int().nonnegative();
const modeSchema = z.number().int().min(0).max(0o777);

/** A path inside the workspace: relative, normalised, no `..`, no NUL, no empty part. */
export const workspacePathSchema = z
  .string()
  .min(1)
  .max(1024)
  .refine(
    (path) =>
      !path.startsWith('/') &&
      !path.includes('\0') &&
      path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.length <= 255),
    'not a path inside the workspace',
  );

const fileSchema = z.union([
  z.object({ path: workspacePathSchema, id: blobIdSchema, size: sizeSchema, mode: modeSchema }).readonly(),
  z.object({ path: workspacePathSchema, dir: z.literal(true), mode: modeSchema }).readonly(),
  z.object({ path: workspacePathSchema, link: z.string().max(1000) }).readonly(),
]);
export type ManifestFile = z.infer<typeof fileSchema>;

const namedValueSchema = z
  .object({
    type: z.string().max(200),
    /** `3 × 4`; the driver says it as a list. */
    shape: z
      .union([
        z.string().max(100),
        z
          .array(sizeSchema)
          .max(64)
          .transform((sizes) => sizes.join(' × ').slice(0, 100)),
      ])
      .optional(),
    length: z.number().int().nonnegative().optional(),
    size: sizeSchema,
    preview: z.string().max(200),
  })
  .readonly();
export type NamedValue = z.infer<typeof namedValueSchema>;

export const manifestSchema = z
  .object({
    v: z.literal(1),
    n: z.number().int().nonnegative(),
    python: z.string().max(40),
    packages: z.record(z.string().max(100), z.string().max(100)),
    /** Id of the image in which the state was made; the worker sets it. Empty: an older record, or no run yet. */
    image: z.string().max(200).default(''),
    groups: z
      .array(
        z
          .object({
            id: blobIdSchema,
            names: z.array(nameSchema).readonly(),
            size: sizeSchema,
            refs: z.array(z.string().max(500)).readonly(),
          })
          .readonly(),
      )
      .max(20_000)
      .readonly(),
    names: z.record(nameSchema, namedValueSchema),
    modules: z.record(nameSchema, moduleSchema),
    settings: blobIdSchema.nullable(),
    files: z.array(fileSchema).max(4_000).readonly(),
    lost: z
      .array(z.object({ ...lostNameSchema.unwrap().shape, n: z.number().int().nonnegative() }).readonly())
      .max(200)
      .readonly(),
  })
  .readonly();
export type Manifest = z.infer<typeof manifestSchema>;

/** The state before the first run. */
export const emptyManifest: Manifest = {
  v: 1,
  n: 0,
  python: '',
  packages: {},
  image: '',
  groups: [],
  names: {},
  modules: {},
  settings: null,
  files: [],
  lost: [],
};

/** Every blob that the manifest names. */
export const blobsOf = (manifest: Manifest): ReadonlySet<BlobId> =>
  new Set([
    ...manifest.groups.map((group) => group.id),
    ...manifest.files.flatMap((file) => ('id' in file ? [file.id] : [])),
    ...(manifest.settings === null ? [] : [manifest.settings]),
  ]);

/**
 * The manifest with uploaded files put into the workspace under their own names, the newest of one name winning.
 * Names are made safe: the last path part only, without control characters or a leading dot.
 */
export const withFiles = (manifest: Manifest, files: readonly StoredFile[]): Manifest => {
  const added = new Map<string, ManifestFile>();
  for (const file of files)
    added.set(safeFileName(file.name), { path: safeFileName(file.name), id: file.blob, size: file.size, mode: 0o644 });
  // A link or folder of that name would redirect or block the write, so the upload replaces it with all that is below it.
  const kept = manifest.files.filter((file) => !added.has(file.path.split('/')[0] ?? ''));
  return { ...manifest, files: [...kept, ...added.values()] };
};

/** The manifest without the files of these bytes; the very same one where it has none of them. */
export const withoutFiles = (manifest: Manifest, blobs: ReadonlySet<BlobId>): Manifest => {
  const files = manifest.files.filter((file) => !('id' in file && blobs.has(file.id)));
  return files.length === manifest.files.length ? manifest : { ...manifest, files };
};

/** Safe names for files that come together: the second of a name becomes `name (2).ext`, so that none takes another's place. */
export const distinctFileNames = (names: readonly string[]): readonly string[] => {
  const taken = new Set<string>();
  return names.map((name) => {
    const safe = safeFileName(name);
    const dot = safe.lastIndexOf('.') > 0 ? safe.lastIndexOf('.') : safe.length;
    let distinct = safe;
    for (let n = 2; taken.has(distinct); n += 1) distinct = `${safe.slice(0, dot)} (${n})${safe.slice(dot)}`;
    taken.add(distinct);
    return distinct;
  });
};

/** A name that can stand in the workspace and in a message: never empty, never a path, at most 120 characters. */
export const safeFileName = (name: string): string => {
  const last = name.toWellFormed().normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  const safe = last
    .replace(/[\u0000-\u001f\u007f\u200e\u200f\u202a-\u202e\u2066-\u2069<>:"|?*`]/g, '_')
    .replace(/^[.\s]+/, '')
    .trim();
  if (safe === '') return 'file';
  if (safe.length <= 120) return safe;
  const dot = safe.lastIndexOf('.');
  const extension = dot > 0 && safe.length - dot <= 12 ? safe.slice(dot) : '';
  return safe.slice(0, 120 - extension.length).toWellFormed() + extension;
};
