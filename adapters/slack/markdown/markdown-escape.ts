/**
 * Ping safety for Slack. Whatever is not built by code (a link, an allowed mention) has its `<`, `>` and `&` escaped, each by itself, so it
 * holds for text that is cut anywhere. Pure.
 */

const JOINER = '\u2060';

/** Code and other text that must come back byte for byte when copied. For `text`, sections and `markdown_text`. */
export const escapeSigns = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Words for `text`, titles, names, error texts: `escapeSigns`, and the three words that call everybody broken. */
export const escapeWords = (text: string): string => escapeSigns(breakCalls(text));
export const breakCalls = (text: string): string => text.replace(/@(?=(?:channel|here|everyone)\b)/gi, `@${JOINER}`);

/** Rich text is never read for tokens; words that look like one are broken all the same, for whoever reads them elsewhere. */
export const literalWords = (text: string): string => breakCalls(text).replace(/<(?=[!@#])/g, `<${JOINER}`);
/** Code is left as it is, but for the exact form of a token. */
export const literalCode = (code: string): string =>
  code.replace(/<(?=!(?:here|channel|everyone|group|subteam|date)\b|@[UWB][A-Z0-9]{3,}|#[CGD][A-Z0-9]{3,})/gi, `<${JOINER}`);

/** An address as it may stand inside `<…>` or `(…)`: nothing in it can end either. */
export const linkAddress = (url: string): string =>
  url.replace(/[\s<>|()\\`"{}^[\]]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`);

/** A fence or span cannot be ended from inside. */
export const keepFence = (code: string): string => code.replace(/`{3,}/g, (run) => run.split('').join(JOINER));
/** Code for a span of Markdown, whose marks are one backtick or two. */
export const partTicks = (code: string): string => code.replace(/`(?=`)/g, `\`${JOINER}`);
