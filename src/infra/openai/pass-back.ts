/**
 * Some servers want parts of a reply back with the next request: DeepSeek its reasoning, OpenRouter its reasoning blocks, Gemini the
 * signature on each call. They are stored with the message, stamped with the server and model they belong to, and go back only there.
 */
import { z } from 'zod';
import type { Draft } from './accumulate.ts';
import type { ServerProfile } from './profile.ts';

type Target = { readonly host: string; readonly model: string; readonly profile: ServerProfile };
export type PassBack = { readonly [key: string]: unknown };

const fields = z.record(z.string(), z.unknown());
const stored = z.object({ host: z.string(), model: z.string(), message: fields, calls: z.record(z.string(), fields) });

const MAX_REASONING = 256 << 10;

/** What is stored with a reply that made calls; null where the server needs nothing back. */
export const toPassBack = (draft: Draft, target: Target): PassBack | null => {
  if (draft.calls.length === 0) return null;
  const message: Record<string, unknown> = {};
  const { passBack } = target.profile;
  if (passBack === 'reasoning_content' && draft.thoughts !== '')
    message['reasoning_content'] = draft.thoughts.slice(0, MAX_REASONING).toWellFormed();
  if (passBack === 'reasoning_details' && draft.details.length > 0 && JSON.stringify(draft.details).length <= MAX_REASONING)
    message['reasoning_details'] = draft.details;
  const calls = Object.fromEntries(draft.calls.flatMap((call, place) => (call.passBack === null ? [] : [[String(place), call.passBack]])));
  if (Object.keys(message).length === 0 && Object.keys(calls).length === 0) return null;
  return { host: target.host, model: target.model, message, calls };
};

const ours = (passBack: PassBack | null, target: Target): z.infer<typeof stored> | undefined => {
  const decoded = stored.safeParse(passBack);
  return decoded.success && decoded.data.host === target.host && decoded.data.model === target.model ? decoded.data : undefined;
};

export const messageExtrasOf = (passBack: PassBack | null, target: Target): { readonly [key: string]: unknown } =>
  ours(passBack, target)?.message ?? {};

/** Our call ids end in the place that the call had in the reply (`turn:step:2`); calls that were split off have a further part and no extras. */
export const callExtrasOf = (passBack: PassBack | null, id: string, place: number, target: Target): { readonly [key: string]: unknown } => {
  const mine = ours(passBack, target);
  if (mine !== undefined) return mine.calls[/:(\d+)$/.exec(id)?.[1] ?? ''] ?? {};
  // Gemini refuses calls that another model made unless the first of a step carries this word in place of a signature.
  if (target.profile.passBack === 'extra_content' && place === 0)
    return { extra_content: { google: { thought_signature: 'skip_thought_signature_validator' } } };
  return {};
};
