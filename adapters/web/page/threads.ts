/** The list of recent threads; a drawer where the page is narrow. */
import { byId, h, icon } from './dom.ts';
import type { WireThreads } from './wire.ts';

export type Threads = { readonly show: (list: WireThreads['threads'], current: string | null) => void; readonly close: () => void };

export const createThreads = (go: (id: string | null) => void): Threads => {
  const side = byId('side', HTMLElement);
  const list = byId('threads', HTMLElement);
  const shade = byId('shade', HTMLDivElement);
  const opener = byId('open-side', HTMLButtonElement);
  const fresh = byId('new-thread', HTMLAnchorElement);
  const narrow = window.matchMedia('(max-width: 800px)');
  opener.append(icon('menu'));
  fresh.prepend(icon('plus'));

  const setOpen = (open: boolean): void => {
    side.classList.toggle('open', open);
    shade.hidden = !open;
    side.inert = narrow.matches && !open;
    opener.setAttribute('aria-expanded', String(open));
    if (open) fresh.focus();
  };
  const close = (): void => setOpen(false);
  const leave = (): void => {
    if (!side.classList.contains('open')) return;
    close();
    opener.focus();
  };
  opener.addEventListener('click', () => setOpen(!side.classList.contains('open')));
  shade.addEventListener('click', leave);
  document.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') leave();
  });
  narrow.addEventListener('change', close);
  close();

  const link = (element: HTMLAnchorElement, id: string | null): HTMLAnchorElement => {
    element.addEventListener('click', (event) => {
      if (event.metaKey || event.ctrlKey || event.shiftKey) return; // a new tab or window
      event.preventDefault();
      close();
      go(id);
    });
    return element;
  };
  link(fresh, null);

  return {
    close,
    show: (threads, current) => {
      if (threads.length === 0) return list.replaceChildren(h('p', { class: 'none' }, 'No threads yet.'));
      return list.replaceChildren(
        ...threads.map(({ id, title, at }) =>
          link(
            h(
              'a',
              { href: `/t/${id}`, 'aria-current': id === current ? 'page' : null },
              h('span', { class: 'thread-title' }, title || 'New thread'),
              h('time', { datetime: new Date(at).toISOString() }, when(at)),
            ),
            id,
          ),
        ),
      );
    },
  };
};

const when = (at: number): string => {
  const date = new Date(at);
  const today = new Date().toDateString() === date.toDateString();
  return today
    ? date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
    : date.toLocaleDateString([], { day: 'numeric', month: 'short' });
};

export const threadInUrl = (): string | null => /^\/t\/([\w-]+)$/.exec(location.pathname)?.[1] ?? null;
