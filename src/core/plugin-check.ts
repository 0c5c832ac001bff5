/** What is wrong with a plugin, said before it starts. Plugins may be plain JavaScript, so nothing is taken from the type checker. */
import type { AnyTool, PluginFacts } from './plugin.ts';

const NAME = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_DESCRIPTION = 1_024;

type Raw<T> = { readonly [Key in keyof T]: unknown };

/** The first fault of the plugin itself; null where there is none. */
export const pluginFault = ({ name, needs }: Raw<Pick<PluginFacts, 'name' | 'needs'>>, known: readonly string[]): string | null => {
  if (!isName(name)) return `not a legal name of a plugin: ${String(name)}`;
  if (!Array.isArray(needs)) return `plugin ${name}: needs must be a list`;
  const unknown: unknown = needs.find((need: unknown) => !known.some((one) => one === need));
  return unknown === undefined ? null : `plugin ${name}: there is no capability ${JSON.stringify(unknown)}, only ${known.join(', ')}`;
};

/** The first fault of one of its tools; null where there is none. */
export const toolFault = ({ name, description, parameters, effect, timeoutMs, execute }: Raw<AnyTool>): string | null => {
  if (!isName(name)) return `not a legal tool name: ${String(name)}`;
  if (typeof description !== 'string') return `${name} has no description`;
  if (description.length > MAX_DESCRIPTION) return `the description of ${name} is longer than 1,024 characters`;
  if (typeof parameters !== 'object' || parameters === null || !('safeParse' in parameters))
    return `the parameters of ${name} are no zod schema`;
  if (effect !== 'read' && effect !== 'write') return `the effect of ${name} must be 'read' or 'write'`;
  if (typeof timeoutMs !== 'number' || !(timeoutMs > 0)) return `${name} needs a timeoutMs above 0`;
  return typeof execute === 'function' ? null : `${name} has no execute`;
};

const isName = (value: unknown): value is string => typeof value === 'string' && NAME.test(value);
