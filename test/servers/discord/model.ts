/** What the stand-in's Discord is made of. Ids are snowflakes as text; times are milliseconds; permissions are bit sets. */

export type Json = Record<string, unknown>;

export type User = {
  readonly id: string;
  username: string;
  globalName: string | null;
  readonly bot: boolean;
  readonly system: boolean;
  /** Takes no direct messages from the bot. */
  dmsClosed: boolean;
};

export type Role = {
  readonly id: string;
  name: string;
  permissions: bigint;
  position: number;
  mentionable: boolean;
  /** The bot whose own role it is. */
  readonly botId: string | null;
};

export type Member = { readonly user: string; roles: string[]; nick: string | null; readonly joinedAt: number };

export type Guild = {
  readonly id: string;
  name: string;
  owner: string;
  readonly roles: Map<string, Role>;
  readonly members: Map<string, Member>;
  /** An outage: told as GUILD_DELETE with `unavailable`. */
  unavailable: boolean;
  /** Phrases that AutoMod does not let through. */
  blockedPhrases: string[];
  /** Bytes that a bot's file may have here. */
  fileBytes: number;
};

export type Overwrite = { readonly id: string; readonly type: 0 | 1; allow: bigint; deny: bigint };
export type Tag = { readonly id: string; readonly name: string; readonly moderated: boolean };

export type Thread = {
  readonly owner: string;
  archived: boolean;
  locked: boolean;
  invitable: boolean;
  autoArchiveMinutes: number;
  archivedAt: number;
  readonly members: Set<string>;
  tags: string[];
  messageCount: number;
};

export type Channel = {
  readonly id: string;
  /** Discord's `ChannelType`. */
  readonly type: number;
  /** Null in direct messages and group chats. */
  readonly guild: string | null;
  name: string;
  topic: string | null;
  parent: string | null;
  position: number;
  overwrites: Overwrite[];
  slowmodeSeconds: number;
  lastMessage: string | null;
  /** Who is in a direct message or group chat. */
  readonly recipients: string[];
  readonly thread: Thread | null;
  /** Tags that posts of a forum can have. */
  tags: Tag[];
  flags: number;
  deleted: boolean;
};

export type Attachment = {
  readonly id: string;
  readonly filename: string;
  readonly description: string | null;
  readonly contentType: string;
  readonly bytes: Buffer;
  /** The size that is told; the true one unless a test says otherwise. */
  readonly toldSize: number;
  readonly channel: string;
  readonly ephemeral: boolean;
  /** The host answers with this status instead of the bytes. */
  readonly status: number | null;
  readonly spoiler: boolean;
};

export type Reference = {
  readonly type: 0 | 1;
  readonly message: string;
  readonly channel: string;
  readonly guild: string | null;
};

/** Who is notified, or would be. */
export type Mentions = { readonly users: readonly string[]; readonly roles: readonly string[]; readonly everyone: boolean };

export type Message = {
  readonly id: string;
  readonly channel: string;
  readonly guild: string | null;
  readonly author: string;
  readonly type: number;
  content: string;
  readonly at: number;
  editedAt: number | null;
  attachments: Attachment[];
  embeds: Json[];
  components: Json[];
  mentions: Mentions;
  pinned: boolean;
  flags: number;
  readonly nonce: string | number | null;
  readonly reference: Reference | null;
  /** Forwarded messages, as they were. */
  readonly snapshots: readonly Json[];
  readonly stickers: readonly Json[];
  readonly poll: Json | null;
  readonly reactions: Map<string, Set<string>>;
  readonly webhook: string | null;
  /** The name a webhook writes under. */
  readonly webhookName: string | null;
  /** The interaction it answers. */
  readonly interaction: string | null;
  /** The one person who sees it. */
  readonly onlyFor: string | null;
  /** Who was notified when it was written. Edits notify nobody. */
  readonly pinged: Mentions;
  /** Who would have been mentioned by each edit, newest last. */
  readonly editMentions: Mentions[];
  /** What it said before each edit. */
  readonly earlier: string[];
  /** A reply that pings its author. */
  readonly repliedUser: string | null;
  deleted: boolean;
};

export type Command = {
  readonly id: string;
  readonly guild: string | null;
  readonly type: number;
  readonly name: string;
  version: string;
  /** The definition as it was sent, with Discord's defaults filled in. */
  body: Json;
};

export type App = {
  /** Also the id of the bot's user, as with all applications of today. */
  readonly id: string;
  name: string;
  token: string;
  readonly publicKey: string;
  /** Switches of the developer portal. */
  messageContent: boolean;
  guildMembers: boolean;
  presence: boolean;
  botPublic: boolean;
  readonly commands: Command[];
  /** Times at which a command was created, per scope. */
  readonly commandCreates: { readonly scope: string; readonly at: number }[];
  /** People who have installed the application for themselves. */
  readonly installedBy: Set<string>;
};

export type Interaction = {
  readonly id: string;
  readonly token: string;
  /** Discord's `InteractionType`. */
  readonly type: number;
  readonly user: string;
  readonly channel: string;
  readonly guild: string | null;
  readonly at: number;
  readonly context: 0 | 1 | 2;
  /** By a person's own installation, where the bot itself may not be. */
  readonly byUserInstall: boolean;
  readonly payload: Json;
  /** The message whose button was pressed, or from which the modal came. */
  readonly source: string | null;
  /** How it was answered first; null while it waits. Discord's `InteractionResponseType`. */
  answered: number | null;
  answeredAt: number | null;
  ephemeral: boolean;
  /** The message that `@original` means. */
  original: string | null;
  /** The first follow-up after a deferral becomes the deferred message. */
  deferred: boolean;
  followUps: number;
  choices: Json[] | null;
  modal: Json | null;
};

export type Webhook = {
  readonly id: string;
  readonly token: string;
  readonly channel: string;
  readonly name: string;
  readonly creator: string;
};

/** A request that was made of the REST API, for tests to look at. */
export type Call = {
  readonly n: number;
  readonly at: number;
  readonly method: string;
  /** Without `/api/v10`. */
  readonly path: string;
  /** The path with `:names` for its ids. */
  readonly route: string;
  readonly query: Readonly<Record<string, string>>;
  readonly body: Json;
  readonly files: readonly { readonly field: string; readonly name: string; readonly size: number; readonly type: string }[];
  readonly raw: string;
  readonly headers: Readonly<Record<string, string>>;
  status: number;
  reply: unknown;
  /** False where the connection broke before the answer. */
  delivered: boolean;
};

/** What the gateway sent or was sent, oldest first. */
export type Frame = {
  readonly n: number;
  readonly at: number;
  readonly direction: 'sent' | 'received';
  readonly session: string | null;
  readonly op: number;
  readonly event: string | null;
  readonly data: unknown;
};
