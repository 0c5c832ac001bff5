/**
 * Slack's message text -> text as people read it. Pure.
 *
 * Slack escapes `&`, `<` and `>` only, and writes references between angle brackets: `<@U1>`, `<#C1|name>`, `<!here>`, `<https://…|label>`.
 * The references are taken apart first and the rest is unescaped once after it, so that what a person typed (`&lt;!channel&gt;`) can never
 * become a reference.
 */

/** What the ids in a text are called. An id without a name stands as it is. */
export type Names = { readonly user: (id: string) => string | undefined; readonly channel: (id: string) => string | undefined };

type Token = { readonly kind: 'user' | 'channel' | 'group' | 'everyone' | 'date' | 'link'; readonly id: string; readonly label: string };
type Part = { readonly code: 'block' | 'span' | 'none'; readonly text: string };

/** `<…>` as Slack writes it; nothing that a person types looks so. */
const TOKEN = /<([@#!]?)([^<>|\n]*)(?:\|([^<>\n]*))?>/g;

const tokenOf = (sigil: string, body: string, label: string): Token => {
  switch (sigil) {
    case '@':
      return { kind: 'user', id: body, label };
    case '#':
      return { kind: 'channel', id: body, label };
    case '!':
      if (body.startsWith('subteam^')) return { kind: 'group', id: body.slice('subteam^'.length), label };
      return body.startsWith('date^') ? { kind: 'date', id: body, label } : { kind: 'everyone', id: body, label };
    default:
      return { kind: 'link', id: body, label };
  }
};

/** The text of a message: names in the place of ids, links as Markdown, fences on lines of their own, nothing escaped. */
export const readText = (text: string, names: Names): string =>
  partsOf(text)
    .map(({ code, text: part }) => {
      const plain = unescape(
        part.replace(TOKEN, (_, sigil: string, body: string, label: string | undefined) =>
          shown(tokenOf(sigil, body, label ?? ''), names, code),
        ),
      );
      return code === 'block' ? fenced(plain) : plain;
    })
    .join('');

/** Ids of the people whom a text names, each once. */
export const usersIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(TOKEN)].flatMap(([, sigil, body]) => (sigil === '@' && body !== undefined && body !== '' ? [body] : []))),
];

/** Whether the user is mentioned where a person would say so: not in code, and not in what is quoted. */
export const mentions = (text: string, user: string): boolean => {
  if (user === '') return false;
  return partsOf(text).some(({ code, text: part }) => code === 'none' && usersIn(withoutQuotes(part)).includes(user));
};

/** Whether the words are for other people: they begin with a mention of somebody else than `user`, or are nothing but such mentions. */
export const isToOthers = (text: string, user: string): boolean => {
  const start = /^[\s,:;-]*<([@!])([^<>|\n]*)(?:\|[^<>\n]*)?>/.exec(text);
  return start !== null && (start[1] === '!' ? !(start[2] ?? '').startsWith('date^') : start[2] !== user);
};

/** Without the mention of `user` that the text begins with, and what sets it off from the words that follow. */
export const withoutLeading = (text: string, user: string): string => {
  const start = /^\s*<@([^<>|\n]*)(?:\|[^<>\n]*)?>[ \t\u00a0]*[,:;]?[ \t\u00a0]*\n?/.exec(text);
  return start !== null && start[1] === user ? text.slice(start[0].length) : text;
};

/* Code first: inside it nothing is markup. An unclosed fence or span is no code, as Slack shows it. */
const CODE = /```([\s\S]*?)```|`([^`\n]+)`/g;

const partsOf = (text: string): readonly Part[] => {
  const parts: Part[] = [];
  let at = 0;
  for (const match of text.matchAll(CODE)) {
    if (match.index > at) parts.push({ code: 'none', text: text.slice(at, match.index) });
    parts.push(match[1] === undefined ? { code: 'span', text: match[0] } : { code: 'block', text: match[1] });
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push({ code: 'none', text: text.slice(at) });
  return spaced(parts);
};

/** A fence stands on lines of its own: what Slack writes before and after it on the same line is set off by a line break. */
const spaced = (parts: readonly Part[]): readonly Part[] =>
  parts.map((part, index) => {
    if (part.code !== 'none') return part;
    const before = parts[index - 1]?.code === 'block' ? part.text.replace(/^[ \t]*\n?/, '\n') : part.text;
    const after = parts[index + 1]?.code === 'block' && !/(^|\n)[ \t]*$/.test(before) ? `${before.replace(/[ \t]+$/, '')}\n` : before;
    return { code: 'none', text: after };
  });

/** Names that Slack's editor leaves as the first line of a block, where its author named the language. */
const LANGUAGE =
  /^(python|python3|py|bash|sh|shell|console|js|javascript|ts|typescript|json|yaml|toml|sql|html|css|xml|c|cpp|csharp|java|kotlin|go|rust|ruby|php|perl|r|julia|lua|swift|scala|haskell|diff|text|csv|markdown|md|latex|tex)$/i;

const fenced = (content: string): string => {
  const [first = '', ...rest] = content.split('\n');
  const named = rest.length > 0 && LANGUAGE.test(first.trim());
  const body = named ? rest.join('\n') : content.replace(/^\n/, '');
  const fence = '`'.repeat(Math.max(3, ...[...body.matchAll(/`{3,}/g)].map(([run]) => run.length + 1)));
  return `${fence}${named ? first.trim().toLowerCase() : ''}\n${body}${body.endsWith('\n') ? '' : '\n'}${fence}`;
};

/** Quoted lines go; `>>>` quotes all that follows it. */
const withoutQuotes = (text: string): string =>
  text
    .replace(/(^|\n)[ \t]*&gt;&gt;&gt;[\s\S]*$/, '$1')
    .split('\n')
    .filter((line) => !/^\s*&gt;/.test(line))
    .join('\n');

const shown = ({ kind, id, label }: Token, names: Names, code: Part['code']): string => {
  switch (kind) {
    case 'user':
      return `@${named(names.user(id)) ?? (label || id)}`;
    case 'channel':
      return `#${label || (named(names.channel(id)) ?? id)}`;
    case 'group':
      return label === '' ? `@${id}` : `@${label.replace(/^@/, '')}`;
    case 'everyone':
      return `@${label === '' ? id : label.replace(/^@/, '')}`;
    case 'date':
      return label === '' ? (id.split('^')[1] ?? '') : label;
    case 'link':
      return code === 'none' ? link(id, label) : label || id;
    default:
      return kind satisfies never;
  }
};

/** Slack makes links of what looks like one; its author typed the label then. */
const link = (url: string, label: string): string => {
  if (label === '' || url === label) return url;
  const bare = url.replace(/^(https?:\/\/|mailto:|tel:)/, '').replace(/\/$/, '');
  return bare === label.replace(/\/$/, '') ? label : `[${label}](${url})`;
};

/** A looked-up name was never escaped: whatever in it looks so must come out of the unescaping as it went in. */
const named = (name: string | undefined): string | undefined => name?.replace(/&(?=(amp|lt|gt);)/g, '&amp;');
const unescape = (text: string): string => text.replace(/&lt;/g, '<').replace(/&gt;/g, '>').replace(/&amp;/g, '&');
