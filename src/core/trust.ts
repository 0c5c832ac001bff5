/**
 * Who may put words into a prompt.
 *
 * `Untrusted` is an object, so that a template hole or `+` cannot swallow it; the only way into a prompt
 * is `quote()`, which fences it. `PromptText` is text that the project itself wrote (or has fenced).
 * With `ids.ts` the only file that casts.
 */
declare const promptBrand: unique symbol;

/** Words that may stand in a prompt: written in a prompt file, or fenced by `quote`. */
export type PromptText = string & { readonly [promptBrand]: 'PromptText' };

/** Anything a person, a model, a page, a file or a tool wrote. */
export type Untrusted = { readonly untrusted: string };

export const untrusted = (text: string): Untrusted => ({ untrusted: text });

type Hole = PromptText | number;

/** The template tag in which prompts are written. Holes take prompt text and numbers only. */
export const words = (strings: TemplateStringsArray, ...holes: readonly Hole[]): PromptText =>
  String.raw({ raw: strings }, ...holes) as PromptText;

/** Joins prompt texts; empty ones are left out. */
export const joinWords = (parts: readonly PromptText[], separator = '\n\n'): PromptText =>
  parts.filter((part) => part !== '').join(separator) as PromptText;

const LABEL = /^[a-z][a-z0-9-]*$/;

/**
 * Fences untrusted text between `<label>` and `</label>`. Inside, anything that could close the fence is
 * defused (a zero-width space after `<`), control characters other than tab and newline are dropped and lone
 * surrogates are replaced, so that no content can end its own fence or make a request malformed.
 */
export const quote = (label: string, text: Untrusted): PromptText => {
  if (!LABEL.test(label)) throw new TypeError(`not a fence label: ${label}`);
  return `<${label}>\n${defuse(label, text.untrusted)}\n</${label}>` as PromptText;
};

/** One line of untrusted text (a name, a title) between typographic quotes: newlines and quotes go, at most `max` characters stay. */
export const quoteInline = (text: Untrusted, max = 200): PromptText => {
  const line = clean(text.untrusted)
    .replace(/\s+/g, ' ')
    .replace(/[“”<>]/g, '')
    .trim();
  const cut = line.length > max ? `${line.slice(0, max).toWellFormed()}…` : line;
  return `“${cut}”` as PromptText;
};

const defuse = (label: string, text: string): string => clean(text).replace(new RegExp(`<(?=\\s*/?\\s*${label}\\b)`, 'gi'), '<\u200b');

const CONTROL = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g;

/** Well-formed Unicode without control characters; carriage returns become newlines. */
export const clean = (text: string): string => text.replace(/\r\n?/g, '\n').replace(CONTROL, '').toWellFormed();
