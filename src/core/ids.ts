/**
 * Branded ids. A plain string is not an id: it becomes one here, where its shape is checked or made.
 * This file and `trust.ts` are the only ones that may cast.
 */
declare const brand: unique symbol;
/* A set of names, so that one id can be two things: a snapshot's id is a blob's too. */
type Branded<T, Name extends string> = T & { readonly [brand]: { readonly [K in Name]: true } };

/** One conversation: platform, workspace, channel and thread, each percent-encoded, joined by `/`. */
export type ConversationId = Branded<string, 'ConversationId'>;
/** One platform event, unique within its conversation; the same event delivered twice has the same key. */
export type EventKey = Branded<string, 'EventKey'>;
/** One turn: everything from reading the mailbox's head to the commit. */
export type TurnId = Branded<string, 'TurnId'>;
/** One message of the conversation, a person's or the bot's, as the web API shows it. */
export type MessageId = Branded<string, 'MessageId'>;
/** A tool call within its turn; ours, never the provider's (those repeat). */
export type CallId = Branded<string, 'CallId'>;
/** Content-addressed bytes: 32 lower-case hex digits, the first 128 bits of SHA-256 over the bytes (`blob-hash.ts`). */
export type BlobId = Branded<string, 'BlobId'>;
/** A saved state: the blob that holds its manifest. */
export type SnapshotId = Branded<BlobId, 'SnapshotId'>;
/** A worker's claim on a conversation; a later claim makes earlier ones worthless. */
export type Fence = Branded<number, 'Fence'>;

export type Address = {
  readonly platform: string;
  readonly workspace: string;
  readonly channel: string;
  readonly thread: string;
};

/** A channel, or where `channel` is null a whole workspace. */
export type Place = { readonly platform: string; readonly workspace: string; readonly channel: string | null };

/** The id of the conversation at an address. Injective: two addresses never share an id. */
export const conversationIdOf = (address: Address): ConversationId =>
  [address.platform, address.workspace, address.channel, address.thread].map(encodeURIComponent).join('/') as ConversationId;

/** The address behind an id, or undefined where the text was never made by `conversationIdOf`. */
export const addressOf = (id: string): Address | undefined => {
  const parts = id.split('/');
  if (parts.length !== 4) return undefined;
  try {
    const [platform = '', workspace = '', channel = '', thread = ''] = parts.map(decodeURIComponent);
    const address = { platform, workspace, channel, thread };
    return platform !== '' && thread !== '' && conversationIdOf(address) === id ? address : undefined;
  } catch {
    return undefined;
  }
};

export const isConversationId = (text: string): text is ConversationId => addressOf(text) !== undefined;
export const isBlobId = (text: string): text is BlobId => /^[0-9a-f]{32}$/.test(text);

export const eventKey = (text: string): EventKey => text as EventKey;
export const turnId = (text: string): TurnId => text as TurnId;
export const messageId = (text: string): MessageId => text as MessageId;
export const callId = (text: string): CallId => text as CallId;
export const fence = (value: number): Fence => value as Fence;
/** Throws on anything but 32 hex digits: a wrong blob id is a bug or a forgery, never a normal event. */
export const blobId = (text: string): BlobId => {
  if (!isBlobId(text)) throw new TypeError('not a blob id');
  return text;
};
export const snapshotId = (blob: BlobId): SnapshotId => blob as SnapshotId;
