/** Tools as the model sees them, and what comes of a call. Pure: decoding a call is in `tool-call.ts`. */
import { z } from 'zod';
import type { CallId } from './ids.ts';
import type { RenderedPrompt } from './prompt.ts';
import { runFileSchema, runSchema } from './run.ts';
import { blobIdSchema, snapshotIdSchema } from './message.ts';

/** JSON Schema of a tool's arguments: always an object at the root. */
export type JsonSchema = { readonly [key: string]: unknown };

/** What is put to the model about one tool. */
export type ToolSpec = { readonly name: string; readonly description: RenderedPrompt; readonly parameters: JsonSchema };

/** How a model is to use tools in one request. */
export type ToolChoice = 'auto' | 'none' | { readonly name: string };

/** A call as it came from the model, before anything was believed. `arguments` is whatever text arrived. */
export type RawCall = {
  readonly id: string;
  readonly name: string;
  readonly arguments: string;
  readonly passBack: { readonly [key: string]: unknown } | null;
};

/** A call that names a known tool with arguments that fit its schema. */
export type DecodedCall = { readonly id: CallId; readonly name: string; readonly arguments: { readonly [key: string]: unknown } };

/** Where a result's words came from. Records of before this was noted count as the house's own. */
export const provenance = {
  /** It holds words that somebody outside wrote: after reading it the model is tainted (`taint.ts`). */
  outside: z.boolean().default(false),
  /** Addresses that the tool found for the model to open; these may be fetched later on, unlike others in an outside text. */
  links: z.array(z.string()).readonly().default([]),
  /** The whole text, where only a part of it is told. */
  kept: blobIdSchema.nullable().default(null),
  /** Files that came with it, their bytes stored: shown with the answer, and pictures to a model that takes them. */
  files: z.array(runFileSchema).readonly().default([]),
};

/**
 * What a call gave. `text` goes to the model (bounded, well-formed); `failed` says that it tells of a failure.
 * `run` is set where code was run, `head` the state after it.
 */
export const toolResultSchema = z
  .object({ text: z.string(), failed: z.boolean(), run: runSchema.nullable(), head: snapshotIdSchema.nullable(), ...provenance })
  .readonly();
export type ToolResult = z.infer<typeof toolResultSchema>;

/** A result that is nothing but the house's own words. */
export const wordsResult = (text: string, failed: boolean): ToolResult => ({
  text,
  failed,
  run: null,
  head: null,
  outside: false,
  links: [],
  kept: null,
  files: [],
});
