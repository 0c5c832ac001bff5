/** The files that go in with a message: its own, those of what it replies to, those of a thread that the bot comes late into. */
import type { IncomingFile } from '../../../src/ports/adapter.ts';
import type { Desk } from './desk.ts';
import { download, nameOf, renewedUrl } from './download.ts';
import type { Unreadable } from './download.ts';
import type { HistoryFile } from './thread-history.ts';

export type Files = { readonly read: readonly IncomingFile[]; readonly unreadable: readonly Unreadable[] };

/**
 * The first `own` are the message's own: of them every one that cannot be read is told. Of the others as many are taken as there is room for, and
 * what cannot be read is left out.
 */
export const fetchFiles = async (desk: Desk, files: readonly HistoryFile[], own: number): Promise<Files> => {
  const { files: most, fileBytes: maxBytes } = desk.gateway.limits;
  // More than may be sent are not even fetched: accept refuses the message, in its own words.
  if (own > most) {
    const unread = files.slice(0, own).map(({ file }) => ({ name: nameOf(file), type: file.content_type ?? '', bytes: new Uint8Array() }));
    return { read: unread, unreadable: [] };
  }
  const read: IncomingFile[] = [];
  const unreadable: Unreadable[] = [];
  for (const [index, { file, channel, message }] of files.slice(0, most).entries()) {
    const one = await download(file, {
      cdnHosts: desk.config.cdnHosts,
      maxBytes,
      now: desk.clock.now(),
      renew: () => (message === '' ? Promise.resolve(null) : renewedUrl(desk.calls, channel, message, file.id)),
    });
    if (one.ok) read.push(one.value);
    else {
      desk.log.info({ own: index < own, why: one.failure.words }, 'a file could not be read');
      if (index < own) unreadable.push(one.failure);
    }
  }
  return { read, unreadable };
};

/** The words of a message, with a note for each of its files that could not be read. */
export const withNotes = (words: string, unreadable: readonly Unreadable[]): string =>
  [words, ...unreadable.map(({ name }) => `(The file ${name} came with this, and could not be read.)`)].join('\n\n').trim();
