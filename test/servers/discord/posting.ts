/** Writing, changing and removing messages: what everybody's messages have in common, whoever writes them. */
import { ChannelType, MessageType } from './numbers.ts';
import type { Events } from './events.ts';
import { NOBODY } from './mentions.ts';
import type { Attachment, Channel, Json, Mentions, Message, Reference } from './model.ts';
import { channelAt } from './world.ts';
import type { World } from './world.ts';

export type Draft = {
  readonly channel: Channel;
  readonly author: string;
  readonly content: string;
  readonly type?: number;
  readonly attachments?: readonly Attachment[];
  readonly embeds?: readonly Json[];
  readonly components?: readonly Json[];
  readonly mentions?: Mentions;
  readonly flags?: number;
  readonly nonce?: string | number | null;
  readonly reference?: Reference | null;
  readonly snapshots?: readonly Json[];
  readonly stickers?: readonly Json[];
  readonly poll?: Json | null;
  readonly webhook?: string | null;
  readonly webhookName?: string | null;
  readonly interaction?: string | null;
  readonly onlyFor?: string | null;
  readonly repliedUser?: string | null;
  /** For a message that a test wants to have been written at another time. */
  readonly id?: string;
};

export type Posting = ReturnType<typeof createPosting>;

const SUPPRESS_NOTIFICATIONS = 1 << 12;

export const createPosting = (world: World, events: Events) => {
  /** Discord's own crawler comes back with a preview: the message is changed, but nobody has edited it. */
  const unfurlLater = (message: Message): void => {
    if (!world.settings.unfurls || !events.unfurls(message) || message.onlyFor !== null) return;
    const content = message.content;
    const url = /https?:\/\/[^\s)>\]]+/.exec(content)?.[0] ?? '';
    world.clock.after(world.settings.unfurlMs, () => {
      if (message.deleted || !events.unfurls(message)) return;
      message.embeds = [...message.embeds, { type: 'link', url, title: 'A page', description: 'What the page says of itself.' }];
      if (world.settings.unfurlRace && message.content !== content) message.content = content;
      events.messageUpdated(message);
      world.changed();
    });
  };

  const joinThread = (channel: Channel, user: string): void => {
    if (channel.thread === null || channel.thread.members.has(user)) return;
    channel.thread.members.add(user);
    events.threadJoined(channel, user);
  };

  const post = (draft: Draft): Message => {
    const { channel } = draft;
    const mentions = draft.mentions ?? NOBODY;
    const silent = ((draft.flags ?? 0) & SUPPRESS_NOTIFICATIONS) !== 0;
    const message: Message = {
      id: draft.id ?? world.newId(),
      channel: channel.id,
      guild: channel.guild,
      author: draft.author,
      type: draft.type ?? (draft.reference?.type === 0 ? MessageType.Reply : MessageType.Default),
      content: draft.content,
      at: world.clock.now(),
      editedAt: null,
      attachments: [...(draft.attachments ?? [])],
      embeds: [...(draft.embeds ?? [])],
      components: [...(draft.components ?? [])],
      mentions,
      pinned: false,
      flags: draft.flags ?? 0,
      nonce: draft.nonce ?? null,
      reference: draft.reference ?? null,
      snapshots: draft.snapshots ?? [],
      stickers: draft.stickers ?? [],
      poll: draft.poll ?? null,
      reactions: new Map(),
      webhook: draft.webhook ?? null,
      webhookName: draft.webhookName ?? null,
      interaction: draft.interaction ?? null,
      onlyFor: draft.onlyFor ?? null,
      pinged: silent || (draft.onlyFor ?? null) !== null ? NOBODY : mentions,
      editMentions: [],
      earlier: [],
      repliedUser: draft.repliedUser ?? null,
      deleted: false,
    };
    world.messages.set(message.id, message);
    if (message.onlyFor === null) {
      channel.lastMessage = message.id;
      const { thread } = channel;
      if (thread !== null) {
        thread.messageCount += 1;
        if (thread.archived) {
          thread.archived = false;
          thread.archivedAt = message.at;
          events.threadUpdated(channel);
        }
        if (message.webhook === null) joinThread(channel, message.author);
        for (const user of mentions.users) joinThread(channel, user);
      }
      // Writing ends the author's typing.
      const typing = world.typing.findIndex((one) => one.channel === channel.id && one.user === message.author);
      if (typing >= 0) world.typing.splice(typing, 1);
    }
    events.messageCreated(message);
    unfurlLater(message);
    world.changed();
    return message;
  };

  return {
    post,
    /** Changes a message; `edited` where its author did it, so that it is marked. */
    change: (message: Message, edited: boolean, work: () => void): void => {
      const before = message.content;
      work();
      if (edited) {
        message.editedAt = world.clock.now();
        message.earlier.push(before);
      }
      events.messageUpdated(message);
      if (edited && before !== message.content) unfurlLater(message);
      world.changed();
    },
    remove: (messages: readonly Message[]): void => {
      const [first] = messages;
      const channel = first === undefined ? null : channelAt(world, first.channel);
      for (const one of messages) one.deleted = true;
      const told = messages.filter((one) => one.onlyFor === null).map(({ id }) => id);
      if (channel !== null && told.length > 0) events.messagesDeleted(channel, told);
      world.changed();
    },
    joinThread,
    /** Opens a thread in `parent`; with `from` under a message, whose id it gets. */
    openThread: (given: {
      readonly parent: Channel;
      readonly owner: string;
      readonly name: string;
      readonly type: number;
      readonly from?: Message | null;
      readonly autoArchiveMinutes?: number;
      readonly invitable?: boolean;
      readonly slowmodeSeconds?: number;
      readonly tags?: readonly string[];
      /** A forum's post has the id of its first message. */
      readonly id?: string;
    }): Channel => {
      const { parent, from = null } = given;
      const channel: Channel = {
        id: from?.id ?? given.id ?? world.newId(),
        type: given.type,
        guild: parent.guild,
        name: given.name,
        topic: null,
        parent: parent.id,
        position: 0,
        overwrites: [],
        slowmodeSeconds: given.slowmodeSeconds ?? 0,
        lastMessage: null,
        recipients: [],
        thread: {
          owner: given.owner,
          archived: false,
          locked: false,
          invitable: given.invitable ?? true,
          autoArchiveMinutes: given.autoArchiveMinutes ?? 4320,
          archivedAt: world.clock.now(),
          members: new Set([given.owner]),
          tags: [...(given.tags ?? [])],
          messageCount: 0,
        },
        tags: [],
        flags: 0,
        deleted: false,
      };
      world.channels.set(channel.id, channel);
      events.threadCreated(channel);
      if (from !== null) {
        from.flags |= 32;
        events.messageUpdated(from);
      }
      world.changed();
      return channel;
    },
    /** The line that a thread begins with, and the one that tells of it in its channel. */
    markThread: (thread: Channel, from: Message | null): void => {
      const parent = channelAt(world, thread.parent);
      if (parent === null || thread.thread === null) return;
      const line = (channel: Channel, type: number, content: string, reference: Reference): void => {
        post({ channel, author: thread.thread?.owner ?? '', content, type, reference });
        if (channel.thread !== null) channel.thread.messageCount -= 1;
      };
      const at = (message: string, { id, guild }: Channel): Reference => ({ type: 0, message, channel: id, guild });
      if (from !== null) line(thread, MessageType.ThreadStarterMessage, '', at(from.id, parent));
      else if (thread.type !== ChannelType.PrivateThread) line(parent, MessageType.ThreadCreated, thread.name, at('', thread));
    },
  };
};
