/** Inline content and lists as Slack's rich text, which needs no escapes: its text is never read for tokens or marks. Pure. */
import type { RichTextBlock, RichTextBlockElement, RichTextElement, RichTextList, RichTextSection } from '@slack/types';
import { plainInline } from '../../../src/core/markdown/nodes.ts';
import type { Block, Inline, Item, List } from '../../../src/core/markdown/nodes.ts';
import { literalCode, literalWords } from './markdown-escape.ts';

type Style = { readonly bold?: true; readonly italic?: true; readonly strike?: true; readonly code?: true };

export const richBlock = (elements: readonly RichTextBlockElement[]): RichTextBlock => ({ type: 'rich_text', elements: [...elements] });
export const section = (elements: readonly RichTextElement[]): RichTextSection => ({ type: 'rich_text_section', elements: [...elements] });

/** Inline content as the elements of a section; never without one. */
export const richInline = (nodes: readonly Inline[], style: Style = {}): readonly RichTextElement[] => {
  const elements = merged(nodes.flatMap((node) => elementOf(node, style)));
  return elements.length === 0 ? [{ type: 'text', text: ' ' }] : elements;
};

const elementOf = (node: Inline, style: Style): readonly RichTextElement[] => {
  switch (node.type) {
    case 'text':
      return node.value === '' ? [] : [styled({ type: 'text', text: literalWords(node.value) }, style)];
    case 'break':
      return [styled({ type: 'text', text: '\n' }, style)];
    case 'inlineCode':
      return [styled({ type: 'text', text: literalCode(node.value) || ' ' }, { ...style, code: true })];
    case 'strong':
      return node.children.flatMap((child) => elementOf(child, { ...style, bold: true }));
    case 'emphasis':
      return node.children.flatMap((child) => elementOf(child, { ...style, italic: true }));
    case 'delete':
      return node.children.flatMap((child) => elementOf(child, { ...style, strike: true }));
    case 'link':
      return linkOf(node.url, plainInline(node.children), style);
    case 'image':
      return linkOf(node.url, node.alt, style);
    case 'mention':
      return [mentionOf(node.token, style)];
    default:
      return node satisfies never;
  }
};

const linkOf = (url: string, label: string, style: Style): readonly RichTextElement[] => {
  const words = label.replace(/\s+/g, ' ').trim();
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(url)) return elementOf({ type: 'text', value: `${words} (${url})` }, style);
  return [styled(words === '' || words === url ? { type: 'link', url } : { type: 'link', url, text: literalWords(words) }, style)];
};

const mentionOf = (token: string, style: Style): RichTextElement => {
  const [, kind = '', id = ''] = /^<(@|#|!subteam\^|!)([^>|]+)/.exec(token) ?? [];
  if (kind === '@') return styled({ type: 'user', user_id: id }, style);
  if (kind === '#') return styled({ type: 'channel', channel_id: id }, style);
  if (kind === '!subteam^') return styled({ type: 'usergroup', usergroup_id: id }, style);
  if (id === 'here' || id === 'channel' || id === 'everyone') return styled({ type: 'broadcast', range: id }, style);
  return styled({ type: 'text', text: literalWords(token) }, style);
};

const styled = <E extends RichTextElement>(element: E, style: Style): E =>
  Object.keys(style).length === 0 ? element : { ...element, style };

const merged = (elements: readonly RichTextElement[]): readonly RichTextElement[] => {
  const out: RichTextElement[] = [];
  for (const element of elements) {
    const last = out.at(-1);
    if (element.type === 'text' && last?.type === 'text' && JSON.stringify(element.style) === JSON.stringify(last.style)) {
      out[out.length - 1] = { ...last, text: last.text + element.text };
    } else out.push(element);
  }
  return out;
};

export const preformatted = (code: string, border?: 0 | 1): RichTextBlockElement => ({
  type: 'rich_text_preformatted',
  elements: [{ type: 'text', text: literalCode(code) || ' ' }],
  ...(border === undefined ? {} : { border }),
});

/** `offset`: how many numbers an ordered list has behind it; the published type lacks it. */
type OffsetList = RichTextList & { offset?: number };

/** Slack's lists hold sections only: nested lists follow with a deeper indent, and what is no text interrupts the list, which then counts on. */
export const richList = (
  list: List,
  indent: number,
  other: (block: Block) => readonly RichTextBlockElement[],
  border?: 0 | 1,
): readonly RichTextBlockElement[] => {
  const out: RichTextBlockElement[] = [];
  let open: OffsetList | null = null;
  let number = list.start;
  const add = (words: RichTextSection): void => {
    if (open === null) {
      open = { type: 'rich_text_list', style: list.ordered ? 'ordered' : 'bullet', indent, elements: [] };
      if (list.ordered && number > 1) open.offset = number - 1;
      if (border !== undefined) open.border = border;
      out.push(open);
    }
    open.elements.push(words);
  };
  for (const item of list.children) {
    const { words, rest } = partsOf(item);
    if (item.rest) out.push(...(words === null ? [] : [section(words)]));
    else {
      add(section(words ?? [{ type: 'text', text: ' ' }]));
      number++;
    }
    for (const block of rest) {
      out.push(...(block.type === 'list' ? richList(block, Math.min(indent + 1, MOST_INDENT), other, border) : other(block)));
      open = null;
    }
    if (item.rest) open = null;
  }
  return out;
};
const MOST_INDENT = 8;

/** The paragraphs that an item begins with, as its words, and what follows them. */
const partsOf = (item: Item): { readonly words: readonly RichTextElement[] | null; readonly rest: readonly Block[] } => {
  const end = item.children.findIndex((block) => block.type !== 'paragraph' && block.type !== 'heading');
  const lead = end === -1 ? item.children : item.children.slice(0, end);
  const inline = lead.flatMap((block, index): readonly Inline[] =>
    block.type === 'paragraph' || block.type === 'heading' ? [...(index === 0 ? [] : [{ type: 'break' } as const]), ...block.children] : [],
  );
  const box: readonly Inline[] = item.checked === null ? [] : [{ type: 'text', value: item.checked ? '☑ ' : '☐ ' }];
  return {
    words: inline.length + box.length === 0 ? null : richInline([...box, ...inline]),
    rest: end === -1 ? [] : item.children.slice(end),
  };
};
