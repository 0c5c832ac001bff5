/** Slash commands, shortcuts, presses and submitted views -> what somebody wants. Pure. */
import { z } from 'zod';
import { clean } from '../../../src/core/trust.ts';
import type { Press } from '../actions.ts';
import { readPress, shortcutIds, viewIds } from '../actions.ts';
import { installedForInteraction, interactionInstallation } from './decode-envelope.ts';
import type { Installed } from './decode-envelope.ts';
import type { Ignored, Place, RawMessage } from './decode-message.ts';
import { ignored, messageSchema } from './decode-message.ts';

/** `name` is what Slack knows of the person's; '' where it does not say. */
type Who = { readonly by: Installed; readonly user: string; readonly name: string; readonly userTeam: string; readonly outsider: boolean };

/** A slash command, typed in a channel's box: Slack does not say in which thread. `raw` is escaped. */
export type Slashed = Who & {
  readonly kind: 'slashed';
  readonly command: string;
  readonly raw: string;
  readonly channel: string;
  readonly direct: boolean;
  readonly responseUrl: string;
  readonly trigger: string;
};
/** A button. `place` null: it stands in the App Home. `at` is unique for each press. */
export type Pressed = Who & {
  readonly kind: 'pressed';
  readonly press: Press;
  readonly place: Place | null;
  readonly responseUrl: string;
  readonly trigger: string;
  readonly at: string;
  /** What a select holds. */
  readonly selected: string;
};
export type AskedAbout = Who & {
  readonly kind: 'asked-about';
  readonly place: Place;
  readonly message: RawMessage;
  readonly responseUrl: string;
  readonly trigger: string;
};
export type NewChat = Who & { readonly kind: 'new-chat'; readonly trigger: string };
/** A modal that was sent off. `values` by the ids of its blocks; `meta` is what we wrote into it when it was opened. */
export type Submitted = Who & {
  readonly kind: 'submitted';
  readonly view: string;
  readonly viewId: string;
  readonly meta: string;
  readonly values: { readonly [block: string]: string };
};

const text = z.string().nullish();
const base = interactionInstallation.extend({ trigger_id: text, response_url: text });
const userSchema = z.looseObject({ id: z.string().min(1), name: text, username: text, team_id: text });

const commandSchema = base.extend({
  command: z.string().startsWith('/'),
  text,
  user_id: z.string().min(1),
  user_name: text,
  channel_id: z.string().min(1),
  channel_name: text,
});

export const decodeCommand = (body: unknown): Slashed | Ignored => {
  const read = commandSchema.safeParse(body);
  if (!read.success) return ignored('malformed command');
  const it = read.data;
  const by = installedForInteraction(it);
  if (by === null) return ignored('no workspace');
  return {
    kind: 'slashed',
    by,
    user: it.user_id,
    name: it.user_name ?? '',
    userTeam: by.team,
    // Slack offers an app's commands only to people of the workspaces that installed it.
    outsider: false,
    command: it.command,
    raw: clean(it.text ?? ''),
    channel: it.channel_id,
    direct: it.channel_name === 'directmessage' || it.channel_id.startsWith('D'),
    responseUrl: it.response_url ?? '',
    trigger: it.trigger_id ?? '',
  };
};

const whoOf = (it: z.infer<typeof base>, user: z.infer<typeof userSchema>): Who | null => {
  const by = installedForInteraction(it);
  if (by === null) return null;
  const userTeam = user.team_id ?? by.team;
  const sameOrganisation = userTeam === by.team || userTeam === by.workspace || (it.enterprise !== null && it.enterprise !== undefined);
  return { by, user: user.id, name: user.name ?? user.username ?? '', userTeam, outsider: !sameOrganisation };
};

const actionSchema = z.looseObject({
  action_id: z.string(),
  value: text,
  action_ts: text,
  selected_option: z.looseObject({ value: z.string() }).nullish(),
  selected_conversation: text,
});
const pressSchema = base.extend({
  type: z.literal('block_actions'),
  user: userSchema,
  container: z.looseObject({ type: text, channel_id: text, message_ts: text, thread_ts: text }).nullish(),
  channel: z.looseObject({ id: z.string() }).nullish(),
  message: z.looseObject({ ts: text, thread_ts: text }).nullish(),
  actions: z.array(actionSchema).min(1),
});

export const decodePress = (body: unknown): Pressed | Ignored => {
  const read = pressSchema.safeParse(body);
  if (!read.success) return ignored('malformed press');
  const it = read.data;
  const who = whoOf(it, it.user);
  const [action] = it.actions;
  if (who === null || action === undefined) return ignored('no workspace');
  const selected = action.selected_option?.value ?? action.selected_conversation ?? '';
  const press = readPress(action.action_id, action.value ?? selected);
  if (press === null) return ignored('not a button of ours');
  const channel = it.channel?.id ?? it.container?.channel_id ?? '';
  const ts = it.message?.ts ?? it.container?.message_ts ?? '';
  const root = it.message?.thread_ts ?? it.container?.thread_ts ?? ts;
  return {
    kind: 'pressed',
    ...who,
    press,
    place: channel === '' || ts === '' ? null : { channel, ts, root, threaded: root !== ts },
    responseUrl: it.response_url ?? '',
    trigger: it.trigger_id ?? '',
    at: action.action_ts ?? it.trigger_id ?? '',
    selected,
  };
};

const shortcutSchema = base.extend({
  type: z.enum(['shortcut', 'message_action']),
  callback_id: z.string(),
  user: userSchema,
  channel: z.looseObject({ id: z.string().min(1) }).nullish(),
  message: messageSchema.nullish(),
});

export const decodeShortcut = (body: unknown): AskedAbout | NewChat | Ignored => {
  const read = shortcutSchema.safeParse(body);
  if (!read.success) return ignored('malformed shortcut');
  const it = read.data;
  const who = whoOf(it, it.user);
  if (who === null) return ignored('no workspace');
  const trigger = it.trigger_id ?? '';
  if (it.callback_id === shortcutIds.newChat) return { kind: 'new-chat', ...who, trigger };
  const { message, channel } = it;
  if (it.callback_id !== shortcutIds.askAbout || !message || !channel) return ignored('not a shortcut of ours');
  const root = message.thread_ts ?? message.ts;
  const place = { channel: channel.id, ts: message.ts, root, threaded: root !== message.ts };
  return { kind: 'asked-about', ...who, place, message, responseUrl: it.response_url ?? '', trigger };
};

const valueSchema = z.looseObject({
  value: text,
  selected_option: z.looseObject({ value: z.string() }).nullish(),
  selected_conversation: text,
});
const submissionSchema = base.extend({
  type: z.literal('view_submission'),
  user: userSchema,
  view: z.looseObject({
    id: z.string().min(1),
    callback_id: z.string(),
    private_metadata: text,
    state: z.looseObject({ values: z.record(z.string(), z.record(z.string(), valueSchema)) }).nullish(),
  }),
});

const OUR_VIEWS: ReadonlySet<string> = new Set(Object.values(viewIds));

export const decodeSubmission = (body: unknown): Submitted | Ignored => {
  const read = submissionSchema.safeParse(body);
  if (!read.success) return ignored('malformed view');
  const { view, user, ...it } = read.data;
  const who = whoOf({ ...it, user }, user);
  if (who === null) return ignored('no workspace');
  if (!OUR_VIEWS.has(view.callback_id)) return ignored('not a view of ours');
  const values = Object.entries(view.state?.values ?? {}).flatMap(([block, actions]) =>
    Object.values(actions).map((one): [string, string] => [
      block,
      clean(one.value ?? one.selected_option?.value ?? one.selected_conversation ?? ''),
    ]),
  );
  return {
    kind: 'submitted',
    ...who,
    view: view.callback_id,
    viewId: view.id,
    meta: view.private_metadata ?? '',
    values: Object.fromEntries(values),
  };
};
