/** One message, with what can be done to it. */
import { ask, h, note } from '../../support/page/dom.js';
import { actionOf, block } from './blocks.js';
import { markdown, mrkdwn } from './text.js';
import { state } from './state.js';

/** Heard by main.js, which knows what is open. */
const openThread = (ts) => document.dispatchEvent(new CustomEvent('open-thread', { detail: ts }));

const COLOURS = ['#2a9d8f', '#e76f51', '#457b9d', '#8d6a9f', '#b5838d', '#6a994e'];

export const avatar = (id, name, bot) => {
  const colour = bot ? '#264653' : COLOURS[[...id].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % COLOURS.length];
  return h('span', { class: 'avatar', style: `background:${colour}`, 'aria-hidden': 'true' }, bot ? '⌘' : name.slice(0, 1).toUpperCase());
};

const time = (ts) => new Date(Number(ts.split('.')[0]) * 1000).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

const fileView = (file) => {
  const url = `/files-pri/page-${file.id}/${encodeURIComponent(file.name)}`;
  return file.mimetype.startsWith('image/')
    ? h(
        'figure',
        { class: 'file' },
        h('figcaption', {}, file.title),
        h('a', { href: url, target: '_blank' }, h('img', { src: url, alt: file.altText })),
      )
    : h(
        'a',
        { class: 'file', href: url, target: '_blank' },
        h('span', {}, h('b', {}, file.title), h('small', {}, `${file.mimetype} · ${file.size.toLocaleString()} bytes`)),
      );
};

const press = (message, blockId) => async (element, value) => {
  const at = { user: state.me, channel: message.channel, ts: message.ts };
  const outcome =
    message.onlyFor === null
      ? await ask('pressRaw', { ...at, action: actionOf(element, blockId, value) })
      : await ask('press', {
          ...at,
          button: message.buttons.some((one) => one.value === value && value !== '') ? value : element.action_id,
        });
  if (!outcome.acked) note('The app did not answer in three seconds.');
};

const edit = async (message) => {
  const text = prompt('Edit the message', message.text);
  if (text !== null) await ask('edit', { channel: message.channel, ts: message.ts, text });
};

const tools = (message, inThread) =>
  h(
    'div',
    { class: 'tools' },
    message.onlyFor === null && !inThread
      ? h('button', { title: 'Reply in thread', onclick: () => openThread(message.ts) }, 'Reply')
      : null,
    ...(message.onlyFor === null
      ? state.shortcuts
          .filter((one) => one.type === 'message')
          .map((one) =>
            h(
              'button',
              {
                title: one.name,
                onclick: () => ask('shortcut', { user: state.me, callbackId: one.callbackId, channel: message.channel, ts: message.ts }),
              },
              one.name,
            ),
          )
      : []),
    message.user === state.me ? h('button', { title: 'Edit', onclick: () => edit(message) }, 'Edit') : null,
    message.user === state.me
      ? h('button', { title: 'Delete', onclick: () => ask('delete', { channel: message.channel, ts: message.ts }) }, 'Delete')
      : null,
  );

/** `replies`: how many there are under a root; null inside the thread itself. */
export const messageView = ({ message, replies }) => {
  const streaming = message.stream === 'streaming';
  const body =
    message.blocks.length > 0
      ? message.blocks.map((one, n) => block(one, press(message, one.block_id ?? `b${n}`)))
      : [
          streaming && message.fallback === ''
            ? h('div', { class: 'text dim' }, '…')
            : message.stream === null
              ? mrkdwn(message.fallback)
              : markdown(message.fallback),
        ];
  return h(
    'article',
    { class: `message${message.onlyFor === null ? '' : ' only'}${streaming ? ' streaming' : ''}` },
    avatar(message.user, message.name, message.fromBot),
    h(
      'div',
      { class: 'body' },
      h(
        'div',
        { class: 'by' },
        h('b', {}, message.name),
        message.fromBot ? h('span', { class: 'badge' }, 'APP') : null,
        h('time', { title: message.ts }, time(message.ts)),
        message.onlyFor === null ? null : h('span', { class: 'dim' }, 'Only visible to you'),
      ),
      ...body,
      message.edited ? h('span', { class: 'dim' }, '(edited)') : null,
      ...message.files.map(fileView),
      ...message.attachments.map((one) =>
        h(
          'div',
          { class: 'attachment' },
          h('a', { href: one.title_link ?? '#', target: '_blank' }, one.title ?? one.fallback ?? 'attachment'),
        ),
      ),
      Object.keys(message.reactions).length > 0
        ? h(
            'div',
            { class: 'reactions' },
            ...Object.entries(message.reactions).map(([name, users]) => h('span', {}, mrkdwn(`:${name}:`), ` ${users.length}`)),
          )
        : null,
      replies > 0
        ? h('button', { class: 'replies', onclick: () => openThread(message.ts) }, `${replies} ${replies === 1 ? 'reply' : 'replies'}`)
        : null,
    ),
    tools(message, replies === null),
  );
};
