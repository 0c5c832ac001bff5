/** What Slack delivers -> what it means: every payload of the collection, and the corners of each kind. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decode, inboxPlace } from '../../../adapters/slack/decode.ts';
import type { Decoded } from '../../../adapters/slack/decode.ts';

type Payloads = Readonly<Record<string, readonly Record<string, unknown>[]>>;
const payloads: Payloads = JSON.parse(readFileSync(resolve(import.meta.dirname, '../../fixtures/slack-events.json'), 'utf8')) as Payloads;
const payload = (name: string, n = 0): Record<string, unknown> => payloads[name]![n]!;
const placeOf = (body: unknown): { readonly id: string; readonly lane: string } => {
  const decoded = decode(body);
  if (decoded.kind === 'ignored') throw new TypeError(decoded.reason);
  return inboxPlace(decoded, body);
};

/** A message event with these fields changed; `envelope` changes what is around it. */
const message = (event: Record<string, unknown>, envelope: Record<string, unknown> = {}): Record<string, unknown> => {
  const base = payload('B02_mention_and_message_two_event_ids');
  return { ...base, ...envelope, event: { ...(base['event'] as object), ...event } };
};
const kindOf = (decoded: Decoded): string => (decoded.kind === 'ignored' ? `ignored: ${decoded.reason}` : decoded.kind);

describe('the collected payloads', () => {
  it('decode to what they mean', () => {
    const meanings = Object.entries(payloads).flatMap(([name, bodies]) => bodies.map((body, n) => `${name}.${n} ${kindOf(decode(body))}`));
    expect(meanings).toEqual([
      'B01_retry_same_event.0 said',
      'B01_retry_same_event.1 said',
      'B02_mention_and_message_two_event_ids.0 said',
      'B02_mention_and_message_two_event_ids.1 said',
      'B03_bot_authored_mention.0 ignored: another program',
      'B04_unfurl_message_changed.0 ignored: own message',
      'B05_thread_meta_message_changed_on_user_mention.0 ignored: unchanged text',
      'B06_file_share.0 said',
      'B07_slack_connect_file.0 said',
      'B08_html_entities.0 said',
      'B09_broadcast_injection.0 said',
      'B10_two_turns_same_thread_fast.0 said',
      'B10_two_turns_same_thread_fast.1 said',
      'B11_dm_root_message.0 said',
      'B14_thread_other_bot_root.0 said',
      'B16_user_edit_and_delete.0 edited',
      'B16_user_edit_and_delete.1 deleted',
      'B19_slash_command.0 slashed',
    ]);
  });

  it('S02, U001: both forms of a mention have one place in the in-tray', () => {
    const [as, also] = [0, 1].map((n) => placeOf(payload('B02_mention_and_message_two_event_ids', n)));
    expect(as).toEqual(also);
    expect(as?.id).toBe('said:T01LAB:C01GEN:1796100002.000100');
  });

  it('S01, U005: a second delivery has the place of the first', () => {
    expect(placeOf(payload('B01_retry_same_event', 0))).toEqual(placeOf(payload('B01_retry_same_event', 1)));
  });

  it('S16: messages of one thread stay in order with each other, and are two', () => {
    const [first, second] = [0, 1].map((n) => placeOf(payload('B10_two_turns_same_thread_fast', n)));
    expect(first?.lane).toBe(second?.lane);
    expect(first?.id).not.toBe(second?.id);
  });

  it('S17: a direct message is the root of its own thread, and a reply to it belongs there', () => {
    expect(decode(payload('B11_dm_root_message'))).toMatchObject({ direct: true, root: '1796100011.000100', threaded: false });
    const base = payload('B11_dm_root_message');
    const reply = { ...base, event: { ...(base['event'] as object), ts: '1796100012.000100', thread_ts: '1796100011.000100' } };
    expect(decode(reply)).toMatchObject({ direct: true, root: '1796100011.000100', threaded: true });
    expect(placeOf(reply).lane).toBe(placeOf(base).lane);
  });

  it('S08: a file of another organisation has no address, and its sender is a stranger', () => {
    expect(decode(payload('B07_slack_connect_file'))).toMatchObject({
      by: { workspace: 'T01LAB', team: 'T01LAB', botUser: 'U0BOT' },
      userTeam: 'T0PARTNER',
      outsider: true,
      files: [{ id: 'F0EXT', url: null, gone: null }],
    });
  });

  it('S04, S05, U010: what Slack did to a message is no edit, what its author did is', () => {
    expect(decode(payload('B16_user_edit_and_delete'))).toMatchObject({
      kind: 'edited',
      ts: '1796100016.000100',
      raw: '<@U0BOT> corrected question',
      version: '1796100016.000250',
    });
    expect(decode(payload('B16_user_edit_and_delete', 1))).toMatchObject({
      kind: 'deleted',
      ts: '1796100016.000100',
      root: '1796100016.000100',
    });
  });
});

describe('messages', () => {
  it.each([
    ['another bot by its id', { bot_id: 'B1' }, 'another program'],
    ['a bot message', { subtype: 'bot_message', user: undefined }, 'subtype bot_message'],
    ['a bot by its profile', { bot_profile: { name: 'x' } }, 'another program'],
    ['another app on behalf of a person', { app_id: 'A9' }, 'another program'],
    ['the bot itself', { user: 'U0BOT' }, 'own message'],
    ['Slackbot', { user: 'USLACKBOT' }, 'Slack itself'],
    ['Slack', { user: 'USLACK' }, 'Slack itself'],
    ['a hidden one', { hidden: true }, 'hidden'],
    ['somebody joined', { subtype: 'channel_join' }, 'subtype channel_join'],
    ['a topic', { subtype: 'channel_topic' }, 'subtype channel_topic'],
    ['a subtype of tomorrow', { subtype: 'hologram_share' }, 'subtype hologram_share'],
    ['nobody', { user: undefined }, 'no user'],
    ['a time that is none', { ts: 17 }, 'malformed message'],
  ])('U112: %s is nobody to answer', (_, event, reason) => {
    expect(decode(message(event))).toEqual({ kind: 'ignored', reason });
  });

  it.each(['file_share', 'thread_broadcast', 'me_message'])('%s is somebody’s words', (subtype) => {
    expect(decode(message({ subtype }))).toMatchObject({ kind: 'said' });
  });

  it('fields that nobody knows yet do no harm', () => {
    expect(decode(message({ hologram: { a: [1] } }, { tomorrow: true }))).toMatchObject({ kind: 'said' });
  });

  it('U113: the installation is that of the first authorisation, not the workspace at the top', () => {
    const shared = message({}, { team_id: 'T0PARTNER', context_team_id: 'T0PARTNER' });
    expect(decode(shared)).toMatchObject({ by: { workspace: 'T01LAB', team: 'T01LAB' } });
  });

  it('keeps everything of an organisation under its id where the app is installed for all its workspaces', () => {
    const authorizations = [{ enterprise_id: 'E01', team_id: 'T07', user_id: 'W0BOT', is_bot: true, is_enterprise_install: true }];
    expect(decode(message({}, { authorizations }))).toMatchObject({ by: { workspace: 'E01', team: 'T07', botUser: 'W0BOT' } });
  });

  it('a member of another workspace of the organisation is no stranger', () => {
    expect(decode(message({ team: 'T08' }))).toMatchObject({ outsider: false });
    expect(decode(message({ team: 'T08', user_team: 'T08' }, { is_ext_shared_channel: true }))).toMatchObject({ outsider: true });
  });

  it('reads the blocks of a message that has no text', () => {
    const blocks = [
      {
        type: 'rich_text',
        elements: [
          {
            type: 'rich_text_section',
            elements: [
              { type: 'user', user_id: 'U0BOT' },
              { type: 'text', text: ' is 1 < 2?' },
            ],
          },
          { type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'print(1 < 2)' }] },
          {
            type: 'rich_text_list',
            style: 'ordered',
            elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text: 'one' }] }],
          },
        ],
      },
    ];
    expect(decode(message({ text: '', blocks }))).toMatchObject({ raw: '<@U0BOT> is 1 &lt; 2?\n```print(1 &lt; 2)```\n1. one' });
  });

  it('quotes what was forwarded, and leaves out the preview of a link', () => {
    const attachments = [
      { is_share: true, author_name: 'Bob', text: 'the pump is hot', from_url: 'https://lab.slack.com/archives/C1/p1' },
      { from_url: 'https://example.org', title: 'Example', text: 'a page' },
    ];
    expect(decode(message({ attachments }))).toMatchObject({ raw: '<@U0BOT> hi\n\n&gt; Bob\n&gt; the pump is hot' });
  });

  it('a mention that was edited into a message is not taken for the message that was for nobody', () => {
    const before = placeOf(message({ text: 'what is it?' }));
    const after = placeOf(
      message({ type: 'app_mention', text: '<@U0BOT> what is it?', edited: { user: 'U01ALICE', ts: '1796100002.000900' } }),
    );
    expect(after.lane).toBe(before.lane);
    expect(after.id).not.toBe(before.id);
  });

  it('a file of a stranger that does not say its team is a stranger’s all the same', () => {
    const shared = { is_ext_shared_channel: true, team_id: 'T0PARTNER', context_team_id: 'T01LAB' };
    expect(decode(message({ subtype: 'file_share', team: undefined }, shared))).toMatchObject({ outsider: true });
    expect(decode(message({ subtype: 'file_share', team: undefined, source_team: 'T01LAB' }, shared))).toMatchObject({ outsider: false });
  });

  it('U137: a stop does not wait behind what its thread is doing', () => {
    const words = placeOf(message({ text: 'slow', thread_ts: '1796100001.000100' }));
    const stop = placeOf(message({ text: '<@U0BOT> stop', thread_ts: '1796100001.000100' }));
    expect(stop.lane).not.toBe(words.lane);
    expect(placeOf(message({ text: 'stop the deploy', thread_ts: '1796100001.000100' })).lane).toBe(words.lane);
  });
});

describe('changes and deletions', () => {
  const changed = (to: Record<string, unknown>, from: Record<string, unknown> | null): Decoded => {
    const own = { type: 'message', user: 'U01ALICE', text: 'old', ts: '1796100016.000100' };
    return decode(
      message({
        subtype: 'message_changed',
        hidden: true,
        message: { ...own, ...to },
        ...(from === null ? {} : { previous_message: { ...own, ...from } }),
      }),
    );
  };

  it('U011: the text must differ, and its author must have edited it', () => {
    const edited = { user: 'U01ALICE', ts: '1796100016.000200' };
    expect(changed({ text: 'new', edited }, {})).toMatchObject({ kind: 'edited', raw: 'new', version: '1796100016.000200' });
    expect(changed({ text: 'new' }, {})).toEqual({ kind: 'ignored', reason: 'unchanged text' });
    expect(changed({ edited }, {})).toEqual({ kind: 'ignored', reason: 'unchanged text' });
    expect(changed({ text: 'new', edited }, null)).toMatchObject({ kind: 'edited' });
  });

  it('a root that was deleted under its replies is a deletion', () => {
    expect(changed({ subtype: 'tombstone', text: 'This message was deleted.', user: 'USLACKBOT' }, {})).toMatchObject({
      kind: 'deleted',
      ts: '1796100016.000100',
    });
  });

  it('a deleted reply belongs to its thread; a program’s message to nobody', () => {
    const deleted = (previous: Record<string, unknown>): Decoded =>
      decode(
        message({
          subtype: 'message_deleted',
          deleted_ts: '1796100020.000100',
          previous_message: { type: 'message', ts: '1796100020.000100', ...previous },
        }),
      );
    expect(deleted({ user: 'U01ALICE', thread_ts: '1796100016.000100' })).toMatchObject({
      kind: 'deleted',
      root: '1796100016.000100',
      threaded: true,
    });
    expect(deleted({ user: 'U0BOT', bot_id: 'B0BOT' })).toMatchObject({ kind: 'ignored' });
  });
});

describe('what else happens', () => {
  const event = (fields: Record<string, unknown>): Decoded => decode({ ...message({}), event: fields });

  it.each([
    ['the Home is opened', { type: 'app_home_opened', user: 'U1', tab: 'home' }, { kind: 'home-opened', user: 'U1' }],
    ['the Messages tab is opened', { type: 'app_home_opened', user: 'U1', tab: 'messages' }, { kind: 'ignored' }],
    [
      'Slack’s Stop is pressed',
      { type: 'agent_session_stopped', user: 'U1', channel: 'D1', thread_ts: '1.2', streaming_message_ts: ['1.3'], event_ts: '9.9' },
      { kind: 'session-stopped', user: 'U1', channel: 'D1', root: '1.2', at: '9.9' },
    ],
    ['the bot comes in', { type: 'member_joined_channel', user: 'U0BOT', channel: 'C1' }, { kind: 'joined', channel: 'C1' }],
    ['somebody comes in', { type: 'member_joined_channel', user: 'U1', channel: 'C1' }, { kind: 'ignored' }],
    [
      'a channel has another id',
      { type: 'channel_id_changed', old_channel_id: 'C1', new_channel_id: 'C9', event_ts: '1.1' },
      { kind: 'channel-moved', channel: 'C1', to: 'C9' },
    ],
    ['a channel is archived', { type: 'channel_archive', channel: 'C1' }, { kind: 'channel-gone', channel: 'C1' }],
    ['the app is removed', { type: 'app_uninstalled' }, { kind: 'uninstalled', by: { workspace: 'T01LAB' } }],
    ['the bot’s token is revoked', { type: 'tokens_revoked', tokens: { bot: ['U0BOT'] } }, { kind: 'uninstalled' }],
    ['a person’s token is revoked', { type: 'tokens_revoked', tokens: { oauth: ['U1'], bot: [] } }, { kind: 'ignored' }],
    ['something of tomorrow', { type: 'hologram_opened' }, { kind: 'ignored' }],
  ])('%s', (_, fields, meaning) => {
    expect(event(fields)).toMatchObject(meaning);
  });

  it.each([
    null,
    'text',
    7,
    [],
    {},
    { type: 'event_callback' },
    { type: 'block_actions' },
    { command: 'x' },
    { type: 'view_submission', view: 1 },
  ])('never throws: %j', (body) => {
    expect(decode(body).kind).toBe('ignored');
  });
});

describe('interactions', () => {
  const user = { id: 'U01ALICE', name: 'alice', team_id: 'T01LAB' };
  const team = { id: 'T01LAB', domain: 'lab' };

  it('a slash command keeps its text escaped, and its installation', () => {
    expect(decode(payload('B19_slash_command'))).toMatchObject({
      by: { workspace: 'T01LAB' },
      user: 'U01ALICE',
      name: 'alice',
      command: '/ask',
      raw: 'long question &amp; more',
      channel: 'C01GEN',
      direct: false,
    });
  });

  it('a button says what, and Slack says where', () => {
    const press = (action: Record<string, unknown>): Decoded =>
      decode({
        type: 'block_actions',
        user,
        team,
        trigger_id: 't',
        container: { type: 'message', channel_id: 'C1', message_ts: '2.0', thread_ts: '1.0' },
        channel: { id: 'C1' },
        message: { ts: '2.0', thread_ts: '1.0' },
        actions: [{ type: 'button', action_ts: '3.0', ...action }],
      });
    const place = { channel: 'C1', ts: '2.0', root: '1.0', threaded: true };
    expect(press({ action_id: 'hektor.stop' })).toMatchObject({
      press: { kind: 'command', name: 'stop' },
      place,
      at: '3.0',
      outsider: false,
    });
    expect(press({ action_id: 'hektor.undo', value: '3' })).toMatchObject({ press: { name: 'undo', args: '3' } });
    expect(press({ action_id: 'hektor.undo', value: '3; drop' })).toMatchObject({ press: { name: 'undo', args: '' } });
    expect(press({ action_id: 'hektor.approve', value: 'abc' })).toMatchObject({ press: { name: 'approve', args: 'abc' } });
    expect(press({ action_id: 'hektor.feedback', value: 'down' })).toMatchObject({ press: { name: 'feedback', args: 'down' } });
    expect(press({ action_id: 'hektor.run.1', value: '1:m-7' })).toMatchObject({ press: { kind: 'run', message: 'm-7', block: 1 } });
    expect(press({ action_id: 'hektor.run.1', value: 'rm' })).toMatchObject({ kind: 'ignored' });
    expect(press({ action_id: 'somebody.elses' })).toMatchObject({ kind: 'ignored' });
  });

  it('somebody of another organisation who presses is a stranger', () => {
    const actions = [{ action_id: 'hektor.stop', action_ts: '1' }];
    expect(decode({ type: 'block_actions', user: { ...user, team_id: 'T0PARTNER' }, team, actions })).toMatchObject({ outsider: true });
  });

  it('shortcuts and modals', () => {
    const shortcut = { user, team, trigger_id: 't' };
    expect(decode({ ...shortcut, type: 'shortcut', callback_id: 'new_chat' })).toMatchObject({ kind: 'new-chat', trigger: 't' });
    expect(
      decode({
        ...shortcut,
        type: 'message_action',
        callback_id: 'ask_about_message',
        channel: { id: 'C1' },
        message: { type: 'message', ts: '2.0', thread_ts: '1.0', text: 'x' },
      }),
    ).toMatchObject({ kind: 'asked-about', place: { channel: 'C1', ts: '2.0', root: '1.0' } });
    expect(decode({ ...shortcut, type: 'shortcut', callback_id: 'unknown' })).toMatchObject({ kind: 'ignored' });
    const view = {
      id: 'V1',
      callback_id: 'hektor.settings',
      private_metadata: '{"channel":"C1"}',
      state: {
        values: {
          speak: { speak: { type: 'static_select', selected_option: { value: 'strict' } } },
          persona: { persona: { type: 'plain_text_input', value: null } },
        },
      },
    };
    expect(decode({ type: 'view_submission', user, team, view })).toMatchObject({
      kind: 'submitted',
      view: 'hektor.settings',
      values: { speak: 'strict', persona: '' },
    });
  });
});
