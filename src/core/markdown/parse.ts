/**
 * Markdown text -> tree. GitHub's dialect, which is the one that models write. Half a document is a document too (an open fence runs to the
 * end), so a draft is parsed like an answer. Pure; never throws, and its cost is bounded for hostile text.
 */
import { fromMarkdown } from 'mdast-util-from-markdown';
import { gfmFromMarkdown } from 'mdast-util-gfm';
import { gfm } from 'micromark-extension-gfm';
import type { Nodes, Root as Tree } from 'mdast';
import { mathAsCode } from './math.ts';
import type { Span } from './math.ts';
import { simplify } from './simplify.ts';
import { paragraphOf, rootOf, textOf } from './nodes.ts';
import type { Root } from './nodes.ts';

export const parseMarkdown = (text: string): Root => {
  const source = text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
  if (tooDeep(source)) return asLines(source);
  const tree = treeOf(source);
  const changed = mathAsCode(source, codeIn(tree));
  return changed === source ? simplify(tree, source) : simplify(treeOf(changed), changed);
};

/** One `~` is an approximation far more often than a deletion. */
export const treeOf = (source: string): Tree =>
  fromMarkdown(source, { extensions: [gfm({ singleTilde: false })], mdastExtensions: [gfmFromMarkdown()] });

/** Nesting costs the parser quadratic time and the stack; beyond what people write, text is shown as lines. */
export const tooDeep = (source: string): boolean => {
  if (/^(?:[ \t]*(?:>|[-*+]|\d{1,9}[.)])(?=[ \t>])[ \t]?){24}/m.test(source) || /^(?:[ \t]?>){24}/m.test(source)) return true;
  const depths = new Set<number>();
  for (const [, blank = ''] of source.matchAll(/^([ \t]+)(?:[-*+>]|\d{1,9}[.)])/gm)) depths.add(blank.length);
  return depths.size > 32;
};

const asLines = (source: string): Root =>
  rootOf(
    source
      .split(/\n{2,}/)
      .filter((part) => part.trim() !== '')
      .map((part) => paragraphOf([textOf(part.trim())])),
  );

const codeIn = (node: Nodes): readonly Span[] => {
  if (node.type === 'code' || node.type === 'inlineCode' || node.type === 'html' || node.type === 'link' || node.type === 'definition') {
    const { start, end } = node.position ?? {};
    return start?.offset === undefined || end?.offset === undefined ? [] : [{ start: start.offset, end: end.offset }];
  }
  return 'children' in node ? node.children.flatMap(codeIn) : [];
};
