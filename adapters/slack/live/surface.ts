/** What a running turn is shown on: a native stream, or messages that are edited. Types only. */
import type { KnownBlock } from '@slack/types';
import type { ProgressLine } from '../../../src/core/outbound.ts';
import type { OutMessage } from '../encode.ts';
import type { Kept } from './live-notes.ts';

export type Scene = { readonly text: string; readonly progress: readonly ProgressLine[] };

/**
 * What came of showing. `later`: not now, but after so many milliseconds. `impossible`: this surface cannot be used here, and nothing stands on
 * it. `no-more`: nothing further is shown before the end.
 */
export type Shown = { readonly kind: 'shown' | 'impossible' | 'no-more' } | { readonly kind: 'later'; readonly ms: number };

/** The finished post. `text` as it was written, `under` what stands below it, `messages` the whole of it as messages. */
export type Final = {
  readonly text: string;
  readonly progress: readonly ProgressLine[];
  readonly under: readonly KnownBlock[];
  readonly messages: readonly OutMessage[];
  readonly mark: string;
};

/** How much of the post stands now, and which messages must go once the rest is out. */
export type Finished = { readonly kept: Kept; readonly drop: readonly string[] };

/** Calls are made one after another by the live turn; none rejects. */
export type Surface = {
  /** Milliseconds between two showings. */
  readonly interval: () => number;
  readonly show: (scene: Scene) => Promise<Shown>;
  readonly finish: (final: Final) => Promise<Finished>;
  /** The turn ended without a post that would take the place of this (or this process ends): what stands stays, and is no longer alive. */
  readonly close: (scene: Scene) => Promise<void>;
};

/**
 * A last message that is older than this when the answer is finished is posted anew and the old one removed: an edit does not make a thread
 * unread, and whoever asked may have gone elsewhere.
 */
export const OLD_MS = 30_000;
