import type { Entry, Session } from '../core/conversation.ts';
import type { Failure } from '../core/failure.ts';
import type { ConversationId, EventKey, Fence, Place } from '../core/ids.ts';
import type { MailboxItem, Person } from '../core/message.ts';
import type { Post } from '../core/outbound.ts';
import type { Result } from '../core/result.ts';
import type { TurnEvent, TurnEventOf } from '../core/turn-event.ts';

/** What became of an event that was offered to the mailbox. */
export type Ingested = 'accepted' | 'duplicate' | 'full';

/** What a worker reads when it takes a conversation up. */
export type Claim = {
  readonly fence: Fence;
  readonly session: Session | null;
  /** The mailbox, oldest first, up to the first item that cannot be read; nothing is popped. */
  readonly mailbox: readonly MailboxItem[];
  /** The head of the mailbox where it cannot be read (another version wrote it, or it was damaged); null: it can. */
  readonly spoiled: Spoiled | null;
  /** Events of a turn that began and was not committed: its worker died. Empty otherwise. */
  readonly journal: readonly TurnEvent[];
  /** Posts that were committed and not yet confirmed as delivered, in order. */
  readonly outbox: readonly Post[];
  /** The beginning of a turn that was taken back because its message was edited or deleted, until the next commit: what it showed is to be told as ended. */
  readonly withdrawn: TurnEventOf<'turn-started'> | null;
};

/** An item that cannot be read, with what can be read of whom to tell. */
export type Spoiled = {
  readonly key: EventKey;
  readonly author: Person | null;
  readonly origin: { readonly [key: string]: string };
};

/** What became of an item that was to be taken back. `begun`: a turn had begun on it; it lost its claim and nothing of it will be committed. */
export type Withdrawn = 'absent' | 'waiting' | 'begun';

/** What somebody thought of an answer. */
export type Rating = { readonly at: number; readonly by: Person; readonly verdict: 'up' | 'down'; readonly words: string };

/** One turn's outcome, written all or nothing. */
export type Commit = {
  /** Keys of the mailbox items that are done, oldest first; they must be the head of the mailbox. Empty for a commit that takes nothing. */
  readonly taken: readonly EventKey[];
  readonly entries: readonly Entry[];
  readonly session: Session;
  readonly posts: readonly Post[];
};

/** A page of entries; `from` is the index of the first one. */
export type EntryPage = { readonly from: number; readonly entries: readonly Entry[]; readonly total: number };

/**
 * Everything about a conversation, in one place and under one Redis hash tag.
 *
 * Contract: nothing throws; an unreachable store is `store-unreachable`, a record that does not decode is `entry-unreadable`.
 * Writes with a fence are refused as `fence-lost`, without any effect, once a newer claim exists. Every write is atomic.
 * Order of entries and of mailbox items is the order of their writes.
 */
export type ConversationStore = {
  /** Seen before? -> 'duplicate'. Mailbox over `cap`? -> 'full' (and not marked as seen). Otherwise append and mark the conversation as pending, in one step. */
  readonly ingest: (conversation: ConversationId, item: MailboxItem, cap: number) => Promise<Result<Ingested, Failure>>;
  /** Takes a new fence and reads what is to be done. */
  readonly claim: (conversation: ConversationId) => Promise<Result<Claim, Failure>>;
  /** Reads the mailbox without claiming: steering messages during a turn. */
  readonly mailbox: (conversation: ConversationId) => Promise<Result<readonly MailboxItem[], Failure>>;
  /** Journals a step of the running turn. */
  readonly journal: (conversation: ConversationId, fence: Fence, events: readonly TurnEvent[]) => Promise<Result<void, Failure>>;
  /** Appends entries and posts, sets the session, pops what was taken and clears the journal; refused as `fence-lost` also where the head is not `taken`. */
  readonly commit: (conversation: ConversationId, fence: Fence, commit: Commit) => Promise<Result<void, Failure>>;
  /** The platform has this post. */
  readonly delivered: (conversation: ConversationId, fence: Fence, postKey: string) => Promise<Result<void, Failure>>;
  /** Takes the conversation off the pending list if its mailbox and outbox are empty: true. False: there is more to do. */
  readonly settle: (conversation: ConversationId, fence: Fence) => Promise<Result<boolean, Failure>>;
  /** Counts one more failed attempt at this head; the count goes with the item. */
  readonly countAttempt: (conversation: ConversationId, key: EventKey) => Promise<Result<number, Failure>>;
  /** Conversations that have waited since before `at` (milliseconds), oldest first, at most 1,000. */
  readonly pendingSince: (at: number) => Promise<Result<readonly ConversationId[], Failure>>;

  /** Null: never seen here. */
  readonly session: (conversation: ConversationId) => Promise<Result<Session | null, Failure>>;
  /** Whether a session is stored or messages wait. */
  readonly knows: (conversation: ConversationId) => Promise<Result<boolean, Failure>>;
  /** True for the first caller with this name, false for all others; forgotten with the conversation. */
  readonly once: (conversation: ConversationId, name: string) => Promise<Result<boolean, Failure>>;
  /** Makes the conversation if it is not there; true where it was made. */
  readonly create: (conversation: ConversationId, session: Session) => Promise<Result<boolean, Failure>>;
  /** Entries from index `from` (negative: counted from the end), at most `limit`. */
  readonly entries: (conversation: ConversationId, from: number, limit: number) => Promise<Result<EntryPage, Failure>>;
  /** Conversations of one platform and workspace, the one with the newest message first. */
  readonly recent: (platform: string, workspace: string, limit: number) => Promise<Result<readonly ConversationId[], Failure>>;

  /** Asks the running turn, wherever it runs, to stop now. Remembered for a turn that starts within the next ten seconds over an item accepted before. */
  readonly requestStop: (conversation: ConversationId, by: Person) => Promise<Result<void, Failure>>;
  /** Calls `listener` for every stop request of this conversation until disposed; requests made since `since` (milliseconds) are told at once. */
  readonly onStop: (
    conversation: ConversationId,
    since: number,
    listener: (by: Person) => void,
  ) => Promise<Result<AsyncDisposable, Failure>>;

  /**
   * Takes a waiting item out of the mailbox, or puts another one in its place. A turn that may be at work on it loses its claim in the same
   * step and is told to end. `absent`: it does not wait, it was never accepted or is committed already.
   */
  readonly withdraw: (conversation: ConversationId, key: EventKey, replacement: MailboxItem | null) => Promise<Result<Withdrawn, Failure>>;
  /**
   * Rewrites stored entries: the one exception from "append-only", for what people edit, delete or have erased. `change` gives the very same
   * entry where nothing is to be changed; it is called again for an entry that was rewritten meanwhile. Resolves with how many were changed.
   */
  readonly redact: (conversation: ConversationId, change: (entry: Entry) => Entry) => Promise<Result<number, Failure>>;
  /** Keeps a copy of an item that cannot be read, so that it may be taken from the mailbox without being lost. */
  readonly setAside: (conversation: ConversationId, fence: Fence, key: EventKey) => Promise<Result<void, Failure>>;

  /** Notes what somebody thought of an answer; the newest 200 are kept. */
  readonly rate: (conversation: ConversationId, rating: Rating) => Promise<Result<void, Failure>>;
  /** Oldest first. */
  readonly ratings: (conversation: ConversationId) => Promise<Result<readonly Rating[], Failure>>;

  /** Every conversation of a workspace, or of one channel of it. */
  readonly conversationsIn: (where: Place) => Promise<Result<readonly ConversationId[], Failure>>;
  /** Conversations whose last message came in, or that were made, before `at` (milliseconds), the longest idle first, at most 1,000. */
  readonly idleSince: (at: number) => Promise<Result<readonly ConversationId[], Failure>>;
  /** Deletes everything about the conversation. A running turn loses its fence. */
  readonly erase: (conversation: ConversationId) => Promise<Result<void, Failure>>;
};
