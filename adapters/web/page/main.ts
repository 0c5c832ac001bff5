/** The page's start: which thread is shown, what is sent, and what is painted when. */
import { CallFailed, call, newId, toForm, upload, whenLoginNeeded, wordsOf } from './api.ts';
import type { Card } from './commands.ts';
import { fillMenu, forkedIn } from './commands.ts';
import { createComposer } from './composer.ts';
import { createLightbox, createLogin } from './dialogs.ts';
import { byId, icon } from './dom.ts';
import { createLog } from './log.ts';
import type { ThreadState } from './state.ts';
import { addLocal, applyEvent, applyThread, changeLocal, dropLocal, dropMessage, emptyThread, isBusy } from './state.ts';
import { follow } from './stream.ts';
import { createThreads, threadInUrl } from './threads.ts';
import { fillWelcome } from './welcome.ts';
import type { WireAccepted, WireAnswer, WireEvent, WireEvents, WireInfo, WireReply, WireThread, WireThreads } from './wire.ts';

const nameField = byId('name', HTMLInputElement);
const lost = byId('lost', HTMLParagraphElement);
const announcer = byId('announce', HTMLParagraphElement);
const openMenu = byId('open-menu', HTMLButtonElement);

let state: ThreadState = emptyThread(null);
let cards: readonly Card[] = [];
let info: WireInfo | null = null;
let unfollow = (): void => {};
/** Files of messages that may have to be sent again. */
const sending = new Map<string, readonly File[]>();
const sent = new Set<string>(); // ids of what was written on this page

const author = (): string => nameField.value.trim() || 'You';

const login = createLogin(() => void begin());
whenLoginNeeded(login);
const threads = createThreads((id) => go(id));
const composer = createComposer({
  send: (text, files) => void send(text, files),
  stop: () => void runCommand('stop', '', false),
  last: () => state.messages.findLast((message) => message.role === 'person' && message.author === author())?.text ?? null,
});
const log = createLog({
  enlarge: createLightbox(),
  undo: (n) => void runCommand('undo', String(n)),
  run: (code) => void send(`>>>\n${code}`, []),
  retry: () => void runCommand('retry', '', false),
  resend: (id) => void resend(id),
  discard: (id) => set(dropLocal(state, id)),
  decide: (verdict, approval) => void runCommand(verdict, approval),
  dismiss: (id) => {
    cards = cards.filter((card) => card.id !== id);
    paint();
  },
});

const paint = (): void => {
  log.paint({ state, cards, practice: info?.model.practice ?? false, botName: info?.name ?? 'Hektor' });
  composer.setBusy(state.busy);
  openMenu.hidden = state.id === null;
};
const set = (next: ThreadState): void => {
  state = next;
  paint();
};

// --- reading -----------------------------------------------------------------------------------------------------------------------

const refreshList = async (): Promise<void> => {
  const { threads: list } = await call<WireThreads>('GET', '/api/threads');
  threads.show(list, state.id);
  const title = list.find((one) => one.id === state.id)?.title || 'New thread';
  byId('title', HTMLHeadingElement).textContent = title;
  document.title = state.id === null ? 'Hektor' : `${title} · Hektor`;
};

let reading: ReturnType<typeof setTimeout> | undefined;
/** Reads the thread again soon; many wishes make one reading. */
const readSoon = (ms = 60): void => {
  clearTimeout(reading);
  reading = setTimeout(() => void readThread(), ms);
};
const readThread = async (): Promise<void> => {
  const { id, live } = state;
  if (id === null) return;
  try {
    const thread = await call<WireThread>('GET', `/api/threads/${id}`);
    if (state.id !== id) return;
    // A turn that began while this was on its way is not in it: what is shown of the turn stays.
    if (!thread.busy && state.live !== null && state.live.turn !== live?.turn) return readSoon();
    set(applyThread(state, thread));
    // A turn that ends between its last event and this reading has no event left to tell of it.
    if (thread.busy) readSoon(4_000);
    await refreshList();
  } catch (cause) {
    if (state.id !== id) return;
    if (cause instanceof CallFailed && cause.code === 'thread-unknown') return go(null, cause.message);
    if (cause instanceof CallFailed && cause.passing) readSoon(3_000);
  }
};

const hear = (event: WireEvent): void => {
  set(applyEvent(state, event));
  if (event.name === 'ready') {
    setReady();
    readSoon(0);
  } else if (event.name === 'status' && event.data.state === 'idle') readSoon();
  else if (event.name === 'message') {
    readSoon();
    if (event.data.kind === 'answer' || event.data.kind === 'notice') announce(`Hektor: ${event.data.text}`);
    if (event.data.kind === 'run') announce(event.data.run?.error ?? event.data.run?.value ?? 'The code has run.');
  } else if (event.name === 'command' && !asked.has(event.data.request ?? '')) hearCommand(event.data);
};
/** The answer to a command that was written as a message, here or elsewhere. Such a message does not stand in the thread: the answer takes its place. */
const hearCommand = (answer: WireEvents['command']): void => {
  const id = answer.request ?? '';
  const written = [...state.local.map((mine) => mine.message), ...state.messages].find((message) => message.id === id)?.text;
  set(dropMessage(state, id));
  const forked = forkedIn(answer.text);
  if (sent.has(id) && /^\s*!fork\b/i.test(written ?? '') && forked !== null) return go(forked);
  const isForMe = answer.privateTo === null || answer.privateTo === author();
  if (answer.text !== '' && isForMe) addCard(written ?? 'command', { ...answer, done: true, run: null });
  readSoon();
};
const announce = (text: string): void => {
  announcer.textContent = text.slice(0, 600);
};

// --- going from thread to thread ---------------------------------------------------------------------------------------------------

const show = (id: string | null): void => {
  unfollow();
  clearTimeout(reading);
  cards = [];
  sending.clear();
  lost.hidden = true;
  set(emptyThread(id));
  log.toEnd();
  composer.setThread(id);
  unfollow = id === null ? () => {} : follow(id, { event: hear, connected: (yes) => showLost(!yes) });
  // The stream tells when to read, except of a thread that is not there.
  if (id === null) void refreshList().catch(() => {});
  else readSoon(0);
  composer.focus();
};
const go = (id: string | null, problem = ''): void => {
  history.pushState(null, '', id === null ? '/' : `/t/${id}`);
  show(id);
  if (problem !== '') composer.restore('', [], problem);
};

let losing: ReturnType<typeof setTimeout> | undefined;
/** A cut that heals at once is not worth a word. */
const showLost = (isLost: boolean): void => {
  clearTimeout(losing);
  if (!isLost) lost.hidden = true;
  else if (lost.hidden) {
    losing = setTimeout(() => {
      lost.hidden = false;
    }, 1_000);
  }
};

window.addEventListener('popstate', () => show(threadInUrl()));

// --- sending -----------------------------------------------------------------------------------------------------------------------

let setReady = (): void => {};
/** Makes a thread and shows it. It is listened to before anything is said in it: what a command answers is told once and not kept. */
const openThread = async (): Promise<string> => {
  const { id } = await call<{ id: string }>('POST', '/api/threads', { author: author() });
  if (state.id !== null) return id; // the person has gone elsewhere meanwhile
  history.pushState(null, '', `/t/${id}`);
  const { local } = state;
  show(id);
  set({ ...state, local, busy: local.length > 0 });
  await new Promise<void>((resolve) => {
    setReady = resolve;
    setTimeout(resolve, 3_000); // better heard late than never said
  });
  return id;
};
let opening: Promise<string> | null = null;
/** The thread that is shown; made where there is none yet, once for all that is said before it is there. */
const homeThread = (): Promise<string> => {
  if (opening !== null) return opening;
  if (state.id !== null) return Promise.resolve(state.id);
  opening = openThread().finally(() => {
    opening = null;
  });
  return opening;
};

const send = async (text: string, files: readonly File[]): Promise<void> => {
  const id = newId();
  sending.set(id, files);
  sent.add(id);
  const shown = files.map((file) => ({ name: file.name, type: file.type, size: file.size, url: '', picture: false, alt: '' }));
  set(addLocal(state, { id, author: author(), text, files: shown }));
  log.toEnd();
  await deliverInTurn(id, text, files);
};

let queue: Promise<unknown> = Promise.resolve();
/** Messages arrive in the order in which they were written, each in the thread in which it was written. */
const deliverInTurn = (key: string, text: string, files: readonly File[]): Promise<void> => {
  const thread = homeThread();
  thread.catch(() => {}); // told where it is awaited
  const done = queue.then(() => deliver(thread, key, text, files));
  queue = done;
  return done;
};

const deliver = async (home: Promise<string>, key: string, text: string, files: readonly File[]): Promise<void> => {
  const isShown = (): boolean => state.local.some((mine) => mine.message.id === key);
  const settle = (next: ThreadState): void => set({ ...next, busy: isBusy(next) });
  try {
    const path = `/api/threads/${await home}/messages`;
    if (isShown()) sending.set(key, files);
    const accepted =
      files.length === 0
        ? await call<WireAccepted>('POST', path, { text, author: author(), key })
        : await upload<WireAccepted>(path, toForm({ key, text, author: author() }, files), (uploaded) =>
            set(changeLocal(state, key, { uploaded })),
          );
    sending.delete(key);
    if (accepted.answer !== undefined && isShown()) {
      settle(dropLocal(state, key));
      addCard(text, { ...accepted.answer, done: true, run: null } satisfies WireAnswer & WireReply);
    }
    readSoon(150);
  } catch (cause) {
    if (!isShown()) return;
    const words = wordsOf(cause);
    if (cause instanceof CallFailed && !cause.passing) {
      // It would be refused again as it is: back to where it can be changed.
      settle(dropLocal(state, key));
      composer.restore(text, files, words);
      sending.delete(key);
    } else settle(changeLocal(state, key, { problem: words, uploaded: null }));
  }
};
const resend = async (id: string): Promise<void> => {
  const mine = state.local.find((one) => one.message.id === id);
  if (mine === undefined) return;
  set({ ...changeLocal(state, id, { problem: null }), busy: true });
  // The key is the same: if the first one did arrive after all, it is still one message.
  await deliverInTurn(id, mine.message.text, sending.get(id) ?? []);
};

// --- commands ----------------------------------------------------------------------------------------------------------------------

/** Commands this page waits for itself; their answers come as events, too. */
const asked = new Set<string>();

const runCommand = async (name: string, args: string, card = true): Promise<void> => {
  const { id } = state;
  if (id === null) return;
  const key = newId();
  asked.add(key);
  try {
    const reply = await call<WireReply>('POST', `/api/threads/${id}/commands/${name}`, { args, author: author(), key });
    if (state.id !== id) return;
    const forked = name === 'fork' ? forkedIn(reply.text) : null;
    if (forked !== null) go(forked);
    else if (name === 'forget' && reply.done) go(null);
    else if (card && reply.text !== '') addCard([name, args].join(' ').trim(), reply);
    readSoon();
  } catch (cause) {
    if (state.id === id) addCard([name, args].join(' ').trim(), { problem: wordsOf(cause) });
  }
};
const addCard = (title: string, reply: Card['reply']): void => {
  cards = [...cards, { id: newId(), title, after: state.messages.at(-1)?.id ?? null, reply }];
  paint();
  log.toEnd();
  announce('problem' in reply ? reply.problem : reply.text);
};

// --- start -------------------------------------------------------------------------------------------------------------------------

const begin = async (): Promise<void> => {
  try {
    info = await call<WireInfo>('GET', '/api/info');
  } catch (cause) {
    if (cause instanceof CallFailed && cause.status === 401) return;
    showLost(true);
    setTimeout(() => void begin(), 2_000);
    return;
  }
  composer.setLimits(info.limits);
  byId('model', HTMLSpanElement).textContent = info.model.name;
  byId('practice', HTMLParagraphElement).hidden = !info.model.practice;
  fillMenu(byId('menu', HTMLDivElement), info.commands, (name, args) => void runCommand(name, args));
  fillWelcome(byId('welcome', HTMLElement), info, composer.insert);
  show(threadInUrl());
};

nameField.value = localStorage.getItem('hektor.author') ?? '';
nameField.addEventListener('input', () => localStorage.setItem('hektor.author', nameField.value));
byId('name-form', HTMLFormElement).addEventListener('submit', (event) => {
  event.preventDefault();
  threads.close();
  composer.focus();
});
openMenu.append(icon('more'));
void begin();
