/** The menu of commands, and their answers as cards in the thread. */
import { h, icon } from './dom.ts';
import { renderMarkdown } from './markdown.ts';
import type { RunActions } from './view-run.ts';
import { viewFile, viewRun } from './view-run.ts';
import type { WireAnswerFile, WireInfo, WireReply } from './wire.ts';

/** A card is this page's own: it is not part of the thread and goes when the page is left. `after`: the message it stands behind. */
export type Card = {
  readonly id: string;
  readonly title: string;
  readonly after: string | null;
  readonly reply: WireReply | { readonly problem: string };
};

/** What the page has its own buttons for. */
const ELSEWHERE = new Set(['ask', 'py', 'stop', 'retry', 'approve', 'deny', 'feedback']);
const QUESTIONS: { readonly [name: string]: string } = {
  reset: 'Start afresh? The Python state becomes empty, and what was said so far is no longer used.',
  forget: 'Erase this thread for good: messages, Python state and files?',
};
/** What a command is given when it is chosen from the menu. */
const ARGUMENTS: { readonly [name: string]: string } = { forget: 'everything' };

export const fillMenu = (menu: HTMLElement, commands: WireInfo['commands'], run: (name: string, args: string) => void): void => {
  menu.replaceChildren(
    ...commands
      .filter((command) => !ELSEWHERE.has(command.name))
      .map(({ name, description }) => {
        const act = (): void => {
          menu.hidePopover();
          const question = QUESTIONS[name];
          if (question === undefined || window.confirm(question)) run(name, ARGUMENTS[name] ?? '');
        };
        return h('button', { type: 'button', onclick: act }, h('strong', {}, name), h('span', {}, description));
      }),
  );
};

/** The thread that an answer to `fork` leads to. */
export const forkedIn = (answer: string): string | null => /New thread: ([\w-]{8,})/.exec(answer)?.[1] ?? null;

export const viewCard = (card: Card, actions: RunActions, dismiss: () => void): HTMLElement => {
  const body = h('div', { class: 'text' });
  const problem = 'problem' in card.reply ? card.reply.problem : null;
  if ('problem' in card.reply) body.append(card.reply.problem);
  else body.append(renderMarkdown(card.reply.text, null));
  const reply = 'problem' in card.reply ? null : card.reply;
  return h(
    'section',
    { class: `card ${problem === null ? '' : 'failed'}`, 'aria-label': `Answer to ${card.title}` },
    h(
      'div',
      { class: 'card-head' },
      h('code', {}, card.title),
      h('span', {}, 'only you see this'),
      h('button', { type: 'button', class: 'icon-button', 'aria-label': 'Dismiss', onclick: dismiss }, icon('cross')),
    ),
    body,
    reply !== null && reply.run !== null && viewRun(reply.run, actions),
    reply !== null &&
      reply.files.length > 0 &&
      h('div', { class: 'files' }, ...reply.files.map((file) => viewFile(toFile(file), actions.enlarge))),
  );
};

/** A file that came inside the answer is offered from the page's own memory. */
const toFile = (file: WireAnswerFile): Parameters<typeof viewFile>[0] => {
  if ('url' in file) return file;
  const blob = new Blob([file.content], { type: 'application/octet-stream' });
  return { name: file.name, type: file.type, size: blob.size, url: URL.createObjectURL(blob), picture: false, alt: '' };
};
