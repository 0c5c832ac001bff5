import type { ChannelSettings } from '../core/channel-settings.ts';
import type { History } from '../core/context.ts';
import type { Entry, Session } from '../core/conversation.ts';
import type { ConversationId } from '../core/ids.ts';
import type { ThreadEvent } from '../core/thread-event.ts';
import type { Turn } from '../core/turn-state.ts';
import type { TurnEvent } from '../core/turn-event.ts';
import type { TurnDeps } from './deps.ts';
import type { ToolTable } from './tool-table.ts';

/** The surroundings of a running turn. */
export type Scene = {
  readonly deps: TurnDeps;
  readonly conversation: ConversationId;
  /** Entries that count, oldest first; `base` is the index of the first one in the conversation. */
  readonly history: readonly Entry[];
  readonly base: number;
  /** The session as it was when the turn began. */
  readonly start: Session;
  readonly table: ToolTable;
  /** How the bot behaves in the channel. */
  readonly channel: ChannelSettings;
  readonly tell: (event: ThreadEvent) => void;
  /** Journals an event and steps the turn; false: the claim on the conversation is lost and nothing more may be done. */
  readonly feed: (event: TurnEvent) => Promise<boolean>;
  /** The turn as it is now; runs of one step see each other's state through it. */
  readonly turn: () => Turn;
  readonly signal: AbortSignal;
};

/** The history with what the turn has added so far. */
export const historyOf = (scene: Scene): History => ({
  entries: [...scene.history, ...scene.turn().entries],
  base: scene.base,
  since: scene.turn().session.since,
});
