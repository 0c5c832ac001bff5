/** Arguments that are written `name=value`, as people type them and as `argsOf` writes them. Pure. */

/**
 * The values by name, the last one of a name counting; null where a part of the text belongs to no name. A value is quoted, or reaches as far
 * as the next of these names, so that a sentence needs no quotation marks.
 */
export const readNamed = (args: string, names: readonly string[]): ReadonlyMap<string, string> | null => {
  const values = new Map<string, string>();
  const start = new RegExp(`^(${names.join('|')})\\s*[=:]\\s*`, 'i');
  const next = new RegExp(`\\s(?:${names.join('|')})\\s*[=:]`, 'i');
  let rest = args.trim();
  while (rest !== '') {
    const match = start.exec(rest);
    if (match === null) return null;
    rest = rest.slice(match[0].length);
    const quoted = quotedAt(rest);
    const end = quoted?.length ?? next.exec(rest)?.index ?? rest.length;
    values.set((match[1] ?? '').toLowerCase(), quoted?.value ?? rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return values;
};

/** A quoted value at the beginning, as `JSON.stringify` writes it, with nothing but a blank or the end behind it. */
const quotedAt = (text: string): { readonly value: string; readonly length: number } | null => {
  const match = /^"(?:[^"\\]|\\.)*"(?=\s|$)/.exec(text);
  if (match === null) return null;
  try {
    const value: unknown = JSON.parse(match[0]);
    return typeof value === 'string' ? { value, length: match[0].length } : null;
  } catch {
    // Not ours: somebody wrote quotation marks of their own.
    return { value: match[0].slice(1, -1), length: match[0].length };
  }
};
