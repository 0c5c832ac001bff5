/** What the app asks Slack for, and why. The manifest is made from these lists, the doctor checks them, docs/slack.md shows them. Pure. */
import type { AppShape } from '../config.ts';

type When = 'always' | 'all' | 'agent';
/** `why` completes "Without it …". */
export type Scope = { readonly scope: string; readonly when: When; readonly why: string };
export type SlackEvent = { readonly event: string; readonly when: When; readonly why: string };

const scopes: readonly Scope[] = [
  { scope: 'app_mentions:read', when: 'always', why: 'mentions in channels are not heard' },
  { scope: 'chat:write', when: 'always', why: 'nothing can be answered' },
  { scope: 'commands', when: 'always', why: 'the slash command and the shortcuts do not exist' },
  { scope: 'im:history', when: 'always', why: 'direct messages are not heard' },
  { scope: 'im:write', when: 'always', why: 'nobody can be written to directly: refusals and "New chat" go nowhere' },
  { scope: 'users:read', when: 'always', why: 'people are ids instead of names' },
  { scope: 'files:read', when: 'always', why: 'files that people send cannot be read' },
  { scope: 'files:write', when: 'always', why: 'plots and files cannot be sent' },
  { scope: 'channels:read', when: 'always', why: 'it is not noticed when the bot comes into a channel or a channel is archived' },
  { scope: 'groups:read', when: 'always', why: 'the same, for private channels' },
  { scope: 'channels:history', when: 'all', why: 'threads in channels need a mention each time, and what was said before is not read' },
  { scope: 'groups:history', when: 'all', why: 'the same, for private channels' },
  { scope: 'mpim:history', when: 'all', why: 'the same, for group messages' },
  { scope: 'assistant:write', when: 'agent', why: 'Slack’s panel for agents does not work' },
];

const events: readonly SlackEvent[] = [
  { event: 'app_mention', when: 'always', why: 'mentions in channels are not heard' },
  { event: 'message.im', when: 'always', why: 'direct messages are not heard' },
  { event: 'message.channels', when: 'all', why: 'threads in channels need a mention each time' },
  { event: 'message.groups', when: 'all', why: 'the same, in private channels' },
  { event: 'message.mpim', when: 'all', why: 'the same, in group messages' },
  { event: 'app_home_opened', when: 'always', why: 'the Home tab stays empty' },
  { event: 'member_joined_channel', when: 'always', why: 'the bot does not say hello in a new channel' },
  { event: 'channel_archive', when: 'always', why: 'what is stored of an archived channel stays' },
  { event: 'channel_deleted', when: 'always', why: 'what is stored of a deleted channel stays' },
  { event: 'group_archive', when: 'always', why: 'the same, for private channels' },
  { event: 'group_deleted', when: 'always', why: 'the same, for private channels' },
  { event: 'channel_id_changed', when: 'always', why: 'what was set for a channel is lost when Slack gives it another id' },
  { event: 'app_uninstalled', when: 'always', why: 'what is stored of a workspace stays after the app is removed' },
  { event: 'tokens_revoked', when: 'always', why: 'what is stored of a workspace stays after its token is revoked' },
  { event: 'agent_session_stopped', when: 'agent', why: 'the panel’s Stop button does nothing' },
];

const wanted =
  (app: AppShape) =>
  ({ when }: { readonly when: When }): boolean =>
    when === 'always' || (when === 'all' ? app.access === 'all' : app.agent);

export const scopesFor = (app: AppShape): readonly Scope[] => scopes.filter(wanted(app));
export const eventsFor = (app: AppShape): readonly SlackEvent[] => events.filter(wanted(app));
