/** mdast with GitHub's extensions -> the tree of nodes.ts. Pure. */
import type { Definition, FootnoteDefinition, Nodes, PhrasingContent, RootContent, Root as Tree } from 'mdast';
import { piecesOfHtml, resolveTags } from './html.ts';
import type { Piece } from './html.ts';
import { boldBesidePunctuation, linkAddresses } from './inline-text.ts';
import { mapInline, mergeTexts, paragraphOf, plainInline, rootOf, textOf } from './nodes.ts';
import type { Block, Cell, Inline, Item, Root, Table } from './nodes.ts';

type Context = {
  readonly source: string;
  readonly definitions: ReadonlyMap<string, Definition>;
  readonly footnotes: ReadonlyMap<string, FootnoteDefinition>;
};

export const simplify = (tree: Tree, source: string): Root => {
  const definitions = new Map<string, Definition>();
  const footnotes = new Map<string, FootnoteDefinition>();
  const collect = (node: Nodes): void => {
    if (node.type === 'definition' && !definitions.has(node.identifier)) definitions.set(node.identifier, node);
    if (node.type === 'footnoteDefinition' && !footnotes.has(node.identifier)) footnotes.set(node.identifier, node);
    if ('children' in node) node.children.forEach(collect);
  };
  collect(tree);
  const context: Context = { source, definitions, footnotes };
  const notes = [...footnotes.values()].flatMap((note): readonly Block[] => {
    const [first, ...rest] = blocksOf(note.children, context);
    const mark = textOf(`[${note.label ?? note.identifier}] `);
    return first?.type === 'paragraph'
      ? [paragraphOf(mergeTexts([mark, ...first.children])), ...rest]
      : [paragraphOf([mark]), ...(first === undefined ? [] : [first]), ...rest];
  });
  return rootOf([...blocksOf(tree.children, context), ...notes]);
};

const blocksOf = (nodes: readonly RootContent[], context: Context): readonly Block[] => nodes.flatMap((node) => blockOf(node, context));

const blockOf = (node: RootContent, context: Context): readonly Block[] => {
  switch (node.type) {
    case 'paragraph': {
      const children = inlineOf(node.children, context);
      return children.length === 0 ? [] : [paragraphOf(children)];
    }
    case 'heading':
      return [{ type: 'heading', depth: node.depth, children: inlineOf(node.children, context) }];
    case 'blockquote':
      return [{ type: 'blockquote', children: blocksOf(node.children, context) }];
    case 'list':
      return [
        {
          type: 'list',
          ordered: node.ordered === true,
          start: node.start ?? 1,
          children: node.children.map((item): Item => ({
            type: 'listItem',
            checked: item.checked ?? null,
            rest: false,
            children: blocksOf(item.children, context),
          })),
        },
      ];
    case 'code':
      return [codeOf(node.lang ?? '', node.meta ?? '', node.value)];
    case 'table':
      return [tableOf(node, context)];
    case 'thematicBreak':
      return [{ type: 'thematicBreak' }];
    case 'html': {
      const children = trimmed(mapInline(resolveTags(piecesOfHtml(node.value)), withAddresses));
      return children.length === 0 ? [] : [paragraphOf(children)];
    }
    case 'definition':
      // What nobody refers to would be lost.
      return isReferredTo(node, context) ? [] : [paragraphOf([textOf(`[${node.label ?? node.identifier}]: `), ...linkAddresses(node.url)])];
    case 'footnoteDefinition':
    case 'yaml':
      return [];
    // Blocks hold no inline content of their own, and rows and items are read with their table and list.
    case 'listItem':
    case 'tableRow':
    case 'tableCell':
      return [];
    case 'text':
    case 'emphasis':
    case 'strong':
    case 'delete':
    case 'inlineCode':
    case 'break':
    case 'link':
    case 'image':
    case 'linkReference':
    case 'imageReference':
    case 'footnoteReference':
      return [paragraphOf(inlineOf([node], context))];
    default:
      return node satisfies never;
  }
};

const isReferredTo = (definition: Definition, context: Context): boolean => {
  const label = (definition.label ?? definition.identifier).replaceAll(/\s+/g, ' ').toLowerCase();
  const start = definition.position?.start.offset ?? -1;
  const lower = context.source.toLowerCase();
  for (let at = lower.indexOf(`[${label}]`); at !== -1; at = lower.indexOf(`[${label}]`, at + 1)) if (at !== start) return true;
  return false;
};

/** An info string that is no language is kept as the code's first line: some models begin their code there. */
const codeOf = (lang: string, meta: string, value: string): Block => {
  if (/^[\w+.#-]{0,32}$/.test(lang)) return { type: 'code', lang, value };
  if (/^\{[^}]*\}$|^[\w+.#-]{1,32}[:{,]/.test(lang) && lang.length <= 80) {
    return { type: 'code', lang: /^\{?\.?([\w+.#-]{1,32})/.exec(lang)?.[1] ?? '', value };
  }
  const first = meta === '' ? lang : `${lang} ${meta}`;
  return { type: 'code', lang: '', value: value === '' ? first : `${first}\n${value}` };
};

const tableOf = (node: Extract<RootContent, { type: 'table' }>, context: Context): Table => {
  const rows = node.children.map((row) => row.children.map((cell): Cell => inlineOf(cell.children, context)));
  const width = Math.max(1, ...rows.map((row) => row.length));
  return {
    type: 'table',
    align: Array.from({ length: width }, (_none, column) => node.align?.[column] ?? null),
    rows: rows.map((row) => Array.from({ length: width }, (_none, column) => row[column] ?? [])),
  };
};

const inlineOf = (nodes: readonly PhrasingContent[], context: Context): readonly Inline[] =>
  resolveTags(nodes.flatMap((node) => pieceOf(node, context)));

const pieceOf = (node: PhrasingContent, context: Context): readonly Piece[] => {
  const inside = (children: readonly PhrasingContent[]): readonly Inline[] => inlineOf(children, context);
  switch (node.type) {
    case 'text': {
      const { start, end } = node.position ?? {};
      const escaped = context.source.slice(start?.offset ?? 0, end?.offset ?? 0).includes(String.raw`\*`);
      return (escaped ? [textOf(node.value)] : boldBesidePunctuation(node.value)).flatMap(withAddresses);
    }
    case 'emphasis':
    case 'strong':
    case 'delete': {
      const children = inside(node.children);
      return children.length === 0 ? [] : [{ type: node.type, children }];
    }
    case 'inlineCode':
      return [{ type: 'inlineCode', value: node.value }];
    case 'break':
      return [{ type: 'break' }];
    case 'html':
      return piecesOfHtml(node.value).flatMap((piece): readonly Piece[] => (piece.type === 'text' ? linkAddresses(piece.value) : [piece]));
    case 'link':
      return linkOf(node.url, inside(node.children));
    case 'image':
      return [{ type: 'image', url: node.url, alt: node.alt ?? '' }];
    case 'linkReference': {
      const url = context.definitions.get(node.identifier)?.url;
      return url === undefined ? [textOf('['), ...inside(node.children), textOf(']')] : linkOf(url, inside(node.children));
    }
    case 'imageReference': {
      const url = context.definitions.get(node.identifier)?.url;
      return url === undefined ? [textOf(`![${node.alt ?? ''}]`)] : [{ type: 'image', url, alt: node.alt ?? '' }];
    }
    case 'footnoteReference':
      return [textOf(`[${node.label ?? node.identifier}]`)];
    default:
      return node satisfies never;
  }
};

/** E-mail addresses stay text; a link inside a link is its words; a link without words shows its address. */
const linkOf = (url: string, children: readonly Inline[]): readonly Inline[] => {
  const flat = mapInline(children, (child) => (child.type === 'link' ? child.children : child.type === 'break' ? [textOf(' ')] : [child]));
  if (url === '') return flat;
  // Slack's own form of a link, which models have read: <https://example.org|words>.
  const [, address = '', words = ''] = /^(https?:\/\/[^|]+)\|(.+)$/.exec(url) ?? [];
  if (address !== '' && plainInline(flat) === url) return [{ type: 'link', url: address, children: [textOf(words)] }];
  if (url.startsWith('mailto:') && plainInline(flat) === url.slice('mailto:'.length)) return flat;
  return [{ type: 'link', url, children: flat.length === 0 ? [textOf(url)] : flat }];
};

const withAddresses = (node: Inline): readonly Inline[] => (node.type === 'text' ? linkAddresses(node.value) : [node]);

const trimmed = (nodes: readonly Inline[]): readonly Inline[] =>
  mergeTexts(
    nodes.map((node, index) => {
      if (node.type !== 'text') return node;
      const left = index === 0 ? node.value.trimStart() : node.value;
      return textOf(index === nodes.length - 1 ? left.trimEnd() : left);
    }),
  );
