/** What a server's tool gave -> text for the model. All of it is words of somebody else. */
import { z } from 'zod';
import type { ToolOutcome } from '../../src/core/plugin.ts';
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
  const parts = content.slice(0, MAX_ITEMS).map(toText);
  if (content.length > MAX_ITEMS) parts.push(`[${content.length - MAX_ITEMS} further parts left out]`);
  const structured = structuredContent === undefined || structuredContent === null ? '' : JSON.stringify(structuredContent);
  const text = parts.join('\n').trim() || structured;
  return {
    text: text === '' ? '[the tool gave nothing back]' : cutMiddle(text, MAX_CHARS),
    failed: isError,
    trusted: false,
  };
};

const toText = (value: unknown): string => {
  const decoded = item.safeParse(value);
  if (!decoded.success) return '[a part of a kind that cannot be shown]';
  const part = decoded.data;
  if (part.type === 'text') return part.text;
  if (part.type === 'resource_link')
    return `[resource ${[part.name, part.description, part.uri].filter((one) => one !== undefined).join(', ')}: not read]`;
  if (part.type !== 'resource') return `[${part.type} ${part.mimeType}, ${sizeOf(part.data)}: not shown]`;
  const { uri, mimeType, text, blob } = part.resource;
  if (text !== undefined) return `[resource ${uri}]\n${text}`;
  return `[resource ${uri}, ${mimeType ?? 'unknown type'}, ${sizeOf(blob ?? '')}: not shown]`;
};

/** Of Base64. */
const sizeOf = (data: string): string => {
  const bytes = Math.floor((data.length * 3) / 4);
  return bytes < 10_000 ? `${bytes} bytes` : `${Math.round(bytes / 1_000)} KB`;
};
