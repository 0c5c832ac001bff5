/**
 * A model's calls -> calls that may be run, each with an id of our own, or the failure that the model is told. Pure.
 * What comes out is always a legal history: every call has a legal name, and arguments that are the text of an object.
 */
import type { ToolCall } from './conversation.ts';
import { failure } from './failure.ts';
import type { Failure } from './failure.ts';
import { callId } from './ids.ts';
import type { AnyTool } from './plugin.ts';
import { err, ok } from './result.ts';
import type { Result } from './result.ts';
import type { DecodedCall, RawCall } from './tool.ts';
import { readArguments } from './tool-arguments.ts';
import type { Arguments } from './tool-arguments.ts';
import { legalName, toolNamed } from './tool-name.ts';
import type { Tools } from './tool-name.ts';
import { coerce, isRecord, problemsIn, toolSchema } from './tool-schema.ts';

export { toolSchema } from './tool-schema.ts';

export type OfferedCall = { readonly call: ToolCall; readonly decoded: Result<DecodedCall, Failure> };

/** More calls than this in one message are not looked at (MI3). */
const MAX_CALLS = 128;

/**
 * Decodes the calls of one reply. `prefix` is `turn:step`; the call that stood at place k becomes `turn:step:k`, further calls that were
 * run together with it `turn:step:k.1` and so on. With `cut` (the reply ended by its length limit) no call is whole and none may run.
 */
export const decodeCalls = (calls: readonly RawCall[], tools: Tools, prefix: string, cut = false): readonly OfferedCall[] =>
  calls
    .flatMap((raw, place) =>
      decodeOne(raw, tools, cut).map((one, part) => ({ one, id: callId(`${prefix}:${place}${part === 0 ? '' : `.${part}`}`) })),
    )
    .slice(0, MAX_CALLS)
    .map(({ one, id }) => ({
      call: { id, name: one.name, arguments: canonical(one.input) },
      decoded: one.decoded.ok ? ok({ id, name: one.name, arguments: one.decoded.value }) : one.decoded,
    }));

/** A call from the journal -> its tool and arguments. It was decoded before; it fails only where the plugins have changed since. */
export const decodeStored = (call: ToolCall, tools: Tools): Result<{ readonly tool: AnyTool; readonly args: unknown }, Failure> => {
  const tool = tools.get(call.name);
  if (tool === undefined) return err(unknownTool(call.name, tools));
  const read = readArguments(call.arguments, { ...tool, effect: 'write' });
  const checked = check(tool, 'objects' in read ? read.objects[0] : undefined);
  return checked.decoded.ok ? ok({ tool, args: checked.decoded.value }) : checked.decoded;
};

type One = { readonly name: string; readonly input: Arguments; readonly decoded: Result<Arguments, Failure> };

const decodeOne = (raw: RawCall, tools: Tools, cut: boolean): readonly One[] => {
  const named = toolNamed(raw.name, tools);
  if (named.kind === 'parallel' && !cut) return decodeParallel(raw, tools);
  if (named.kind !== 'tool') return [{ name: legalName(raw.name), input: {}, decoded: err(unknownTool(raw.name, tools)) }];
  const { tool } = named;
  const wrong = (problem: string): readonly One[] => [
    { name: tool.name, input: {}, decoded: err(failure('tool-arguments', { name: tool.name, problem })) },
  ];
  if (cut)
    return wrong('Your reply reached its length limit in the middle, so the call was not run. Make it shorter, or do it in smaller steps.');
  const read = readArguments(raw.arguments, tool);
  return 'problem' in read ? wrong(read.problem) : read.objects.map((input) => check(tool, input));
};

/** `{"tool_uses":[{"recipient_name":"functions.x","parameters":{…}}]}` -> the calls themselves (MA3). */
const decodeParallel = (raw: RawCall, tools: Tools): readonly One[] => {
  const read = readArguments(raw.arguments, { effect: 'read' });
  const uses: unknown = 'objects' in read ? read.objects[0]?.['tool_uses'] : undefined;
  const calls = (Array.isArray(uses) ? uses : []).filter(isRecord).flatMap((use) => {
    const name = use['recipient_name'] ?? use['name'];
    const input = use['parameters'] ?? use['arguments'] ?? {};
    return typeof name === 'string' ? [{ ...raw, name, arguments: typeof input === 'string' ? input : JSON.stringify(input) }] : [];
  });
  const inner = calls.filter((call) => toolNamed(call.name, tools).kind !== 'parallel');
  if (inner.length > 0) return inner.flatMap((call) => decodeOne(call, tools, false));
  return [{ name: legalName(raw.name), input: {}, decoded: err(unknownTool(raw.name, tools)) }];
};

const check = (tool: AnyTool, input: Arguments | undefined): One => {
  if (input === undefined)
    return { name: tool.name, input: {}, decoded: err(failure('tool-arguments', { name: tool.name, problem: 'There were none.' })) };
  const asIs = tool.parameters.safeParse(input);
  if (asIs.success && isRecord(asIs.data)) return { name: tool.name, input, decoded: ok(asIs.data) };
  const schema = toolSchema(tool);
  if (tool.effect === 'read') {
    const coerced = coerce(input, schema);
    const mended = tool.parameters.safeParse(coerced);
    if (mended.success && isRecord(mended.data) && isRecord(coerced)) return { name: tool.name, input: coerced, decoded: ok(mended.data) };
  }
  const problem = asIs.success ? 'They do not make an object.' : problemsIn(asIs.error, input, schema);
  return { name: tool.name, input, decoded: err(failure('tool-arguments', { name: tool.name, problem })) };
};

const unknownTool = (name: string, tools: Tools): Failure =>
  failure('tool-unknown', { name: legalName(name), available: [...tools.keys()] });

/** One text for equal arguments: keys in order, well-formed. Also what the repeat guard compares. */
const canonical = (value: Arguments): string => JSON.stringify(sorted(value)).toWellFormed();

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isRecord(value)) return typeof value === 'string' ? value.toWellFormed() : value;
  const entries = Object.entries(value).map(([key, item]): [string, unknown] => [key.toWellFormed(), sorted(item)]);
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)));
};
