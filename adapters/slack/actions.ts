/**
 * The names under which Slack hands back what somebody pressed: written into blocks, shortcuts and views by one half,
 * read by the other. Pure.
 *
 * A button says what to do, never where: the thread is the one that Slack says the button stands in.
 */
export const actionIds = {
  stop: 'hektor.stop',
  retry: 'hektor.retry',
  undo: 'hektor.undo',
  approve: 'hektor.approve',
  deny: 'hektor.deny',
  feedback: 'hektor.feedback',
  /** Followed by a dot and a number, since ids must differ within a block. */
  run: 'hektor.run',
  newChat: 'hektor.new-chat',
  settings: 'hektor.settings',
  /** A button that only opens a URL; Slack tells of it all the same. */
  link: 'hektor.link',
} as const;

export const shortcutIds = { askAbout: 'ask_about_message', newChat: 'new_chat' } as const;

export const viewIds = { askAbout: 'hektor.ask-about', newChat: 'hektor.new-chat', settings: 'hektor.settings' } as const;

/** What somebody wants who pressed a button. */
export type Press =
  | { readonly kind: 'command'; readonly name: string; readonly args: string }
  /** Run the `block`th Python block of this message of the bot. */
  | { readonly kind: 'run'; readonly message: string; readonly block: number }
  | { readonly kind: 'open'; readonly view: 'new-chat' | 'settings' }
  | { readonly kind: 'link' };

/** The id and value of a Run button under the bot's message: block 0 is its first Python block. */
export const runAction = (message: string, block: number): { readonly actionId: string; readonly value: string } => ({
  actionId: `${actionIds.run}.${block}`,
  value: `${block}:${message}`,
});

/** What a pressed button means; null for one that is not ours. `value` is the run's number, the approval's id, or `up` and `down`. */
export const readPress = (actionId: string, value: string): Press | null => {
  switch (actionId) {
    case actionIds.stop:
      return { kind: 'command', name: 'stop', args: '' };
    case actionIds.retry:
      return { kind: 'command', name: 'retry', args: '' };
    case actionIds.undo:
      return { kind: 'command', name: 'undo', args: /^\d{1,9}$/.test(value) ? value : '' };
    case actionIds.approve:
      return { kind: 'command', name: 'approve', args: value };
    case actionIds.deny:
      return { kind: 'command', name: 'deny', args: value };
    case actionIds.feedback:
      return value === 'up' || value === 'down' ? { kind: 'command', name: 'feedback', args: value } : null;
    case actionIds.newChat:
      return { kind: 'open', view: 'new-chat' };
    case actionIds.settings:
      return { kind: 'open', view: 'settings' };
    case actionIds.link:
      return { kind: 'link' };
    default:
      return actionId.startsWith(`${actionIds.run}.`) ? readRun(value) : null;
  }
};

const readRun = (value: string): Press | null => {
  const [, block, message] = /^(\d{1,3}):(.+)$/s.exec(value) ?? [];
  return block === undefined || message === undefined ? null : { kind: 'run', message, block: Number(block) };
};
