import type { ModelChoice } from '../core/command.ts';
import type { Spending } from '../core/cost.ts';
import type { Failure } from '../core/failure.ts';
import type { RawCall, ToolChoice, ToolSpec } from '../core/tool.ts';
import type { ConversationId } from '../core/ids.ts';
import type { ToolCall, Usage } from '../core/conversation.ts';
import type { PictureType } from '../core/picture.ts';
import type { RenderedPrompt } from '../core/prompt.ts';
import type { Result } from '../core/result.ts';

/** A picture; what the bytes are has been looked at. */
export type ModelImage = { readonly type: PictureType; readonly base64: string };

export type ModelMessage =
  /** Pictures only for a model that takes them. */
  | { readonly role: 'user'; readonly content: RenderedPrompt; readonly images?: readonly ModelImage[] }
  /** The model's own words and calls come back as they were. */
  | {
      readonly role: 'assistant';
      readonly text: string;
      readonly calls: readonly ToolCall[];
      readonly passBack: { readonly [key: string]: unknown } | null;
    }
  | { readonly role: 'tool'; readonly call: ToolCall; readonly content: RenderedPrompt };

/** `messages` is valid: every call of an assistant message is followed by its result (src/core/context.ts sees to it). */
export type ModelRequest = {
  readonly conversation: ConversationId;
  readonly system: RenderedPrompt;
  readonly messages: readonly ModelMessage[];
  readonly tools: readonly ToolSpec[];
  readonly toolChoice: ToolChoice;
};

/**
 * `calls` may be anything the server sent; `finish` says why the model ended. `tool-calls` only where calls arrived complete.
 * Lengths are bounded: text 1 MiB, arguments 256 KiB a call, 128 calls.
 */
export type ModelReply = {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly RawCall[];
  readonly finish: 'stop' | 'tool-calls' | 'length' | 'filtered';
  readonly model: string;
  readonly fingerprint: string | null;
  readonly usage: Usage | null;
  readonly passBack: { readonly [key: string]: unknown } | null;
};

export type ModelListener = {
  /** The text of the reply so far; called often, latest wins. After a retry it starts again from the beginning. */
  readonly text: (soFar: string) => void;
  /** The attempt failed and another follows. */
  readonly retrying: (failure: Failure, waitMs: number) => void;
  /** An attempt used tokens: told once for each, before `complete` resolves, also of attempts that failed or were aborted. */
  readonly spent: (spending: Spending) => void;
};

/** What people and operators are told about the model behind the answers, and what the loop must know to make a request that fits it. */
export type ModelDescription = {
  /** The model's name on its server. */
  readonly name: string;
  /** The name under which it is set up here, which people choose it by. */
  readonly key: string;
  /** The address of its server, without credentials; empty where it has none. */
  readonly server: string;
  readonly practice: boolean;
  readonly toolCalls: boolean;
  /** Whether it takes pictures. */
  readonly images: boolean;
  /** Tokens that a request may hold, the room for the reply taken off. */
  readonly contextTokens: number;
};

/**
 * One completion, retries and time-outs included.
 * Contract: never rejects; an abort resolves with the failure `interrupted`; every other end is a `ModelReply` or a failure whose code says
 * what kind it is. Nothing is sent after the signal has aborted.
 */
export type Model = {
  readonly describe: () => ModelDescription;
  readonly complete: (request: ModelRequest, listener: ModelListener, signal: AbortSignal) => Promise<Result<ModelReply, Failure>>;
};

/**
 * The models that are set up, by name. Contract: nothing throws; a choice that is not set up counts as none. Each model keeps the
 * contract of `Model`; one that failed a moment ago comes last in the routes of the next seconds.
 */
export type Models = {
  /**
   * The models to ask for a conversation, best first, never empty: the thread's own choice, else its channel's, else the default; then
   * the fallbacks. Whoever asks makes the request anew for each, because they differ in what they take.
   */
  readonly route: (conversation: ConversationId, chosen: string | null) => readonly [Model, ...Model[]];
  /** The model that sums history up for a conversation. */
  readonly forSummary: (conversation: ConversationId, chosen: string | null) => Model;
  readonly choices: (conversation: ConversationId) => readonly ModelChoice[];
};
