/** Makes elements. Text is always text: nothing here reads HTML. */
type Child = Node | string | null | false | undefined;
type Attributes = { readonly [name: string]: string | number | boolean | null | undefined | ((event: Event) => void) };

/** `h('button', { class: 'x', onclick: f }, 'Stop')`. `true` sets an empty attribute; `null`, `false` and `undefined` leave it out. */
export const h = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.replace(/^on/, ''), value);
    else if (value !== null && value !== undefined && value !== false) element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

/** An element that index.html has. */
export const byId = <T extends HTMLElement>(id: string, type: new () => T): T => {
  const element = document.getElementById(id);
  if (!(element instanceof type)) throw new TypeError(`the page has no ${id}`);
  return element;
};

/** A small line drawing; decoration only, so it is hidden from readers of the page. */
export const icon = (name: keyof typeof PATHS): SVGElement => {
  const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('class', 'icon');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS('http://www.w3.org/2000/svg', 'path');
  path.setAttribute('d', PATHS[name]);
  svg.append(path);
  return svg;
};
const PATHS = {
  send: 'M12 19V5M5 12l7-7 7 7',
  stop: 'M7 7h10v10H7z',
  attach: 'M21 11.5l-8.6 8.6a5.5 5.5 0 0 1-7.8-7.8l8.6-8.6a3.7 3.7 0 0 1 5.2 5.2l-8.6 8.6a1.8 1.8 0 0 1-2.6-2.6l7.9-7.9',
  plus: 'M12 5v14M5 12h14',
  menu: 'M4 6h16M4 12h16M4 18h16',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  play: 'M7 5l12 7-12 7z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l5 5 9-11',
  cross: 'M6 6l12 12M18 6L6 18',
  file: 'M14 3H6v18h12V7zM14 3v4h4',
  undo: 'M9 14L4 9l5-5M4 9h10a6 6 0 0 1 0 12h-3',
  down: 'M12 5v14M5 12l7 7 7-7',
} as const;

/** 1,234 -> "1.2 kB". */
export const sizeOf = (bytes: number): string => {
  if (bytes < 1000) return `${bytes} B`;
  const [unit, by] = bytes < 1e6 ? (['kB', 1e3] as const) : (['MB', 1e6] as const);
  const value = bytes / by;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${unit}`;
};
