/** Modals and the Home tab. */
import { ask, h, note } from '../../support/page/dom.js';
import { actionOf, block } from './blocks.js';
import { state } from './state.js';

let shown = '';

const field = (one) => {
  const { element } = one;
  const id = `${one.block_id}|${element.action_id}`;
  const options = element.options ?? [];
  if (element.type === 'plain_text_input' || element.type.endsWith('_input')) {
    const tag = element.multiline ? 'textarea' : 'input';
    const input = h(tag, { name: id, placeholder: element.placeholder?.text, maxlength: element.max_length });
    input.value = element.initial_value ?? '';
    return input;
  }
  if (element.type === 'checkboxes') {
    return h(
      'div',
      {},
      ...options.map((option) =>
        h(
          'label',
          { class: 'check' },
          h('input', {
            type: 'checkbox',
            name: id,
            value: option.value,
            checked: (element.initial_options ?? []).some((other) => other.value === option.value),
          }),
          option.text.text,
        ),
      ),
    );
  }
  return h(
    'select',
    { name: id },
    ...(element.initial_option === undefined ? [h('option', { value: '' }, 'Choose…')] : []),
    ...options.map((option) =>
      h('option', { value: option.value, selected: option.value === element.initial_option?.value }, option.text.text),
    ),
  );
};

/** What the form holds, in the shape of `view.state.values`. */
const valuesOf = (view, form) => {
  const values = {};
  for (const one of view.blocks) {
    if (one.type !== 'input') continue;
    const { element } = one;
    const given = new FormData(form).getAll(`${one.block_id}|${element.action_id}`).map(String);
    const option = (value) => (element.options ?? []).find((other) => other.value === value) ?? null;
    const value =
      element.type === 'checkboxes'
        ? { selected_options: given.map(option) }
        : element.options === undefined
          ? { value: given[0] === '' ? null : given[0] }
          : { selected_option: option(given[0]) };
    values[one.block_id] = { [element.action_id]: { type: element.type, ...value } };
  }
  return values;
};

const press = (tell, blockId) => (element, value) => tell(actionOf(element, blockId, value));

export const showModal = (view) => {
  const dialog = document.querySelector('#modal');
  const mark = view === null ? '' : `${view.id} ${view.hash}`;
  if (mark === shown) return;
  shown = mark;
  if (view === null) {
    dialog.close();
    return;
  }
  const errors = h('p', { class: 'error', role: 'alert' });
  const form = h(
    'form',
    {
      onsubmit: async (event) => {
        event.preventDefault();
        const outcome = await ask('submit', { user: state.me, values: valuesOf(view, form) });
        if (!outcome.acked) note('The app did not answer in three seconds.');
        errors.textContent = Object.values(outcome.response?.errors ?? {}).join(' ');
      },
    },
    h('h2', {}, view.title.text),
    ...view.blocks.map((one) =>
      one.type === 'input'
        ? h(
            'div',
            { class: 'input' },
            h('label', {}, one.label.text, one.optional ? h('span', { class: 'dim' }, ' (optional)') : null, field(one)),
            one.hint ? h('small', {}, one.hint.text) : null,
          )
        : block(
            one,
            press(() => note('Controls in modals are not sent by this page.')),
          ),
    ),
    errors,
    h(
      'div',
      { class: 'bar' },
      h('button', { type: 'button', onclick: () => ask('closeModal', { user: state.me }) }, view.close?.text ?? 'Cancel'),
      view.submit ? h('button', { class: 'primary' }, view.submit.text) : null,
    ),
  );
  dialog.replaceChildren(form);
  if (!dialog.open) dialog.showModal();
};

export const homeView = (view) =>
  h(
    'div',
    { class: 'home' },
    ...(view === null
      ? [h('p', { class: 'dim' }, 'The app has published no Home yet.')]
      : view.blocks.map((one) =>
          block(
            one,
            press((action) => ask('pressHome', { user: state.me, action }), one.block_id),
          ),
        )),
  );
