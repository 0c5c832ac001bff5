/** Slash commands: what was typed -> a command, and where its answer belongs. Pure. */
import type { CommandHelp } from '../../src/core/command.ts';

/**
 * What a slash command wants. Slack does not say in which thread one was typed (and takes none in threads), so:
 * `thread`: it opens a thread of its own; `anywhere`: it concerns none; `in-thread`: it concerns one, and can only be written there.
 */
export type SlashCall =
  | { readonly kind: 'thread' | 'anywhere' | 'in-thread'; readonly name: string; readonly args: string }
  | { readonly kind: 'settings' };

const OPEN_THREADS: ReadonlySet<string> = new Set(['ask', 'py']);
const CONCERN_NO_THREAD: ReadonlySet<string> = new Set(['help', 'usage', 'settings']);

/** `command` is what was typed with its slash, `own` the one of this installation; any other that reaches us is a command by its name. */
export const readSlash = (command: string, text: string, own: string, known: readonly CommandHelp[]): SlashCall => {
  const names = new Set(known.map(({ name }) => name));
  const typed = command.slice(1).toLowerCase();
  const words = command !== own && names.has(typed) ? `${typed} ${text}` : text;
  const [, first = '', rest = ''] = /^\s*[!/]?(\S*)\s*([\s\S]*)$/.exec(words) ?? [];
  const name = first.toLowerCase();
  if (name === '') return { kind: 'anywhere', name: 'help', args: '' };
  if (!names.has(name)) {
    // One unknown word is a slip; a sentence is a question.
    return rest === '' ? { kind: 'anywhere', name, args: '' } : { kind: 'thread', name: 'ask', args: words.trim() };
  }
  if (name === 'settings' && rest.trim() === '') return { kind: 'settings' };
  if (OPEN_THREADS.has(name)) return { kind: 'thread', name, args: rest };
  return { kind: CONCERN_NO_THREAD.has(name) ? 'anywhere' : 'in-thread', name, args: rest };
};

/** Why a command of a thread does nothing in the channel's box, and what to write instead. */
export const onlyInThreads = (command: string, call: { readonly name: string; readonly args: string }, direct: boolean): string => {
  const typed = `!${[call.name, call.args.trim()].filter((part) => part !== '').join(' ')}`.replace(/`/g, '');
  const fresh =
    direct && call.name === 'reset' ? ' Here, each message that you write outside of a thread begins a new conversation anyway.' : '';
  return `\`${command} ${call.name}\` is about one thread, and Slack does not tell me which one you mean. Write \`${typed}\` in the thread itself.${fresh}`;
};
