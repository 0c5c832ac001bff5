import type { ApprovalPolicy } from '../core/approval.ts';
import type { BudgetLimits } from '../core/budget.ts';
import type { Rules } from '../core/gate.ts';
import type { ConversationId } from '../core/ids.ts';
import type { Calibration } from '../core/tokens.ts';
import type { Plugin } from '../core/plugin.ts';
import type { Outbound } from '../ports/adapter.ts';
import type { BlobStore } from '../ports/blob-store.ts';
import type { Budgets } from '../ports/budgets.ts';
import type { ChannelSettingsStore } from '../ports/channel-settings.ts';
import type { Clock } from '../ports/clock.ts';
import type { ConversationStore } from '../ports/conversation-store.ts';
import type { EventStream } from '../ports/event-stream.ts';
import type { Fetcher } from '../ports/fetcher.ts';
import type { Log } from '../ports/log.ts';
import type { Metrics } from '../ports/metrics.ts';
import type { Models } from '../ports/model.ts';
import type { Notes } from '../ports/notes.ts';
import type { Prices } from '../ports/prices.ts';
import type { Sandbox } from '../ports/sandbox.ts';

/** Everything a worker's turns stand on; built once by src/app/wire.ts. */
export type TurnDeps = {
  readonly store: ConversationStore;
  readonly blobs: BlobStore;
  readonly models: Models;
  readonly prices: Prices;
  readonly budgets: Budgets;
  readonly channels: ChannelSettingsStore;
  readonly notes: Notes;
  /** How far token estimates are off, by model; as long as the process lives. */
  readonly calibration: Calibration;
  /** To forget what was shown. */
  readonly events: Pick<EventStream, 'erase'>;
  readonly sandbox: Sandbox;
  readonly fetcher: Pick<Fetcher, 'get'>;
  readonly plugins: readonly Plugin[];
  /** The door out of the conversation's platform; undefined where that platform is not set up in this process. */
  readonly outboundOf: (conversation: ConversationId) => Outbound | undefined;
  readonly clock: Clock;
  readonly log: Log;
  readonly metrics: Metrics;
  /** Who may do what; a turn asks only whether code may be run for whoever asked. */
  readonly rules: Rules;
  readonly settings: {
    readonly turnMs: number;
    readonly runMs: number;
    readonly budgets: BudgetLimits;
    readonly approvals: ApprovalPolicy;
  };
};
