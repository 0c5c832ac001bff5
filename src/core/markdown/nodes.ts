/**
 * The Markdown tree that answers are shown from. A small subset of mdast with its names, every kind of which a renderer must handle:
 * references are resolved, HTML is text, footnotes are paragraphs, mathematics is code. Values; nothing is changed in place.
 */

export type Text = { readonly type: 'text'; readonly value: string };
export type Emphasis = { readonly type: 'emphasis'; readonly children: readonly Inline[] };
export type Strong = { readonly type: 'strong'; readonly children: readonly Inline[] };
export type Delete = { readonly type: 'delete'; readonly children: readonly Inline[] };
export type InlineCode = { readonly type: 'inlineCode'; readonly value: string };
/** A line break that the author asked for; a mere line end stays in the text as `\n`. */
export type Break = { readonly type: 'break' };
export type Link = { readonly type: 'link'; readonly url: string; readonly children: readonly Inline[] };
/** Never rendered as a picture: what shows a picture fetches its address. */
export type Image = { readonly type: 'image'; readonly url: string; readonly alt: string };
/** A live mention. Made by `filterOutput` alone, for tokens that its policy names; `token` leaves as it stands. */
export type Mention = { readonly type: 'mention'; readonly token: string };
export type Inline = Text | Emphasis | Strong | Delete | InlineCode | Break | Link | Image | Mention;

export type Paragraph = { readonly type: 'paragraph'; readonly children: readonly Inline[] };
export type Heading = { readonly type: 'heading'; readonly depth: 1 | 2 | 3 | 4 | 5 | 6; readonly children: readonly Inline[] };
export type Quote = { readonly type: 'blockquote'; readonly children: readonly Block[] };
/** `rest`: the second half of an item that was cut; it has no mark and no number of its own. */
export type Item = {
  readonly type: 'listItem';
  readonly checked: boolean | null;
  readonly rest: boolean;
  readonly children: readonly Block[];
};
export type List = { readonly type: 'list'; readonly ordered: boolean; readonly start: number; readonly children: readonly Item[] };
/** `lang` is one short word, or empty. */
export type Code = { readonly type: 'code'; readonly lang: string; readonly value: string };
export type Cell = readonly Inline[];
export type Align = 'left' | 'right' | 'center' | null;
/** The first row is the header; every row has as many cells. */
export type Table = { readonly type: 'table'; readonly align: readonly Align[]; readonly rows: readonly (readonly Cell[])[] };
export type Rule = { readonly type: 'thematicBreak' };
export type Block = Paragraph | Heading | Quote | List | Code | Table | Rule;

export type Root = { readonly type: 'root'; readonly children: readonly Block[] };

export const rootOf = (children: readonly Block[]): Root => ({ type: 'root', children });
export const textOf = (value: string): Text => ({ type: 'text', value });
export const paragraphOf = (children: readonly Inline[]): Paragraph => ({ type: 'paragraph', children });

/** The words of inline content without any mark. */
export const plainInline = (nodes: readonly Inline[]): string =>
  nodes
    .map((node) => {
      switch (node.type) {
        case 'text':
        case 'inlineCode':
          return node.value;
        case 'break':
          return '\n';
        case 'image':
          return node.alt === '' ? node.url : node.alt;
        case 'mention':
          return node.token;
        case 'emphasis':
        case 'strong':
        case 'delete':
        case 'link':
          return plainInline(node.children);
        default:
          return node satisfies never;
      }
    })
    .join('');

/** The words of a tree without any mark, one line for each block, item and table row. */
export const plainBlocks = (blocks: readonly Block[]): string =>
  blocks
    .map((block) => {
      switch (block.type) {
        case 'paragraph':
        case 'heading':
          return plainInline(block.children);
        case 'blockquote':
          return plainBlocks(block.children);
        case 'list':
          return block.children.map((item) => plainBlocks(item.children)).join('\n');
        case 'code':
          return block.value;
        case 'table':
          return block.rows.map((row) => row.map(plainInline).join('\t')).join('\n');
        case 'thematicBreak':
          return '';
        default:
          return block satisfies never;
      }
    })
    .join('\n');

/** Adjacent texts made one, and empty ones left out. */
export const mergeTexts = (nodes: readonly Inline[]): readonly Inline[] => {
  const out: Inline[] = [];
  for (const node of nodes) {
    const last = out.at(-1);
    if (node.type === 'text' && node.value === '') continue;
    if (node.type === 'text' && last?.type === 'text') out[out.length - 1] = textOf(last.value + node.value);
    else out.push(node);
  }
  return out;
};

/** Inline content with `change` applied to it from the inside out. */
export const mapInline = (nodes: readonly Inline[], change: (node: Inline) => readonly Inline[]): readonly Inline[] =>
  mergeTexts(nodes.flatMap((node) => change('children' in node ? { ...node, children: mapInline(node.children, change) } : node)));

/** A tree with all its inline content put through `change`. */
export const mapBlocks = (blocks: readonly Block[], change: (nodes: readonly Inline[]) => readonly Inline[]): readonly Block[] =>
  blocks.map((block): Block => {
    switch (block.type) {
      case 'paragraph':
      case 'heading':
        return { ...block, children: change(block.children) };
      case 'blockquote':
        return { ...block, children: mapBlocks(block.children, change) };
      case 'list':
        return { ...block, children: block.children.map((item) => ({ ...item, children: mapBlocks(item.children, change) })) };
      case 'table':
        return { ...block, rows: block.rows.map((row) => row.map(change)) };
      case 'code':
      case 'thematicBreak':
        return block;
      default:
        return block satisfies never;
    }
  });
