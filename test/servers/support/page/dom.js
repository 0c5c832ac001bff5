/** Elements by function, and the calls to the control API. */

/**
 * @param {string} tag
 * @param {Record<string, any>} attributes `on…` are listeners; false and undefined are left out
 * @param {...(Node | string | null | undefined | false)} children
 */
export const h = (tag, attributes = {}, ...children) => {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === undefined || value === null) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return element;
};

export const ask = async (name, given = {}) => {
  const response = await fetch(`/_control/${name}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(given),
  });
  const answer = await response.json();
  if (response.ok) return answer;
  note(answer.error);
  throw new Error(answer.error);
};

let hiding;
/** A line at the foot of the page that goes away by itself. */
export const note = (text) => {
  const line = document.querySelector('#note');
  line.textContent = text;
  line.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(() => (line.hidden = true), 4000);
};

/** One element per key, replaced only where its content changed, so that a press or a selection outlives an update. */
export const keep = (parent, items, render) => {
  const there = new Map([...parent.children].map((child) => [child.dataset.key, child]));
  let last = null;
  for (const { key, value } of items) {
    const mark = JSON.stringify(value);
    let element = there.get(key);
    if (element === undefined || element.dataset.mark !== mark) {
      const made = render(value);
      made.dataset.key = key;
      made.dataset.mark = mark;
      element?.remove();
      element = made;
    }
    there.delete(key);
    if (last === null ? parent.firstElementChild !== element : last.nextElementSibling !== element) {
      if (last === null) parent.prepend(element);
      else last.after(element);
    }
    last = element;
  }
  for (const gone of there.values()) gone.remove();
};
