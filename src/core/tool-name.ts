/**
 * The name in a model's call -> a tool. Models decorate, misspell in known ways and use names from their training.
 * Nothing here guesses by likeness: the tool that runs must be the one that was meant.
 */
import type { AnyTool } from './plugin.ts';

/** Tools by name. A Map, never a plain object: `constructor` and `__proto__` are names that models do call (MA8). */
export type Tools = ReadonlyMap<string, AnyTool>;

export type NamedTool =
  | { readonly kind: 'tool'; readonly tool: AnyTool }
  /** OpenAI's inner tool for several calls at once, which some models call by itself (MA3). */
  | { readonly kind: 'parallel' }
  | { readonly kind: 'unknown' };

export const toolNamed = (raw: string, tools: Tools): NamedTool => {
  for (const name of forms(raw)) {
    const tool = tools.get(name) ?? alike(name, tools);
    if (tool !== undefined) return { kind: 'tool', tool };
    if (PARALLEL.test(name)) return { kind: 'parallel' };
  }
  return { kind: 'unknown' };
};

const PARALLEL = /^(multi_tool_use[._-])?parallel$/i;

/** A name that every server takes in a history, made of whatever the model sent (MH2). */
export const legalName = (raw: string): string =>
  trimmed(raw)
    .replace(/[^a-zA-Z0-9_-]/g, '_')
    .slice(0, 64) || 'unnamed';

/** The ways to read a name, the most literal first. */
const forms = (raw: string): readonly string[] => {
  const plain = trimmed(raw);
  const withoutSpace = plain.replace(/^(functions?|tools?|default_api|api)\s*[.:/]\s*/i, '');
  const last = plain.split(/[.:/]/).at(-1) ?? '';
  return [...new Set([raw, plain, withoutSpace, last])].filter((name) => name !== '');
};

/** Without control tokens after it (MA4) and without signs around it (MA5). */
const trimmed = (raw: string): string => (raw.split('<|', 1)[0] ?? '').replace(/^[^a-zA-Z0-9_]+/, '').replace(/[^a-zA-Z0-9_]+$/, '');

/** The only tool whose name is the same but for case and separators, or ends in `__name`, or that goes by this name elsewhere. */
const alike = (name: string, tools: Tools): AnyTool | undefined => {
  const key = fold(name);
  const all = [...tools.values()];
  return (
    only(all.filter((tool) => fold(tool.name) === key)) ??
    only(all.filter((tool) => tool.name.includes('__') && fold(tool.name.split('__').at(-1) ?? '') === key)) ??
    only(all.filter((tool) => (tool.aliases ?? []).some((alias) => fold(alias) === key)))
  );
};
const fold = (name: string): string => name.toLowerCase().replace(/[_\-\s]/g, '');
const only = (tools: readonly AnyTool[]): AnyTool | undefined => (tools.length === 1 ? tools[0] : undefined);
