import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ChannelSettings } from '../core/channel-settings.ts';
import type { Choice, CommandHelp } from '../core/command.ts';
import type { Entry, Session } from '../core/conversation.ts';
import type { Failure } from '../core/failure.ts';
import type { Finding } from '../core/finding.ts';
import type { Address, BlobId, ConversationId, EventKey, Place } from '../core/ids.ts';
import type { EarlierMessage, Person, Standing, StoredFile } from '../core/message.ts';
import type { OutboundOp, PlatformLimits } from '../core/outbound.ts';
import type { Result } from '../core/result.ts';
import type { EventStream } from './event-stream.ts';
import type { Inbox } from './inbox.ts';
import type { Log } from './log.ts';
import type { Clock } from './clock.ts';
import type { Metrics } from './metrics.ts';
import type { ModelDescription } from './model.ts';
import type { Notes } from './notes.ts';
import type { Secrets } from './secrets.ts';
import type { SharedFacts } from './shared-facts.ts';

/** A file that came with a message, its bytes already read and bounded by the adapter. */
export type IncomingFile = { readonly name: string; readonly type: string; readonly bytes: Uint8Array };

/** What an adapter hands in. `text` may be a question, `>>> code`, `!command`; `accept` decides which (src/core/addressing.ts). */
export type Incoming =
  | {
      readonly kind: 'message';
      readonly address: Address;
      readonly key: EventKey;
      readonly author: Person;
      readonly standing: Standing;
      readonly text: string;
      readonly files: readonly IncomingFile[];
      /** Oldest first; empty where the bot was told everything. Only a question uses them. */
      readonly earlier: readonly EarlierMessage[];
      readonly origin: { readonly [key: string]: string };
    }
  | {
      readonly kind: 'command';
      readonly address: Address;
      readonly key: EventKey;
      readonly author: Person;
      readonly standing: Standing;
      readonly name: string;
      readonly args: string;
      readonly origin: { readonly [key: string]: string };
    }
  /**
   * The author changed the text of a message that came in under `key`. One that still waits is changed in the mailbox; the last question,
   * where it was answered, is asked anew; of any other the stored copy changes. One that was never heard of is nothing.
   */
  | {
      readonly kind: 'edit';
      readonly address: Address;
      readonly key: EventKey;
      readonly author: Person;
      readonly standing: Standing;
      readonly text: string;
      /** Another one for every edit of the message, the same where an edit is delivered again. */
      readonly version: string;
      readonly origin: { readonly [key: string]: string };
    }
  /** The message is gone: one that waits leaves the mailbox, a turn that runs on it is stopped, the stored copy loses its text and files. */
  | { readonly kind: 'delete'; readonly address: Address; readonly key: EventKey };

export type IncomingOf<K extends Incoming['kind']> = Extract<Incoming, { kind: K }>;

/** `answer` is set where the command was answered at once (Markdown); otherwise the answer comes as a post. Always null for an edit or a deletion. */
export type Accepted = { readonly conversation: ConversationId; readonly duplicate: boolean; readonly answer: CommandAnswer | null };
export type CommandAnswer = {
  readonly text: string;
  /** Only the person who asked should see it. */
  readonly private: boolean;
  readonly files: readonly { readonly name: string; readonly type: string; readonly content: string }[];
};

/** What the inbound half may call. Everything behind `accept` is durable before it resolves, so the platform may then be acknowledged. */
export type Gateway = {
  readonly accept: (incoming: Incoming) => Promise<Result<Accepted, Failure>>;
  /** Makes an empty conversation (the web page's "new thread"). */
  readonly open: (address: Address, owner: Person) => Promise<Result<ConversationId, Failure>>;
  /** What is known of a conversation; `busy` while messages wait or a turn runs. Null: never seen. */
  readonly read: (conversation: ConversationId) => Promise<
    Result<
      {
        readonly session: Session;
        readonly entries: readonly Entry[];
        readonly pending: readonly PendingMessage[];
        readonly busy: boolean;
      } | null,
      Failure
    >
  >;
  readonly recent: (
    platform: string,
    workspace: string,
    limit: number,
  ) => Promise<Result<readonly { readonly conversation: ConversationId; readonly title: string; readonly at: number }[], Failure>>;
  readonly blob: (conversation: ConversationId, id: BlobId) => Promise<Result<Uint8Array | null, Failure>>;
  /** How the bot behaves in the channel of this address. */
  readonly settings: (address: Address) => Promise<Result<ChannelSettings, Failure>>;
  /** The platform gave a channel another id: what was set for it holds there. May be repeated. */
  readonly moveSettings: (from: Address, to: Address) => Promise<Result<void, Failure>>;
  /** Whether the bot takes part in this conversation: a session is stored, or messages wait. Cheap. */
  readonly knows: (conversation: ConversationId) => Promise<Result<boolean, Failure>>;
  /** The words of the one-time hint (`whoIsSpokenTo` said `hint`) for this conversation; null where it was given before. */
  readonly hint: (conversation: ConversationId) => Promise<Result<string | null, Failure>>;
  /** Erases every conversation and the settings of a channel or workspace that is gone, or the one thread at an address. Resolves with how many there were; may be repeated. */
  readonly purge: (where: Place | Address) => Promise<Result<number, Failure>>;
  /** Suggestions for an option that `completes`, at most 25; empty where there are none or they cannot be read. */
  readonly complete: (address: Address, author: Person, command: string, option: string, partial: string) => Promise<readonly Choice[]>;
  readonly commands: readonly CommandHelp[];
  readonly model: () => Pick<ModelDescription, 'name' | 'practice' | 'toolCalls'>;
  readonly limits: { readonly textChars: number; readonly files: number; readonly fileBytes: number };
};
/** A message that is accepted and not yet answered. */
export type PendingMessage = {
  readonly key: EventKey;
  readonly at: number;
  readonly author: Person;
  readonly text: string;
  readonly files: readonly StoredFile[];
};

/**
 * A handler for HTTP requests at a path and below it; mounted by the process's one HTTP server, the longest prefix first. The request is as it
 * came: nobody has read its body.
 */
export type HttpMount = { readonly prefix: string; readonly handle: (request: IncomingMessage, response: ServerResponse) => void };

export type InboundDeps = {
  readonly gateway: Gateway;
  readonly events: EventStream;
  readonly log: Log;
  readonly clock: Clock;
  /** Ends this process in an orderly way with this exit code: for an adapter whose one person has left (the terminal). */
  readonly leave: (exitCode: number) => void;
  readonly inbox: Inbox;
  readonly notes: Notes;
  readonly secrets: Secrets;
  readonly shared: SharedFacts;
  readonly metrics: Metrics;
};
export type OutboundDeps = {
  readonly events: EventStream;
  readonly log: Log;
  readonly clock: Clock;
  readonly metrics: Metrics;
  /** The bytes of a post's file; null where they are no longer there. */
  readonly blob: (conversation: ConversationId, id: BlobId) => Promise<Result<Uint8Array | null, Failure>>;
  readonly notes: Notes;
  readonly secrets: Secrets;
  readonly shared: SharedFacts;
};
/** What an adapter's own checks may use. The store may be away: then these fail, and the doctor has said so already. */
export type CheckDeps = { readonly log: Log; readonly clock: Clock; readonly secrets: Secrets; readonly shared: SharedFacts };

/** The listening half: runs in the gateway process. */
export type Inbound = AsyncDisposable & {
  readonly mounts: readonly HttpMount[];
  /** Empty where all is well; otherwise what is wrong, for /readyz. */
  readonly problems: () => readonly string[];
};

/**
 * The sending half: runs in the worker, and is the one door out. Contract: `perform` never rejects. Live operations may be dropped and
 * always resolve soon; a post resolves once the platform has it. Performing a post twice with the same key shows it once.
 * `delivery-refused`: the platform will never take it. `delivery-unknown`, or a retryable failure: it is performed again later.
 */
export type Outbound = AsyncDisposable & {
  readonly perform: (conversation: ConversationId, op: OutboundOp) => Promise<Result<void, Failure>>;
  /** Opens a new thread beside `from` and resolves with its address. The same key opens one thread, however often and wherever it is asked for. */
  readonly openThread?: (from: ConversationId, request: ThreadRequest) => Promise<Result<Address, Failure>>;
  /** A URL under which a person of the platform finds the conversation, or null. */
  readonly linkTo?: (conversation: ConversationId) => string | null;
};

/** `text` (Markdown) is the first message of the thread, `by` who asked for it, `origin` that of the event that did. */
export type ThreadRequest = {
  readonly key: string;
  readonly title: string;
  readonly text: string;
  readonly by: Person;
  readonly origin: { readonly [key: string]: string };
};

/** One platform. `config` is null where the platform is not set up; then it is not started. */
export type Adapter = {
  readonly name: string;
  readonly limits: PlatformLimits;
  /** A platform that cannot be reached now is no failure: the half resolves, goes on trying, and `problems` says so. A failure ends the process. */
  readonly inbound: (deps: InboundDeps) => Promise<Result<Inbound, Failure>>;
  readonly outbound: (deps: OutboundDeps) => Promise<Result<Outbound, Failure>>;
  /** What `npm run doctor` says of this platform: tokens, scopes, intents, permissions. Never rejects, never changes anything, ends within a minute. */
  readonly check?: (deps: CheckDeps) => Promise<readonly Finding[]>;
};

/** How adapters are made: a pure reader of the environment, then the adapter. `null`: not set up. */
export type AdapterFactory = {
  readonly name: string;
  readonly create: (env: { readonly [name: string]: string | undefined }) => Result<Adapter | null, Failure>;
  /** What an operator pastes or opens to install the bot (a manifest, an invitation link); `main.ts --install=NAME` prints it. */
  readonly install?: (env: { readonly [name: string]: string | undefined }) => Result<string, Failure>;
};
