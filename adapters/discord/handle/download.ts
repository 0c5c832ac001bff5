/**
 * Reads the files that come with a message, at once: their addresses are signed and expire. Only Discord's own hosts and those that the operator
 * names are asked; bytes are capped before and while they are read.
 */
import { z } from 'zod';
import { failure, forPerson } from '../../../src/core/failure.ts';
import { readUpTo } from '../../../src/core/read-up-to.ts';
import type { Result } from '../../../src/core/result.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { IncomingFile } from '../../../src/ports/adapter.ts';
import type { Attachment } from '../decode-schema.ts';
import { attachmentSchema } from '../decode-schema.ts';
import { inboundLimits } from '../limits.ts';
import type { Calls } from '../rest/calls.ts';

/** A file that could not be had, and the sentence about it for the person who sent it. */
export type Unreadable = { readonly name: string; readonly words: string };

export type Download = {
  readonly cdnHosts: readonly string[];
  /** Bytes of one file at most. */
  readonly maxBytes: number;
  readonly now: number;
  /** Asks for a fresh address; null where there is none to be had. */
  readonly renew: () => Promise<string | null>;
};

/** One file, whole, or why not. */
export const download = async (file: Attachment, how: Download): Promise<Result<IncomingFile, Unreadable>> => {
  const name = nameOf(file);
  const no = (words: string): Result<IncomingFile, Unreadable> => err({ name, words });
  const unread = (): Result<IncomingFile, Unreadable> => no(forPerson(failure('file-unreadable', { name })));
  const tooLarge = forPerson(failure('file-too-large', { name, limit: how.maxBytes }));
  if (file.size > how.maxBytes) return no(tooLarge);
  let renewed = isExpired(file.url, how.now);
  let url = renewed ? await how.renew() : file.url;
  for (;;) {
    if (url === null) return unread();
    if (!isCdnHost(url, how.cdnHosts)) return no(`I could not read ${name}: it does not lie with Discord. Please upload the file itself.`);
    const read = await fetchBytes(url, how.maxBytes);
    if (read === 'too-large') return no(tooLarge);
    if (read instanceof Uint8Array)
      return ok({ name, type: file.content_type?.split(';', 1)[0]?.trim() || 'application/octet-stream', bytes: read });
    // 403 and 404 are what an address says that has expired.
    if (read !== 'refused' || renewed) return unread();
    renewed = true;
    url = await how.renew();
  }
};

/** The name that people see: Discord takes odd letters out of the file's own. */
export const nameOf = ({ title, filename }: Attachment): string => {
  const ending = /\.[A-Za-z0-9]{1,10}$/.exec(filename)?.[0] ?? '';
  if (title === null || title === undefined || title === '') return filename;
  return title.toLowerCase().endsWith(ending.toLowerCase()) ? title : `${title}${ending}`;
};

/** Whether the signed address has expired: `ex` is its time in hexadecimal seconds. */
export const isExpired = (url: string, now: number): boolean => {
  const until = URL.parse(url)?.searchParams.get('ex') ?? '';
  return /^[0-9a-f]{1,10}$/i.test(until) && Number.parseInt(until, 16) * 1000 <= now;
};

/** Whether a file may be asked for there. Plain HTTP is taken from this machine only. */
export const isCdnHost = (url: string, hosts: readonly string[]): boolean => {
  const there = URL.parse(url);
  if (there === null || there.username !== '' || there.password !== '') return false;
  if (there.protocol !== 'https:' && !(there.protocol === 'http:' && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(there.hostname)))
    return false;
  return hosts.includes(there.host) || (there.port === '' && hosts.includes(there.hostname));
};

/** `refused`: the server said no. `failed`: no whole answer came in time. */
const fetchBytes = async (url: string, maxBytes: number): Promise<Uint8Array | 'too-large' | 'refused' | 'failed'> => {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(inboundLimits.downloadMs) });
    if (!response.ok || Number(response.headers.get('content-length') ?? 0) > maxBytes) {
      await response.body?.cancel();
      return response.ok ? 'too-large' : response.status >= 400 && response.status < 500 ? 'refused' : 'failed';
    }
    return (await readUpTo(response.body, maxBytes)) ?? 'too-large';
  } catch {
    return 'failed';
  }
};

const messageSchema = z.object({ attachments: z.array(attachmentSchema).default([]) });

/** A fresh address of a message's file: Discord signs it anew whenever the message is read. */
export const renewedUrl = async (calls: Calls, channel: string, message: string, attachment: string): Promise<string | null> => {
  const read = await calls.message(channel, message);
  const files = read.ok ? (messageSchema.safeParse(read.value).data?.attachments ?? []) : [];
  return files.find(({ id }) => id === attachment)?.url ?? null;
};
