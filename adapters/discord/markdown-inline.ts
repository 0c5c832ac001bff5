/** Inline content in Discord's dialect. Pure. */
import { imageLink, marked, ticked } from '../../src/core/markdown/marks.ts';
import { plainInline } from '../../src/core/markdown/nodes.ts';
import type { Inline, Link } from '../../src/core/markdown/nodes.ts';
import { escapeText, partTicks } from './markdown-escape.ts';

/** `lineStart`: whether the content begins a line. */
export const inlineText = (nodes: readonly Inline[], lineStart = true): string => {
  let out = '';
  for (const [index, node] of nodes.entries()) {
    const piece = pieceOf(node, out === '' ? lineStart : out.endsWith('\n'));
    // `!` before a link would make it a picture.
    const next = nodes[index + 1];
    const safe = node.type === 'text' && next?.type === 'link' && piece.endsWith('!') ? `${piece.slice(0, -1)}\\!` : piece;
    out += out.endsWith('*') && safe.startsWith('*') && !out.endsWith(String.raw`\*`) ? `\u200b${safe}` : safe;
  }
  return out;
};

const pieceOf = (node: Inline, lineStart: boolean): string => {
  switch (node.type) {
    case 'text':
      return escapeText(node.value, lineStart);
    case 'strong':
      return wrap('**', node.children, lineStart);
    case 'emphasis':
      return wrap('*', node.children, lineStart);
    case 'delete':
      return wrap('~~', node.children, lineStart);
    case 'inlineCode':
      return codeSpan(node.value);
    case 'break':
      return '\n';
    case 'link':
      return linkText(node);
    case 'image':
      return linkText(imageLink(node));
    case 'mention':
      return node.token;
    default:
      return node satisfies never;
  }
};

const wrap = (mark: string, children: readonly Inline[], lineStart: boolean): string =>
  marked(mark, inlineText(children, lineStart && mark !== '*' && mark !== '**'));

const codeSpan = (value: string): string => ticked(partTicks(value.replace(/\s*\n\s*/g, ' ')));

/** Addresses stand in angle brackets, which keeps Discord from adding previews. Words that are themselves an address cannot mask one. */
const linkText = (link: Link): string => {
  const label = plainInline(link.children).trim();
  const url = safeUrl(link.url);
  if (url === null) {
    const shown = link.url.replace(/^(?:mailto|tel):/i, '');
    return label === shown ? escapeText(label, false) : `${inlineText(link.children, false)} (${codeSpan(shown)})`;
  }
  if (label === link.url || label === url || label === '') return `<${url}>`;
  if (/https?:\/\/|^www\./i.test(label)) return sameAddress(label, url) ? `<${url}>` : `${codeSpan(label)} (<${url}>)`;
  return `[${inlineText(withoutBrackets(link.children), false).replaceAll('\n', ' ').trim()}](<${url}>)`;
};

const sameAddress = (label: string, url: string): boolean =>
  URL.canParse(label.replace(/^www\./i, 'http://www.')) && new URL(label.replace(/^www\./i, 'http://www.')).href === new URL(url).href;

/** Discord ends a label at the first bracket that is not paired, escaped or not. */
const withoutBrackets = (nodes: readonly Inline[]): readonly Inline[] =>
  nodes.map((node) => {
    if (node.type === 'text' || node.type === 'inlineCode') return { ...node, value: node.value.replaceAll('[', '(').replaceAll(']', ')') };
    return 'children' in node ? { ...node, children: withoutBrackets(node.children) } : node;
  });

const safeUrl = (address: string): string | null => {
  const url = address.replace(/[\s<>\\|`]/g, encodeURIComponent);
  return /^https?:\/\//i.test(url) && URL.canParse(url) ? url : null;
};
