import type { TurnLimits } from '../core/turn-event.ts';

/** What a turn may use. `wallMs` and `runMs` come from the settings; the rest is the house's measure. */
export const turnLimits = (wallMs: number): TurnLimits => ({ steps: 12, calls: 24, callsPerStep: 16, wallMs });

/** Failed attempts at one mailbox item after which it is put aside with an apology. */
export const MAX_ATTEMPTS = 3;

/** The longest result of one call that enters the history, in characters. */
export const RESULT_CHARS = 16_000;

/** Of a longer result, so many characters are kept to be read on in. */
export const KEPT_CHARS = 2_000_000;

/** How many parallel-safe calls of one step run at once. */
export const PARALLEL_CALLS = 4;

/** How many of a thread's newest entries are read for a turn; older ones are out of the model's sight anyway. */
export const HISTORY_ENTRIES = 2_000;
