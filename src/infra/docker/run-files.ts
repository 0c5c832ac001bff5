/** The files and pictures of a run that go back to the thread: bounded, safely named, and with a note for what stays behind. Pure. */
import { blobIdOf } from '../../core/blob-hash.ts';
import type { BlobId } from '../../core/ids.ts';
import type { RunFile } from '../../core/run.ts';
import { safeFileName } from '../../core/snapshot.ts';
import type { Manifest } from '../../core/snapshot.ts';
import type { Saved } from './driver-frame.ts';
import { fileTypeOf, isFairPng } from './image-type.ts';
import type { SandboxLimits } from './limits.ts';

export type Picture = { readonly alt: string; readonly bytes: Uint8Array };
export type Sent = { readonly files: readonly RunFile[]; readonly notes: readonly string[] };

const megabytes = (bytes: number): string => `${Math.round(bytes / (1 << 20))} MB`;

/** `bytes`: of the pictures that are sent, to be stored. */
export const picturesOf = (
  n: number,
  pictures: readonly Picture[],
  limits: SandboxLimits,
): Sent & { readonly bytes: readonly Uint8Array[] } => {
  const files: RunFile[] = [];
  const kept: Uint8Array[] = [];
  let refused = 0;
  for (const { alt, bytes } of pictures) {
    if (!isFairPng(bytes) || bytes.length > limits.pictureBytes || files.length >= limits.pictures) {
      refused += 1;
      continue;
    }
    const name = `figure-${n}-${files.length + 1}.png`;
    files.push({ name, type: 'image/png', size: bytes.length, blob: blobIdOf(bytes), picture: true, alt });
    kept.push(bytes);
  }
  const notes =
    refused === 0
      ? []
      : [`${refused} picture(s) were not sent: at most ${limits.pictures} pictures of ${megabytes(limits.pictureBytes)} each are.`];
  return { files, notes, bytes: kept };
};

/**
 * `before`: the state that the run started from; an upload that was put into the workspace for this run is not the run's work.
 * `stored`: blobs of the snapshot, so that nothing is offered that cannot be fetched. `bytesOf`: those that came with this run.
 */
export const changedFilesOf = (
  changed: Saved['changed'],
  before: Manifest,
  stored: ReadonlySet<BlobId>,
  bytesOf: ReadonlyMap<BlobId, Uint8Array>,
  limits: SandboxLimits,
): Sent => {
  const files: RunFile[] = [];
  const there = new Set(before.files.flatMap((file) => ('id' in file ? [`${file.id} ${file.path}`] : [])));
  const names = new Set<string>();
  const notes: string[] = [];
  let more = 0;
  for (const { path, size, id } of changed) {
    if (there.has(`${id} ${path}`)) continue;
    const name = uniqueName(safeFileName(path), names);
    if (id === undefined || id === null || !stored.has(id)) {
      notes.push(`${name} is not sent: it could not be kept.`);
    } else if (size > limits.fileBytes) {
      notes.push(`${name} is not sent: it is larger than ${megabytes(limits.fileBytes)}. It stays in the workspace.`);
    } else if (files.length >= limits.files) {
      more += 1;
    } else {
      const bytes = bytesOf.get(id);
      const type = fileTypeOf(name, bytes);
      names.add(name);
      // A picture file is shown like a picture; SVG is a document that can hold scripts, so it is not.
      const picture = bytes !== undefined && type.startsWith('image/') && type !== 'image/svg+xml';
      files.push({ name, type, size: bytes?.length ?? size, blob: id, picture, alt: '' });
    }
  }
  if (more > 0) notes.push(`${more} more changed file(s) stay in the workspace: at most ${limits.files} are sent per run.`);
  return { files, notes: notes.length > 5 ? [...notes.slice(0, 4), `${notes.length - 4} more files are not sent.`] : notes };
};

const uniqueName = (name: string, taken: ReadonlySet<string>): string => {
  if (!taken.has(name)) return name;
  const dot = name.lastIndexOf('.');
  const [stem, extension] = dot > 0 ? [name.slice(0, dot), name.slice(dot)] : [name, ''];
  for (let count = 2; ; count += 1) {
    const next = `${stem}-${count}${extension}`;
    if (!taken.has(next)) return next;
  }
};
