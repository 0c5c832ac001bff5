/** What the page shows; filled by main.js. */
export const state = {
  me: 'U01ALICE',
  channel: 'C01GEN',
  /** The ts of the thread that is open beside the channel. */
  thread: null,
  view: 'channel',
  people: [],
  channels: [],
  commands: [],
  shortcuts: [],
  bot: '',
  agents: true,
  workspace: '',
};
