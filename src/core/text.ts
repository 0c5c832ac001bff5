/** Small things about text. Lengths in UTF-16 units; no cut ever splits a surrogate pair. */

/** The text, or its head (60 %) and tail (40 %) around a line that says how much is left out. The result is at most about `max` long. */
export const cutMiddle = (text: string, max: number): string => {
  if (text.length <= max) return text;
  const head = text.slice(0, Math.floor(max * 0.6));
  const tail = text.slice(text.length - Math.floor(max * 0.4));
  const left = text.length - head.length - tail.length;
  return `${whole(head, 'end')}\n[… ${left.toLocaleString('en')} characters left out …]\n${whole(tail, 'start')}`;
};

const whole = (part: string, side: 'start' | 'end'): string => {
  const edge = side === 'end' ? part.at(-1) : part.at(0);
  if (edge === undefined) return part;
  const code = edge.charCodeAt(0);
  const half = side === 'end' ? code >= 0xd800 && code <= 0xdbff : code >= 0xdc00 && code <= 0xdfff;
  if (!half) return part;
  return side === 'end' ? part.slice(0, -1) : part.slice(1);
};

/** The first line, shortened for a title or a progress line; of code after a lone `>>>` or in a fence the first line of the code. */
export const firstLine = (text: string, max = 80): string => {
  const line =
    text
      .trim()
      .replace(/^(?:>>>|```\w*)\s*\n\s*/, '>>> ')
      .split('\n', 1)[0]
      ?.trim() ?? '';
  return line.length <= max ? line : `${whole(line.slice(0, max - 1), 'end')}…`;
};
