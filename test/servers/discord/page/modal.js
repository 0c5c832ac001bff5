/** The modal that an application answered with. */
import { ask, h, note } from '../../support/page/dom.js';

const fieldsOf = (components) =>
  components.flatMap((one) => {
    if (one.type === 10) return [h('p', {}, one.content)];
    if (one.type === 1) return fieldsOf(one.components);
    const input = one.type === 18 ? one.component : one;
    const about = { name: input.custom_id, required: input.required !== false };
    const made =
      input.type === 3
        ? h(
            'select',
            { ...about },
            ...input.options.map((choice) => h('option', { value: choice.value, selected: choice.default === true }, choice.label)),
          )
        : input.style === 2
          ? h(
              'textarea',
              { ...about, rows: 6, maxlength: input.max_length ?? 4000, placeholder: input.placeholder ?? '' },
              input.value ?? '',
            )
          : h('input', { ...about, maxlength: input.max_length ?? 4000, placeholder: input.placeholder ?? '', value: input.value ?? '' });
    return [h('label', {}, h('b', {}, one.label ?? input.label ?? ''), one.description ? h('small', {}, one.description) : null, made)];
  });

/** Shows it, and sends off what was filled in. */
export const showModal = (outcome) => {
  const dialog = document.querySelector('#modal');
  const form = h(
    'form',
    {
      onsubmit: async (event) => {
        event.preventDefault();
        const values = Object.fromEntries(new FormData(form));
        dialog.close();
        const answer = await ask('submit', { interaction: outcome.id, values });
        if (answer.state === 'failed') note('The application did not respond.');
      },
    },
    h('h2', {}, outcome.modal.title),
    ...fieldsOf(outcome.modal.components),
    h(
      'div',
      { class: 'row' },
      h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'),
      h('button', { class: 'primary' }, 'Submit'),
    ),
  );
  dialog.replaceChildren(form);
  dialog.showModal();
};
