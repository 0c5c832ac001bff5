/** Putting a message into a channel, whoever wrote it, and changing it. */
import type { Events } from './events.ts';
import type { Json, Message } from './model.ts';
import { messageShape } from './shapes.ts';
import type { World } from './world.ts';

export type NewMessage = Pick<Message, 'channel' | 'user' | 'team' | 'text'> &
  Partial<
    Pick<
      Message,
      | 'ts'
      | 'blocks'
      | 'attachments'
      | 'files'
      | 'threadTs'
      | 'broadcast'
      | 'subtype'
      | 'bot'
      | 'username'
      | 'metadata'
      | 'stream'
      | 'clientMsgId'
    >
  >;

export type Posting = {
  readonly post: (message: NewMessage) => Message;
  /** Changes a message in place by `change` and tells of it. */
  readonly edit: (message: Message, change: () => void) => void;
  readonly remove: (message: Message) => void;
};

const LINK = /<(https?:\/\/[^|>]+)(?:\|[^>]*)?>|(?<![\w(])(https?:\/\/[^\s<>)]+)/;
const MEDIA = /\.(png|jpe?g|gif|webp|mp4|svg)(\?|$)/i;

export const createPosting = (world: World, events: Events): Posting => {
  const edit: Posting['edit'] = (message, change) => {
    const previous = messageShape(world, message);
    const text = message.text;
    change();
    if (message.text !== text) message.earlier.push(text);
    events.edited(message, previous);
    world.changed();
  };
  return {
    post: (given) => {
      const message: Message = {
        ts: world.newTs(),
        blocks: [],
        attachments: [],
        files: [],
        threadTs: null,
        broadcast: false,
        subtype: null,
        bot: null,
        username: null,
        metadata: null,
        stream: null,
        clientMsgId: null,
        ...given,
        edited: null,
        reactions: new Map(),
        earlier: [],
        deleted: false,
      };
      world.messages.push(message);
      events.posted(message);
      world.changed();
      return message;
    },
    edit,
    remove: (message) => {
      const previous: Json = messageShape(world, message);
      message.deleted = true;
      events.deleted(message, previous);
      world.changed();
    },
  };
};

/** A moment after a link was posted, Slack attaches a preview of it, which is an edit that nobody made. */
export const unfurlLater = (world: World, posting: Posting, message: Message, wanted = { links: true, media: true }): void => {
  const found = LINK.exec(message.text);
  const url = found?.[1] ?? found?.[2];
  if (url === undefined || !world.settings.unfurls || !(MEDIA.test(url) ? wanted.media : wanted.links)) return;
  world.clock.after(200, () => {
    if (message.deleted) return;
    posting.edit(message, () => {
      message.attachments = [{ id: 1, title: 'A page', title_link: url, from_url: url, original_url: url, fallback: 'A page' }];
    });
  });
};
