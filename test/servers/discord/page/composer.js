/** Where one writes: text, slash commands with their options, `@` mentions, files by drop, paste or choice. */
import { ask, h, note } from '../../support/page/dom.js';
import { show } from './message.js';
import { placeOf, state } from './state.js';

const encode = async (file) => {
  const bytes = new Uint8Array(await file.arrayBuffer());
  let text = '';
  for (const byte of bytes) text += String.fromCodePoint(byte);
  return { name: file.name || 'pasted.png', base64: btoa(text) };
};

/** Slash commands as one types them: the words of subcommands belong to the name. */
const flatten = (command, path) => {
  const inner = (command.options ?? []).filter((one) => one.type === 1 || one.type === 2);
  if (inner.length > 0) return inner.flatMap((one) => flatten(one, `${path} ${one.name}`));
  return [{ path, description: command.description ?? '', options: command.options ?? [] }];
};
const slashCommands = () => state.commands.filter((one) => one.type === 1).flatMap((one) => flatten(one, `/${one.name}`));

/** `name:value` pairs; text before the first of them belongs to the first option. */
const readOptions = (command, text) => {
  const names = command.options.map((one) => one.name);
  const values = {};
  const pattern = new RegExp(`(?:^|\\s)(${names.join('|') || '(?!)'}):`, 'g');
  const marks = [...text.matchAll(pattern)];
  const lead = text.slice(0, marks[0]?.index ?? text.length).trim();
  if (lead !== '' && names.length > 0) values[names[0]] = lead;
  marks.forEach((mark, n) => (values[mark[1]] = text.slice(mark.index + mark[0].length, marks[n + 1]?.index ?? text.length).trim()));
  for (const option of command.options) {
    const value = values[option.name];
    if (value === undefined) continue;
    if (option.type === 4 || option.type === 10) values[option.name] = Number(value);
    else if (option.type === 5) values[option.name] = value === 'true';
    else values[option.name] = option.choices?.find((one) => one.name === value)?.value ?? value;
  }
  return values;
};

export const createComposer = (label) => {
  let files = [];
  let asked = 0;
  const chips = h('div', { class: 'chips' });
  const hints = h('ul', { class: 'hints', hidden: true });
  const showFiles = () => {
    const reply = state.replyTo;
    chips.replaceChildren(
      ...(reply === null
        ? []
        : [h('button', { type: 'button', onclick: () => ((state.replyTo = null), showFiles()) }, `Replying to ${reply.name} ×`)]),
      ...files.map((file) =>
        h(
          'button',
          { type: 'button', title: 'Take it away', onclick: () => ((files = files.filter((one) => one !== file)), showFiles()) },
          `${file.name} ×`,
        ),
      ),
    );
  };
  const add = (list) => {
    files = [...files, ...list];
    showFiles();
  };
  const commandIn = (text) =>
    slashCommands()
      .toSorted((a, b) => b.path.length - a.path.length)
      .find((one) => text === one.path || text.startsWith(`${one.path} `));

  const send = async () => {
    const text = input.value.trim();
    if (text === '' && files.length === 0) return undefined;
    const command = commandIn(text);
    if (text.startsWith('/') && command === undefined && slashCommands().length > 0)
      return note(`There is no command ${text.split(' ')[0]}.`);
    const [sent, reply] = [files, state.replyTo];
    input.value = '';
    files = [];
    state.replyTo = null;
    showFiles();
    grow();
    hints.hidden = true;
    if (command !== undefined) {
      const options = readOptions(command, text.slice(command.path.length));
      const file = command.options.find((one) => one.type === 11);
      if (file !== undefined && sent[0] !== undefined) options[file.name] = await encode(sent[0]);
      return show(await ask('command', { user: state.me, channel: state.channel, name: command.path, options }));
    }
    const said = { user: state.me, text, files: await Promise.all(sent.map(encode)) };
    if (placeOf(state.channel)?.type === 15) {
      const { thread } = await ask('openThread', {
        user: state.me,
        channel: state.channel,
        name: text.slice(0, 60) || 'A post',
        first: said,
      });
      return document.dispatchEvent(new CustomEvent('go', { detail: thread }));
    }
    return ask('say', { ...said, channel: state.channel, ...(reply === null ? {} : { replyTo: reply.id }) });
  };

  const grow = () => {
    input.style.height = 'auto';
    input.style.height = `${Math.min(input.scrollHeight, 220)}px`;
  };
  const pick = (word, replacement) => {
    input.value = `${input.value.slice(0, input.value.length - word.length)}${replacement} `;
    input.focus();
    void suggest();
  };
  /** What fits the end of the text: commands, then their options and choices, people. */
  const hintsFor = async (text) => {
    const command = commandIn(text);
    if (text.startsWith('/') && command === undefined)
      return {
        word: text,
        found: slashCommands()
          .filter((one) => one.path.startsWith(text))
          .map((one) => [one.path, one.description]),
      };
    if (command !== undefined) {
      const open = /(?:^|\s)([\w-]+):([^:]*)$/.exec(text);
      const option = command.options.find((one) => one.name === open?.[1]);
      if (option !== undefined) {
        const typed = open[2];
        const choices = option.autocomplete
          ? ((
              await ask('autocomplete', {
                user: state.me,
                channel: state.channel,
                name: command.path,
                options: readOptions(command, text.slice(command.path.length)),
                focused: option.name,
              })
            ).choices ?? [])
          : (option.choices ?? []).filter((one) => one.name.startsWith(typed.trim()));
        return { word: typed, found: choices.map((one) => [one.name, String(one.value) === one.name ? '' : String(one.value)]) };
      }
      return {
        word: '',
        found: command.options
          .filter((one) => !text.includes(` ${one.name}:`))
          .map((one) => [`${one.name}:`, `${one.description}${one.required ? ' (required)' : ''}`]),
      };
    }
    const word = /(?:^|\s)(@[\w-]*)$/.exec(text)?.[1] ?? '';
    return {
      word,
      found:
        word === ''
          ? []
          : state.people
              .filter((one) => one.username.toLowerCase().startsWith(word.slice(1).toLowerCase()))
              .map((one) => [`@${one.username}`, one.name]),
    };
  };
  const suggest = async () => {
    asked += 1;
    const mine = asked;
    const { word, found } = await hintsFor(input.value);
    if (mine !== asked) return null;
    hints.hidden = found.length === 0;
    hints.replaceChildren(...found.map(([text, about]) => h('li', { onclick: () => pick(word, text) }, h('b', {}, text), ' ', about)));
    return found.length > 0 && word !== '' ? [word, found[0][0]] : null;
  };

  const input = h('textarea', {
    rows: 1,
    'aria-label': label,
    placeholder: label,
    oninput: () => {
      grow();
      void suggest();
    },
    onpaste: (event) => add([...event.clipboardData.files]),
    onkeydown: async (event) => {
      if (event.key === 'Tab' && !hints.hidden) {
        event.preventDefault();
        const hint = await suggest();
        if (hint !== null) pick(...hint);
      } else if (event.key === 'Escape') hints.hidden = true;
      else if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        asked += 1;
        await send();
      }
    },
  });
  const choose = h('input', { type: 'file', multiple: true, hidden: true, onchange: () => (add([...choose.files]), (choose.value = '')) });
  const form = h(
    'form',
    {
      class: 'composer',
      onsubmit: (event) => (event.preventDefault(), void send()),
      ondragover: (event) => event.preventDefault(),
      ondrop: (event) => (event.preventDefault(), add([...event.dataTransfer.files])),
    },
    hints,
    chips,
    h(
      'div',
      { class: 'bar' },
      h('button', { type: 'button', title: 'Add files', onclick: () => choose.click() }, '+'),
      choose,
      input,
      h('button', { class: 'primary', title: 'Send' }, '➤'),
    ),
  );
  form.refresh = () => {
    showFiles();
    if (state.replyTo !== null) input.focus();
  };
  return form;
};
