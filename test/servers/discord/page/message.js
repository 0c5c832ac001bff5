/** One message, with what can be done to it. */
import { ask, h, note } from '../../support/page/dom.js';
import { showModal } from './modal.js';
import { nameOf, placeOf, state } from './state.js';
import { markdown } from './text.js';

const tell = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));
const COLOURS = ['#3d7a6b', '#a4553a', '#4a6a9b', '#7d5a8c', '#96703c', '#5b7d3f'];

export const avatar = (id, name, bot) => {
  const colour = bot ? '#b5651d' : COLOURS[[...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % COLOURS.length];
  return h('span', { class: 'avatar', style: `background:${colour}`, 'aria-hidden': 'true' }, name.slice(0, 1).toUpperCase());
};

/** What came of a press, a command or a menu: a modal to fill in, or the words that nobody answered. */
export const show = (outcome) => {
  if (outcome.state === 'failed') note('The application did not respond.');
  else if (outcome.modal !== null) showModal(outcome);
};

const fileView = (file) =>
  file.type.startsWith('image/')
    ? h(
        'a',
        { class: 'picture', href: file.url, target: '_blank' },
        h('img', { src: new URL(file.url).pathname + new URL(file.url).search, alt: file.description || file.name }),
      )
    : h(
        'a',
        { class: 'file', href: file.url, target: '_blank' },
        h('b', {}, file.name),
        h('small', {}, `${file.size.toLocaleString()} bytes`),
      );

const STYLES = { 1: 'primary', 2: '', 3: 'success', 4: 'danger', 5: 'link' };

const button = (message, part) =>
  h(
    'button',
    {
      class: STYLES[part.style] ?? '',
      disabled: part.disabled === true,
      onclick: async (event) => {
        if (part.url) return window.open(part.url, '_blank');
        const pressed = event.currentTarget;
        pressed.classList.add('waiting');
        const outcome = await ask('press', { user: state.me, message: message.id, button: part.custom_id }).finally(() =>
          pressed.classList.remove('waiting'),
        );
        return show(outcome);
      },
    },
    part.emoji?.name ? `${part.emoji.name} ` : null,
    part.label ?? '',
  );

const select = (message, part) =>
  h(
    'select',
    {
      onchange: async (event) =>
        show(
          await ask('pressRaw', {
            user: state.me,
            message: message.id,
            data: { custom_id: part.custom_id, component_type: 3, values: [event.target.value] },
          }),
        ),
    },
    h('option', { disabled: true, selected: true }, part.placeholder ?? 'Choose'),
    ...part.options.map((one) => h('option', { value: one.value }, one.label)),
  );

/** Buttons and the layout parts of Components V2. */
const part = (message, one) => {
  if (one.type === 1) return h('div', { class: 'row' }, ...one.components.map((inner) => part(message, inner)));
  if (one.type === 2) return button(message, one);
  if (one.type === 3) return select(message, one);
  if (one.type === 10) return markdown(one.content);
  if (one.type === 14) return h('hr');
  if (one.type === 17) return h('div', { class: 'container' }, ...one.components.map((inner) => part(message, inner)));
  if (one.type === 9)
    return h(
      'div',
      { class: 'section' },
      h('div', {}, ...one.components.map((inner) => part(message, inner))),
      part(message, one.accessory),
    );
  return null;
};

const embedView = (embed) =>
  h(
    'div',
    { class: 'embed' },
    embed.title ? h('b', {}, embed.url ? h('a', { href: embed.url, target: '_blank' }, embed.title) : embed.title) : null,
    embed.description ? markdown(embed.description) : null,
    ...(embed.fields ?? []).map((field) => h('div', {}, h('b', {}, field.name), markdown(field.value))),
  );

const edit = async (message) => {
  const text = prompt('Edit the message', message.content);
  if (text !== null) await ask('edit', { id: message.id, text });
};

const openThread = async (message) => {
  const name = prompt('The name of the thread', message.text.slice(0, 40) || 'A thread');
  if (name) tell('go', (await ask('openThread', { user: state.me, channel: message.channel, name, from: message.id })).thread);
};

const tools = (message) => {
  const action = (text, onclick, kind = '') => h('button', { class: kind, onclick }, text);
  const inGuildChannel = placeOf(message.channel)?.guild !== null && placeOf(message.channel)?.thread === null;
  return h(
    'div',
    { class: 'tools' },
    ...(message.onlyFor === null
      ? [
          action('Reply', () => tell('reply', message)),
          inGuildChannel && message.thread === null ? action('Thread', () => openThread(message)) : null,
          ...state.commands
            .filter((one) => one.type === 3)
            .map((one) => action(one.name, async () => show(await ask('menu', { user: state.me, message: message.id, name: one.name })))),
          action('👍', () => ask('react', { user: state.me, id: message.id, emoji: '👍' })),
        ]
      : []),
    message.author === state.me && !message.bot ? action('Edit', () => edit(message)) : null,
    message.author === state.me || message.onlyFor !== null ? action('Delete', () => ask('delete', { id: message.id }), 'danger') : null,
  );
};

const time = (at) => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

const above = (message, replied) => {
  const line = [];
  if (message.replyTo !== null)
    line.push(
      h(
        'div',
        { class: 'above' },
        '↱ ',
        replied ? h('b', {}, `${replied.name} `) : null,
        replied ? replied.text.slice(0, 90) : 'Original message was deleted',
      ),
    );
  if (message.interaction !== null && message.onlyFor === null) line.push(h('div', { class: 'above' }, '↱ by a command'));
  return line;
};

const starter = (message) =>
  h(
    'article',
    { class: 'system' },
    message.type === 18 ? `${message.name} started a thread: ${message.text}` : 'The thread’s first message stands in its channel.',
  );

export const messageView = ({ message, replied, thread, follows }) => {
  if (message.type === 18 || message.type === 21) return starter(message);
  const pinged = message.pings.includes(state.me) || message.pings.includes('@everyone');
  return h(
    'article',
    { class: `message${message.onlyFor === null ? '' : ' only'}${pinged ? ' pinged' : ''}${follows ? ' follows' : ''}` },
    ...above(message, replied),
    follows ? null : avatar(message.author, message.name, message.bot),
    h(
      'div',
      { class: 'body' },
      follows
        ? null
        : h(
            'div',
            { class: 'by' },
            h('b', {}, message.name),
            message.bot ? h('span', { class: 'badge' }, 'APP') : null,
            h('time', { title: message.id }, time(message.at)),
          ),
      message.loading ? h('div', { class: 'text dim thinking' }, `${message.name} is thinking…`) : null,
      message.content === '' ? null : markdown(message.content),
      ...message.forwarded.map((text) => h('div', { class: 'forward' }, h('small', {}, '↱ Forwarded'), markdown(text))),
      message.edited ? h('small', { class: 'dim' }, '(edited)') : null,
      ...message.stickers.map((name) => h('div', { class: 'sticker' }, name)),
      message.files.length > 0 ? h('div', { class: 'files' }, ...message.files.map(fileView)) : null,
      ...message.embeds.map(embedView),
      ...message.components.map((one) => part(message, one)),
      Object.keys(message.reactions).length > 0
        ? h(
            'div',
            { class: 'reactions' },
            ...Object.entries(message.reactions).map(([name, users]) =>
              h('span', { title: users.map(nameOf).join(', ') }, `${name} ${users.length}`),
            ),
          )
        : null,
      thread
        ? h(
            'button',
            { class: 'thread', onclick: () => tell('go', thread.id) },
            h('b', {}, thread.name),
            ` ${thread.messages} ${thread.messages === 1 ? 'message' : 'messages'} ›`,
          )
        : null,
      message.onlyFor === null ? null : h('small', { class: 'dim' }, 'Only you can see this.'),
    ),
    tools(message),
  );
};
