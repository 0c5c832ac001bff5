/**
 * What a running turn tells the world while it runs: the loop's only live output. The renderer turns it into outbound operations,
 * telemetry counts it, tests read it. What lasts (answers, runs) is in the turn's entries.
 */
import type { ToolCall } from './conversation.ts';
import type { Failure } from './failure.ts';
import type { MessageId, TurnId } from './ids.ts';
import type { MailboxItem } from './message.ts';
import type { Run } from './run.ts';

type Told<Type extends string, Facts> = { readonly type: Type; readonly turn: TurnId } & Facts;

export type ThreadEvent =
  | Told<'turn-started', { readonly item: MailboxItem }>
  /** `text` is the whole text of this step so far: latest wins. */
  | Told<'text-streamed', { readonly message: MessageId; readonly text: string }>
  | Told<'tool-started', { readonly call: ToolCall; readonly summary: string }>
  | Told<'tool-progressed', { readonly call: ToolCall; readonly line: string }>
  | Told<'tool-finished', { readonly call: ToolCall; readonly failed: boolean }>
  | Told<'output-streamed', { readonly run: number; readonly text: string }>
  | Told<'run-finished', { readonly message: MessageId; readonly run: Run }>
  /** Something is waited for: a free sandbox, a busy model. */
  | Told<'waiting', { readonly text: string }>
  | Told<'turn-retrying', { readonly failure: Failure; readonly waitMs: number }>
  | Told<'turn-finished', object>;
