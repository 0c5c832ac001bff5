/** What people read about calls that need a yes. Pure. */
import type { EntryOf } from './conversation.ts';
import { codeBlock, codeSpan, plainWords } from './markdown-text.ts';

/** Characters of arguments that are shown; what is beyond is told of, so that nobody approves it unseen. */
const SHOWN_ARGUMENTS = 6_000;

/** What people are asked, as Markdown. The arguments are the model's words: they stand in a block of their own and can end nothing. */
export const askingWords = (waiting: EntryOf<'awaiting'>): string => {
  const text = argumentsText(waiting.arguments);
  const hidden = text.length - SHOWN_ARGUMENTS;
  return [
    `I would like to call ${codeSpan(waiting.tool)} with these arguments:`,
    codeBlock(hidden > 0 ? text.slice(0, SHOWN_ARGUMENTS).toWellFormed() : text, 'json'),
    hidden > 0
      ? `**${hidden.toLocaleString('en')} more characters of the arguments are not shown here.** Say no if you are not sure of them.`
      : '',
    `${plainWords(waiting.asker.name)}, the thread’s owner or an operator may say yes with \`!approve ${waiting.approval}\` or no with \`!deny ${waiting.approval}\`, within ${minutes(waiting.expiresAt - waiting.at)}.`,
  ]
    .filter((part) => part !== '')
    .join('\n\n');
};

/** What everybody is told once it is decided. */
export const decidedWords = ({ by, verdict, tool }: EntryOf<'decided'>): string =>
  verdict === 'approved'
    ? `${plainWords(by.name)} approved the call of ${codeSpan(tool)}.`
    : `${plainWords(by.name)} denied the call of ${codeSpan(tool)}. It was not made.`;

/** Arguments as people read them: indented, and with every character that could hide or reorder others written out. */
const argumentsText = (text: string): string => {
  const shown = JSON.stringify(JSON.parse(text), null, 2);
  return shown.replace(UNSEEN, (sign) => `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`);
};
const UNSEEN = /[\p{Cf}\p{Co}\p{Cn}\p{Zl}\p{Zp}\u00a0\u115f\u1160\u3164\u2800]/gu;

const minutes = (ms: number): string => {
  const count = Math.max(1, Math.round(ms / 60_000));
  return count === 60 ? 'an hour' : count === 1 ? 'a minute' : `${count} minutes`;
};
