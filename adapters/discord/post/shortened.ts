/** Where the bot is no member it has a command's answer and five follow-ups: what is longer goes as a file. Pure. */
import type { OutMessage } from '../encode.ts';
import { messageLimits } from '../limits.ts';

const MOST = 6;
const LINE = '\n-# The whole answer is in answer.md.';

export const shortened = (messages: readonly OutMessage[], text: string): readonly OutMessage[] => {
  const [first, last] = [messages[0], messages.at(-1)];
  if (first === undefined || last === undefined || messages.length <= MOST) return messages;
  const files = [{ name: 'answer.md', alt: '', text }, ...messages.flatMap((message) => message.files)].slice(0, messageLimits.files);
  const room = first.content.length + LINE.length <= messageLimits.contentChars;
  return [...(room ? [] : [{ ...first, files: [] }]), { content: room ? first.content + LINE : LINE.trim(), rows: last.rows, files }];
};
