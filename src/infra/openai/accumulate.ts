/**
 * Puts a reply together from its pieces. The rules for tool calls are those that real servers forced: missing, empty, repeated and
 * changing ids, missing and reused indexes, objects instead of JSON text, the old `function_call`. Nothing here believes a call; that
 * is `src/core/tool-call.ts`.
 */
import type { RawCall } from '../../core/tool.ts';
import { wordsOf } from './chunk.ts';
import type { WireCall, WireChunk, WireDelta, WireUsage } from './chunk.ts';
import { createThoughtFilter } from './thoughts.ts';

/** Bounds on one reply, in UTF-16 units. */
const REPLY_LIMITS = { text: 1 << 20, arguments: 256 << 10, calls: 128, name: 256, extras: 64 << 10, blanks: 2_000 } as const;

/** A reply as far as it has come. `full` says that a bound was reached and reading on is pointless. */
export type Draft = {
  readonly text: string;
  readonly thoughts: string;
  readonly calls: readonly RawCall[];
  readonly finish: string | null;
  readonly full: boolean;
  readonly started: boolean;
  readonly model: string;
  readonly fingerprint: string | null;
  readonly usage: WireUsage | null;
  /** OpenRouter's reasoning blocks, which must go back unchanged. */
  readonly details: readonly { readonly [key: string]: unknown }[];
};

export type Accumulator = {
  readonly add: (chunk: WireChunk) => void;
  /** Ends the text: what looked like the beginning of a control token is text after all. */
  readonly end: () => void;
  readonly draft: () => Draft;
  /** The parts of the draft that are looked at with every piece. */
  readonly glance: () => Pick<Draft, 'text' | 'full'> & { readonly finished: boolean };
};

type Entry = {
  id: string;
  index: number | null;
  name: string;
  parts: string[];
  size: number;
  blanks: number;
  extras: Record<string, unknown> | null;
};

export const createAccumulator = (): Accumulator => {
  const filter = createThoughtFilter();
  const calls: Entry[] = [];
  let raw = 0;
  let spokenThoughts = '';
  let finish: string | null = null;
  let full = false;
  let started = false;
  let model = '';
  let fingerprint: string | null = null;
  let usage: WireUsage | null = null;
  const details: { readonly [key: string]: unknown }[] = [];

  const addWords = (delta: WireDelta): void => {
    const words = wordsOf(delta);
    if (words.text !== '') {
      const room = REPLY_LIMITS.text - raw;
      filter.push(words.text.slice(0, room));
      raw += words.text.length;
      if (raw > REPLY_LIMITS.text) full = true;
    }
    if (spokenThoughts.length < REPLY_LIMITS.text) spokenThoughts += words.thoughts.slice(0, REPLY_LIMITS.text - spokenThoughts.length);
    if (details.length < 1_000) details.push(...(delta.reasoning_details ?? []));
  };

  const addCall = (call: WireCall): void => {
    const id = call.id ?? '';
    const name = call.function?.name ?? '';
    const piece = argumentsText(call.function?.arguments);
    let entry = entryFor(calls, { id, index: call.index ?? null, name, piece });
    if (entry === undefined) {
      if (calls.length >= REPLY_LIMITS.calls) {
        full = true;
        return;
      }
      entry = { id, index: call.index ?? null, name: '', parts: [], size: 0, blanks: 0, extras: null };
      calls.push(entry);
    }
    if (entry.id === '') entry.id = id;
    entry.name = joinName(entry, name).slice(0, REPLY_LIMITS.name);
    const extras = extrasOf(call);
    if (extras !== null) entry.extras = { ...entry.extras, ...extras };
    if (piece === '') return;
    entry.parts.push(piece.slice(0, Math.max(0, REPLY_LIMITS.arguments - entry.size)));
    entry.size += piece.length;
    entry.blanks = piece.trim() === '' ? entry.blanks + piece.length : 0;
    if (entry.size > REPLY_LIMITS.arguments) full = true;
    // A model that has fallen into printing blank lines after its arguments will not stop by itself (MB12).
    if (entry.blanks > REPLY_LIMITS.blanks && isComplete(entry)) full = true;
  };

  return {
    add: (chunk) => {
      model = chunk.model || model;
      fingerprint = chunk.system_fingerprint ?? fingerprint;
      usage = chunk.usage ?? usage;
      const choice = chunk.choices?.[0];
      if (choice === undefined) return;
      // Moonshot puts it into the choice (ME5).
      usage = chunk.usage ?? choice.usage ?? usage;
      finish = choice.finish_reason || finish;
      const delta = choice.delta ?? choice.message ?? undefined;
      if (delta === undefined) return;
      started = true;
      addWords(delta);
      // A whole message lists its calls in full: the place in the list tells two calls with one id apart (MC7).
      const whole = (choice.delta ?? undefined) === undefined;
      (delta.tool_calls ?? []).forEach((call, index) => addCall(whole ? { ...call, index } : call));
      if ((delta.function_call ?? undefined) !== undefined) addCall({ id: null, index: null, function: delta.function_call });
    },
    end: filter.end,
    glance: () => ({ text: filter.text(), full, finished: finish !== null }),
    draft: () => ({
      text: filter.text(),
      thoughts: spokenThoughts + filter.thoughts(),
      calls: calls.map((entry) => ({
        id: entry.id,
        name: entry.name,
        arguments: entry.parts.join(''),
        passBack: entry.extras !== null && JSON.stringify(entry.extras).length <= REPLY_LIMITS.extras ? entry.extras : null,
      })),
      finish,
      full,
      started,
      model,
      fingerprint,
      usage,
      details,
    }),
  };
};

type Arriving = { readonly id: string; readonly index: number | null; readonly name: string; readonly piece: string };

/** The call that a piece belongs to; undefined: it begins a new one. */
const entryFor = (calls: readonly Entry[], next: Arriving): Entry | undefined => {
  const byId = next.id === '' ? undefined : calls.findLast((entry) => entry.id === next.id);
  const byIndex = next.index === null ? undefined : calls.findLast((entry) => entry.index === next.index);
  const newPlace = next.name !== '' && next.index !== null && byIndex === undefined;
  if (byId !== undefined) {
    // The same id twice in one message: a name at an index that was not seen yet begins another call (MC7).
    if (newPlace && byId.index !== null) return undefined;
    return byIndex !== undefined && byIndex.id === next.id ? byIndex : byId;
  }
  if (newPlace) return undefined;
  const entry = byIndex ?? calls.at(-1);
  if (entry === undefined || next.name === '' || entry.name === '') return entry;
  const differs = next.id === '' ? next.piece.trim() !== '' || next.name !== entry.name : next.id !== entry.id;
  if (!differs) return entry;
  if (isComplete(entry)) return undefined;
  // Another id over unfinished arguments is the same call under a changing id (MC5), unless it asks for another tool.
  return next.id !== '' && next.name !== entry.name ? undefined : entry;
};

const isComplete = (entry: Entry): boolean => {
  const text = entry.parts.join('').trimEnd();
  if (!text.endsWith('}')) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** Names come whole, repeated, growing or in pieces. */
const joinName = (entry: Entry, name: string): string => {
  if (name === '' || name === entry.name) return entry.name;
  if (entry.name === '' || name.startsWith(entry.name)) return name;
  return entry.size === 0 ? entry.name + name : entry.name;
};

const argumentsText = (value: unknown): string => {
  if (typeof value === 'string') return value;
  return value === null || value === undefined ? '' : JSON.stringify(value);
};

const KNOWN = new Set(['id', 'index', 'type', 'function']);
/** Fields of a call that are the server's own business (Gemini's thought signature) and must go back to it (ME2). */
const extrasOf = (call: WireCall): Record<string, unknown> | null => {
  const extras = Object.entries(call).filter(([key, value]) => !KNOWN.has(key) && value !== null && value !== undefined);
  return extras.length === 0 ? null : Object.fromEntries(extras);
};
