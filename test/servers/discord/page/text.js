/** Discord's Markdown as elements: what works there works here, and nothing else does. */
import { h } from '../../support/page/dom.js';
import { nameOf, placeOf, state } from './state.js';

const mention = (text, loud = false) => h('span', { class: loud ? 'mention loud' : 'mention' }, text);

const when = (seconds, style) => {
  const at = new Date(Number(seconds) * 1000);
  if (style !== 'R') return at.toLocaleString();
  const away = (at.getTime() - Date.now()) / 1000;
  const [unit, length] = [
    ['year', 31_557_600],
    ['month', 2_629_800],
    ['day', 86_400],
    ['hour', 3600],
    ['minute', 60],
  ].find(([, one]) => Math.abs(away) >= one) ?? ['second', 1];
  return new Intl.RelativeTimeFormat('en').format(Math.round(away / length), unit);
};

const link = (url, label) => h('a', { href: url, target: '_blank', rel: 'noreferrer' }, label);

/** Inline rules in the order in which they are tried; each gets its match and gives an element. */
const RULES = [
  [/^\\([^\w\s])/, (m) => m[1]],
  [/^(`+)([^`](?:[\s\S]*?[^`])?)\1(?!`)/, (m) => h('code', {}, m[2])],
  [
    /^\[((?:\\.|[^\]\\])+)\]\(<?(https?:\/\/[^\s)>]+)>?(?: "[^"]*")?\)/,
    (m) => h('a', { href: m[2], target: '_blank', rel: 'noreferrer', title: m[2] }, ...inline(m[1])),
  ],
  [/^<(https?:\/\/[^\s>]+)>/, (m) => link(m[1], m[1])],
  [/^<@!?(\d+)>/, (m) => mention(`@${nameOf(m[1])}`, m[1] === state.me)],
  [/^<@&(\d+)>/, (m) => mention(`@${state.guilds.flatMap((one) => one.roles).find((one) => one.id === m[1])?.name ?? 'role'}`)],
  [/^<#(\d+)>/, (m) => mention(`#${placeOf(m[1])?.name ?? 'unknown'}`)],
  [/^<\/([\w -]+):\d+>/, (m) => mention(`/${m[1]}`)],
  [/^<a?:(\w+):\d+>/, (m) => `:${m[1]}:`],
  [/^<t:(\d+)(?::([tTdDfFR]))?>/, (m) => h('span', { class: 'time' }, when(m[1], m[2]))],
  [/^@(everyone|here)\b/, (m) => mention(m[0], true)],
  [/^https?:\/\/[^\s<]+[^\s<.,:;"')\]]/, (m) => link(m[0], m[0])],
  [
    /^\|\|([\s\S]+?)\|\|/,
    (m) => h('span', { class: 'spoiler', onclick: (event) => event.currentTarget.classList.add('shown') }, ...inline(m[1])),
  ],
  [/^\*\*\*([\s\S]+?)\*\*\*/, (m) => h('strong', {}, h('em', {}, ...inline(m[1])))],
  [/^\*\*([\s\S]+?)\*\*(?!\*)/, (m) => h('strong', {}, ...inline(m[1]))],
  [/^__([\s\S]+?)__(?!_)/, (m) => h('u', {}, ...inline(m[1]))],
  [/^~~([\s\S]+?)~~(?!~)/, (m) => h('s', {}, ...inline(m[1]))],
  [/^\*(?!\s)([\s\S]+?)(?<!\s)\*(?!\*)/, (m) => h('em', {}, ...inline(m[1]))],
  [/^_(?!_)([\s\S]+?)_(?![\w_])/, (m) => h('em', {}, ...inline(m[1]))],
];

export const inline = (text) => {
  const out = [];
  let plain = '';
  let rest = text;
  while (rest !== '') {
    let found = null;
    for (const [pattern, make] of RULES) {
      // An underscore within a word is no mark.
      if (rest[0] === '_' && /\w$/.test(plain)) break;
      const match = pattern.exec(rest);
      if (match === null) continue;
      found = { length: match[0].length, made: make(match) };
      break;
    }
    if (found === null) {
      const step = /^[\p{L}\p{N} ]+/u.exec(rest)?.[0] ?? rest[0];
      const length = /https?$/.test(step) ? Math.max(1, step.search(/https?$/)) : step.length;
      plain += rest.slice(0, length);
      rest = rest.slice(length);
      continue;
    }
    if (plain !== '') out.push(plain);
    plain = '';
    out.push(found.made);
    rest = rest.slice(found.length);
  }
  if (plain !== '') out.push(plain);
  return out;
};

const LIST = /^( *)([-*]|\d+\.) +(.*)$/;

/** Lists nest by two spaces. */
const listOf = (lines) => {
  const first = LIST.exec(lines[0]);
  const ordered = /\d/.test(first[2]);
  const list = h(ordered ? 'ol' : 'ul', ordered ? { start: Number.parseInt(first[2], 10) } : {});
  for (let n = 0; n < lines.length;) {
    const match = LIST.exec(lines[n]);
    const inner = [];
    let m = n + 1;
    while (m < lines.length && (LIST.exec(lines[m])?.[1].length ?? 0) > first[1].length) inner.push(lines[m++]);
    list.append(h('li', {}, ...inline(match[3]), inner.length > 0 ? listOf(inner) : null));
    n = m;
  }
  return list;
};

const lineBlock = (line) => {
  const heading = /^(#{1,3}) +(.+)$/.exec(line);
  if (heading !== null) return h(`h${heading[1].length + 2}`, {}, ...inline(heading[2]));
  const small = /^-# +(.+)$/.exec(line);
  if (small !== null) return h('div', { class: 'subtext' }, ...inline(small[1]));
  return null;
};

const flow = (text) => {
  const out = [];
  const lines = text.split('\n');
  let plain = [];
  const flush = () => {
    const joined = plain.join('\n').replace(/^\n+|\n+$/g, '');
    if (joined !== '') out.push(h('div', { class: 'line' }, ...inline(joined)));
    plain = [];
  };
  for (let n = 0; n < lines.length; n += 1) {
    const line = lines[n];
    const block = lineBlock(line);
    if (block !== null) {
      flush();
      out.push(block);
    } else if (line.startsWith('>>> ')) {
      flush();
      out.push(h('blockquote', {}, ...flow([line.slice(4), ...lines.slice(n + 1)].join('\n'))));
      return out;
    } else if (line.startsWith('> ')) {
      flush();
      const quoted = [];
      while (n < lines.length && lines[n].startsWith('> ')) quoted.push(lines[n++].slice(2));
      n -= 1;
      out.push(h('blockquote', {}, ...flow(quoted.join('\n'))));
    } else if (LIST.test(line)) {
      flush();
      const items = [];
      // Another kind of mark at the same depth begins another list.
      const [, depth, mark] = LIST.exec(line);
      const other = (next) => next[1] === depth && /\d/.test(next[2]) !== /\d/.test(mark);
      for (let next = LIST.exec(line); next !== null && !other(next); next = LIST.exec(lines[n] ?? '')) items.push(lines[n++]);
      n -= 1;
      out.push(listOf(items));
    } else plain.push(line);
  }
  flush();
  return out;
};

/** The whole of a message. */
export const markdown = (text) => {
  const parts = text.split(/```(?:([\w+-]+)\n)?\n?([\s\S]*?)\n?```/);
  const out = h('div', { class: 'text' });
  for (let n = 0; n < parts.length; n += 3) {
    out.append(...flow(parts[n]));
    if (n + 2 < parts.length) out.append(h('pre', { 'data-language': parts[n + 1] ?? '' }, h('code', {}, parts[n + 2])));
  }
  return out;
};
