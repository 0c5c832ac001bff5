/** The prompt: a person at a terminal. */
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PassThrough } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import type { ReadStream, WriteStream } from 'node:tty';
import type { Home } from './home.ts';
import { feedTyped } from './input.ts';
import type { Pending } from './input.ts';
import { HISTORY_LINES } from './limits.ts';
import { noPaste, PASTE_OFF, PASTE_ON, splitPaste, toEditingLine } from './paste.ts';
import type { Session } from './session.ts';

const FIRST = '>>> ';
const FURTHER = '... ';

export type Terminal = { readonly input: ReadStream; readonly output: WriteStream };

/**
 * Reads and submits until the person leaves (Ctrl-D, `exit`) or the signal aborts. Ctrl-C stops what runs, else clears what was typed.
 * Lines that are typed while something runs are taken up after it.
 */
export const runInteractive = async ({ input, output }: Terminal, session: Session, home: Home, signal: AbortSignal): Promise<void> => {
  // Keys reach the line editor through this: pastes are taken out before it would take their line ends for Enter.
  const keys = Object.assign(new PassThrough(), { setRawMode: (raw: boolean) => input.setRawMode(raw) });
  const editor = createInterface({
    input: keys,
    output,
    terminal: true,
    prompt: FIRST,
    history: [...(await home.history())],
    historySize: HISTORY_LINES,
    removeHistoryDuplicates: true,
    escapeCodeTimeout: 50,
  });
  const decoder = new StringDecoder('utf8');
  let paste = noPaste;
  let pending: Pending = [];
  let working = false;
  const typed: string[] = [];

  const read = (chunk: Buffer): void => {
    const [next, segments] = splitPaste(paste, decoder.write(chunk));
    paste = next;
    for (const segment of segments) {
      if (segment.kind === 'typed') keys.emit('data', segment.text);
      else editor.write(toEditingLine(segment.text));
    }
  };
  const work = async (): Promise<void> => {
    if (working) return;
    working = true;
    for (let line = typed.shift(); line !== undefined; line = typed.shift()) {
      const [rest, entries] = feedTyped(pending, line);
      pending = rest;
      for (const entry of entries) {
        if (entry.kind === 'leave') return editor.close();
        editor.setPrompt('');
        await session.submit(entry);
      }
    }
    working = false;
    editor.setPrompt(pending.length === 0 ? FIRST : FURTHER);
    if (!signal.aborted) editor.prompt(true);
  };
  const interrupt = (): void => {
    typed.length = 0;
    if (session.busy()) {
      output.write('^C\n');
      void session.stop();
      return;
    }
    pending = [];
    editor.write(null, { ctrl: true, name: 'e' });
    editor.write(null, { ctrl: true, name: 'u' });
    output.write('\nKeyboardInterrupt\n');
    editor.setPrompt(FIRST);
    editor.prompt();
  };
  const close = (): void => editor.close();

  const closed = once(editor, 'close');
  editor.on('line', (line) => {
    typed.push(line);
    void work();
  });
  editor.on('SIGINT', interrupt);
  editor.on('history', (lines) => void home.rememberHistory(lines));
  input.on('data', read);
  input.on('end', close);
  signal.addEventListener('abort', close);
  output.write(PASTE_ON);
  editor.prompt();
  try {
    await closed;
    if (session.busy()) await session.stop();
  } finally {
    input.off('data', read);
    input.off('end', close);
    signal.removeEventListener('abort', close);
    input.setRawMode(false);
    input.pause();
    output.write(`${PASTE_OFF}\n`);
  }
};
