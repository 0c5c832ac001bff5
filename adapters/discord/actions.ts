/**
 * The ids under which Discord hands back what somebody pressed or sent: written into messages and modals by one half, read by the
 * other. Pure. An id says what to do, never where: the thread is the one that Discord says it stands in. At most 100 characters.
 */
const PREFIX = 'hektor';

/** What somebody wants who pressed a button. */
export type Press =
  | { readonly kind: 'command'; readonly name: string; readonly args: string }
  /** Run the `block`th Python block of the message that the button stands under. */
  | { readonly kind: 'run'; readonly block: number }
  | { readonly kind: 'open'; readonly modal: 'settings' | 'persona' };

const COMMANDS = new Set(['stop', 'retry', 'undo', 'approve', 'deny', 'feedback']);

/** The id of a button that calls a command; `args` is a run's number, an approval's id, `up` or `down`, or empty. */
export const commandId = (name: string, args = ''): string => `${PREFIX}:${name}:${args}`;
export const runId = (block: number): string => `${PREFIX}:run:${block}`;
export const openId = (modal: 'settings' | 'persona'): string => `${PREFIX}:open:${modal}`;
/** The id of a modal; what is sent with it comes back under this name. */
export const modalId = (modal: 'settings' | 'persona' | 'ask'): string => `${PREFIX}:modal:${modal}`;

/** What a pressed button means; null for one that is not ours, or of a version that knew other buttons. */
export const readPress = (id: string): Press | null => {
  const [, name = '', args = ''] = /^hektor:([a-z]+):([\w.-]{0,80})$/.exec(id) ?? [];
  if (COMMANDS.has(name)) return { kind: 'command', name, args };
  if (name === 'run' && /^\d{1,3}$/.test(args)) return { kind: 'run', block: Number(args) };
  if (name === 'open' && (args === 'settings' || args === 'persona')) return { kind: 'open', modal: args };
  return null;
};

/** Which modal was sent; null for one that is not ours. */
export const readModal = (id: string): 'settings' | 'persona' | 'ask' | null => {
  const [, name] = /^hektor:modal:(settings|persona|ask)$/.exec(id) ?? [];
  return name === 'settings' || name === 'persona' || name === 'ask' ? name : null;
};

/** The names of the two entries in a message's menu. */
export const menuNames = { ask: 'Ask about this', run: 'Run this code' } as const;
