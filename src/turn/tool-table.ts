/** The tools of all plugins by name, and what the model is told of them. */
import type { AnyTool, Plugin } from '../core/plugin.ts';
import { definePrompt, render } from '../core/prompt.ts';
import type { ToolSpec } from '../core/tool.ts';
import { toolSchema } from '../core/tool-call.ts';
import type { PromptText } from '../core/trust.ts';

/** A Map, never a plain object: `constructor` and `__proto__` are names that models do call. */
export type ToolTable = ReadonlyMap<string, AnyTool>;

const built = new WeakMap<readonly Plugin[], { readonly lists: readonly (readonly AnyTool[])[]; readonly table: ToolTable }>();

/** The table of a process's plugins; made anew only when the list of a live plugin has changed. Throws as `toolTable` does. */
export const currentTable = (plugins: readonly Plugin[]): ToolTable => {
  const lists = plugins.map((plugin) => plugin.tools);
  const known = built.get(plugins);
  if (known !== undefined && known.lists.every((list, index) => list === lists[index])) return known.table;
  const table = toolTable(plugins);
  built.set(plugins, { lists, table });
  return table;
};

/** Without the tools that run code, for people who may not. */
export const withoutCode = (table: ToolTable): ToolTable => {
  const known = codeless.get(table);
  if (known !== undefined) return known;
  const rest = new Map([...table].filter(([, tool]) => !tool.of.needs.includes('sandbox')));
  codeless.set(table, rest);
  return rest;
};
const codeless = new WeakMap<ToolTable, ToolTable>();

/** Throws a TypeError where two plugins claim one tool name: a set-up fault that must not start. */
export const toolTable = (plugins: readonly Plugin[]): ToolTable => {
  const table = new Map<string, AnyTool>();
  for (const tool of plugins.flatMap((plugin) => plugin.tools)) {
    if (table.has(tool.name)) throw new TypeError(`two tools are called ${tool.name}`);
    table.set(tool.name, tool);
  }
  if (table.size > 128) throw new TypeError(`${table.size} tools are too many: model servers take 128`);
  return table;
};

const toolDescription = definePrompt<{ readonly words: PromptText }>({ id: 'tool-description', version: 1, words: ({ words }) => words });

/** The same list for the same table: what is made from it (its size, its place in a request) can be kept as well. */
export const toolSpecs = (table: ToolTable): readonly ToolSpec[] => {
  const known = specs.get(table);
  if (known !== undefined) return known;
  const made = [...table.values()].map((tool) => ({
    name: tool.name,
    description: render(toolDescription, { words: tool.description }),
    parameters: toolSchema(tool),
  }));
  specs.set(table, made);
  return made;
};
const specs = new WeakMap<ToolTable, readonly ToolSpec[]>();
