/** Looks at text that should be JSON without believing that it is. */

/** Nesting beyond this is refused: whatever walks over the value would run out of stack. */
export const MAX_DEPTH = 100;

export type Scan = {
  /** All brackets and quotes are closed, in the right order. Text that is not balanced was cut off: it must never be completed by us. */
  readonly balanced: boolean;
  /** Deepest nesting of brackets. */
  readonly depth: number;
  /** The `{…}` at the outermost level. */
  readonly objects: readonly string[];
  /** Only whitespace, commas and semicolons stand between and around them. */
  readonly onlyObjects: boolean;
};

/** One pass over the text. Both quote signs count, since models write Python literals; `'` only where a value or key can begin. */
export const scanJson = (text: string): Scan => {
  const open: string[] = [];
  const objects: string[] = [];
  let quote = '';
  let depth = 0;
  let start = 0;
  let ordered = true;
  let loose = false;
  let before = '';
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote !== '') {
      if (sign === '\\') at += 1;
      else if (sign === quote) quote = '';
      continue;
    }
    if (sign === '"' || (sign === "'" && '{[,:('.includes(before))) {
      quote = sign;
      if (open.length === 0) loose = true;
    } else if (sign === '{' || sign === '[') {
      if (open.length === 0) {
        start = at;
        if (sign === '[') loose = true;
      }
      open.push(sign);
      depth = Math.max(depth, open.length);
    } else if (sign === '}' || sign === ']') {
      if (open.pop() !== (sign === '}' ? '{' : '[')) ordered = false;
      if (open.length === 0 && sign === '}') objects.push(text.slice(start, at + 1));
    } else if (open.length === 0 && !/[\s,;]/.test(sign)) loose = true;
    if (!/\s/.test(sign)) before = sign;
  }
  return { balanced: ordered && quote === '' && open.length === 0, depth, objects, onlyObjects: !loose };
};

/**
 * Escapes raw control characters inside of strings (MB3) and drops a literal `\n` between tokens (MB2). Neither can change a meaning:
 * both are plain errors of JSON with one reading only.
 */
export const escapeControls = (text: string): string => {
  let out = '';
  let inside = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (inside) {
      if (sign === '\\') {
        out += sign + text.charAt(at + 1);
        at += 1;
      } else if (sign < ' ') out += ESCAPES.get(sign) ?? `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`;
      else {
        if (sign === '"') inside = false;
        out += sign;
      }
    } else if (sign === '\\' && /[nrt]/.test(text.charAt(at + 1))) at += 1;
    else {
      if (sign === '"') inside = true;
      out += sign;
    }
  }
  return out;
};
const ESCAPES = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);
