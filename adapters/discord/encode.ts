/** Operations -> messages of Discord, and messages -> what its API is called with. Pure. */
import { MessageFlags, MessageReferenceType } from 'discord.js';
import type { BlobId } from '../../src/core/ids.ts';
import type { Post, ProgressLine } from '../../src/core/outbound.ts';
import type { FoldedCell } from '../../src/core/run-text.ts';
import { pythonBlocks } from '../../src/core/posted-code.ts';
import { buttonsOf, stopButton } from './encode-buttons.ts';
import type { Row } from './encode-buttons.ts';
import { commandedCode, foldedFile, foldedLines, personsCell, smallLine } from './encode-cell.ts';
import { discordLimits, messageLimits } from './limits.ts';
import { partsForDiscord } from './markdown.ts';

/** A file that goes with a message: text of ours, or bytes that a run made. `alt` describes it to who cannot see it. */
export type OutFile = { readonly name: string; readonly alt: string } & (
  | { readonly text: string }
  | { readonly blob: BlobId; readonly size: number; readonly type: string }
);
/** One message; never empty: it has words or files. `rows` stand under it. */
export type OutMessage = { readonly content: string; readonly rows: readonly Row[]; readonly files: readonly OutFile[] };

/** A post as messages, in order: its parts, its files with the last of them, and what can be pressed under the very last. */
export const encodePost = (post: Post, cells: readonly FoldedCell[] = []): readonly OutMessage[] => {
  const own = post.run !== null && post.run.by === 'person' ? personsCell(post.run) : null;
  // Above a thread of its own stands what was asked; elsewhere nothing shows the code of a command.
  const bare = post.run !== null && post.origin['answered'] === 'public' && post.origin['threads'] === 'reply';
  const body = own !== null && bare ? `${commandedCode(post.run)}\n\n${own.body}` : own?.body;
  const { parts, files: cutOff } = partsForDiscord(body ?? post.text);
  const code = foldedFile(cells);
  const files: readonly OutFile[] = [
    ...post.files.map(({ name, alt, picture, blob, size, type }) => ({
      name,
      alt: alt || (picture ? `A plot: ${name}` : ''),
      blob,
      size,
      type,
    })),
    ...[...cutOff, ...(own === null || own.file === null ? [] : [own.file]), ...(code === null ? [] : [code])].map(toTextFile),
  ];
  const contents = withFoot(parts, own === null ? foldedLines(cells) : [own.small]);
  const ran = new Set(cells.map((cell) => cell.code.trim()));
  const rows = buttonsOf(post, post.kind === 'answer' ? runnable(post.text, ran) : []);
  return withFiles(
    contents.map((content) => ({ content, rows: [], files: [] })),
    files,
    rows,
  );
};
const toTextFile = ({ name, content }: { readonly name: string; readonly content: string }): OutFile => ({ name, alt: '', text: content });

/** The numbers of the Python blocks of an answer that nobody ran yet. */
const runnable = (text: string, ran: ReadonlySet<string>): readonly number[] => {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  return pythonBlocks(text).flatMap((code, n) => (code.trim() === '' || ran.has(code.trim()) ? [] : [n]));
};

/** Small print under the last part; a part of its own where there is no room. */
const withFoot = (parts: readonly string[], lines: readonly string[]): readonly string[] => {
  if (lines.length === 0) return parts;
  const foot = lines.join('\n');
  const last = parts.at(-1);
  const joined = last === undefined ? foot : `${last}\n${foot}`;
  return joined.length <= messageLimits.contentChars ? [...parts.slice(0, -1), joined] : [...parts, foot];
};

/** Files go with the last words; what is too much for one request goes in messages of its own. */
const withFiles = (messages: readonly OutMessage[], files: readonly OutFile[], rows: readonly Row[]): readonly OutMessage[] => {
  const batches = batchesOf(files);
  const last = messages.at(-1);
  const all =
    last === undefined
      ? batches.map((batch): OutMessage => ({ content: '', rows: [], files: batch }))
      : [
          ...messages.slice(0, -1),
          { ...last, files: batches[0] ?? [] },
          ...batches.slice(1).map((batch): OutMessage => ({ content: '', rows: [], files: batch })),
        ];
  return all.map((message, n) => (n === all.length - 1 ? { ...message, rows } : message));
};

const sizeOf = (file: OutFile): number => ('text' in file ? Buffer.byteLength(file.text) : file.size);
/** Room for the form around the files. */
const BATCH_BYTES = messageLimits.requestBytes - 256 * 1024;

/** One that a server may find too large goes alone, so that it takes no other down with it. */
const batchesOf = (files: readonly OutFile[]): readonly (readonly OutFile[])[] => {
  const batches: OutFile[][] = [];
  let bytes = 0;
  for (const file of files.filter((one) => sizeOf(one) <= discordLimits.fileBytes)) {
    const batch = batches.at(-1);
    if (batch === undefined || batch.length === messageLimits.files || bytes + sizeOf(file) > BATCH_BYTES) {
      batches.push([file]);
      bytes = sizeOf(file);
    } else {
      batch.push(file);
      bytes += sizeOf(file);
    }
  }
  return [...batches, ...files.filter((one) => sizeOf(one) > discordLimits.fileBytes).map((file) => [file])];
};

/** What a running turn shows: the answer so far, what is being done, and Stop under the last message. `text` has nothing open. */
export const encodeDraft = (text: string, progress: readonly ProgressLine[]): readonly OutMessage[] => {
  const lines = progress.slice(-SHOWN_LINES).map((line) => smallLine(`${marks[line.state]} ${line.text}`, 150));
  return withStop(withFoot(partsForDiscord(text).parts, lines));
};
const marks = { running: '⏳', done: '✓', failed: '✗' } as const;
const SHOWN_LINES = 5;

/** What a person's running code has printed so far, its end first of all. */
export const encodeOutput = (markdown: string, small: string): readonly OutMessage[] =>
  withStop(withFoot(partsForDiscord(markdown).parts.slice(-1), [smallLine(small, 150)]));

/** What stands of a turn that is over, with nothing in it that looks alive. */
export const encodeEnded = (markdown: string): readonly OutMessage[] =>
  partsForDiscord(markdown).parts.map((content) => ({ content, rows: [], files: [] }));

const withStop = (contents: readonly string[]): readonly OutMessage[] =>
  contents.map((content, n) => ({ content, rows: n === contents.length - 1 ? [stopButton] : [], files: [] }));

/** Nobody is pinged by what a model wrote, in no message and in no edit; edits would otherwise be read anew with Discord's defaults. */
const quiet = { allowed_mentions: { parse: [] as never[], replied_user: false } } as const;

/** Links of an answer get no preview: it would be a wall under it, and Discord adds it over a later edit. */
const bare = { flags: MessageFlags.SuppressEmbeds } as const;

const attachmentsOf = (files: readonly OutFile[]) =>
  files.map(({ name, alt }, id) => ({
    id: String(id),
    filename: name,
    ...(alt === '' ? {} : { description: alt.slice(0, 1_024).toWellFormed() }),
  }));

/** What it replies to, '' for nothing; its nonce, if it may be said again. */
type Said = { readonly reply: string; readonly nonce: string | null };

/** A message that is created. The reply may fail: whoever deleted the question still gets an answer. */
export const toCreateBody = (message: OutMessage, { reply, nonce }: Said) => ({
  ...(message.content === '' ? {} : { content: message.content }),
  components: [...message.rows],
  ...bare,
  ...quiet,
  ...(message.files.length === 0 ? {} : { attachments: attachmentsOf(message.files) }),
  ...(reply === ''
    ? {}
    : { message_reference: { type: MessageReferenceType.Default, message_id: reply, fail_if_not_exists: false } as const }),
  ...(nonce === null ? {} : { nonce, enforce_nonce: true }),
});

/** What follows up on an interaction; `hidden`: for the person who acted alone. */
export const toFollowUpBody = (message: OutMessage, hidden: boolean): object => {
  const body = toCreateBody(message, { reply: '', nonce: null });
  return hidden ? { ...body, flags: body.flags | MessageFlags.Ephemeral } : body;
};

/** A message that is changed as a whole: what it does not name any more goes. */
export const toEditBody = (message: OutMessage) => ({
  content: message.content,
  components: [...message.rows],
  ...bare,
  ...quiet,
  ...(message.files.length === 0 ? {} : { attachments: attachmentsOf(message.files) }),
});
