import type { Failure } from '../core/failure.ts';
import type { ConversationId } from '../core/ids.ts';
import type { Result } from '../core/result.ts';

/**
 * Small durable facts of one conversation that any process of the installation may need: the id of the message that shows a draft, which
 * parts of a post are out, the thread that was opened. Values are short texts (64 KB at most), sealed where the installation seals.
 *
 * Contract: nothing rejects. Notes of a conversation live until 30 days after the last one was written and go when it is erased; names are any
 * text, and two conversations never see each other's. Each call is one atomic step and may be repeated.
 */
export type Notes = {
  /** Null: there is none. */
  readonly get: (conversation: ConversationId, name: string) => Promise<Result<string | null, Failure>>;
  readonly set: (conversation: ConversationId, name: string, value: string) => Promise<Result<void, Failure>>;
  /** Sets it if there is none; resolves with what stands there now. Of several claims at once exactly one wins. */
  readonly claim: (conversation: ConversationId, name: string, value: string) => Promise<Result<string, Failure>>;
  readonly remove: (conversation: ConversationId, name: string) => Promise<Result<void, Failure>>;
};
