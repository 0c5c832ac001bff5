/** Blocks -> elements. */
import { h } from '../../support/page/dom.js';
import { emoji, markdown, mrkdwn, plain } from './text.js';
import { state } from './state.js';

const words = (object) => (object?.type === 'plain_text' ? plain(object.text) : mrkdwn(object?.text ?? ''));

const styled = (element) => {
  const style = element.style ?? {};
  let node = document.createTextNode(element.text ?? '');
  for (const [name, tag] of [
    ['code', 'code'],
    ['bold', 'b'],
    ['italic', 'i'],
    ['strike', 's'],
  ])
    if (style[name]) node = h(tag, {}, node);
  return node;
};

const rich = (element) => {
  switch (element.type) {
    case 'text':
      return styled(element);
    case 'link':
      return h(
        'a',
        { href: element.url, target: '_blank', rel: 'noopener noreferrer', title: element.url },
        styled({ ...element, text: element.text ?? element.url }),
      );
    case 'user': {
      const person = state.people.find((one) => one.id === element.user_id);
      return h('span', { class: element.user_id === state.me ? 'mention me' : 'mention' }, `@${person?.name ?? element.user_id}`);
    }
    case 'channel':
      return h('span', { class: 'mention' }, `#${state.channels.find((one) => one.id === element.channel_id)?.name ?? element.channel_id}`);
    case 'broadcast':
      return h('span', { class: 'mention loud' }, `@${element.range}`);
    case 'emoji':
      return emoji(`:${element.name}:`);
    case 'rich_text_section':
      return h('div', { class: 'rich' }, ...(element.elements ?? []).map(rich));
    case 'rich_text_quote':
      return h('blockquote', {}, ...(element.elements ?? []).map(rich));
    case 'rich_text_preformatted':
      return h('pre', {}, h('code', {}, ...(element.elements ?? []).map(rich)));
    case 'rich_text_list':
      return h(
        element.style === 'ordered' ? 'ol' : 'ul',
        { style: `margin-left:${(element.indent ?? 0) * 1.5}em`, ...(element.offset ? { start: element.offset + 1 } : {}) },
        ...(element.elements ?? []).map((one) => h('li', {}, rich(one))),
      );
    default:
      return element.text ?? '';
  }
};

const richText = (block) => h('div', { class: 'text' }, ...(block.elements ?? []).map(rich));

const cell = (value) => (value.type === 'rich_text' ? richText(value) : String(value.text ?? value.value ?? ''));

const table = (block) => {
  const align = (n) => block.column_settings?.[n]?.align ?? 'left';
  const [head, ...rows] = block.rows ?? [];
  return h(
    'div',
    { class: 'table' },
    h(
      'table',
      {},
      block.caption ? h('caption', {}, block.caption) : null,
      h('thead', {}, h('tr', {}, ...(head ?? []).map((one, n) => h('th', { style: `text-align:${align(n)}` }, cell(one))))),
      h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((one, n) => h('td', { style: `text-align:${align(n)}` }, cell(one)))))),
    ),
  );
};

const STATUS = { pending: '○', in_progress: '◔', complete: '✓', error: '✗' };
const task = (block) =>
  h(
    'div',
    { class: `task ${block.status}` },
    h('span', { class: 'mark' }, STATUS[block.status] ?? '○'),
    h(
      'span',
      {},
      block.title,
      block.details ? h('div', { class: 'details' }, richText(block.details)) : null,
      block.output ? h('div', { class: 'details' }, richText(block.output)) : null,
    ),
  );

/** `press(element, value)` is told of what was pressed; `chosen` of what was picked in a list. */
export const element = (one, press) => {
  switch (one.type) {
    case 'button':
    case 'icon_button':
      return h(
        'button',
        { class: one.style ?? '', title: one.accessibility_label, onclick: () => press(one, one.value ?? '') },
        emoji(one.text.text),
      );
    case 'feedback_buttons':
      return h(
        'span',
        { class: 'feedback' },
        ...['positive_button', 'negative_button'].map((side) =>
          h('button', { title: one[side].accessibility_label, onclick: () => press(one, one[side].value) }, one[side].text.text),
        ),
      );
    case 'static_select':
    case 'radio_buttons':
    case 'overflow': {
      const initial = one.initial_option?.value;
      return h(
        'select',
        { 'aria-label': one.placeholder?.text ?? 'Choose', onchange: (event) => press(one, event.target.value) },
        ...(initial === undefined ? [h('option', { value: '' }, one.placeholder?.text ?? 'Choose…')] : []),
        ...(one.options ?? []).map((option) => h('option', { value: option.value, selected: option.value === initial }, option.text.text)),
      );
    }
    case 'conversations_select':
    case 'channels_select':
    case 'users_select': {
      const all =
        one.type === 'users_select'
          ? state.people.map((person) => [person.id, person.realName])
          : state.channels.map((channel) => [channel.id, channel.name]);
      const initial = one.initial_conversation ?? one.initial_channel ?? one.initial_user;
      return h(
        'select',
        { 'aria-label': one.placeholder?.text ?? 'Choose', onchange: (event) => press(one, event.target.value) },
        ...(initial === undefined ? [h('option', { value: '' }, one.placeholder?.text ?? 'Choose…')] : []),
        ...all.map(([id, name]) => h('option', { value: id, selected: id === initial }, name)),
      );
    }
    case 'image':
      return h('img', { src: one.image_url ?? '', alt: one.alt_text, class: 'small' });
    default:
      return h('em', {}, `(${one.type})`);
  }
};

/** What is sent when a control is used, as `actions` of `block_actions`. */
export const actionOf = (one, blockId, value) => {
  const picked = {
    conversations_select: { selected_conversation: value },
    channels_select: { selected_channel: value },
    users_select: { selected_user: value },
  }[one.type];
  const option = (one.options ?? []).find((other) => other.value === value);
  return {
    type: one.type,
    action_id: one.action_id,
    block_id: blockId,
    ...(picked ?? (option === undefined ? { value, text: one.text } : { selected_option: option })),
  };
};

/** One block; null for what shows nothing. */
export const block = (one, press) => {
  switch (one.type) {
    case 'section':
      return h(
        'div',
        { class: 'section' },
        h('div', {}, one.text ? words(one.text) : null, one.fields ? h('div', { class: 'fields' }, ...one.fields.map(words)) : null),
        one.accessory ? element(one.accessory, press) : null,
      );
    case 'header':
      return h('h3', {}, emoji(one.text.text));
    case 'divider':
      return h('hr');
    case 'context':
      return h(
        'div',
        { class: 'context' },
        ...(one.elements ?? []).map((part) => (part.type === 'image' ? element(part, press) : words(part))),
      );
    case 'markdown':
      return markdown(one.text);
    case 'rich_text':
      return richText(one);
    case 'table':
    case 'data_table':
      return table(one);
    case 'actions':
    case 'context_actions':
      return h('div', { class: one.type }, ...(one.elements ?? []).map((part) => element(part, press)));
    case 'image':
      return h(
        'figure',
        {},
        h('img', { src: one.image_url ?? '', alt: one.alt_text }),
        one.title ? h('figcaption', {}, one.title.text) : null,
      );
    case 'task_card':
      return task(one);
    case 'plan':
      return h('div', { class: 'plan' }, h('b', {}, one.title), ...(one.tasks ?? []).map(task));
    default:
      return h('em', {}, `(${one.type})`);
  }
};
