/** Control: what people do in the workspace. */
import { compose } from '../composer.ts';
import { invalid, ApiFault } from '../fault.ts';
import type { Interactions, Outcome } from '../interactions.ts';
import { mimeOf } from '../../support/mime.ts';
import { endStream } from '../methods/streams.ts';
import { sessionAt, setSession } from '../methods/agents.ts';
import type { Channel, Json, Message, SlackFile, View } from '../model.ts';
import type { Parts } from '../call.ts';
import { seenEphemeral, seenMessage } from '../seen.ts';
import { viewShape } from '../methods/views.ts';
import { personOf } from '../world.ts';
import { unfurlLater } from '../posting.ts';

export type NewFile = {
  readonly name: string;
  readonly mimetype?: string;
  /** The bytes, or text; `base64` for what is not text. */
  readonly text?: string;
  readonly base64?: string;
  readonly mode?: string;
  readonly download?: SlackFile['download'];
  readonly checkFileInfo?: boolean;
  /** A size that is told but not true. */
  readonly toldSize?: number;
};

export type Say = {
  readonly user: string;
  readonly channel: string;
  readonly text: string;
  /** The ts of the thread's root. */
  readonly thread?: string;
  /** The text is Slack's own form already: tokens stay tokens, and no rich text goes with it. */
  readonly raw?: boolean;
  readonly files?: readonly NewFile[];
  readonly broadcast?: boolean;
  readonly subtype?: string;
  readonly ts?: string;
  readonly blocks?: readonly Json[];
  readonly attachments?: readonly Json[];
};

export type At = { readonly channel: string; readonly ts: string };

export type Press = At & {
  readonly user: string;
  /** The button by its `action_id`, its text or its value. */
  readonly button: string;
};

export const actingOps = (parts: Parts, interactions: Interactions) => {
  const { world, posting, events } = parts;

  const channelNamed = (id: string): Channel => {
    const found =
      world.channels.get(id) ?? [...world.channels.values()].find((one) => one.name === id.replace(/^#/, '') && one.kind !== 'im');
    if (found === undefined) throw new ApiFault('channel_not_found');
    return found;
  };
  const at = ({ channel, ts }: At): Message => {
    const found = world.messages.find((one) => one.channel === channelNamed(channel).id && one.ts === ts && !one.deleted);
    if (found === undefined) throw new ApiFault('message_not_found');
    return found;
  };
  const modalOf = (user: string): View => {
    const found = [...world.views.values()].findLast((one) => one.type === 'modal' && one.open && one.user === user);
    if (found === undefined) throw new ApiFault('no_open_modal');
    return found;
  };
  const addFile = (given: NewFile, user: string, team: string): SlackFile => {
    const bytes = given.base64 === undefined ? Buffer.from(given.text ?? '') : Buffer.from(given.base64, 'base64');
    const file: SlackFile = {
      id: world.newId('F'),
      team,
      user,
      name: given.name,
      title: given.name,
      mimetype: given.mimetype ?? mimeOf(given.name),
      bytes,
      declaredLength: given.toldSize ?? bytes.length,
      altText: '',
      snippetType: null,
      mode: given.mode ?? 'hosted',
      download: given.download ?? 'bytes',
      checkFileInfo: given.checkFileInfo ?? false,
      channels: new Set(),
      createdAt: world.clock.now(),
      completed: true,
    };
    world.files.set(file.id, file);
    return file;
  };

  return {
    /** A person, or another app's bot, writes a message. `@name`, `#channel` and links become tokens, as in Slack's composer. */
    say: (given: Say): { readonly ts: string; readonly channel: string; readonly thread: string; readonly files: readonly string[] } => {
      const channel = channelNamed(given.channel);
      const person = personOf(world, given.user);
      const composed = given.raw === true ? { text: given.text, blocks: [] } : compose(world, channel.team, given.text);
      const files = (given.files ?? []).map((file) => addFile(file, person.id, person.team));
      const message = posting.post({
        channel: channel.id,
        user: person.id,
        team: person.team,
        text: composed.text,
        blocks: given.blocks ?? composed.blocks,
        attachments: given.attachments ?? [],
        files: files.map(({ id }) => id),
        threadTs: given.thread ?? null,
        broadcast: given.broadcast ?? false,
        subtype: given.subtype ?? (files.length > 0 ? 'file_share' : null),
        bot: person.bot,
        clientMsgId: person.bot === null ? crypto.randomUUID() : null,
        ...(given.ts === undefined ? {} : { ts: given.ts }),
      });
      unfurlLater(world, posting, message);
      return { ts: message.ts, channel: channel.id, thread: message.threadTs ?? message.ts, files: files.map(({ id }) => id) };
    },
    edit: ({ text, raw = false, ...where }: At & { readonly text: string; readonly raw?: boolean }): void => {
      const message = at(where);
      const composed = raw ? { text, blocks: [] } : compose(world, message.team, text);
      posting.edit(message, () => {
        message.text = composed.text;
        message.blocks = composed.blocks;
        message.edited = { user: message.user, ts: world.newTs() };
      });
    },
    delete: (where: At): void => posting.remove(at(where)),
    /** Attaches a preview of a link, as Slack does by itself a moment after a post. */
    unfurl: ({ url, ...where }: At & { readonly url: string }): void => {
      const message = at(where);
      posting.edit(message, () => {
        message.attachments = [{ id: 1, title: 'A page', title_link: url, from_url: url }];
      });
    },
    react: ({ user, name, ...where }: At & { readonly user: string; readonly name: string }): void => {
      const message = at(where);
      message.reactions.set(name, (message.reactions.get(name) ?? new Set()).add(user));
      const installation = world.installations.find((one) => world.channels.get(message.channel)?.members.has(one.botUser));
      if (installation !== undefined)
        events.tell(installation, {
          type: 'reaction_added',
          user,
          reaction: name,
          item_user: message.user,
          item: { type: 'message', channel: message.channel, ts: message.ts },
          event_ts: world.newTs(),
        });
      world.changed();
    },
    command: ({
      user,
      channel,
      command,
      text,
    }: {
      readonly user: string;
      readonly channel: string;
      readonly command: string;
      readonly text: string;
    }): Promise<Outcome> => interactions.command(user, channelNamed(channel), command, text),
    press: ({ user, button, ...where }: Press): Promise<Outcome> => {
      const channel = channelNamed(where.channel);
      const ephemeral = world.ephemerals.find(
        (one) => one.ts === where.ts && one.channel === channel.id && one.user === user && !one.deleted,
      );
      const seen = ephemeral === undefined ? seenMessage(world, at(where)) : seenEphemeral(world, ephemeral);
      const found = seen.buttons.find((one) => [one.actionId, one.text, one.value].includes(button));
      if (found === undefined)
        throw invalid('no_such_button', `there is: ${seen.buttons.map((one) => `${one.text} (${one.actionId})`).join(', ')}`);
      const { element } = found;
      return interactions.press(user, channel, ephemeral === undefined ? { message: at(where) } : { ephemeral }, {
        type: element['type'],
        action_id: found.actionId,
        block_id: found.blockId,
        text: { type: 'plain_text', text: found.text, emoji: true },
        value: found.value,
      });
    },
    /** Any action at all, as from a forged or outdated message. */
    pressRaw: ({ user, action, ...where }: At & { readonly user: string; readonly action: Json }): Promise<Outcome> =>
      interactions.press(user, channelNamed(where.channel), { message: at(where) }, action),
    shortcut: ({
      user,
      callbackId,
      channel,
      ts,
    }: {
      readonly user: string;
      readonly callbackId: string;
      readonly channel?: string;
      readonly ts?: string;
    }): Promise<Outcome> =>
      interactions.shortcut(
        user,
        callbackId,
        channel === undefined || ts === undefined ? null : { channel: channelNamed(channel), message: at({ channel, ts }) },
      ),
    /** The modal that a person has open, or null. */
    modal: ({ user }: { readonly user: string }): Json | null => {
      const found = [...world.views.values()].findLast((one) => one.type === 'modal' && one.open && one.user === user);
      return found === undefined ? null : viewShape(world, found);
    },
    /** Sends the open modal off; `values` by block_id, then action_id, as in `view.state.values`. */
    submit: ({ user, values }: { readonly user: string; readonly values: Json }): Promise<Outcome> =>
      interactions.submit(modalOf(user), values),
    closeModal: ({ user }: { readonly user: string }): Promise<void> => interactions.close(modalOf(user)),
    /** Opens the app's Home or its messages. */
    openHome: ({ user, tab = 'home' }: { readonly user: string; readonly tab?: 'home' | 'messages' }): void => {
      for (const installation of world.installations.slice(0, 1)) {
        const dm = [...world.channels.values()].find(
          (one) => one.kind === 'im' && one.members.has(user) && one.members.has(installation.botUser),
        );
        const view = [...world.views.values()].find((one) => one.type === 'home' && one.user === user);
        events.tell(installation, {
          type: 'app_home_opened',
          user,
          channel: dm?.id ?? '',
          tab,
          ...(view === undefined ? {} : { view: viewShape(world, view) }),
          event_ts: world.newTs(),
        });
      }
    },
    home: ({ user }: { readonly user: string }): Json | null => {
      const found = [...world.views.values()].find((one) => one.type === 'home' && one.user === user);
      return found === undefined ? null : viewShape(world, found);
    },
    pressHome: ({ user, action }: { readonly user: string; readonly action: Json }): Promise<Outcome> => {
      const found = [...world.views.values()].find((one) => one.type === 'home' && one.user === user);
      if (found === undefined) throw new ApiFault('not_found');
      return interactions.pressInView(found, action);
    },
    /** Slack's own Stop button on a thread in which the app works. */
    stopSession: ({ user, channel, thread }: { readonly user: string; readonly channel: string; readonly thread: string }): void => {
      const live = world.messages.filter((one) => one.channel === channel && one.threadTs === thread && one.stream?.state === 'streaming');
      for (const message of live) endStream(parts, message, 'stopped_by_user');
      const home = world.channels.get(channel);
      const installation = world.installations.find((one) => home?.members.has(one.botUser));
      if (installation === undefined) throw new ApiFault('not_in_channel');
      events.tell(installation, {
        type: 'agent_session_stopped',
        channel,
        user,
        thread_ts: thread,
        streaming_message_ts: live.map((one) => one.ts),
        event_ts: world.newTs(),
      });
    },
    retitle: ({
      user,
      channel,
      thread,
      title,
    }: {
      readonly user: string;
      readonly channel: string;
      readonly thread: string;
      readonly title: string;
    }): void => {
      const previous = sessionAt(world, channel, thread)?.title ?? '';
      setSession(parts, channel, thread, { title });
      for (const installation of world.installations.slice(0, 1))
        events.tell(installation, {
          type: 'agent_session_title_changed',
          channel,
          user,
          team_id: installation.team,
          thread_ts: thread,
          title,
          previous_title: previous,
          event_ts: world.newTs(),
        });
    },
  };
};
