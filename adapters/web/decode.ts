/** What comes in over HTTP -> values of the core. Pure. */
import { z } from 'zod';
import type { Failure } from '../../src/core/failure.ts';
import { failure } from '../../src/core/failure.ts';
import type { Address, ConversationId, EventKey } from '../../src/core/ids.ts';
import { addressOf, conversationIdOf, eventKey } from '../../src/core/ids.ts';
import type { Person } from '../../src/core/message.ts';
import type { Result } from '../../src/core/result.ts';
import { err, ok } from '../../src/core/result.ts';
import { clean } from '../../src/core/trust.ts';
import { httpLimits } from './limits.ts';

const THREAD = /^[A-Za-z0-9_-]{8,100}$/;

/** The address of a thread of the web page. */
export const addressOfThread = (thread: string): Address => ({ platform: 'web', workspace: '', channel: '', thread });

/** The conversation behind a thread id out of a URL. */
export const decodeThread = (id: string): Result<ConversationId, Failure> =>
  THREAD.test(id) ? ok(conversationIdOf(addressOfThread(id))) : err(failure('thread-unknown', {}));

/** The thread id of a conversation, as it stands in URLs. */
export const threadOf = (conversation: ConversationId): string => addressOf(conversation)?.thread ?? '';

// Marks that turn the direction of text around can make a name read as another one.
const BIDI = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
const oneLine = (text: string, max: number): string => cut(clean(text).replace(BIDI, '').replace(/\s+/g, ' ').trim(), max).trim();
/** At most `max` UTF-16 units, and no half of a character at the end. */
const cut = (text: string, max: number): string => (text.length <= max ? text : text.slice(0, max).replace(/[\ud800-\udbff]$/, ''));

/** There are no accounts here: a person is the name they give. */
export const decodeAuthor = (name: string | undefined): Person => {
  const shown = oneLine(name ?? '', httpLimits.authorChars).normalize('NFC') || 'You';
  return { id: shown, name: shown };
};

/** A bare file name: no folder, no control characters, nothing hidden, at most 150 characters with its extension kept. */
export const cleanFileName = (name: string): string => {
  const bare = oneLine(name.split(/[/\\]/).at(-1) ?? '', 10_000)
    .replace(/[<>:"|?*]/g, '_')
    .replace(/^[.\s]+/, '')
    .replace(/[.\s]+$/, '');
  const max = httpLimits.fileNameChars;
  if (bare.length <= max) return bare === '' ? 'file' : bare;
  const extension = /\.[A-Za-z0-9]{1,10}$/.exec(bare)?.[0] ?? '';
  return cut(bare, max - extension.length) + extension;
};

/** A MIME type without parameters, or the type of plain bytes. */
export const cleanType = (type: string): string => {
  const bare = type.split(';')[0]?.trim().toLowerCase() ?? '';
  return /^[a-z0-9][a-z0-9!#$&^_.+-]{0,60}\/[a-z0-9][a-z0-9!#$&^_.+-]{0,100}$/.test(bare) ? bare : 'application/octet-stream';
};

const author = z.string().optional();
const key = z.string().min(1).max(httpLimits.keyChars).optional();

/** The bodies of requests. */
export const bodies = {
  thread: z.object({ author }),
  message: z.object({ text: z.string(), author, key }),
  command: z.object({ args: z.string().max(httpLimits.argsChars).default(''), author, key }),
  login: z.object({ token: z.string().max(1_000) }),
} as const;

/** Reads a JSON body; one that is left out is an empty object. */
export const decodeBody = <T>(schema: z.ZodType<T>, body: unknown): Result<T, Failure> => {
  const read = schema.safeParse(body ?? {});
  if (read.success) return ok(read.data);
  const issue = read.error.issues[0];
  const where = issue === undefined || issue.path.length === 0 ? 'the body' : `"${issue.path.join('.')}"`;
  return err(failure('request-malformed', { what: `${where}: ${(issue?.message ?? 'not readable').toLowerCase()}` }));
};

/** Refuses what is empty or too long before anything is kept. */
export const checkMessage = (
  text: string,
  files: number,
  limits: { readonly textChars: number; readonly files: number },
): Result<void, Failure> => {
  if (text.length > limits.textChars) return err(failure('message-too-long', { length: text.length, limit: limits.textChars }));
  if (files > limits.files) return err(failure('too-many-files', { limit: limits.files }));
  return text.trim() === '' && files === 0 ? err(failure('message-empty', {})) : ok(undefined);
};

/** The key of a message: the sender's own, or a fresh one. */
export const messageKey = (given: string | undefined, fresh: () => string): EventKey =>
  eventKey(given === undefined ? fresh() : clean(given));

/** What is in the event stream; written by the outbound half, which may be of another version. */
const storedEventSchema = z
  .object({
    event: z.enum(['status', 'draft', 'output', 'ran', 'message', 'command']),
    turn: z.string(),
    data: z.record(z.string(), z.unknown()),
  })
  .readonly();
export type StoredEvent = z.infer<typeof storedEventSchema>;

export const decodeStoredEvent = (data: string): StoredEvent | null => {
  try {
    const read = storedEventSchema.safeParse(JSON.parse(data));
    return read.success ? read.data : null;
  } catch {
    return null;
  }
};
