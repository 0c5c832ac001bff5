/** The page: who one is, where one is, and what stands there; looks again after each change. */
import { createComposer } from './composer.js';
import { ask, h, keep, note } from '../../support/page/dom.js';
import { avatar, messageView } from './message.js';
import { nameOf, placeOf, state } from './state.js';

const $ = (selector) => document.querySelector(selector);
let composer = null;

const go = (change) => {
  const before = state.channel;
  Object.assign(state, change);
  if (state.channel !== before) {
    state.replyTo = null;
    composer = null;
    $('#messages').replaceChildren();
  }
  location.hash = `${state.me}/${state.channel}`;
  void show();
};

const SIGNS = { 0: '#', 5: '📢', 15: '☰', 16: '☰', 10: '↳', 11: '↳', 12: '🔒' };

const servers = () => {
  const entry = (text, label, active, onclick) =>
    h('button', { class: active ? 'active' : '', title: label, 'aria-label': label, onclick }, text);
  const here = placeOf(state.channel)?.guild?.id ?? null;
  $('#servers').replaceChildren(
    entry('✉', 'Direct messages', here === null, async () =>
      go({ channel: state.direct[0]?.id ?? (await ask('directChannel', { user: state.me })) }),
    ),
    ...state.guilds.map((one) => entry(one.name.slice(0, 2), one.name, one.id === here, () => go({ channel: one.channels[0]?.id ?? '' }))),
  );
};

const side = () => {
  const place = placeOf(state.channel);
  const guild = place?.guild ?? null;
  const entry = (one, kind) =>
    h(
      'button',
      { class: `${kind}${one.id === state.channel ? ' active' : ''}`, onclick: () => go({ channel: one.id }) },
      `${SIGNS[one.type] ?? '@'} ${one.label ?? one.name}`,
    );
  const channels =
    guild === null
      ? state.direct.map((one) => entry({ ...one, label: one.name || one.recipients.map(nameOf).join(', ') }, 'channel'))
      : guild.channels.flatMap((one) => [
          entry(one, 'channel'),
          ...one.threads.filter((thread) => !thread.archived || thread.id === state.channel).map((thread) => entry(thread, 'branch')),
        ]);
  $('#side').replaceChildren(
    h('h1', {}, guild?.name ?? 'Direct messages', h('small', {}, 'a stand-in, on this machine only')),
    h('div', { class: 'list' }, ...channels),
    h(
      'label',
      {},
      avatar(state.me, nameOf(state.me), false),
      h(
        'select',
        { 'aria-label': 'You are', onchange: (event) => go({ me: event.target.value }) },
        ...state.people.filter((one) => !one.bot).map((one) => h('option', { value: one.id, selected: one.id === state.me }, one.name)),
      ),
    ),
  );
};

const people = () => {
  const guild = placeOf(state.channel)?.guild ?? null;
  const list = $('#people');
  list.hidden = guild === null;
  const row = (id) =>
    h(
      'div',
      { class: 'person' },
      avatar(id, nameOf(id), id === state.bot),
      nameOf(id),
      state.people.find((one) => one.id === id)?.bot ? h('span', { class: 'badge' }, 'APP') : null,
    );
  list.replaceChildren(h('h2', {}, `Members — ${guild?.members.length ?? 0}`), ...(guild?.members ?? []).map(row));
};

const head = () => {
  const place = placeOf(state.channel);
  const title = place === null ? '' : place.guild === null ? place.name || place.recipients.map(nameOf).join(', ') : place.name;
  const parts = [
    h('b', {}, `${SIGNS[place?.type] ?? '@'} ${title}`),
    place?.thread ? h('button', { onclick: () => go({ channel: place.parent.id }) }, `in #${place.parent.name}`) : null,
    place?.topic ? h('span', { class: 'dim' }, place.topic) : null,
    place?.thread?.archived ? h('span', { class: 'dim' }, 'archived') : null,
  ];
  $('#head').replaceChildren(...parts.filter((one) => one !== null));
  return title;
};

/** A forum shows its posts instead of messages. */
const posts = (place) =>
  place.threads.toReversed().map((one) => ({
    key: one.id,
    value: { post: one, tags: place.tags.filter((tag) => one.tags.includes(tag.id)).map((tag) => tag.name) },
  }));

const postView = ({ post, tags }) =>
  h(
    'button',
    { class: 'post', onclick: () => go({ channel: post.id }) },
    h('b', {}, post.name),
    ...tags.map((tag) => h('span', { class: 'badge' }, tag)),
    h('small', {}, `${nameOf(post.owner)} · ${post.messages} messages`),
  );

/** Fills the list and stays at its end where one was there. */
const fill = (list, items, view) => {
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80 || list.childElementCount === 0;
  keep(list, items, view);
  const toEnd = () => (list.scrollTop = list.scrollHeight);
  if (!atEnd) return;
  toEnd();
  for (const picture of list.querySelectorAll('img')) if (!picture.complete) picture.addEventListener('load', toEnd, { once: true });
};

/** Links to files are signed anew with each look, which alone is no change: the first one is kept. */
const links = new Map();
const keepLink = (file) => {
  if (!links.has(file.id)) links.set(file.id, file.url);
  return { ...file, url: links.get(file.id) };
};

const rows = (messages) => {
  const place = placeOf(state.channel);
  return messages.map((message, n) => {
    const before = messages[n - 1];
    const follows =
      before !== undefined &&
      before.author === message.author &&
      before.name === message.name &&
      message.at - before.at < 300_000 &&
      message.replyTo === null &&
      message.interaction === null &&
      ![18, 21].includes(before.type);
    const thread = (place?.threads ?? []).find((one) => one.id === message.id) ?? null;
    const shown = { ...message, files: message.files.map(keepLink) };
    return {
      key: message.id,
      value: { message: shown, follows, thread, replied: messages.find((one) => one.id === message.replyTo) ?? null },
    };
  });
};

const show = async () => {
  const [overview, commands] = await Promise.all([ask('overview', { user: state.me }), ask('commands')]);
  Object.assign(state, overview, { commands });
  if (placeOf(state.channel) === null) return go({ channel: state.guilds[0]?.channels[0]?.id ?? state.direct[0]?.id ?? '' });
  const place = placeOf(state.channel);
  servers();
  side();
  people();
  const title = head();
  if (composer === null) {
    composer = createComposer(place.type === 15 ? 'Write a post' : `Message ${place.guild === null ? '@' : '#'}${title}`);
    $('#composer').replaceChildren(composer);
  }
  composer.refresh();
  const list = $('#messages');
  if (place.type === 15 || place.type === 16) fill(list, posts(place), postView);
  else fill(list, rows(await ask('messages', { channel: state.channel, as: state.me })), messageView);
  const typing = (await ask('typing', { channel: state.channel })).filter((id) => id !== state.me).map(nameOf);
  $('#typing').textContent = typing.length === 0 ? '' : `${typing.join(', ')} ${typing.length === 1 ? 'is' : 'are'} typing…`;
  return undefined;
};

const follow = async () => {
  let revision = -1;
  for (;;) {
    try {
      const now = await ask('change', { revision, ms: 20_000 });
      if (now.revision !== revision) await show();
      revision = now.revision;
    } catch (error) {
      note(`The stand-in does not answer (${error.message}).`);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
};

document.addEventListener('go', (event) => go({ channel: event.detail }));
document.addEventListener('reply', (event) => {
  state.replyTo = event.detail;
  composer?.refresh();
});

const [me, channel] = location.hash.slice(1).split('/');
Object.assign(state, me ? { me } : {}, channel ? { channel } : {});
void follow();
