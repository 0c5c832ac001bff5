/**
 * How an interaction is answered within its three seconds, before anything else is done. Pure. What is decided here cannot be changed later: a
 * deferred answer stays public or private.
 */
import type { Interaction } from '../decode-interaction.ts';
import { firstPython } from '../decode-code.ts';

export type FirstAnswer =
  | { readonly kind: 'defer'; readonly private: boolean }
  /** A press: the message stays as it is. */
  | { readonly kind: 'update' }
  | { readonly kind: 'modal'; readonly modal: 'settings' | 'persona' | 'ask' }
  | { readonly kind: 'complete' }
  /** All there is to say, to this person alone. */
  | { readonly kind: 'say'; readonly text: string }
  | { readonly kind: 'pong' };

/** Commands whose answers are for the person who asked, whatever was asked. */
const PRIVATE: ReadonlySet<string> = new Set([
  'help',
  'usage',
  'why',
  'feedback',
  'forget',
  'settings',
  'stop',
  'approve',
  'deny',
  'retry',
  'export',
]);
/** Commands that show something to the asker where nothing is given with them. */
const PRIVATE_ALONE: ReadonlySet<string> = new Set(['model', 'persona']);
/** Commands that may begin a session, and such as concern none; all others are about one thread. */
export const opensSession = (name: string): boolean => name === 'ask' || name === 'py';
const CONCERN_NO_THREAD: ReadonlySet<string> = new Set(['help', 'usage', 'settings']);
export const isOfThread = (name: string): boolean => !opensSession(name) && !CONCERN_NO_THREAD.has(name);
/** Why a command of a thread does nothing elsewhere. */
export const onlyInThreads = (name: string): string =>
  `\`/${name}\` is about one thread: use it in the thread that you mean. A mention of me, or \`/ask\`, begins one.`;
/** These have a modal where nothing is given with them. */
const MODALS: ReadonlySet<string> = new Set(['settings', 'persona']);

export const firstAnswerTo = ({ wish, place, member }: Interaction): FirstAnswer => {
  switch (wish.kind) {
    case 'command': {
      const { name, args } = wish.called;
      const bare = args.trim() === '';
      if (member && place?.kind === 'channel' && isOfThread(name)) return { kind: 'say', text: onlyInThreads(name) };
      if (bare && MODALS.has(name)) return { kind: 'modal', modal: name === 'settings' ? 'settings' : 'persona' };
      if (bare && wish.file === null && name === 'ask') return { kind: 'say', text: 'What would you like to ask? Write it behind `/ask`.' };
      return { kind: 'defer', private: PRIVATE.has(name) || (bare && PRIVATE_ALONE.has(name)) };
    }
    case 'typing':
      return { kind: 'complete' };
    case 'press':
      return wish.press.kind === 'open' ? { kind: 'modal', modal: wish.press.modal } : { kind: 'update' };
    case 'menu':
      if (wish.entry === 'ask') return { kind: 'modal', modal: 'ask' };
      return firstPython(wish.target) === null
        ? { kind: 'say', text: 'There is no Python code in that message. I run what stands between ```` ```python ```` and ```` ``` ````.' }
        : { kind: 'defer', private: false };
    case 'modal':
      return { kind: 'defer', private: wish.modal.kind === 'settings' };
    case 'ping':
      return { kind: 'pong' };
    case 'unknown':
      return {
        kind: 'say',
        text: 'That is of an older version of mine, and I do not know it any more. Please use the command of the same name.',
      };
    default:
      return wish satisfies never;
  }
};

/** Whether there is anything left to do once it is answered. */
export const isWorkLeft = ({ wish }: Interaction, answer: FirstAnswer): boolean =>
  answer.kind === 'defer' || answer.kind === 'update' || (wish.kind === 'menu' && answer.kind === 'modal');
