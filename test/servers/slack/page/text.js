/** Text in Slack's two dialects -> elements. */
import MarkdownIt from './markdown-it.js';
import { h } from '../../support/page/dom.js';
import { state } from './state.js';

const decode = (text) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const EMOJI = {
  white_check_mark: '✅',
  x: '❌',
  warning: '⚠️',
  hourglass: '⌛',
  hourglass_flowing_sand: '⏳',
  eyes: '👀',
  thumbsup: '👍',
  '+1': '👍',
  thumbsdown: '👎',
  '-1': '👎',
  tada: '🎉',
  rocket: '🚀',
  bulb: '💡',
  memo: '📝',
  wave: '👋',
  gear: '⚙️',
  lock: '🔒',
  octagonal_sign: '🛑',
  arrows_counterclockwise: '🔄',
  repeat: '🔁',
  speech_balloon: '💬',
  chart_with_upwards_trend: '📈',
  paperclip: '📎',
  robot_face: '🤖',
  snake: '🐍',
  mag: '🔍',
  no_entry: '⛔',
};
export const emoji = (text) => text.replaceAll(/:([a-z0-9_+-]+):/g, (all, name) => EMOJI[name] ?? all);

const link = (url, label) => h('a', { href: url, target: '_blank', rel: 'noopener noreferrer', title: url }, label);

/** `<@U1>`, `<#C1|name>`, `<!here>`, `<url|label>` -> what is shown for it. */
const token = (inside) => {
  const [body, label] = inside.split('|');
  if (body.startsWith('@')) {
    const person = state.people.find((one) => one.id === body.slice(1));
    return h('span', { class: body.slice(1) === state.me ? 'mention me' : 'mention' }, `@${person?.name ?? label ?? body.slice(1)}`);
  }
  if (body.startsWith('#'))
    return h('span', { class: 'mention' }, `#${state.channels.find((one) => one.id === body.slice(1))?.name ?? label ?? ''}`);
  if (body.startsWith('!')) return h('span', { class: 'mention loud' }, label ?? `@${body.slice(1).replace(/^subteam\^/, '')}`);
  return link(decode(body), decode(label ?? body));
};

const INLINE =
  /(`[^`\n]+`)|<([^>\n]+)>|(?<![\w*])\*(\S(?:[^*\n]*\S)?)\*(?![\w*])|(?<![\w_])_(\S(?:[^_\n]*\S)?)_(?![\w_])|(?<![\w~])~(\S(?:[^~\n]*\S)?)~(?![\w~])/g;

const inline = (text) => {
  const out = [];
  let from = 0;
  for (const match of text.matchAll(INLINE)) {
    out.push(emoji(decode(text.slice(from, match.index))));
    from = match.index + match[0].length;
    const [, code, inside, bold, italic, struck] = match;
    if (code !== undefined) out.push(h('code', {}, decode(code.slice(1, -1))));
    else if (inside !== undefined) out.push(token(inside));
    else if (bold !== undefined) out.push(h('b', {}, ...inline(bold)));
    else if (italic !== undefined) out.push(h('i', {}, ...inline(italic)));
    else out.push(h('s', {}, ...inline(struck)));
  }
  out.push(emoji(decode(text.slice(from))));
  return out.filter((one) => one !== '');
};

const lines = (text) => {
  const out = [];
  let quote = [];
  const close = () => {
    if (quote.length > 0)
      out.push(h('blockquote', {}, ...quote.flatMap((line, n) => (n === 0 ? inline(line) : [h('br'), ...inline(line)]))));
    quote = [];
  };
  const all = text.split('\n');
  for (const [n, line] of all.entries()) {
    const quoted = /^(?:&gt;|>) ?(.*)$/.exec(line);
    if (quoted !== null) quote.push(quoted[1]);
    else {
      close();
      out.push(...inline(line));
      if (n < all.length - 1) out.push(h('br'));
    }
  }
  close();
  return out;
};

/** mrkdwn, as in `text`, sections and contexts. */
export const mrkdwn = (text) =>
  h(
    'div',
    { class: 'text' },
    ...text
      .split(/```([\s\S]*?)```/)
      .flatMap((part, n) =>
        n % 2 === 1 ? [h('pre', {}, h('code', {}, decode(part.replace(/^\n|\n$/g, ''))))] : lines(part.replace(/^\n|\n$/g, '')),
      ),
  );

export const plain = (text) =>
  h('div', { class: 'text' }, ...text.split('\n').flatMap((line, n) => (n === 0 ? [emoji(line)] : [h('br'), emoji(line)])));

const md = new MarkdownIt({ html: false, linkify: true, breaks: true });
// Slack fetches pictures; the page shows where they would come from instead.
md.renderer.rules.image = (tokens, at) =>
  `<a href="${md.utils.escapeHtml(tokens[at].attrGet('src') ?? '')}">picture: ${md.utils.escapeHtml(tokens[at].content)}</a>`;

/** Markdown, as in `markdown` blocks and streams; Slack's tokens work in it too. */
export const markdown = (text) => {
  const tokens = [];
  const marked = text.replaceAll(/<([@#!][^>\n]+|https?:[^>|\n]+\|[^>\n]+)>/g, (_, inside) => `\uE000${tokens.push(inside) - 1}\uE001`);
  const box = h('div', { class: 'text markdown' });
  box.innerHTML = md.render(marked);
  for (const anchor of box.querySelectorAll('a')) Object.assign(anchor, { target: '_blank', rel: 'noopener noreferrer' });
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  for (const node of nodes) {
    if (!node.data.includes('\uE000')) continue;
    node.replaceWith(...node.data.split(/\uE000(\d+)\uE001/).map((part, n) => (n % 2 === 1 ? token(tokens[Number(part)]) : part)));
  }
  for (const table of box.querySelectorAll('table')) {
    const frame = h('div', { class: 'table' });
    table.replaceWith(frame);
    frame.append(table);
  }
  return box;
};
