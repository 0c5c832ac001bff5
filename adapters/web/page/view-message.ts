/** Messages as elements: finished ones, those on their way, and the turn under way. */
import { h, icon } from './dom.ts';
import { renderMarkdown, highlighted } from './markdown.ts';
import type { Live, Local } from './state.ts';
import { codeOf } from './state.ts';
import type { RunActions } from './view-run.ts';
import { viewFile, viewRun } from './view-run.ts';
import type { WireMessage } from './wire.ts';

export type MessageActions = RunActions & {
  readonly run: (code: string) => void;
  readonly retry: () => void;
  readonly resend: (id: string) => void;
  readonly discard: (id: string) => void;
  readonly decide: (verdict: 'approve' | 'deny', approval: string) => void;
};

/** `last`: it may be asked again. `practice`: the practice model's answers say so. */
export type MessagePlace = { readonly last: boolean; readonly practice: boolean; readonly local: Local | null };

export const viewMessage = (message: WireMessage, place: MessagePlace, actions: MessageActions): HTMLElement => {
  const shown = new Set(message.runs.flatMap((run) => run.files.map((file) => file.url)));
  const files = message.files.filter((file) => !shown.has(file.url));
  const code = message.role === 'person' ? codeOf(message.text) : null;
  return h(
    'article',
    {
      class: `message ${message.role}${code === null ? '' : ' is-code'}${message.pending ? ' pending' : ''}`,
      'aria-label': `${message.author} said`,
    },
    head(message, place.practice),
    h(
      'div',
      { class: 'message-body' },
      ...message.runs.map((run) => viewRun(run, actions)),
      code === null ? words(message, actions) : message.runs.length === 0 && waitingCode(code),
      files.length > 0 && h('div', { class: 'files' }, ...files.map((file) => viewFile(file, actions.enlarge))),
      place.local !== null && onItsWay(place.local, actions),
      outcome(message, place.last, actions),
      question(message, actions),
    ),
  );
};

const head = (message: WireMessage, practice: boolean): HTMLElement =>
  h(
    'header',
    { class: 'message-head' },
    h('span', { class: 'message-author' }, message.author),
    message.role === 'bot' && practice && h('span', { class: 'chip' }, 'practice model'),
    message.at > 0 && h('time', { datetime: new Date(message.at).toISOString() }, clock(message.at)),
  );
const clock = (at: number): string => new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });

const words = (message: WireMessage, actions: MessageActions): HTMLElement | null => {
  // What went wrong stands at the end of the text and is shown apart, beside Retry.
  const told = message.failure?.words ?? '';
  const shown = told !== '' && message.text.trimEnd().endsWith(told) ? message.text.trimEnd().slice(0, -told.length) : message.text;
  if (shown.trim() === '') return null;
  const text = h('div', { class: 'text' });
  text.append(renderMarkdown(shown, { run: actions.run }));
  return text;
};

const waitingCode = (code: string): HTMLElement => h('section', { class: 'run', 'aria-label': 'Code' }, codeBlock(code));
const codeBlock = (code: string): HTMLElement => {
  const block = highlighted(code, 'python');
  block.classList.add('run-code');
  return block;
};

const onItsWay = ({ problem, uploaded, message }: Local, actions: MessageActions): HTMLElement | null => {
  if (problem !== null) {
    return h(
      'p',
      { class: 'outcome failed', role: 'alert' },
      h('span', {}, `Not sent. ${problem}`),
      h('button', { type: 'button', class: 'small', onclick: () => actions.resend(message.id) }, 'Send again'),
      h('button', { type: 'button', class: 'small', onclick: () => actions.discard(message.id) }, 'Discard'),
    );
  }
  if (uploaded === null || uploaded >= 1) return null;
  return h(
    'p',
    { class: 'uploading' },
    h('progress', { max: 1, value: uploaded, 'aria-label': 'Upload' }),
    ` ${Math.round(uploaded * 100)} %`,
  );
};

const outcome = (message: WireMessage, last: boolean, actions: MessageActions): HTMLElement | null => {
  if (message.status === 'complete') return null;
  const told =
    message.failure?.words ?? (message.status === 'cut' ? 'This answer was cut short.' : message.status === 'stopped' ? 'Stopped.' : '');
  return h(
    'p',
    { class: `outcome ${message.status}` },
    told !== '' && h('span', {}, told),
    last && h('button', { type: 'button', class: 'small', onclick: actions.retry }, 'Retry'),
  );
};

/** The buttons of a message that asks for a yes; a word in their place once nobody can press them any more. */
const question = ({ approval }: WireMessage, { decide }: MessageActions): HTMLElement | null => {
  if (approval === null || approval.state !== 'waiting') return null;
  if (approval.until !== 0 && approval.until <= Date.now())
    return h('p', { class: 'outcome' }, 'Nobody decided in time: the call was not made.');
  const button = (verdict: 'approve' | 'deny', label: string): HTMLElement =>
    h('button', { type: 'button', class: 'small', onclick: () => decide(verdict, approval.id) }, label);
  return h('p', { class: 'outcome', role: 'group', 'aria-label': 'Decide' }, button('approve', 'Approve'), button('deny', 'Deny'));
};

/** The turn under way, updated in place so that it streams calmly. */
export const createLiveView = (
  actions: MessageActions,
  practice: () => boolean,
): { readonly node: HTMLElement; readonly update: (live: Live | null, busy: boolean, ownCode: boolean) => void } => {
  const chip = h('span', { class: 'chip', hidden: true }, 'practice model');
  const runs = h('div', { class: 'live-runs' });
  const progress = h('ul', { class: 'progress' });
  const output = h('pre', { class: 'run-output live-output', hidden: true });
  const text = h('div', { class: 'text' });
  const status = h(
    'p',
    { class: 'working' },
    h('span', { class: 'dots', 'aria-hidden': 'true' }, h('i'), h('i'), h('i')),
    h('span', { class: 'working-words' }),
  );
  const head = h('header', { class: 'message-head' }, h('span', { class: 'message-author' }, 'Hektor'), chip);
  const node = h(
    'article',
    { class: 'message bot live', hidden: true, 'aria-label': 'Hektor is working', 'aria-busy': 'true' },
    head,
    h('div', { class: 'message-body' }, runs, progress, output, text, status),
  );
  const statusWords = status.querySelector('.working-words');
  let before: Live | null = null;

  const update = (live: Live | null, busy: boolean, ownCode: boolean): void => {
    node.hidden = live === null && !busy;
    chip.hidden = !practice();
    // A person's own code runs without the model.
    head.hidden = ownCode && (live === null || live.message === '');
    if (live?.runs !== before?.runs) runs.replaceChildren(...(live?.runs ?? []).map((run) => viewRun(run, { ...actions, undo: null })));
    if (live?.progress !== before?.progress) progress.replaceChildren(...(live?.progress ?? []).map(viewProgress));
    if (live?.text !== before?.text) text.replaceChildren(renderMarkdown(live?.text ?? '', null));
    output.hidden = (live?.output ?? '') === '';
    if (output.textContent !== (live?.output ?? '')) {
      output.textContent = live?.output ?? '';
      output.scrollTop = output.scrollHeight;
    }
    if (statusWords !== null) statusWords.textContent = live === null || live.status === '' ? 'Waiting' : live.status;
    // Whatever moves already says that something is under way.
    status.hidden = live !== null && (live.text !== '' || live.progress.some((line) => line.state === 'running'));
    before = live;
  };
  return { node, update };
};

const viewProgress = (line: Live['progress'][number]): HTMLElement =>
  h(
    'li',
    { class: `progress-${line.state}` },
    line.state === 'running' ? h('span', { class: 'spinner', 'aria-hidden': 'true' }) : icon(line.state === 'done' ? 'check' : 'cross'),
    h('span', {}, line.text),
    line.state === 'failed' && h('span', { class: 'hidden' }, ' (failed)'),
  );
