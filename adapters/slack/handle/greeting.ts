/** What the bot says of itself: when it is mentioned without words, when it comes into a channel, and in the App Home. Pure. */
import type { OutMessage } from '../encode.ts';
import { messagesForSlack } from '../markdown/markdown.ts';

/** Questions that a newcomer may try; the manifest and the panel offer them. */
export const suggestedPrompts = [
  { title: 'Summarise a file', message: 'Summarise the file I attach in five bullet points.' },
  { title: 'Draw a plot', message: 'Plot y = sin(x)/x from -20 to 20.' },
  { title: 'What can you do?', message: 'What can you do here, and what do you keep?' },
] as const;

/** How to go on, in two sentences and a hint at the commands. */
export const introduction = (command: string): string =>
  [
    'Ask me anything: I answer in the thread, run Python, draw plots and read files that you drop here. Everybody in a thread works on one conversation and one Python state.',
    `To run code yourself, write \`!py 6 * 7\`. \`!help\` lists the commands in a thread, \`${command} help\` everywhere else.`,
  ].join('\n\n');

export const greeting = (command: string): OutMessage => oneMessage(`Hello!\n\n${introduction(command)}`);

export const arrival = (command: string): OutMessage =>
  oneMessage(
    `Thank you for having me here. Mention me to begin.\n\n${introduction(command)}\n\nAnswers come from a language model and may be wrong.`,
  );

/** Short Markdown as one message. */
export const oneMessage = (markdown: string): OutMessage => messagesForSlack(markdown).messages[0] ?? { text: markdown, blocks: [] };
