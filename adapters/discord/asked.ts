/** What somebody asked by a slash command or a menu entry, as the channel reads it above the thread of its answer. Pure. */
import { codeIn, readIntent } from '../../src/core/addressing.ts';
import { messageLimits } from './limits.ts';
import { escapeFence, escapeText } from './markdown-escape.ts';

/** One message, never empty: code in a fence, words as a quotation. Discord does not show the options of a command to others. */
export const askedText = (text: string): string => {
  const intent = readIntent(text, new Set());
  const code = intent.ok && intent.value.kind === 'run';
  const words = code ? codeIn(text) : text.trim();
  const show = code ? fenced : quoted;
  // Marks that are escaped take room, so what fits is found by trying.
  for (let room = words.length; ; room = Math.floor(room * 0.9)) {
    const shown = show(room >= words.length ? words : `${wholeCharacters(words.slice(0, room))}…`);
    if (shown.length <= messageLimits.contentChars) return shown;
  }
};

const fenced = (code: string): string => `\`\`\`python\n${escapeFence(code)}\n\`\`\``;
const quoted = (words: string): string =>
  (words || '…')
    .split('\n')
    .map((line) => `> ${escapeText(line, true)}`)
    .join('\n');
const wholeCharacters = (text: string): string => text.replace(/[\uD800-\uDBFF]$/, '');
