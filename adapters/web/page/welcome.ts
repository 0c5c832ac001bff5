import { h } from './dom.ts';
import type { WireInfo } from './wire.ts';

const EXAMPLES = [
  ['Run Python', '>>> import math; [math.factorial(n) for n in range(8)]'],
  ['Draw a plot', 'Plot a sine wave from 0 to 2π.'],
  ['Work together', 'Set x to 41, then tell me x + 1.'],
  ['See what is there', '!vars'],
] as const;

/** What a new thread shows: what this is, and something to try. */
export const fillWelcome = (place: HTMLElement, info: WireInfo, insert: (text: string) => void): void => {
  place.replaceChildren(
    h('img', { src: '/page/icon.svg', alt: '', width: 56, height: 56 }),
    h('h2', {}, 'One conversation, one Python state'),
    h(
      'p',
      {},
      `Ask ${info.name}, or run Python yourself after `,
      h('code', {}, '>>>'),
      '. You and the model share the same variables, functions and files, and they stay for as long as the thread does.',
    ),
    h(
      'div',
      { class: 'examples' },
      ...EXAMPLES.map(([title, text]) =>
        h('button', { type: 'button', onclick: () => insert(text) }, h('strong', {}, title), h('span', {}, text)),
      ),
    ),
  );
};
