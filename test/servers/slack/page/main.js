/** The page: who one is, where one is, and what stands there; looks again after each change. */
import { createComposer } from './composer.js';
import { ask, h, keep } from '../../support/page/dom.js';
import { avatar, messageView } from './message.js';
import { homeView, showModal } from './modal.js';
import { state } from './state.js';

const $ = (selector) => document.querySelector(selector);
let threadComposer = null;
let mainComposer = null;

const openThread = (ts) => {
  state.thread = ts;
  threadComposer = null;
  void show();
};

const go = (change) => {
  Object.assign(state, { view: 'channel', thread: null }, change);
  threadComposer = null;
  location.hash = `${state.me}/${state.view === 'home' ? 'home' : state.channel}`;
  if (state.view === 'home') void ask('openHome', { user: state.me });
  mainComposer = null;
  void show();
};

const title = () => {
  const channel = state.channels.find((one) => one.id === state.channel);
  return channel === undefined ? '' : channel.kind === 'im' ? channel.name : `#${channel.name}`;
};

const side = () => {
  const entry = (text, active, onclick) => h('button', { class: active ? 'active' : '', onclick }, text);
  const channels = state.channels.filter((one) => one.kind !== 'im');
  const direct = state.channels.filter((one) => one.kind === 'im');
  $('#side').replaceChildren(
    h('h1', {}, state.workspace, h('small', {}, 'a stand-in, on this machine only')),
    h(
      'label',
      {},
      'You are ',
      h(
        'select',
        { onchange: (event) => go({ me: event.target.value }) },
        ...state.people.filter((one) => !one.bot).map((one) => h('option', { value: one.id, selected: one.id === state.me }, one.realName)),
      ),
    ),
    h('h2', {}, 'Channels'),
    ...channels.map((one) =>
      entry(
        `${one.kind === 'channel' ? '#' : '◆'} ${one.name}${one.connected ? ' ⇄' : ''}`,
        state.view === 'channel' && one.id === state.channel,
        () => go({ channel: one.id }),
      ),
    ),
    h('h2', {}, 'Apps'),
    ...direct.map((one) => entry(one.name, state.view === 'channel' && one.id === state.channel, () => go({ channel: one.id }))),
    entry('Home of the app', state.view === 'home', () => go({ view: 'home' })),
    ...state.shortcuts
      .filter((one) => one.type === 'global')
      .map((one) => entry(one.name, false, () => ask('shortcut', { user: state.me, callbackId: one.callbackId }))),
  );
};

/** Fills a list and stays at its end where one was there. */
const fill = (list, items) => {
  const atEnd = list.scrollHeight - list.scrollTop - list.clientHeight < 80 || list.childElementCount === 0;
  keep(
    list,
    items.map(({ message, replies }) => ({ key: message.ts, value: { message, replies } })),
    messageView,
  );
  const toEnd = () => (list.scrollTop = list.scrollHeight);
  if (!atEnd) return;
  toEnd();
  for (const picture of list.querySelectorAll('img')) if (!picture.complete) picture.addEventListener('load', toEnd, { once: true });
};

const working = (session, thread) => {
  if (session === null || (session.status !== 'processing' && session.legacyStatus === '')) return null;
  return h(
    'p',
    { class: 'working' },
    session.legacyStatus === '' ? 'The app is working…' : `The app ${session.legacyStatus}`,
    h('button', { onclick: () => ask('stopSession', { user: state.me, channel: state.channel, thread }) }, 'Stop'),
  );
};

const showThread = async (messages) => {
  const pane = $('#thread');
  pane.hidden = state.thread === null;
  if (state.thread === null) return;
  if (threadComposer === null) {
    threadComposer = createComposer('Reply…', () => state.thread);
    pane.replaceChildren(
      h(
        'header',
        {},
        h('b', {}, 'Thread'),
        h('span', { class: 'dim' }),
        h('button', { title: 'Close', onclick: () => openThread(null) }, '×'),
      ),
      h('section', {}),
      h('div', { class: 'state' }),
      threadComposer,
    );
  }
  const session = await ask('session', { channel: state.channel, thread: state.thread });
  pane.querySelector('header .dim').textContent = session?.title ?? '';
  fill(
    pane.querySelector('section'),
    messages.filter((one) => one.ts === state.thread || one.thread === state.thread).map((message) => ({ message, replies: null })),
  );
  pane.querySelector('.state').replaceChildren(...[working(session, state.thread)].filter((one) => one !== null));
};

const show = async () => {
  const overview = await ask('overview', { user: state.me });
  Object.assign(state, overview);
  if (!state.channels.some((one) => one.id === state.channel)) state.channel = state.channels[0]?.id ?? '';
  side();
  showModal(await ask('modal', { user: state.me }));
  if (state.view === 'home') {
    $('#head').replaceChildren(h('b', {}, 'Home'));
    $('#composer').replaceChildren();
    $('#messages').replaceChildren(homeView(await ask('home', { user: state.me })));
    $('#thread').hidden = true;
    return;
  }
  const channel = state.channels.find((one) => one.id === state.channel);
  $('#head').replaceChildren(
    h('b', {}, title()),
    h('span', { class: 'dim' }, channel?.hasBot ? `${channel.members} members` : 'the app is not in this channel'),
    ...(channel?.hasBot === false
      ? [h('button', { onclick: () => ask('invite', { channel: state.channel, user: state.bot }) }, 'Invite the app')]
      : []),
    avatar(state.me, state.people.find((one) => one.id === state.me)?.name ?? '', false),
  );
  if (mainComposer === null) {
    mainComposer = createComposer(`Message ${title()}`, () => null);
    $('#composer').replaceChildren(mainComposer);
  }
  const own = await ask('ephemerals', { channel: state.channel, user: state.me });
  const messages = [...(await ask('messages', { channel: state.channel })), ...own].toSorted((a, b) => (a.ts < b.ts ? -1 : 1));
  fill(
    $('#messages'),
    messages
      .filter((one) => one.thread === null || one.broadcast)
      .map((message) => ({ message, replies: messages.filter((one) => one.thread === message.ts && one.onlyFor === null).length })),
  );
  await showThread(messages);
};

const follow = async () => {
  let revision = -1;
  for (;;) {
    try {
      const now = await ask('change', { revision, ms: 20_000 });
      if (now.revision !== revision) await show();
      revision = now.revision;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
  }
};

document.addEventListener('open-thread', (event) => openThread(event.detail));

const [me, where] = location.hash.slice(1).split('/');
go({ ...(me ? { me } : {}), ...(where === 'home' ? { view: 'home' } : where ? { channel: where } : {}) });
void follow();
