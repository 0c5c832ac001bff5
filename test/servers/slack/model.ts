/** What the stand-in keeps: the things of a Slack workspace, as plain values. */

export type Json = Record<string, unknown>;

export type Workspace = {
  readonly id: string;
  readonly name: string;
  readonly domain: string;
  readonly enterprise: string | null;
};

export type Person = {
  readonly id: string;
  readonly team: string;
  readonly name: string;
  realName: string;
  /** What they chose to be called; '' as with many: then Slack shows the real name. */
  displayName: string;
  guest: boolean;
  admin: boolean;
  deleted: boolean;
  /** Set for bots of any app, ours included. */
  readonly bot: { readonly botId: string; readonly appId: string } | null;
};

export type ChannelKind = 'channel' | 'group' | 'im' | 'mpim';

export type Channel = {
  readonly id: string;
  readonly team: string;
  name: string;
  readonly kind: ChannelKind;
  readonly members: Set<string>;
  archived: boolean;
  /** Teams beside its own: a Slack Connect channel where there is one. */
  readonly connected: readonly string[];
};

export type StreamPart =
  | { readonly kind: 'text'; text: string }
  | { readonly kind: 'task'; readonly id: string; title: string; status: string; details: string; output: string; sources: unknown[] }
  | { readonly kind: 'plan'; title: string }
  | { readonly kind: 'blocks'; readonly blocks: readonly Json[] };

export type Stream = {
  readonly startedAt: number;
  state: 'streaming' | 'stopped' | 'expired' | 'stopped_by_user';
  readonly mode: string;
  readonly recipient: { readonly user: string | null; readonly team: string | null };
  readonly parts: StreamPart[];
  /** Chunks as they came, one list per call. */
  readonly calls: Json[][];
};

export type Message = {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  readonly team: string;
  text: string;
  blocks: readonly Json[];
  attachments: readonly Json[];
  files: string[];
  readonly threadTs: string | null;
  readonly broadcast: boolean;
  readonly subtype: string | null;
  readonly bot: { readonly botId: string; readonly appId: string } | null;
  readonly username: string | null;
  edited: { readonly user: string; readonly ts: string } | null;
  metadata: Json | null;
  readonly clientMsgId: string | null;
  readonly reactions: Map<string, Set<string>>;
  stream: Stream | null;
  /** How often it was changed, and what it said before: oldest first. */
  readonly earlier: string[];
  deleted: boolean;
};

/** Shown to one person until they reload; in no history. */
export type Ephemeral = {
  readonly channel: string;
  readonly ts: string;
  readonly user: string;
  readonly threadTs: string | null;
  text: string;
  blocks: readonly Json[];
  readonly by: 'app' | 'slackbot';
  deleted: boolean;
};

export type SlackFile = {
  readonly id: string;
  readonly team: string;
  readonly user: string;
  readonly name: string;
  title: string;
  readonly mimetype: string;
  bytes: Buffer | null;
  readonly declaredLength: number;
  altText: string;
  readonly snippetType: string | null;
  mode: string;
  /** What a download does instead of giving the bytes. */
  download: 'bytes' | 'login-page' | 'redirect' | 'endless' | 'gone';
  /** The event carries no addresses; `files.info` does (Slack Connect). */
  readonly checkFileInfo: boolean;
  readonly channels: Set<string>;
  readonly createdAt: number;
  completed: boolean;
};

/** The app under test, as its manifest says. */
export type App = {
  readonly id: string;
  readonly name: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly signingSecret: string;
  readonly verificationToken: string;
  readonly appToken: string;
  transport: 'socket' | 'http';
  /** Where the Events API, commands and interactivity are sent in HTTP mode. */
  requestUrl: string;
  events: string[];
  commands: { command: string; shouldEscape: boolean; description: string }[];
  shortcuts: { callbackId: string; name: string; type: 'message' | 'global' }[];
  agents: boolean;
  /** `unlisted`: distributed to many workspaces but not in the Marketplace, which limits reading history. */
  distribution: 'internal' | 'marketplace' | 'unlisted';
  tokenRotation: boolean;
  linkDisabled: boolean;
  /** Slack has switched the subscription off, because too many deliveries failed. */
  eventsDisabled: boolean;
};

export type Installation = {
  readonly team: string | null;
  readonly enterprise: string | null;
  readonly botToken: string;
  readonly botUser: string;
  readonly botId: string;
  scopes: string[];
  state: 'active' | 'revoked' | 'uninstalled';
  expiresAt: number | null;
  refreshToken: string | null;
};

export type View = {
  readonly id: string;
  readonly team: string;
  readonly user: string;
  view: Json;
  hash: string;
  readonly type: 'modal' | 'home';
  readonly rootId: string;
  readonly previousId: string | null;
  readonly externalId: string | null;
  open: boolean;
};

export type AgentSession = {
  readonly channel: string;
  readonly threadTs: string;
  status: string;
  title: string;
  statusAt: number;
  /** The words of the older `assistant.threads.setStatus`. */
  legacyStatus: string;
  prompts: readonly Json[];
};

/** One call of the Web API, a response URL or an upload, as it arrived and as it was answered. */
export type SentCall = {
  readonly n: number;
  readonly at: number;
  readonly method: string;
  readonly team: string | null;
  readonly args: Json;
  readonly raw: string;
  readonly contentType: string;
  readonly status: number;
  readonly reply: Json;
  /** False where a fault let the reply be lost. */
  readonly delivered: boolean;
};

export type Attempt = {
  readonly at: number;
  readonly envelope: string | null;
  readonly connection: number | null;
  readonly retry: number;
  readonly reason: string;
  outcome: 'waiting' | 'acked' | 'timeout' | 'refused' | 'unreachable' | 'no-connection';
  ms: number | null;
};

/** Something sent to the app, and what became of it. */
export type Sent = {
  readonly n: number;
  readonly kind: 'events_api' | 'slash_commands' | 'interactive';
  readonly payload: Json;
  readonly attempts: Attempt[];
  acked: boolean;
  /** What came with the acknowledgement. */
  response: unknown;
  /** No further attempt follows. */
  over: boolean;
};
