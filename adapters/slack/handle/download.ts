/**
 * Reads the files that come with a message. The token goes to Slack's own host and nowhere else, also not along a redirect. Without the
 * scope for files Slack does not refuse: it answers 200 with its login page, which must never be taken for the file.
 */
import { z } from 'zod';
import type { Failure } from '../../../src/core/failure.ts';
import { failure, forPerson } from '../../../src/core/failure.ts';
import { readUpTo } from '../../../src/core/read-up-to.ts';
import type { Result } from '../../../src/core/result.ts';
import { err, ok } from '../../../src/core/result.ts';
import type { IncomingFile } from '../../../src/ports/adapter.ts';
import { attempt, slackError } from '../api/client.ts';
import type { SlackClient } from '../api/client.ts';
import type { SharedFile } from '../decode/decode-message.ts';
import { fileOf } from '../decode/decode-message.ts';
import { inboundLimits } from '../limits.ts';

/** A file that could not be had, and the sentence about it for the person who sent it. */
export type Unreadable = { readonly name: string; readonly words: string };

export type Download = {
  readonly client: SlackClient;
  readonly apiUrl: string;
  /** Bytes of one file at most. */
  readonly maxBytes: number;
};

/** One file, whole, or why not. */
export const download = async (file: SharedFile, { client, apiUrl, maxBytes }: Download): Promise<Result<IncomingFile, Unreadable>> => {
  const no = (words: string): Result<IncomingFile, Unreadable> => err({ name: file.name, words });
  const asked = file.url === null && file.gone === null ? await askFor(file, client) : ok(file);
  if (!asked.ok) return no(slackError(asked.failure) === 'missing_scope' ? withoutScope(file.name) : unread(file.name));
  const { url, name, size, gone, type } = asked.value;
  if (gone !== null) return no(goneWords[gone](name));
  if (url === null) return no(unread(name));
  if (!isSlackHost(url, apiUrl)) return no(goneWords.external(name));
  const tooLarge = forPerson(failure('file-too-large', { name, limit: maxBytes }));
  if (size !== null && size > maxBytes) return no(tooLarge);
  try {
    const response = await fetch(url, {
      headers: { authorization: `Bearer ${client.token}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(inboundLimits.downloadMs),
    });
    const served = response.headers.get('content-type') ?? '';
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      return no(withoutScope(name));
    }
    if (!response.ok) {
      await response.body?.cancel();
      return no(response.status === 401 || response.status === 403 ? withoutScope(name) : unread(name));
    }
    if (Number(response.headers.get('content-length') ?? 0) > maxBytes) {
      await response.body?.cancel();
      return no(tooLarge);
    }
    const bytes = await readUpTo(response.body, maxBytes);
    if (bytes === null) return no(tooLarge);
    if (!isHtmlFile(type, name) && (/^text\/html\b/i.test(served) || looksLikeHtml(bytes))) return no(withoutScope(name));
    return ok({ name, type, bytes });
  } catch {
    // No answer in time, or one that broke off.
    return no(unread(name));
  }
};

const infoReply = z.looseObject({ file: z.unknown().optional() });

/** A file of another organisation comes without an address: Slack hands it out on request. */
const askFor = async (file: SharedFile, client: SlackClient): Promise<Result<SharedFile, Failure>> => {
  const reply = await attempt(() => client.read.files.info({ file: file.id }));
  if (!reply.ok) return reply;
  const found = fileOf(infoReply.safeParse(reply.value).data?.file);
  return found === null ? err(failure('file-unreadable', { name: file.name }, 'files.info told of no file')) : ok(found);
};

/** Whether the token may go there: Slack's own domain, over the protocol and at the port of its Web API. */
export const isSlackHost = (url: string, apiUrl: string): boolean => {
  const [there, slack] = [URL.parse(url), URL.parse(apiUrl)];
  if (there === null || slack === null || there.protocol !== slack.protocol || there.port !== slack.port || there.username !== '')
    return false;
  return there.hostname === slack.hostname || there.hostname.endsWith(`.${slack.hostname}`);
};

const isHtmlFile = (type: string, name: string): boolean => /html/i.test(type) || /\.x?html?$/i.test(name);
const looksLikeHtml = (bytes: Uint8Array): boolean =>
  /^\uFEFF?\s*(<!doctype\s+html|<html[\s>])/i.test(new TextDecoder().decode(bytes.subarray(0, 300)));

const unread = (name: string): string => forPerson(failure('file-unreadable', { name }));
const withoutScope = (name: string): string =>
  `I could not read ${name}: Slack showed me its login page instead. My app lacks the scope \`files:read\`; an administrator can add it under OAuth & Permissions and install the app again.`;
const goneWords = {
  deleted: (name: string): string => `${name} was deleted before I could read it.`,
  hidden: (name: string): string => `I could not read ${name}: Slack hides files that are over the storage limit of this workspace’s plan.`,
  external: (name: string): string => `I could not read ${name}: it does not lie with Slack. Please upload the file itself.`,
} as const;
