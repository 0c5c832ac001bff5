/** Where one writes: text, `/` commands, `@` mentions, files by drop, paste or choice. */
import { ask, h, note } from '../../support/page/dom.js';
import { state } from './state.js';

const encode = async (file) => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCodePoint(byte);
  return { name: file.name || 'pasted.png', base64: btoa(text) };
};

/** `thread()` gives the root's ts where this composer writes into a thread, else null. */
export const createComposer = (label, thread) => {
  let files = [];
  const chips = h('div', { class: 'chips' });
  const hints = h('ul', { class: 'hints', hidden: true });
  const showFiles = () =>
    chips.replaceChildren(
      ...files.map((file) =>
        h(
          'button',
          { type: 'button', title: 'Take it away', onclick: () => ((files = files.filter((one) => one !== file)), showFiles()) },
          `${file.name} ×`,
        ),
      ),
    );
  const add = (list) => {
    files = [...files, ...list];
    showFiles();
  };

  const send = async () => {
    const text = input.value.trim();
    if (text === '' && files.length === 0) return;
    const command = /^(\/[\w-]+)\s*([\s\S]*)$/.exec(text);
    if (command !== null) {
      if (thread() !== null) return note(`${command[1]} is not supported in threads. Sorry!`);
      if (!state.commands.some((one) => one.command === command[1])) return note(`${command[1]} is not a valid command.`);
    }
    const sent = files;
    input.value = '';
    files = [];
    showFiles();
    grow();
    if (command !== null) {
      await ask('command', { user: state.me, channel: state.channel, command: command[1], text: command[2] });
      return undefined;
    }
    const root = thread();
    await ask('say', {
      user: state.me,
      channel: state.channel,
      text,
      files: await Promise.all(sent.map(encode)),
      ...(root === null ? {} : { thread: root }),
    });
    return undefined;
  };

  const grow = () => {
    input.style.height = 'auto';
    input.style.height = `${Math.min(input.scrollHeight, 220)}px`;
  };
  const pick = (word, replacement) => {
    input.value = `${input.value.slice(0, input.value.length - word.length)}${replacement} `;
    hints.hidden = true;
    input.focus();
  };
  const suggest = () => {
    const word = /(?:^\/|(?:^|\s)@)[\w-]*$/.exec(input.value)?.[0].trim() ?? '';
    const found = word.startsWith('/')
      ? state.commands.filter((one) => one.command.startsWith(word)).map((one) => [one.command, one.description])
      : word.startsWith('@')
        ? state.people.filter((one) => one.name.startsWith(word.slice(1))).map((one) => [`@${one.name}`, one.realName])
        : [];
    hints.hidden = found.length === 0;
    hints.replaceChildren(...found.map(([text, about]) => h('li', { onclick: () => pick(word, text) }, h('b', {}, text), ' ', about)));
    return found.length > 0 ? [word, found[0][0]] : null;
  };

  const input = h('textarea', {
    rows: 1,
    'aria-label': label,
    placeholder: label,
    oninput: () => {
      grow();
      suggest();
    },
    onpaste: (event) => add([...event.clipboardData.files]),
    onkeydown: (event) => {
      const hint = hints.hidden ? null : suggest();
      if (event.key === 'Tab' && hint !== null) {
        event.preventDefault();
        pick(...hint);
      } else if (event.key === 'Escape') hints.hidden = true;
      else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        hints.hidden = true;
        void send();
      }
    },
  });
  const choose = h('input', { type: 'file', multiple: true, hidden: true, onchange: () => (add([...choose.files]), (choose.value = '')) });
  return h(
    'form',
    {
      class: 'composer',
      onsubmit: (event) => (event.preventDefault(), void send()),
      ondragover: (event) => event.preventDefault(),
      ondrop: (event) => (event.preventDefault(), add([...event.dataTransfer.files])),
    },
    hints,
    chips,
    input,
    h(
      'div',
      { class: 'bar' },
      h('button', { type: 'button', title: 'Add files', onclick: () => choose.click() }, '+'),
      choose,
      h('span', { class: 'dim' }, 'Enter sends, Shift+Enter breaks the line'),
      h('button', { class: 'primary', title: 'Send' }, '➤'),
    ),
  );
};
