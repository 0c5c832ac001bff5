/** HTML in Markdown: no chat platform shows it. Line breaks and the common formatting tags become what they mean, all else stays text. Pure. */
import { mergeTexts, textOf } from './nodes.ts';
import type { Inline } from './nodes.ts';

/** A piece of inline content: a node, or a tag as it stood in the source. */
export type Piece = Inline | { readonly type: 'tag'; readonly value: string };

const TAG = /<\/?[a-zA-Z][^<>]*>/;
const NAME = /^<(\/?)([a-zA-Z][a-zA-Z0-9]*)\s*(\/?)>$/;
const WRAPS: { readonly [tag: string]: 'strong' | 'emphasis' | 'delete' | 'inlineCode' } = {
  b: 'strong',
  strong: 'strong',
  summary: 'strong',
  i: 'emphasis',
  em: 'emphasis',
  s: 'delete',
  del: 'delete',
  code: 'inlineCode',
  kbd: 'inlineCode',
};

/** A stretch of HTML as tags and the text between them. */
export const piecesOfHtml = (html: string): readonly Piece[] =>
  html
    .split(new RegExp(`(${TAG.source})`))
    .filter((part) => part !== '')
    .map((part): Piece => (TAG.test(part) ? { type: 'tag', value: part } : textOf(part)));

/** Tags resolved: `<br>` breaks the line, a formatting tag with its end formats what is between, any other tag is text. */
export const resolveTags = (pieces: readonly Piece[]): readonly Inline[] => {
  type Open = { readonly tag: string; readonly source: string; readonly inside: Inline[] };
  const stack: Open[] = [{ tag: '', source: '', inside: [] }];
  const put = (...nodes: readonly Inline[]): void => {
    stack.at(-1)?.inside.push(...nodes);
  };
  for (const piece of pieces) {
    if (piece.type !== 'tag') {
      // A new line begins without the blanks that stood behind the tag.
      const afterBreak = piece.type === 'text' && stack.at(-1)?.inside.at(-1)?.type === 'break';
      put(afterBreak ? textOf(piece.value.trimStart()) : piece);
      continue;
    }
    const [, closes, rawName = '', selfCloses] = NAME.exec(piece.value) ?? [];
    const name = rawName.toLowerCase();
    if (name === 'br') {
      const inside = stack.at(-1)?.inside;
      const last = inside?.at(-1);
      if (last?.type === 'text') inside?.splice(-1, 1, textOf(last.value.trimEnd()));
      put({ type: 'break' });
    } else if (name === 'details') continue;
    else if (WRAPS[name] === undefined || selfCloses === '/') put(textOf(piece.value));
    else if (closes !== '/') stack.push({ tag: name, source: piece.value, inside: [] });
    else if (!stack.some((open) => open.tag === name)) put(textOf(piece.value));
    else {
      while (stack.length > 1) {
        const open = stack.pop();
        if (open === undefined) break;
        if (open.tag === name) {
          put(...wrapped(name, open.inside));
          break;
        }
        put(textOf(open.source), ...open.inside);
      }
    }
  }
  return mergeTexts(stack.flatMap((open) => [textOf(open.source), ...open.inside]));
};

const wrapped = (name: string, inside: readonly Inline[]): readonly Inline[] => {
  const children = mergeTexts(inside);
  const type = WRAPS[name];
  if (type === undefined || children.length === 0) return children;
  if (type !== 'inlineCode') return [{ type, children }];
  const [only] = children;
  return children.length === 1 && only?.type === 'text' ? [{ type, value: only.value.replace(/\s+/g, ' ') }] : children;
};
