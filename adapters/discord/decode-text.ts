/**
 * Discord's message text -> text as people read it. Pure.
 *
 * Discord escapes nothing and writes references between angle brackets: `<@1>`, `<@!1>`, `<@&1>`, `<#1>`, `<:name:1>`, `<a:name:1>`,
 * `<t:1700000000:R>`, `</name:1>`. Inside code nothing is a reference.
 */

/** What ids are called. An id without a name stands as it is. */
export type Names = {
  readonly user: (id: string) => string | undefined;
  readonly role: (id: string) => string | undefined;
  readonly channel: (id: string) => string | undefined;
};

const REFERENCE = /<(@!?|@&|#)(\d{5,25})>|<a?:(\w{1,40}):\d{5,25}>|<t:(-?\d{1,13})(?::[tTdDfFRsS])?>|<\/([^:<>\n]{1,100}):\d{5,25}>/g;

/** Names in the place of ids; code stays as it was typed. */
export const readText = (text: string, names: Names): string =>
  outsideCode(text, (part) =>
    part.replace(REFERENCE, (whole, sigil?: string, id: string = '', emoji?: string, unix?: string, command?: string) => {
      if (emoji !== undefined) return `:${emoji}:`;
      if (unix !== undefined) return date(unix);
      if (command !== undefined) return `/${command}`;
      if (sigil === '#') return `#${names.channel(id) ?? id}`;
      if (sigil === '@&') return `@${names.role(id) ?? id}`;
      return sigil === undefined ? whole : `@${names.user(id) ?? id}`;
    }),
  );

const date = (unix: string): string => {
  const at = new Date(Number(unix) * 1000);
  return Number.isNaN(at.getTime()) ? unix : at.toISOString().replace(/\.000Z$/, 'Z');
};

/** Who the bot is in a text: its own id, and the roles that Discord made for it, which people take for it. */
export type Me = { readonly id: string; readonly roles: ReadonlySet<string> };

/** Whether the bot is mentioned where a person would say so: not in code, and not in what is quoted. `@everyone` and `@here` are no mention. */
export const mentionsMe = (text: string, me: Me): boolean => {
  let found = false;
  outsideCode(text, (part) => {
    found ||= references(withoutQuotes(part)).some((one) => isMe(one, me));
    return part;
  });
  return found;
};

/** Whether the words are for other people: they begin with a mention of somebody else. */
export const isToOthers = (text: string, me: Me): boolean => {
  const start = /^[\s,:;-]*(?:<(@!?|@&)(\d{5,25})>|@(?:everyone|here)\b)/.exec(text);
  return start !== null && !isMe({ sigil: start[1] ?? '', id: start[2] ?? '' }, me);
};

/** Without the mention of the bot that the text begins with, and what sets it off from the words that follow. */
export const withoutLeading = (text: string, me: Me): string => {
  const start = /^\s*<(@!?|@&)(\d{5,25})>[ \t\u00a0]*[,:;]?[ \t\u00a0]*\n?/.exec(text);
  return start !== null && isMe({ sigil: start[1] ?? '', id: start[2] ?? '' }, me) ? text.slice(start[0].length) : text;
};

type Reference = { readonly sigil: string; readonly id: string };
const references = (text: string): readonly Reference[] =>
  [...text.matchAll(REFERENCE)].flatMap(([, sigil, id]) => (sigil === undefined || id === undefined ? [] : [{ sigil, id }]));
const isMe = ({ sigil, id }: Reference, me: Me): boolean => (sigil === '@&' ? me.roles.has(id) : sigil.startsWith('@') && id === me.id);

/* An unclosed fence or span is no code, as Discord shows it. */
const CODE = /(`{3})[\s\S]*?\1|(`{1,2})(?!`)[\s\S]*?[^`]\2(?!`)/g;

const outsideCode = (text: string, change: (part: string) => string): string => {
  let out = '';
  let at = 0;
  for (const match of text.matchAll(CODE)) {
    out += change(text.slice(at, match.index)) + match[0];
    at = match.index + match[0].length;
  }
  return out + change(text.slice(at));
};

/** Quoted lines go; `>>>` and a space quote all that follows (`>>>` in front of code is a Python prompt, which mentions nobody). */
const withoutQuotes = (text: string): string =>
  text
    .replace(/(^|\n)>>> [\s\S]*$/, '$1')
    .split('\n')
    .filter((line) => !line.startsWith('> '))
    .join('\n');
