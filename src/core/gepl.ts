/**
 * The GEPL text protocol, for models without function calls: `STARTDESC … ENDDESC` around what they say, `STARTCODE … ENDCODE` around code to
 * run; an empty code block means "I cannot, and the description says why". Read tolerantly: models forget ends, add fences and decorate markers.
 */
import { z } from 'zod';
import type { ToolCall } from './conversation.ts';

export type GeplReply =
  | { readonly kind: 'code'; readonly description: string; readonly code: string }
  | { readonly kind: 'refusal'; readonly reason: string }
  | { readonly kind: 'words'; readonly text: string };

/* A marker may be decorated (`**STARTCODE**`, `# STARTCODE:`), but it stands alone at the beginning of a line or of the text. */
const marker = (name: string): RegExp => new RegExp(`(?:^|\\n)[ \\t>#*_\`-]*${name}[ \\t*_\`]*:?[ \\t*_\`]*(?=\\n|$|\\S)`, 'i');
const START_CODE = marker('STARTCODE');
const END_CODE = marker('ENDCODE');
const START_DESC = marker('STARTDESC');
const END_DESC = marker('ENDDESC');

const beginnings = (name: string): readonly string[] => Array.from({ length: name.length }, (_, end) => name.slice(0, end + 1));

/* The beginning of a marker at the very end of a text that is still coming. */
const HALF_MARKER = new RegExp(
  `(?:^|\\n)[ \\t>#*_\`-]*(?:${['STARTCODE', 'STARTDESC', 'ENDCODE', 'ENDDESC'].flatMap(beginnings).join('|')})$`,
  'i',
);

/** What a reply wants. Several code blocks are one run, in their order. */
export const readGepl = (reply: string): GeplReply => {
  const text = reply.replace(/\r\n?/g, '\n');
  const { outside, blocks } = takeCode(text);
  const description = withoutMarkers(outside).trim();
  if (blocks.length === 0) return { kind: 'words', text: description };
  const code = blocks
    .map(withoutFence)
    .filter((block) => block.trim() !== '')
    .join('\n\n');
  return code === '' ? { kind: 'refusal', reason: description } : { kind: 'code', description, code };
};

/** What people may see of a reply that is still coming: no markers, no code, no half marker at its end. */
export const geplWords = (soFar: string): string =>
  withoutMarkers(takeCode(soFar.replace(/\r\n?/g, '\n')).outside)
    .replace(HALF_MARKER, '')
    .trim();

/** A call of ours in the form in which the model would have written it. */
export const toGepl = (description: string, code: string): string => `STARTDESC\n${description}\nENDDESC\nSTARTCODE\n${code}\nENDCODE`;

/** A call from the history, `description` being what was said beside it. */
export const callAsGepl = (call: ToolCall, description: string): string => {
  const code = call.name === 'python' ? codeSchema.safeParse(JSON.parse(call.arguments)) : undefined;
  return code?.success === true ? toGepl(description, code.data.code) : `(I used ${call.name}.)`;
};
const codeSchema = z.object({ code: z.string() });

const takeCode = (text: string): { readonly outside: string; readonly blocks: readonly string[] } => {
  const blocks: string[] = [];
  let outside = '';
  let rest = text;
  for (;;) {
    const start = START_CODE.exec(rest);
    if (start === null) return { outside: outside + rest, blocks };
    outside += rest.slice(0, start.index);
    const after = rest.slice(start.index + start[0].length);
    const end = END_CODE.exec(after);
    blocks.push(end === null ? after : after.slice(0, end.index));
    rest = end === null ? '' : after.slice(end.index + end[0].length);
  }
};

const withoutMarkers = (text: string): string =>
  [START_DESC, END_DESC, END_CODE].reduce((rest, one) => rest.replace(new RegExp(one.source, 'gi'), '\n'), text);

/** The code without the blank lines around it and without a Markdown fence; inside nothing is changed. */
const withoutFence = (block: string): string => {
  const trimmed = block.replace(/^(?:[ \t]*\n)+/, '').trimEnd();
  const fenced = /^[ \t]*(`{3,}|~{3,})[^\n]*(?:\n([\s\S]*?))??(?:\n[ \t]*\1[ \t]*)?$/.exec(trimmed);
  return fenced === null ? trimmed : (fenced[2] ?? '');
};
