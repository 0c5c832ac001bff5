/** Where people write: the text, the files, the Python switch, Send and Stop. */
import { byId, h, icon, sizeOf } from './dom.ts';
import { codeOf } from './state.ts';
import type { WireInfo } from './wire.ts';

export type ComposerActions = {
  readonly send: (text: string, files: readonly File[]) => void;
  readonly stop: () => void;
  /** The person's last message, for the arrow key in an empty box. */
  readonly last: () => string | null;
};
export type Composer = {
  readonly setBusy: (busy: boolean) => void;
  readonly setLimits: (limits: WireInfo['limits']) => void;
  /** Shows the text that was being written in this thread. */
  readonly setThread: (id: string | null) => void;
  /** Puts a refused message back, with what was wrong. */
  readonly restore: (text: string, files: readonly File[], problem: string) => void;
  readonly insert: (text: string) => void;
  readonly focus: () => void;
};

export const createComposer = (actions: ComposerActions): Composer => {
  const form = byId('composer', HTMLFormElement);
  const text = byId('text', HTMLTextAreaElement);
  const picker = byId('files', HTMLInputElement);
  const chosen = byId('chosen', HTMLDivElement);
  const error = byId('composer-error', HTMLParagraphElement);
  const send = byId('send', HTMLButtonElement);
  const stop = byId('stop', HTMLButtonElement);
  const python = byId('python', HTMLButtonElement);
  const attach = byId('attach', HTMLButtonElement);
  send.append(icon('send'));
  stop.append(icon('stop'));
  attach.append(icon('attach'));

  let files: readonly File[] = [];
  let limits: WireInfo['limits'] | null = null;
  let thread = 'new';
  let busy = false;

  const tell = (problem: string): void => {
    error.textContent = problem;
    error.hidden = problem === '';
  };
  const isPython = (): boolean => python.getAttribute('aria-pressed') === 'true';
  const refresh = (): void => {
    const code = isPython() || codeOf(text.value) !== null;
    form.classList.toggle('code-mode', code);
    text.spellcheck = !code;
    text.placeholder = isPython() ? 'Python: runs in this thread’s state' : 'Ask, or write Python after >>>';
    text.style.height = 'auto';
    text.style.height = `${Math.min(text.scrollHeight + 2, window.innerHeight * 0.4)}px`;
    const empty = text.value.trim() === '' && files.length === 0;
    send.disabled = empty;
    stop.hidden = !busy;
    sessionStorage.setItem(`hektor.draft.${thread}`, text.value);
  };
  const showFiles = (): void => {
    chosen.replaceChildren(
      ...files.map((file, index) =>
        h(
          'span',
          { class: 'file' },
          icon('file'),
          h('span', { class: 'file-name' }, file.name),
          h('span', { class: 'file-size' }, sizeOf(file.size)),
          h(
            'button',
            {
              type: 'button',
              class: 'remove',
              'aria-label': `Remove ${file.name}`,
              onclick: () => setFiles(files.filter((_, at) => at !== index)),
            },
            icon('cross'),
          ),
        ),
      ),
    );
  };
  const setFiles = (next: readonly File[]): void => {
    files = next;
    showFiles();
    refresh();
  };
  const addFiles = (added: readonly File[]): void => {
    tell('');
    const fitting = limits === null ? added : added.filter((file) => file.size <= (limits?.fileBytes ?? Infinity));
    const large = added.find((file) => !fitting.includes(file));
    if (large !== undefined && limits !== null) {
      tell(`${large.name} is too large (${sizeOf(large.size)}): files may have up to ${sizeOf(limits.fileBytes)}.`);
    }
    const all = [...files, ...fitting];
    if (limits !== null && all.length > limits.files) tell(`At most ${limits.files} files go with one message.`);
    setFiles(all.slice(0, limits?.files ?? all.length));
    text.focus();
  };

  const submit = (): void => {
    const written = text.value;
    if (written.trim() === '' && files.length === 0) return;
    const message = isPython() && written.trim() !== '' && codeOf(written) === null ? `>>>\n${written}` : written;
    if (limits !== null && message.length > limits.textChars) {
      tell(
        `That has ${message.length.toLocaleString('en')} characters; ${limits.textChars.toLocaleString('en')} fit. Send the long part as a file.`,
      );
      return;
    }
    const sent = files;
    text.value = '';
    tell('');
    setFiles([]);
    actions.send(message, sent);
  };

  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
    text.focus();
  });
  text.addEventListener('input', refresh);
  text.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
      event.preventDefault();
      submit();
    } else if (event.key === 'ArrowUp' && text.value === '') {
      const last = actions.last();
      if (last === null) return;
      event.preventDefault();
      text.value = last;
      refresh();
    }
  });
  document.addEventListener('keydown', (event) => {
    const elsewhere = document.querySelector('dialog[open], :popover-open, #side.open') !== null;
    if (event.key === 'Escape' && busy && !elsewhere && !event.isComposing) actions.stop();
  });
  stop.addEventListener('click', () => {
    actions.stop();
    text.focus();
  });
  python.addEventListener('click', () => {
    python.setAttribute('aria-pressed', String(!isPython()));
    refresh();
    text.focus();
  });
  attach.addEventListener('click', () => picker.click());
  picker.addEventListener('change', () => {
    addFiles([...(picker.files ?? [])]);
    picker.value = '';
  });
  text.addEventListener('paste', (event) => {
    const pasted = [...(event.clipboardData?.files ?? [])];
    if (pasted.length === 0) return;
    event.preventDefault();
    addFiles(pasted);
  });
  addDropping(addFiles);

  return {
    setBusy: (now) => {
      if (busy === now) return;
      busy = now;
      refresh();
    },
    setLimits: (given) => {
      limits = given;
      const hint = `Attach files: up to ${given.files}, of ${sizeOf(given.fileBytes)} each`;
      attach.title = hint;
      attach.setAttribute('aria-label', hint);
    },
    setThread: (id) => {
      thread = id ?? 'new';
      text.value = sessionStorage.getItem(`hektor.draft.${thread}`) ?? '';
      tell('');
      setFiles([]);
    },
    restore: (old, oldFiles, problem) => {
      if (text.value === '') text.value = isPython() ? (codeOf(old) ?? old) : old;
      setFiles([...oldFiles, ...files]);
      tell(problem);
    },
    insert: (words) => {
      text.value = words;
      refresh();
      text.focus();
      text.setSelectionRange(words.length, words.length);
    },
    focus: () => text.focus({ preventScroll: true }),
  };
};

/** Files may be dropped anywhere on the page. */
const addDropping = (add: (files: readonly File[]) => void): void => {
  const holdsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true;
  let depth = 0;
  const mark = (): void => void document.body.classList.toggle('dropping', depth > 0);
  document.addEventListener('dragenter', (event) => {
    if (!holdsFiles(event)) return;
    depth += 1;
    mark();
  });
  document.addEventListener('dragleave', (event) => {
    if (!holdsFiles(event)) return;
    depth = Math.max(0, depth - 1);
    mark();
  });
  document.addEventListener('dragover', (event) => {
    if (holdsFiles(event)) event.preventDefault();
  });
  document.addEventListener('drop', (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    depth = 0;
    mark();
    add([...(event.dataTransfer?.files ?? [])]);
  });
};
