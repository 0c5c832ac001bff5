/** Small valid records; a test names only the fields that it is about. */
import { newSession } from '../../src/core/conversation.ts';
import type { EntryOf, Session } from '../../src/core/conversation.ts';
import { conversationIdOf, eventKey, messageId, turnId } from '../../src/core/ids.ts';
import type { ConversationId } from '../../src/core/ids.ts';
import type { ItemOf, Person } from '../../src/core/message.ts';
import { newPost } from '../../src/core/outbound.ts';
import type { Post } from '../../src/core/outbound.ts';
import type { TurnEventOf } from '../../src/core/turn-event.ts';

let serial = 0;

/** A conversation that no other test has. */
export const aConversation = (workspace = 'w'): ConversationId =>
  conversationIdOf({ platform: 'web', workspace, channel: 'c', thread: `t${++serial}-${process.pid}` });

export const ann: Person = { id: 'U1', name: 'Ann' };
export const ben: Person = { id: 'U2', name: 'Ben' };

export const anAsk = (key: string, fields: Partial<ItemOf<'ask'>> = {}): ItemOf<'ask'> => ({
  kind: 'ask',
  key: eventKey(key),
  at: Date.now(),
  author: ann,
  origin: {},
  text: `text of ${key}`,
  files: [],
  earlier: [],
  ...fields,
});

export const aNotice = (text: string, fields: Partial<EntryOf<'noticed'>> = {}): EntryOf<'noticed'> => ({
  kind: 'noticed',
  at: 1,
  turn: turnId('turn'),
  message: messageId('message'),
  text,
  ...fields,
});

export const aPost = (key: string, fields: Partial<Post> = {}): Post =>
  newPost({ key, turn: turnId('turn'), message: messageId('message'), kind: 'answer', text: `text of ${key}`, ...fields });

export const aSession = (fields: Partial<Session> = {}): Session => ({ ...newSession(1, ann), ...fields });

export const aTurnStart = (key: string): TurnEventOf<'turn-started'> => ({
  type: 'turn-started',
  at: 1,
  turn: turnId(`turn of ${key}`),
  item: anAsk(key),
  session: aSession(),
  decision: null,
  limits: { steps: 12, calls: 24, callsPerStep: 8, wallMs: 300_000 },
});
