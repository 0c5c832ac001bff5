import type { Spending } from '../core/cost.ts';
import type { Failure } from '../core/failure.ts';
import type { RawCall, ToolChoice, ToolSpec } from '../core/tool.ts';
import type { ConversationId } from '../core/ids.ts';
import type { ToolCall, Usage } from '../core/conversation.ts';
import type { RenderedPrompt } from '../core/prompt.ts';
import type { Result } from '../core/result.ts';

export type ModelMessage =
  | { readonly role: 'user'; readonly content: RenderedPrompt }
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

/** What people and operators are told about the model behind the answers. */
export type ModelDescription = { readonly name: string; readonly practice: boolean; readonly toolCalls: boolean };

/**
 * One completion, retries and time-outs included.
 * Contract: never rejects; an abort resolves with the failure `interrupted`; every other end is a `ModelReply` or a failure whose code says
 * what kind it is. Nothing is sent after the signal has aborted.
 */
export type Model = {
  readonly describe: () => ModelDescription;
  readonly complete: (request: ModelRequest, listener: ModelListener, signal: AbortSignal) => Promise<Result<ModelReply, Failure>>;
};
