/**
 * Mathematics in Markdown. Chat platforms do not set it, and their emphasis eats its underscores and asterisks; so it is shown as code.
 * `$$…$$` and `\[…\]` on lines of their own become a block, `\(…\)`, `$…$` and the rest code spans. Pure.
 */
export type Span = { readonly start: number; readonly end: number };

const BLOCK = /^([ \t]*)(?:\$\$([^]+?)\$\$|\\\[([^]+?)\\\])[ \t]*$/gm;
// As Pandoc has it: no blank inside the dollars, no digit behind them; and something in it that prose about money has not.
const INLINE = /\$\$([^\n$]+?)\$\$|\\\[([^\n]+?)\\\]|\\\(([^\n]+?)\\\)|(?<![\w\\$])\$(?![\s$])([^\n$]{1,300}?)(?<![\s\\])\$(?![\d$])/g;
const LOOKS_LIKE_MATH = /[\\^_={}<>+*/]|^[a-zA-Z]'?$|^[a-zA-Z]\w*\(/;

/** The source with its mathematics as code; what lies in `code` (sorted, disjoint) stays as it is. */
export const mathAsCode = (source: string, code: readonly Span[]): string => {
  if (!/[$]|\\[([]/.test(source)) return source;
  const found: (Span & { readonly to: string })[] = [];
  const free = (start: number, end: number): boolean => ![...code, ...found].some((span) => start < span.end && span.start < end);
  for (const match of source.matchAll(BLOCK)) {
    const [whole, indent = '', dollars, brackets] = match;
    const body = (dollars ?? brackets ?? '').trim();
    if (body === '' || /\n[ \t]*\n/.test(body) || !free(match.index, match.index + whole.length)) continue;
    const lines = body.split('\n').map((line) => `${indent}${line.trim()}`);
    const to = [`${indent}${fenceFor(body)}latex`, ...lines, `${indent}${fenceFor(body)}`].join('\n');
    found.push({ start: match.index, end: match.index + whole.length, to });
  }
  for (const match of source.matchAll(INLINE)) {
    const [whole, dollars, brackets, round, single] = match;
    const body = (dollars ?? brackets ?? round ?? single ?? '').trim();
    if (body === '' || (single !== undefined && !LOOKS_LIKE_MATH.test(single))) continue;
    if (free(match.index, match.index + whole.length))
      found.push({ start: match.index, end: match.index + whole.length, to: spanOf(body) });
  }
  let out = '';
  let at = 0;
  for (const { start, end, to } of found.toSorted((a, b) => a.start - b.start)) {
    out += source.slice(at, start) + to;
    at = end;
  }
  return out + source.slice(at);
};

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map((run) => run[0].length));
const fenceFor = (text: string): string => '`'.repeat(Math.max(3, longestRun(text) + 1));
const spanOf = (text: string): string => {
  const mark = '`'.repeat(longestRun(text) + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${mark}${pad}${text}${pad}${mark}`;
};
