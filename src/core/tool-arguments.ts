/**
 * The text of a call's arguments -> objects. Mends only what has one reading; what was cut off is never completed, and for a tool with
 * effects outside nothing is mended at all. Measured: a lenient parser makes `{"code":"os.rem` run as `os.rem`, and `print(1)` as `1`.
 */
import { jsonrepair } from 'jsonrepair';
import type { AnyTool } from './plugin.ts';
import { MAX_DEPTH, escapeControls, scanJson } from './json-scan.ts';
import { isRecord } from './tool-schema.ts';

export type Arguments = { readonly [key: string]: unknown };
/** One object, or several where a server ran parallel calls together (MB9); or what is wrong, in words for the model. */
export type ReadArguments = { readonly objects: readonly Arguments[] } | { readonly problem: string };

const MAX_SPLIT = 16;

export const readArguments = (text: string, tool: Pick<AnyTool, 'bareArgument' | 'effect'>): ReadArguments => {
  const plain = text.trim();
  if (plain === '' || /^(null|none|undefined)$/i.test(plain)) return { objects: [{}] };
  const { bareArgument } = tool;
  const { value: parsed, text: inner } = unwrap(plain);
  if (isRecord(parsed)) return scanJson(inner).depth > MAX_DEPTH ? tooDeep : { objects: [parsed] };
  if (bareArgument !== undefined && !looksLikeObjectWith(bareArgument, plain))
    return { objects: [{ [bareArgument]: bare(typeof parsed === 'string' ? parsed : plain) }] };
  if (parsed !== undefined)
    return (scanJson(inner).depth > MAX_DEPTH ? tooDeep : only(parsed)) ?? { problem: 'The arguments are valid JSON but not an object.' };

  const unfenced = withoutFence(plain);
  const fenced = parse(unfenced);
  if (isRecord(fenced)) return { objects: [fenced] };
  const scan = scanJson(unfenced);
  if (scan.depth > MAX_DEPTH) return tooDeep;
  if (!scan.balanced)
    return { problem: 'The arguments are not complete JSON: they were cut off, or a quote or bracket is missing. Nothing was run.' };
  const split = splitObjects(scan.objects, scan.onlyObjects);
  if (split !== undefined) return split;
  if (tool.effect === 'write' && bareArgument === undefined) return { problem: 'The arguments are not valid JSON.' };
  const escaped = parse(escapeControls(unfenced));
  if (isRecord(escaped)) return { objects: [escaped] };
  // Code must reach its interpreter as it was written, so nothing further is guessed there.
  if (bareArgument !== undefined) return { problem: 'The arguments are not valid JSON.' };
  const repaired = repair(unfenced);
  return isRecord(repaired) ? { objects: [repaired] } : { problem: 'The arguments are not a JSON object.' };
};
const tooDeep: ReadArguments = { problem: `The arguments are nested more than ${MAX_DEPTH} levels deep.` };

const parse = (text: string): unknown => {
  try {
    const value: unknown = JSON.parse(text);
    return value;
  } catch {
    return undefined;
  }
};

/** JSON that was encoded as a JSON text again, up to three times (MB5), with its own text. The innermost words where those are no JSON. */
const unwrap = (plain: string): { readonly value: unknown; readonly text: string } => {
  let [value, text] = [parse(plain), plain];
  for (let times = 0; times < 3 && typeof value === 'string'; times += 1) {
    const inner = parse(value);
    if (inner === undefined) break;
    [value, text] = [inner, value];
  }
  return { value, text };
};

/** A list with one object in it. */
const only = (value: unknown): ReadArguments | undefined => {
  if (!Array.isArray(value) || value.length !== 1) return undefined;
  const first: unknown = value[0];
  return isRecord(first) ? { objects: [first] } : undefined;
};

/** Whether bare text is rather a broken object than the argument itself: it begins with the argument's name as a key. */
const looksLikeObjectWith = (key: string, text: string): boolean =>
  new RegExp(`^(\`\`\`\\w*\\s*)?\\{\\s*\\\\*["']?${key}\\\\*["']?\\s*:`).test(text);

const bare = (text: string): string => {
  const fence = /^```[\w+-]*[ \t]*\n([\s\S]*?)\n?```$/.exec(text.trim());
  return fence?.[1] ?? text;
};

const withoutFence = (text: string): string => /^```(?:json)?\s*([\s\S]*?)\s*```$/.exec(text)?.[1] ?? text;

const splitObjects = (texts: readonly string[], onlyObjects: boolean): ReadArguments | undefined => {
  if (!onlyObjects || texts.length < 2) return undefined;
  // A server that sends the whole arguments once more at the end means one call.
  const objects = [...new Set(texts)].map(parse).filter(isRecord);
  return objects.length === new Set(texts).size && objects.length <= MAX_SPLIT ? { objects } : undefined;
};

const repair = (text: string): unknown => {
  try {
    return parse(jsonrepair(escapeControls(text)));
  } catch {
    return undefined;
  }
};
