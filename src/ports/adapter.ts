import type { IncomingMessage, ServerResponse } from 'node:http';
import type { CommandHelp } from '../core/command.ts';
import type { Entry, Session } from '../core/conversation.ts';
import type { Failure } from '../core/failure.ts';
import type { Finding } from '../core/finding.ts';
import type { Address, BlobId, ConversationId, EventKey } from '../core/ids.ts';
import type { Person, StoredFile } from '../core/message.ts';
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
      readonly text: string;
      readonly files: readonly IncomingFile[];
      readonly origin: { readonly [key: string]: string };
    }
  | {
      readonly kind: 'command';
      readonly address: Address;
      readonly key: EventKey;
      readonly author: Person;
      readonly name: string;
      readonly args: string;
      readonly origin: { readonly [key: string]: string };
    };

/** `answer` is set where the command was answered at once (Markdown); otherwise the answer comes as a post. */
export type Accepted = { readonly conversation: ConversationId; readonly duplicate: boolean; readonly answer: CommandAnswer | null };
export type CommandAnswer = {
  readonly text: string;
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
