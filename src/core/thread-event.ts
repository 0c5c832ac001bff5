/**
 * What a running turn tells the world: the loop's only output. The renderer turns it into outbound operations,
 * telemetry counts it, tests read it.
 */
import type { ToolCall, EntryOf } from './conversation.ts';
import type { Failure } from './failure.ts';
import type { EventKey, MessageId, TurnId } from './ids.ts';
import type { MailboxItem, Person } from './message.ts';
import type { Run } from './run.ts';

export type ThreadEvent =
  | { readonly type: 'turn-started'; readonly turn: TurnId; readonly item: MailboxItem }
  /** `text` is the whole text of this step so far: latest wins. */
  | { readonly type: 'text-streamed'; readonly turn: TurnId; readonly message: MessageId; readonly text: string }
  | { readonly type: 'tool-started'; readonly turn: TurnId; readonly call: ToolCall; readonly summary: string }
  | { readonly type: 'tool-progressed'; readonly turn: TurnId; readonly call: ToolCall; readonly line: string }
  | { readonly type: 'tool-finished'; readonly turn: TurnId; readonly call: ToolCall; readonly failed: boolean }
  | { readonly type: 'output-streamed'; readonly turn: TurnId; readonly run: number; readonly text: string }
  | { readonly type: 'run-finished'; readonly turn: TurnId; readonly message: MessageId; readonly run: Run }
  | { readonly type: 'answered'; readonly turn: TurnId; readonly answer: EntryOf<'answered'> }
  | { readonly type: 'noticed'; readonly turn: TurnId; readonly message: MessageId; readonly text: string }
  | {
      readonly type: 'command-answered';
      readonly turn: TurnId;
      readonly key: EventKey;
      readonly to: Person;
      readonly text: string;
      readonly private: boolean;
    }
  | { readonly type: 'turn-retrying'; readonly turn: TurnId; readonly failure: Failure; readonly waitMs: number }
  | { readonly type: 'turn-finished'; readonly turn: TurnId };
