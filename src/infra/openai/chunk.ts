/**
 * Decodes what a server sends, piece by piece. Servers disagree about nearly every field, so nothing but the outer shape is required;
 * a field of the wrong type counts as absent. A whole completion decodes like one big piece, its `message` in the place of `delta`.
 */
import { z } from 'zod';

const text = z.string().nullish().catch(null);
const loose = z.record(z.string(), z.unknown());

const usageSchema = z
  .object({
    prompt_tokens: z.number().nonnegative().catch(0),
    completion_tokens: z.number().nonnegative().catch(0),
    prompt_tokens_details: z.object({ cached_tokens: z.number().nonnegative().nullish() }).nullish().catch(null),
    prompt_cache_hit_tokens: z.number().nonnegative().nullish().catch(null),
    cost: z.number().nonnegative().nullish().catch(null),
    completion_tokens_details: z.object({ reasoning_tokens: z.number().nonnegative().nullish() }).nullish().catch(null),
  })
  .nullish()
  .catch(null);
export type WireUsage = NonNullable<z.infer<typeof usageSchema>>;

const functionSchema = z.object({ name: text, arguments: z.unknown() }).nullish().catch(null);
const callSchema = z.looseObject({ id: text, index: z.number().nullish().catch(null), function: functionSchema });
export type WireCall = z.infer<typeof callSchema>;

/** Content is text, or (Mistral) a list of parts of which some are thoughts. */
const partSchema = z.object({ type: text, text, thinking: z.unknown() });
const contentSchema = z
  .union([z.string(), z.array(partSchema)])
  .nullish()
  .catch(null);

const deltaSchema = z
  .object({
    content: contentSchema,
    refusal: text,
    reasoning_content: text,
    reasoning: text,
    reasoning_text: text,
    reasoning_details: z.array(loose).nullish().catch(null),
    tool_calls: z.array(callSchema).nullish().catch(null),
    function_call: functionSchema,
  })
  .nullish()
  .catch(null);
export type WireDelta = NonNullable<z.infer<typeof deltaSchema>>;

const choiceSchema = z.object({ delta: deltaSchema, message: deltaSchema, finish_reason: text, usage: usageSchema });

const chunkSchema = z.object({
  model: text,
  system_fingerprint: text,
  choices: z.array(choiceSchema).nullish().catch(null),
  usage: usageSchema,
});
export type WireChunk = z.infer<typeof chunkSchema>;

/** One piece of a reply, or undefined where it is not even an object. */
export const decodeChunk = (value: unknown): WireChunk | undefined => {
  const decoded = chunkSchema.safeParse(value);
  return decoded.success ? decoded.data : undefined;
};

/** Whether a whole (not streamed) body is a completion at all. */
export const isCompletion = (chunk: WireChunk | undefined): chunk is WireChunk =>
  chunk?.choices?.[0] !== undefined && (chunk.choices[0].message ?? chunk.choices[0].delta ?? null) !== null;

export type Words = { readonly text: string; readonly thoughts: string };

/** What a piece says aloud and what it thinks. Servers that fill several reasoning fields fill them with the same words (ME3). */
export const wordsOf = (delta: WireDelta): Words => {
  const fields = [delta.reasoning_content, delta.reasoning, delta.reasoning_text];
  let thoughts = fields.find((field) => (field ?? '') !== '') ?? '';
  let said = delta.refusal ?? '';
  if (typeof delta.content === 'string') said = delta.content + said;
  else
    for (const part of delta.content ?? []) {
      said += part.text ?? '';
      thoughts += thoughtsIn(part.thinking);
    }
  return { text: said, thoughts };
};

const thoughtsIn = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (!Array.isArray(value)) return '';
  return value
    .map((part: unknown) => (typeof part === 'object' && part !== null && 'text' in part && typeof part.text === 'string' ? part.text : ''))
    .join('');
};
