/** The list of messages: painted at most once a frame, and only where something changed. */
import type { Card } from './commands.ts';
import { viewCard } from './commands.ts';
import { byId, icon } from './dom.ts';
import type { ThreadState } from './state.ts';
import { codeOf } from './state.ts';
import type { MessageActions } from './view-message.ts';
import { createLiveView, viewMessage } from './view-message.ts';

export type LogView = {
  readonly state: ThreadState;
  readonly cards: readonly Card[];
  readonly practice: boolean;
  readonly botName: string;
};
export type Log = { readonly paint: (view: LogView) => void; readonly toEnd: () => void };

/** Something to show: `mark` is equal as long as it looks the same. */
type Item = { readonly key: string; readonly mark: string; readonly make: () => HTMLElement };

const NEAR_END = 120;

export const createLog = (actions: MessageActions & { readonly dismiss: (id: string) => void }): Log => {
  const scroller = byId('log', HTMLDivElement);
  const list = byId('messages', HTMLDivElement);
  const welcome = byId('welcome', HTMLElement);
  const toEndButton = byId('to-end', HTMLButtonElement);
  toEndButton.prepend(icon('down'));
  let latest: LogView | null = null;
  let asked = false;
  let pinned = true;
  let shown = new Map<string, { readonly mark: string; readonly node: HTMLElement }>();
  const live = createLiveView(actions, () => latest?.practice ?? false);

  const toEnd = (): void => {
    pinned = true;
    scroller.scrollTop = scroller.scrollHeight;
    toEndButton.hidden = true;
  };
  let top = 0;
  scroller.addEventListener('scroll', () => {
    // Only a person scrolls upwards; what grows below must not be taken for that.
    if (scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight < NEAR_END) {
      pinned = true;
      toEndButton.hidden = true;
    } else if (scroller.scrollTop < top - 2) pinned = false;
    top = scroller.scrollTop;
  });
  toEndButton.addEventListener('click', toEnd);
  // Pictures grow when they arrive.
  new ResizeObserver(() => {
    if (pinned) toEnd();
  }).observe(list);

  const draw = (): void => {
    asked = false;
    if (latest === null) return;
    const items = itemsOf(latest, actions);
    const next = new Map<string, { readonly mark: string; readonly node: HTMLElement }>();
    let before: Element | null = null;
    for (const item of items) {
      const known = shown.get(item.key);
      const node = known?.mark === item.mark ? known.node : item.make();
      if (known !== undefined && known.node !== node) known.node.replaceWith(node);
      const place: Element | null = before === null ? list.firstElementChild : before.nextElementSibling;
      if (place !== node) list.insertBefore(node, place);
      next.set(item.key, { mark: item.mark, node });
      before = node;
    }
    for (const [key, { node }] of shown) if (!next.has(key)) node.remove();
    shown = next;
    const { state } = latest;
    const waiting = state.busy && !state.local.some((mine) => mine.problem !== null);
    const last = state.local.at(-1)?.message ?? state.messages.at(-1);
    live.update(state.live, waiting, last?.role === 'person' && codeOf(last.text) !== null);
    if (list.lastElementChild !== live.node) list.append(live.node);
    welcome.hidden = items.length > 0 || state.id !== null;
    if (pinned) toEnd();
    else toEndButton.hidden = false;
  };

  return {
    toEnd,
    paint: (view) => {
      latest = view;
      if (asked) return;
      asked = true;
      // A hidden page has no frames.
      if (document.hidden) setTimeout(draw, 100);
      else requestAnimationFrame(draw);
    },
  };
};

const itemsOf = ({ state, cards, practice }: LogView, actions: MessageActions & { readonly dismiss: (id: string) => void }): Item[] => {
  const places = [
    ...state.messages.map((message) => ({ message, local: null })),
    ...state.local.map((local) => ({ message: local.message, local })),
  ];
  const lastBot = state.busy ? undefined : places.findLast(({ message }) => message.role === 'bot')?.message.id;
  const cardItems = (after: string | null): Item[] =>
    cards
      .filter((card) => card.after === after)
      .map((card) => ({ key: `card ${card.id}`, mark: '', make: () => viewCard(card, actions, () => actions.dismiss(card.id)) }));
  return [
    ...cardItems(null),
    ...places.flatMap(({ message, local }) => {
      const place = { last: message.id === lastBot && message === places.at(-1)?.message, practice, local };
      const item: Item = {
        key: message.id,
        mark: JSON.stringify([message, place.last, practice, local?.problem, local?.uploaded]),
        make: () => viewMessage(message, place, actions),
      };
      return [item, ...cardItems(message.id)];
    }),
  ];
};
