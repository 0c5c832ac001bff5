/** What a server's tool gave -> text for the model. All of it is words of somebody else. */
import { z } from 'zod';
import type { ToolFile, ToolOutcome } from '../../src/core/plugin.ts';
import { cutMiddle } from '../../src/core/text.ts';

/** As much of a result as is believed: the rest of it is looked at item by item. */
export const callResultSchema = z.looseObject({
  content: z.array(z.unknown()).catch([]).default([]),
  structuredContent: z.unknown().optional(),
  isError: z.boolean().catch(false).default(false),
});
export type CallResult = z.output<typeof callResultSchema>;

const MAX_CHARS = 60_000;
const MAX_ITEMS = 200;

const item = z.discriminatedUnion('type', [
  z.object({ type: z.literal('text'), text: z.string() }),
  z.object({ type: z.enum(['image', 'audio']), data: z.string(), mimeType: z.string() }),
  z.object({ type: z.literal('resource_link'), uri: z.string(), name: z.string().optional(), description: z.string().optional() }),
  z.object({
    type: z.literal('resource'),
    resource: z.object({
      uri: z.string(),
      mimeType: z.string().optional(),
      text: z.string().optional(),
      blob: z.string().optional(),
    }),
  }),
]);

export const toOutcome = ({ content, structuredContent, isError }: CallResult): ToolOutcome => {
  const files: ToolFile[] = [];
  const parts = content.slice(0, MAX_ITEMS).map((value) => toText(value, files));
  if (content.length > MAX_ITEMS) parts.push(`[${content.length - MAX_ITEMS} further parts left out]`);
  const structured = structuredContent === undefined || structuredContent === null ? '' : JSON.stringify(structuredContent);
  const text = parts.join('\n').trim() || structured;
  return {
    text: text === '' ? '[the tool gave nothing back]' : cutMiddle(text, MAX_CHARS),
    failed: isError,
    trusted: false,
    files,
  };
};

/** The words for a part. What is no text is put to the files: the loop says which of them the thread was shown. */
const toText = (value: unknown, files: ToolFile[]): string => {
  const decoded = item.safeParse(value);
  if (!decoded.success) return '[a part of a kind that cannot be shown]';
  const part = decoded.data;
  if (part.type === 'text') return part.text;
  if (part.type === 'resource_link')
    return `[resource ${[part.name, part.description, part.uri].filter((one) => one !== undefined).join(', ')}: not read]`;
  if (part.type !== 'resource') {
    const { mimeType } = part;
    return fileText(
      `${part.type} ${mimeType}`,
      { name: `${part.type}-${files.length + 1}${ending(mimeType)}`, type: mimeType, data: part.data },
      files,
    );
  }
  const { uri, mimeType = 'application/octet-stream', text, blob } = part.resource;
  if (text !== undefined) return `[resource ${uri}]\n${text}`;
  if (blob === undefined) return `[resource ${uri}: empty]`;
  return fileText(
    `resource ${uri}, ${mimeType}`,
    { name: nameIn(uri, files.length + 1) + (/\.\w+$/.test(uri) ? '' : ending(mimeType)), type: mimeType, data: blob },
    files,
  );
};

type Encoded = { readonly name: string; readonly type: string; readonly data: string };

const fileText = (what: string, { name, type, data }: Encoded, files: ToolFile[]): string => {
  const bytes = /^[A-Za-z0-9+/_=\s-]*$/.test(data) ? Buffer.from(data, 'base64') : Buffer.alloc(0);
  if (bytes.length === 0) return `[${what}: cannot be read]`;
  files.push({ name, type, bytes });
  return `[${what}, ${sizeOf(bytes.length)}: a file named ${name}]`;
};

/** The last part of a URI, as a name for its file. */
const nameIn = (uri: string, n: number): string => {
  const last = uri.split(/[?#]/, 1)[0]?.split('/').at(-1) ?? '';
  return /^[\w.-]{1,80}$/.test(last) ? last : `resource-${n}`;
};

const ending = (type: string): string => {
  const kind = /^[a-z]+\/([a-z0-9]{1,8})\b/i.exec(type)?.[1]?.toLowerCase();
  return kind === undefined ? '' : `.${kind === 'jpeg' ? 'jpg' : kind === 'mpeg' ? 'mp3' : kind}`;
};

const sizeOf = (bytes: number): string => (bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1_000)} KB`);
