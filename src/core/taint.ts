/**
 * The taint rule. Text from outside (a page, a search's snippet, another server, an uploaded file, what people wrote before the bot was asked) may hold instructions, and what a model
 * fetches is a way out for what it knows: a URL can carry a secret. So once a conversation holds such text, the model may have only those
 * addresses fetched that a person wrote or that a search returned, exactly as they stand. Links that stand in a page are not among them:
 * a page could offer one link for every letter of a secret. Pure.
 */
import type { Entry } from './conversation.ts';

/** Whether the model has read, in these entries, what somebody outside wrote. */
export const isTainted = (entries: readonly Entry[]): boolean =>
  entries.some(
    (entry) =>
      entry.kind === 'heard' ||
      ((entry.kind === 'result' || entry.kind === 'summarised') && entry.outside) ||
      (entry.kind === 'said' && entry.files.length > 0),
  );

/** Whether this address may be fetched on the model's word. */
export const mayFetch = (entries: readonly Entry[], url: string): boolean => {
  if (!isTainted(entries)) return true;
  const wanted = canonicalUrl(url);
  if (wanted === undefined) return false;
  return entries.some((entry) => {
    if (entry.kind === 'said') return urlsIn(entry.text).has(wanted);
    return entry.kind === 'result' && entry.links.some((link) => canonicalUrl(link) === wanted);
  });
};

/** The form in which addresses are compared; undefined for what is no http(s) URL. A fragment is never sent, so it does not count. */
export const canonicalUrl = (text: string): string | undefined => {
  if (text.length > MAX_URL || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return undefined;
  url.hash = '';
  return url.href;
};
const MAX_URL = 4_096;

/**
 * The addresses that a person's text gives, in canonical form: URLs, and bare host names with or without a path. Where a sign at the end
 * may belong to the sentence, the address counts with and without it; one given as http counts as https, too.
 */
const urlsIn = (text: string): ReadonlySet<string> => {
  const found = new Set<string>();
  const add = (candidate: string): void => {
    const url = canonicalUrl(candidate);
    if (url === undefined) return;
    found.add(url);
    if (url.startsWith('http://')) found.add(`https://${url.slice('http://'.length)}`);
  };
  for (const [match] of text.matchAll(/https?:\/\/[^\s<>"`|]+/gi)) for (const form of trimmed(match)) add(form);
  for (const [match] of text.matchAll(BARE)) for (const form of trimmed(match)) add(`http://${form}`);
  return found;
};

const BARE = /(?<![\w@/.:-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+\p{L}{2,24}(?::\d{1,5})?(?:[/?][^\s<>"`|]*)?/giu;

/** The text, and the text without each of the signs at its end that a sentence or a Markdown link may have put there. */
const trimmed = (text: string): readonly string[] => {
  const forms = [text];
  let rest = text;
  while (/[.,;:!?)\]}'*_~’”]$/.test(rest) && forms.length < 8) {
    rest = rest.slice(0, -1);
    forms.push(rest);
  }
  // [words](address) more: the address ends at the bracket, wherever the next blank is.
  const bracket = text.search(/[)\]]/);
  return bracket === -1 ? forms : [...forms, text.slice(0, bracket)];
};
