/** What the streams of one running turn stand on, and what is known of them. Types only. */
import type { AnyChunk, KnownBlock } from '@slack/types';
import type { Failure } from '../../../src/core/failure.ts';
import type { Result } from '../../../src/core/result.ts';
import type { Clock } from '../../../src/ports/clock.ts';
import type { Log } from '../../../src/ports/log.ts';
import type { Api, Place } from '../api/api.ts';
import type { Mark } from '../encode.ts';
import type { Segment } from './stream-segment.ts';
import type { StreamSupport } from './stream-support.ts';

export type StreamDeps = {
  readonly api: Api;
  readonly clock: Clock;
  readonly log: Log;
  readonly support: StreamSupport;
  readonly place: Place;
  /** Whom the stream is for. Slack wants both ids, always. */
  readonly recipient: { readonly user: string; readonly team: string };
  /** Markdown -> what a stream takes. */
  readonly render: (markdown: string) => string;
  /** Slack shows no Stop of its own here, so a button is sent along. */
  readonly withStop: boolean;
  /** Notes which messages stand, before anything else happens to them. */
  readonly noted: (messages: readonly string[]) => Promise<void>;
  /** Runs a task when no other call of this turn is under way. */
  readonly alone: <T>(task: () => Promise<T>) => Promise<T>;
};

export type StreamState = {
  readonly segments: Segment[];
  /** The source that is shown: what comes must begin with it. */
  shown: string;
  /** `paused`: nothing more before the end. `broken`: what stands there is not known for sure, or is not how the answer begins. */
  mode: 'live' | 'paused' | 'broken';
  /** Somebody pressed Slack's own Stop: what stands is left as it is. */
  stopped: boolean;
  /** A Stop button stands in a message: it has to go. */
  buttoned: boolean;
  /** A message that holds only the Stop button, where a stream takes none: it goes with the end. */
  stopMessage: string | null;
  /** When a stream was begun of which nobody knows whether it stands; null where there is none such. */
  lostAt: number | null;
};

export type Streams = StreamDeps & {
  readonly state: StreamState;
  readonly stop: (segment: Segment, end: StopWith) => Promise<Result<unknown, Failure>>;
};
export type StopWith = {
  readonly chunks: readonly AnyChunk[];
  readonly blocks: readonly KnownBlock[];
  readonly over: boolean;
  readonly mark: Mark;
  readonly patienceMs: number;
};
