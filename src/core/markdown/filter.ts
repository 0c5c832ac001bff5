/**
 * The output filter. What the model writes may be what a page told it to write, so: pictures become links (showing one fetches its address),
 * links that carry data to hosts nobody named are told and not made, a label cannot claim another address than the link's, and only the
 * mentions that the code names are live. Pure; applied to every tree before it is rendered.
 */
import { canonicalHost, judgeLink, labelClaims } from './link-policy.ts';
import type { LinkPolicy } from './link-policy.ts';
import { mapBlocks, mapInline, plainInline, rootOf, textOf } from './nodes.ts';
import type { Image, Inline, Link, Root } from './nodes.ts';

/** `mentions`: the platform's tokens as they may leave (`<@U1>`). */
export type OutputPolicy = LinkPolicy & { readonly mentions: ReadonlySet<string> };
/** No mention is live, no host is known. */
export const strictPolicy: OutputPolicy = { allowedHosts: new Set(), mentions: new Set() };

export const filterOutput = (root: Root, policy: OutputPolicy = strictPolicy): Root =>
  rootOf(mapBlocks(root.children, (nodes) => mapInline(nodes, (node) => filterInline(node, policy))));

const filterInline = (node: Inline, policy: OutputPolicy): readonly Inline[] => {
  if (node.type === 'text') return liveMentions(node.value, policy.mentions);
  if (node.type === 'image') return filterImage(node, policy);
  if (node.type === 'link') return filterLink(node, policy, 'link');
  return [node];
};

const filterImage = (image: Image, policy: OutputPolicy): readonly Inline[] =>
  filterLink({ type: 'link', url: image.url, children: [textOf(image.alt.trim() === '' ? 'image' : image.alt)] }, policy, 'image');

const filterLink = (link: Link, policy: OutputPolicy, kind: 'link' | 'image'): readonly Inline[] => {
  const label = plainInline(link.children);
  const verdict = judgeLink(link.url, policy, kind);
  const own = label === link.url;
  switch (verdict.kind) {
    case 'fine':
      if (own || !labelClaims(label, link.url)) return [link];
      return [...claimed(link, label), textOf(' ('), { type: 'link', url: link.url, children: [textOf(link.url)] }, textOf(')')];
    case 'no-address':
      return own
        ? [{ type: 'inlineCode', value: link.url }]
        : [...link.children, textOf(' ('), { type: 'inlineCode', value: link.url }, textOf(')')];
    case 'carries': {
      const words = `not linked: it would carry ${verdict.chars.toLocaleString('en')} characters of data to ${canonicalHost(link.url)}`;
      const before = own ? [] : [...link.children, textOf(' ')];
      return [...before, textOf('('), { type: 'inlineCode', value: link.url }, textOf(` ${words})`)];
    }
    default:
      return verdict satisfies never;
  }
};

/** A label that names another address leads nowhere by itself. */
const claimed = (link: Link, label: string): readonly Inline[] =>
  /https?:\/\/|^\s*www\./i.test(label) ? [{ type: 'inlineCode', value: label }] : link.children;

const TOKEN = /<(?:[@#][A-Za-z0-9&!]+|![a-z]+(?:\^[^<>|\s]*)?)(?:\|[^<>]*)?>/g;

/** Tokens that the policy names become mentions; all others stay text, which every renderer makes inert. */
const liveMentions = (text: string, mentions: ReadonlySet<string>): readonly Inline[] => {
  const out: Inline[] = [];
  let at = 0;
  for (const match of text.matchAll(TOKEN)) {
    const token = match[0].replace(/\|[^<>]*>$/, '>');
    if (!mentions.has(token)) continue;
    out.push(textOf(text.slice(at, match.index)), { type: 'mention', token });
    at = match.index + match[0].length;
  }
  return [...out, textOf(text.slice(at))];
};
