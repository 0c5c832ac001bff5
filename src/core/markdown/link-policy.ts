/** What a link may do. A click is a person's, but a link can carry what the model knows, and a label can claim another address. Pure. */

/** Hosts (and those under them) that a person or a source of this conversation named: their links may carry anything. */
export type LinkPolicy = { readonly allowedHosts: ReadonlySet<string> };

type Verdict = { readonly kind: 'fine' } | { readonly kind: 'no-address' } | { readonly kind: 'carries'; readonly chars: number };

/** `no-address`: nothing that a chat may link. `carries`: so much of it could be somebody's data. A picture may carry none. */
export const judgeLink = (address: string, policy: LinkPolicy, kind: 'link' | 'image'): Verdict => {
  if (/^(?:mailto|tel):/i.test(address) && kind === 'link') return { kind: 'fine' };
  if (!URL.canParse(address)) return { kind: 'no-address' };
  const url = new URL(address);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return { kind: 'no-address' };
  if (url.username !== '' || url.password !== '') return { kind: 'carries', chars: url.username.length + url.password.length };
  if (isAllowed(url.hostname, policy.allowedHosts)) return { kind: 'fine' };
  const chars = dataIn(url);
  return chars > (kind === 'image' ? 0 : MOST_DATA) ? { kind: 'carries', chars } : { kind: 'fine' };
};
/** Queries of people's links (a search, a time, an anchor) are shorter; a useful piece of a secret with its wrapping is not. */
const MOST_DATA = 100;

const isAllowed = (host: string, allowed: ReadonlySet<string>): boolean => {
  const labels = host.toLowerCase().split('.');
  return labels.some((_label, index) => allowed.has(labels.slice(index).join('.')));
};

/** The query and fragment, and whatever in the path or host is too long and too dense to be words. */
const dataIn = (url: URL): number => {
  const after = Math.max(0, url.search.length - 1) + Math.max(0, url.hash.length - 1);
  const dense = [...url.pathname.split('/'), ...url.hostname.split('.')].filter(
    (piece) => /^[\w+=%~-]{48,}$/.test(piece) && !/^(?:[a-z0-9]{1,20}-)+[a-z0-9]{1,20}$/i.test(piece),
  );
  return after + dense.reduce((sum, piece) => sum + piece.length, 0);
};

/** The host as it is asked for, never as a look-alike. */
export const canonicalHost = (address: string): string => (URL.canParse(address) ? new URL(address).host : address);

// Without a scheme, words with a point in them are far more often files and methods than hosts; these endings are hosts'.
const HOST =
  /\.(?:com|org|net|info|biz|dev|app|gov|edu|mil|int|xyz|site|online|shop|cloud|tech|bank|example|(?!py|md|rs|sh|js|ts|so|pl|cc|ps|go|rb|vb|ml|st|id|to|is|as|at|in|my)[a-z]{2})$/i;

/** Whether a label reads as an address of another host than the link's. */
export const labelClaims = (label: string, address: string): boolean => {
  const words = label
    .trim()
    .normalize('NFKC')
    .replaceAll(/[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g, '');
  const [, scheme, host = ''] = /^(https?:\/\/|www\.)?((?:[\p{L}\p{N}-]+\.)+[\p{L}][\p{L}\p{N}-]{1,23})(?=$|[:/?#\s])/iu.exec(words) ?? [];
  if (host === '' || (scheme === undefined && !HOST.test(host))) return /https?:\/\//i.test(words) && !sameHosts(words, address);
  const claimed = `https://${host}`;
  return !URL.canParse(claimed) || !related(new URL(claimed).hostname, hostOf(address));
};

const sameHosts = (words: string, address: string): boolean =>
  [...words.matchAll(/https?:\/\/[^\s<>]+/gi)].every(([url]) => URL.canParse(url) && related(new URL(url).hostname, hostOf(address)));
const hostOf = (address: string): string => (URL.canParse(address) ? new URL(address).hostname : '');
const bare = (host: string): string => host.toLowerCase().replace(/^www\./, '');
const related = (claimed: string, real: string): boolean => bare(claimed) === bare(real);
