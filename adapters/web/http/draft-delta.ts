/**
 * Drafts in the event stream. A draft is the whole text so far and comes many times a second; kept whole, a long answer would fill
 * the stream's memory with copies of itself. So what is kept is where the text differs from the one before (`start`) and what follows
 * from there; now and then it is kept whole, so that a reader who lost the beginning catches up. Pure.
 */
import { z } from 'zod';
import type { LiveOp } from '../../../src/core/outbound.ts';
import type { StoredEvent } from '../decode.ts';

type Draft = Extract<LiveOp, { op: 'draft' }>;
/** What a writer remembers of a message's draft: its text as kept, and how much was kept since it was last kept whole. */
export type Kept = { readonly text: string; readonly since: number; readonly events: number };

/** A draft -> the event that is kept, and what to remember for the next one. */
export const encodeDraft = (draft: Draft, before: Kept | undefined): readonly [string, Kept] => {
  const common = before === undefined ? 0 : commonLength(before.text, draft.text);
  const tail = draft.text.length - common;
  const whole = before === undefined || before.events >= 200 || before.since + tail > 2_000 + draft.text.length;
  const start = whole ? 0 : common;
  const { turn, message, progress } = draft;
  const event: StoredEvent = { event: 'draft', turn, data: { turn, message, start, text: draft.text.slice(start), progress } };
  const kept = whole
    ? { text: draft.text, since: 0, events: 0 }
    : { text: draft.text, since: before.since + tail, events: before.events + 1 };
  return [JSON.stringify(event), kept];
};

/** Never between the two halves of a character beyond the basic plane. */
const commonLength = (a: string, b: string): number => {
  // The usual case, at the speed of comparing bytes: something was added.
  if (b.startsWith(a)) return a.length;
  const most = Math.min(a.length, b.length);
  let same = 0;
  while (same < most && a.charCodeAt(same) === b.charCodeAt(same)) same += 1;
  return same > 0 && /[\ud800-\udbff]/.test(b.charAt(same - 1)) ? same - 1 : same;
};

const keptSchema = z.object({
  turn: z.string(),
  message: z.string(),
  start: z.number().int().nonnegative(),
  text: z.string(),
  progress: z.array(z.object({ call: z.string(), text: z.string(), state: z.enum(['running', 'done', 'failed']) })).readonly(),
});
export type WholeDraft = Omit<z.infer<typeof keptSchema>, 'start'>;

/** Puts drafts together again. Null: the beginning is not known yet; a later event will bring it. */
export const createDraftReader = (): {
  readonly read: (data: StoredEvent['data']) => WholeDraft | null;
  readonly forget: (message: string) => void;
} => {
  const texts = new Map<string, string>();
  return {
    read: (data) => {
      const kept = keptSchema.safeParse(data);
      if (!kept.success) return null;
      const { start, ...draft } = kept.data;
      const before = texts.get(draft.message) ?? (start === 0 ? '' : undefined);
      if (before === undefined || before.length < start) return null;
      const text = before.slice(0, start) + draft.text;
      texts.set(draft.message, text);
      return { ...draft, text };
    },
    forget: (message) => texts.delete(message),
  };
};
