/** Control: what people do. Names or ids are taken for people, servers and channels. */
import { ChannelType } from '../numbers.ts';
import { mimeOf } from '../../support/mime.ts';
import { compose } from '../composer.ts';
import { allowedOf, defaultAllowed, withReply } from '../mentions.ts';
import type { Attachment, Channel, Json, Mentions, Message } from '../model.ts';
import { may, P, permissionsIn } from '../permissions.ts';
import { directChannel } from '../places.ts';
import type { Parts } from '../request.ts';
import { refused } from '../rest-fault.ts';
import { removeChannel } from '../routes/channels.ts';
import { snapshotOf } from '../write-message.ts';
import { isForum, messageShape } from '../shapes.ts';
import { messageAt } from '../world.ts';
import { createFinding } from './finding.ts';

export type NewFile = {
  readonly name: string;
  readonly type?: string;
  /** The bytes, or text; `base64` for what is not text. */
  readonly text?: string;
  readonly base64?: string;
  readonly description?: string;
  /** A size that is told but not true. */
  readonly toldSize?: number;
  /** The host answers with this status. */
  readonly status?: number;
};

export type Say = {
  readonly user: string;
  readonly channel: string;
  readonly text: string;
  /** The text is Discord's own form already: nothing becomes a token. */
  readonly raw?: boolean;
  readonly files?: readonly NewFile[];
  /** The id of a message of the channel that this replies to, and whether the reply pings. */
  readonly replyTo?: string;
  readonly pingReply?: boolean;
  readonly stickers?: readonly string[];
  readonly poll?: { readonly question: string; readonly answers: readonly string[] };
  readonly embeds?: readonly Json[];
  readonly type?: number;
  readonly flags?: number;
  /** Written by a webhook of this name. */
  readonly webhook?: string;
};

export type Said = { readonly id: string; readonly channel: string };
const said = ({ id, channel }: Message): Said => ({ id, channel });

export const actingOps = (parts: Parts) => {
  const { world, posting, events } = parts;
  const find = createFinding(parts);

  const fileOf = (given: NewFile, channel: Channel): Attachment => {
    const bytes = given.base64 === undefined ? Buffer.from(given.text ?? '') : Buffer.from(given.base64, 'base64');
    return {
      id: world.newId(),
      filename: given.name,
      description: given.description ?? null,
      contentType: given.type ?? mimeOf(given.name),
      bytes,
      toldSize: given.toldSize ?? bytes.length,
      channel: channel.id,
      ephemeral: false,
      status: given.status ?? null,
      spoiler: given.name.startsWith('SPOILER_'),
    };
  };
  const mentionsOf = (author: string, channel: Channel, text: string): Mentions =>
    allowedOf(world, text, { author, channel, allowed: defaultAllowed(false) });

  const say = (given: Say, channel = find.channel(given.channel)): Said => {
    const user = find.user(given.user);
    if (isForum(channel)) throw refused(50008);
    if (!may(world, channel, user.id, P.SendMessages) && given.webhook === undefined) throw refused(50013);
    const content = given.raw === true ? given.text : compose(world, channel.guild, given.text);
    const target = given.replyTo === undefined ? null : messageAt(world, channel.id, given.replyTo);
    if (given.replyTo !== undefined && target === null) throw refused(10008);
    const { poll } = given;
    const message = posting.post({
      channel,
      author: user.id,
      content,
      attachments: (given.files ?? []).map((file) => fileOf(file, channel)),
      mentions: withReply(mentionsOf(user.id, channel, content), target, given.pingReply ?? true),
      reference: target === null ? null : { type: 0, message: target.id, channel: channel.id, guild: channel.guild },
      repliedUser: target !== null && (given.pingReply ?? true) ? target.author : null,
      stickers: (given.stickers ?? []).map((name) => ({ id: world.newId(), name, format_type: 1 })),
      embeds: given.embeds ?? [],
      poll:
        poll === undefined
          ? null
          : {
              question: { text: poll.question },
              answers: poll.answers.map((text, n) => ({ answer_id: n + 1, poll_media: { text } })),
              expiry: new Date(world.clock.now() + 86_400_000).toISOString(),
              allow_multiselect: false,
              layout_type: 1,
              results: { is_finalized: false, answer_counts: [] },
            },
      nonce: world.newId(),
      flags: given.flags ?? 0,
      ...(given.type === undefined ? {} : { type: given.type }),
      ...(given.webhook === undefined ? {} : { webhook: world.newId(), webhookName: given.webhook }),
    });
    return said(message);
  };

  const thread = (id: string): Channel => {
    const channel = find.channel(id);
    if (channel.thread === null) throw refused(50024);
    return channel;
  };

  return {
    /** Writes in a channel or thread. `@name` becomes a mention, as in Discord's composer. */
    say: (given: Say): Said => say(given),
    /** Writes to the bot in direct messages. */
    dm: (given: Omit<Say, 'channel'>): Said => say({ ...given, channel: '' }, directChannel(world, find.user(given.user).id)),
    edit: ({ id, text, raw = false }: { readonly id: string; readonly text: string; readonly raw?: boolean }): void => {
      const message = find.message(id);
      posting.change(message, true, () => {
        message.content = raw ? text : compose(world, message.guild, text);
        message.mentions = mentionsOf(message.author, find.channel(message.channel), message.content);
      });
    },
    delete: ({ id }: { readonly id: string }): void => posting.remove([find.message(id)]),
    /** A moderator's sweep: one event for all. */
    deleteMany: ({ ids }: { readonly ids: readonly string[] }): void => posting.remove(ids.map(find.message)),
    pin: ({ id }: { readonly id: string }): void => {
      const message = find.message(id);
      posting.change(message, false, () => (message.pinned = true));
    },
    /** Discord's crawler adds a preview: MESSAGE_UPDATE without an edit. */
    unfurl: ({ id, url }: { readonly id: string; readonly url: string }): void => {
      const message = find.message(id);
      posting.change(message, false, () => (message.embeds = [...message.embeds, { type: 'link', url, title: 'A page' }]));
    },
    forward: ({ user, channel, message }: { readonly user: string; readonly channel: string; readonly message: string }): Said => {
      const [to, from] = [find.channel(channel), find.message(message)];
      return said(
        posting.post({
          channel: to,
          author: find.user(user).id,
          content: '',
          reference: { type: 1, message: from.id, channel: from.channel, guild: from.guild },
          snapshots: [snapshotOf(messageShape(world, from))],
          flags: 1 << 14,
        }),
      );
    },
    react: ({
      user,
      id,
      emoji,
      remove = false,
    }: {
      readonly user: string;
      readonly id: string;
      readonly emoji: string;
      readonly remove?: boolean;
    }): void => {
      const message = find.message(id);
      const users = message.reactions.get(emoji) ?? new Set<string>();
      if (remove) users.delete(find.user(user).id);
      else users.add(find.user(user).id);
      if (users.size === 0) message.reactions.delete(emoji);
      else message.reactions.set(emoji, users);
      events.reacted(message, find.user(user).id, emoji, !remove);
      world.changed();
    },
    type: ({ user, channel }: { readonly user: string; readonly channel: string }): void => {
      const where = find.channel(channel);
      world.typing.push({ channel: where.id, user: find.user(user).id, until: world.clock.now() + 10_000 });
      events.typing(where, find.user(user).id);
      world.changed();
    },
    /** Opens a thread: under a message, on its own, private, or as a forum's post, each with what is first said in it. */
    openThread: (given: {
      readonly user: string;
      readonly channel: string;
      readonly name: string;
      readonly from?: string;
      readonly private?: boolean;
      readonly tags?: readonly string[];
      readonly first?: Omit<Say, 'user' | 'channel'>;
    }): { readonly thread: string; readonly first: string | null } => {
      const parent = find.channel(given.channel);
      const owner = find.user(given.user).id;
      const from = given.from === undefined ? null : find.message(given.from);
      const forum = isForum(parent);
      const type = given.private === true ? ChannelType.PrivateThread : ChannelType.PublicThread;
      const tags = parent.tags
        .filter((tag) => given.tags?.includes(tag.name) === true || given.tags?.includes(tag.id) === true)
        .map(({ id }) => id);
      const opened = posting.openThread({ parent, owner, name: given.name, type, from, tags });
      if (!forum) posting.markThread(opened, from);
      if (given.first === undefined) return { thread: opened.id, first: null };
      if (!forum) return { thread: opened.id, first: say({ ...given.first, user: given.user, channel: opened.id }).id };
      const content = given.first.raw === true ? given.first.text : compose(world, parent.guild, given.first.text);
      const files = (given.first.files ?? []).map((file) => fileOf(file, opened));
      const mentions = mentionsOf(owner, opened, content);
      return {
        thread: opened.id,
        first: posting.post({ channel: opened, author: owner, content, mentions, attachments: files, id: opened.id }).id,
      };
    },
    /** Changes a thread: its name, archived, locked. */
    changeThread: ({
      thread: id,
      name,
      archived,
      locked,
    }: {
      readonly thread: string;
      readonly name?: string;
      readonly archived?: boolean;
      readonly locked?: boolean;
    }): void => {
      const channel = thread(id);
      if (channel.thread === null) return;
      channel.name = name ?? channel.name;
      channel.thread.archived = archived ?? channel.thread.archived;
      channel.thread.locked = locked ?? channel.thread.locked;
      if (archived !== undefined) channel.thread.archivedAt = world.clock.now();
      events.threadUpdated(channel);
      world.changed();
    },
    joinThread: ({ thread: id, user }: { readonly thread: string; readonly user: string }): void => {
      posting.joinThread(thread(id), find.user(user).id);
      world.changed();
    },
    deleteChannel: ({ channel }: { readonly channel: string }): void => removeChannel(parts, find.channel(channel)),
    /** The channel of the direct messages between a person and the bot. */
    directChannel: ({ user }: { readonly user: string }): string => directChannel(world, find.user(user).id).id,
    /** Whether somebody may see a channel. */
    sees: ({ user, channel }: { readonly user: string; readonly channel: string }): boolean =>
      permissionsIn(world, find.channel(channel), find.user(user).id) !== 0n,
  };
};
