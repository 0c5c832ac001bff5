/** HTML -> Markdown: the article where the page is one, else the whole page without its furniture. */
import { isProbablyReaderable, Readability } from '@mozilla/readability';
import { parseDom } from './dom.ts';
import type { Dom, DomElement } from './dom.ts';
import type { Reading } from './reading.ts';
import { tidy } from './tidy.ts';
import { toMarkdown } from './to-markdown.ts';

/** A document with more elements than this is not searched for an article. */
const MAX_ELEMENTS = 40_000;
/** A page with a password field and no more text than this is a page to log in. */
const LOGIN_TEXT = 2_000;

export const readHtml = (html: string, url: string): Reading => {
  const document = parseDom(html);
  const title = oneLine(document.querySelector('title')?.textContent ?? document.querySelector('h1')?.textContent ?? '');
  const password = document.querySelector('input[type="password" i]') !== null;
  const base = baseOf(document, url);
  for (const one of document.querySelectorAll(UNSEEN)) one.remove();
  for (const link of document.querySelectorAll('a[href]')) resolve(link, base);
  const article = articleOf(document);
  const whole = (): string => {
    for (const one of document.querySelectorAll(FURNITURE)) one.remove();
    return toMarkdown(document.body?.innerHTML ?? '');
  };
  const text = tidy(article === undefined ? whole() : toMarkdown(article));
  return { kind: 'read', title, text, notes: [], login: password && text.length <= LOGIN_TEXT };
};

/** What a person does not see; a place to hide instructions in. */
const UNSEEN = [
  'script, style, noscript, template, iframe, object, embed, svg, canvas, link, meta',
  '[hidden], [aria-hidden="true" i]',
  ...[
    'display:none',
    'display: none',
    'visibility:hidden',
    'visibility: hidden',
    'font-size:0',
    'font-size: 0',
    'opacity:0;',
    'opacity: 0;',
  ].map((style) => `[style*="${style}" i]`),
].join(', ');
const FURNITURE = 'nav, footer, aside, form button, select, dialog, [role="navigation" i], [role="banner" i], [role="dialog" i]';

/** The main text as HTML; undefined where the page is no article, or where taking only the article would lose its tables. */
const articleOf = (document: Dom): string | undefined => {
  if (document.querySelectorAll('*').length > MAX_ELEMENTS || !isProbablyReaderable(document)) return undefined;
  const copy = parseDom(document.toString());
  const content = new Readability(copy, { charThreshold: 250 }).parse()?.content ?? '';
  if (content === '') return undefined;
  const kept = parseDom(content);
  return kept.querySelectorAll('tr').length < document.querySelectorAll('table:has(th) tr').length ? undefined : content;
};

const baseOf = (document: Dom, url: string): string => {
  const given = document.querySelector('base[href]')?.getAttribute('href') ?? '';
  return URL.canParse(given, url) ? new URL(given, url).href : url;
};

/** Links become absolute; those that lead nowhere a page can be (scripts, anchors, mail) become plain words. */
const resolve = (link: DomElement, base: string): void => {
  const href = link.getAttribute('href') ?? '';
  const target = URL.canParse(href, base) ? new URL(href, base) : undefined;
  if (target === undefined || href.startsWith('#') || !/^https?:$/.test(target.protocol) || target.href.length > 2_000)
    link.removeAttribute('href');
  else link.setAttribute('href', target.href);
};

const oneLine = (text: string): string => tidy(text).replace(/\s+/g, ' ').slice(0, 300).toWellFormed();
