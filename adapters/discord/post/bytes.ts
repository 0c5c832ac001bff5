/** The bytes of a message's files, as the REST client takes them. */
import type { Failure } from '../../../src/core/failure.ts';
import type { BlobId, ConversationId } from '../../../src/core/ids.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { OutFile } from '../encode.ts';
import type { RestFile } from '../rest/rest.ts';

type Blobs = { readonly blob: (conversation: ConversationId, id: BlobId) => Promise<Result<Uint8Array | null, Failure>> };

/** `kept` and `files` go together; `lost`: names of those whose bytes are no longer stored. */
export const bytesOf = async (
  { blob }: Blobs,
  conversation: ConversationId,
  files: readonly OutFile[],
): Promise<
  Result<{ readonly kept: readonly OutFile[]; readonly files: readonly RestFile[]; readonly lost: readonly string[] }, Failure>
> => {
  const kept: OutFile[] = [];
  const read: RestFile[] = [];
  const lost: string[] = [];
  for (const file of files) {
    if ('text' in file) {
      kept.push(file);
      read.push({ name: file.name, type: 'text/plain; charset=utf-8', bytes: Buffer.from(file.text) });
      continue;
    }
    const bytes = await blob(conversation, file.blob);
    if (!bytes.ok) return bytes;
    if (bytes.value === null) {
      lost.push(file.name);
      continue;
    }
    kept.push(file);
    read.push({ name: file.name, type: file.type, bytes: bytes.value });
  }
  return ok({ kept, files: read, lost });
};
