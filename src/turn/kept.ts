/** Texts too long for the model's context: stored whole as blobs of the conversation, and read back page by page (`read_more`). */
import type { EntryOf } from '../core/conversation.ts';
import type { Failure } from '../core/failure.ts';
import type { BlobId } from '../core/ids.ts';
import type { KeptText } from '../core/plugin.ts';
import { ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import type { Scene } from './scene.ts';

/** Stores a text; null where that fails, which costs the model the rest of a result and nobody anything else. */
export const keepText = async ({ deps, conversation }: Scene, text: string): Promise<BlobId | null> => {
  const stored = await deps.blobs.put(conversation, Buffer.from(text));
  if (stored.ok) return stored.value;
  deps.log.warn({ conversation, detail: stored.failure.detail }, 'a long result could not be kept whole');
  return null;
};

/** The whole text behind a name that a result bears: `run 7`, or the id of the call that gave it. Null where nothing has that name. */
export const readKept = async (scene: Scene, name: string): Promise<Result<KeptText | null, Failure>> => {
  const entries = [...scene.history, ...scene.turn().entries];
  const wanted = name.trim().replace(/^["'`“]+|["'`”.]+$/g, '');
  const n = Number(/^run\s*(\d{1,9})$/i.exec(wanted)?.[1] ?? Number.NaN);
  const ran = entries.findLast((entry): entry is EntryOf<'ran'> => entry.kind === 'ran' && entry.run.n === n);
  if (ran !== undefined) {
    const { output, value, error } = ran.run;
    return ok({ text: [output, value ?? '', error?.traceback ?? ''].filter((part) => part !== '').join('\n'), outside: false });
  }
  const result = entries.findLast((entry): entry is EntryOf<'result'> => entry.kind === 'result' && entry.call === wanted);
  if (result === undefined) return ok(null);
  if (result.kept === null) return ok({ text: result.text, outside: result.outside });
  const bytes = await scene.deps.blobs.get(scene.conversation, result.kept);
  if (!bytes.ok) return bytes;
  return ok({ text: bytes.value === null ? result.text : Buffer.from(bytes.value).toString('utf8'), outside: result.outside });
};
