/**
 * The ids under which Discord hands back what somebody pressed or sent: written into messages and modals by one half, read by the
 * other. Pure. An id says what to do, never where: the thread is the one that Discord says it stands in. At most 100 characters.
 */
const PREFIX = 'hektor';

/** What somebody wants who pressed a button. */
export type Press =
  | { readonly kind: 'command'; readonly name: string; readonly args: string }
  /** Run the `block`th Python block of a message of the bot's, which has this id in the conversation. */
  | { readonly kind: 'run'; readonly message: string; readonly block: number }
  | { readonly kind: 'open'; readonly modal: 'settings' | 'persona' };

const COMMANDS = new Set(['stop', 'retry', 'undo', 'approve', 'deny', 'feedback']);

/** The id of a button that calls a command; `args` is a run's number, an approval's id, `up` or `down`, or empty. */
export const commandId = (name: string, args = ''): string => `${PREFIX}:${name}:${args}`;
/** The id of a Run button: block 0 is the first Python block of the whole text that was posted under that message id. */
export const runId = (message: string, block: number): string => `${PREFIX}:run:${block}.${message}`;
export const openId = (modal: 'settings' | 'persona'): string => `${PREFIX}:open:${modal}`;
/** The id of a modal. That of `ask` names the message that is asked about, and the interaction under which its words are noted. */
export const modalId = (modal: Modal['kind'], about?: { readonly message: string; readonly note: string }): string =>
  `${PREFIX}:modal:${modal}${about === undefined ? '' : `:${about.message}:${about.note}`}`;

/** What a pressed button means; null for one that is not ours, or of a version that knew other buttons. */
export const readPress = (id: string): Press | null => {
  const [, name = '', args = ''] = /^hektor:([a-z]+):([\w.-]{0,80})$/.exec(id) ?? [];
  if (COMMANDS.has(name)) return { kind: 'command', name, args };
  const [, block, message] = (name === 'run' && /^(\d{1,3})\.([\w.-]+)$/.exec(args)) || [];
  if (block !== undefined && message !== undefined) return { kind: 'run', message, block: Number(block) };
  if (name === 'open' && (args === 'settings' || args === 'persona')) return { kind: 'open', modal: args };
  return null;
};

/** A modal that was sent off. */
export type Modal = { readonly kind: 'settings' | 'persona' } | { readonly kind: 'ask'; readonly message: string; readonly note: string };

/** Which modal was sent; null for one that is not ours. */
export const readModal = (id: string): Modal | null => {
  const [, name, message, note] = /^hektor:modal:(settings|persona|ask)(?::(\d{1,25}):(\d{1,25}))?$/.exec(id) ?? [];
  if (name === 'settings' || name === 'persona') return { kind: name };
  return name === 'ask' && message !== undefined && note !== undefined ? { kind: 'ask', message, note } : null;
};

/** The names of the two entries in a message's menu. */
export const menuNames = { ask: 'Ask about this', run: 'Run this code' } as const;
