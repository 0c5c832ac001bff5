/**
 * Markdown -> elements. What a model or a person wrote can become text, structure and links and nothing else: raw HTML stays text,
 * pictures become links (nothing is loaded from elsewhere), and links open apart and tell no address.
 */
import highlighter from './vendor/highlight.js';
import MarkdownIt from './vendor/markdown-it.js';
import { h, icon } from './dom.ts';

const markdown = new MarkdownIt({ html: false, linkify: true, breaks: true });
markdown.renderer.rules['image'] = (tokens, index) => {
  const token = tokens[index];
  const address = String(token?.attrGet('src') ?? '');
  const words = token?.content || address;
  return `<a href="${markdown.utils.escapeHtml(address)}">${markdown.utils.escapeHtml(words)}</a>`;
};
// The page's content policy refuses style attributes, by which the library aligns columns.
for (const rule of ['th_open', 'td_open']) {
  markdown.renderer.rules[rule] = (tokens, index, options, _env, self) => {
    const token = tokens[index];
    const side = /text-align:(left|center|right)/.exec(String(token?.attrGet('style') ?? ''))?.[1];
    if (token !== undefined && side !== undefined) token.attrs = [['class', side]];
    return self.renderToken(tokens, index, options);
  };
}

export type CodeActions = { readonly run: ((code: string) => void) | null };

/** The rendered text. `actions` null: no buttons, for text that is still changing. */
export const renderMarkdown = (text: string, actions: CodeActions | null): DocumentFragment => {
  const template = document.createElement('template');
  // Safe by the settings above, and the page's content policy lets no script of another's run in any case.
  template.innerHTML = markdown.render(text);
  const { content } = template;
  for (const link of content.querySelectorAll('a')) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer nofollow';
  }
  for (const table of content.querySelectorAll('table')) {
    const frame = h('div', { class: 'table', tabindex: 0, role: 'region', 'aria-label': 'Table' });
    table.replaceWith(frame);
    frame.append(table);
  }
  for (const code of content.querySelectorAll('pre > code')) {
    const language = /language-([\w+#.-]+)/.exec(code.className)?.[1]?.toLowerCase() ?? '';
    code.parentElement?.replaceWith(codeBlock(code.textContent.replace(/\n$/, ''), language, actions));
  }
  return content;
};

const PYTHON = new Set(['python', 'py', 'python3', 'ipython']);

const codeBlock = (code: string, language: string, actions: CodeActions | null): HTMLElement => {
  const block = h('div', { class: 'code' }, highlighted(code, language));
  if (actions === null) return block;
  const run = actions.run !== null && PYTHON.has(language) ? actions.run : null;
  block.prepend(
    h(
      'div',
      { class: 'code-head' },
      h('span', { class: 'code-language' }, language || 'text'),
      run !== null && h('button', { type: 'button', class: 'quiet', onclick: () => run(code) }, icon('play'), 'Run'),
      copyButton(code),
    ),
  );
  return block;
};

/** Code as a scrollable block, coloured where its language is known. */
export const highlighted = (code: string, language: string): HTMLPreElement => {
  const inner = h('code');
  const name = PYTHON.has(language) ? 'python' : language;
  if (name !== '' && code.length < 50_000 && highlighter.getLanguage(name) !== undefined) {
    // The highlighter escapes the code; what it adds is spans with a class.
    inner.innerHTML = highlighter.highlight(code, { language: name, ignoreIllegals: true }).value;
  } else inner.textContent = code;
  return h('pre', { tabindex: 0 }, inner);
};

/** Copies a text, and says so for a moment. */
export const copyButton = (text: string): HTMLButtonElement => {
  const label = h('span', {}, 'Copy');
  const button = h(
    'button',
    { type: 'button', class: 'quiet', onclick: () => void copy(text).then(tell, () => tell(false)) },
    icon('copy'),
    label,
  );
  const tell = (done: boolean): void => {
    label.textContent = done ? 'Copied' : 'Not copied';
    setTimeout(() => {
      label.textContent = 'Copy';
    }, 1_500);
  };
  return button;
};

const copy = async (text: string): Promise<boolean> => {
  // Plain HTTP under another name than localhost has no clipboard.
  if (navigator.clipboard === undefined) return false;
  await navigator.clipboard.writeText(text);
  return true;
};
