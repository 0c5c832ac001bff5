/**
 * A server's JSON Schema -> one that every model server takes, and a check of arguments. References are put in place, compositions at the
 * root are merged, and what few model servers know is left out. A schema that was widened by this does no harm: the server checks its
 * arguments by itself. Nothing that a server sent is run: no patterns, since a bad one could hold up the process.
 */
import { z } from 'zod';
import type { JsonSchema } from '../../src/core/tool.ts';

type Node = Readonly<Record<string, unknown>>;

const MAX_DEPTH = 10;
const MAX_NODES = 400;
/** Characters of one description, and of all of a tool's parameters. */
const MAX_WORDS = 500;
const ALL_WORDS = 10_000;
const MAX_ENUM = 100;
const MAX_NAME = 100;
const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'minLength', 'maxLength', 'minItems', 'maxItems'];

/** Null where it is no schema of an object: then no arguments would fit it. */
export const flattenSchema = (schema: unknown): JsonSchema | null => {
  if (!isNode(schema)) return null;
  const root = mergeRoot(schema, schema);
  const type = root['type'];
  if (type !== undefined && type !== 'object' && !(Array.isArray(type) && type.includes('object'))) return null;
  const flat = flatten({ ...root, type: 'object' }, { root: schema, left: MAX_NODES, words: ALL_WORDS, open: [] }, 0);
  return { ...flat, type: 'object', properties: isNode(flat['properties']) ? flat['properties'] : {} };
};

/** The check that belongs to a flat schema. Any object passes where it cannot be made. */
export const checkOf = (flat: JsonSchema): z.ZodType => {
  try {
    return z.fromJSONSchema(checkable(flat));
  } catch {
    return z.record(z.string(), z.unknown());
  }
};

// Defaults are the server's to fill in, and formats and patterns its to check.
const checkable = (value: JsonSchema): JsonSchema => {
  const walk = (inner: unknown): unknown => (Array.isArray(inner) ? inner.map(walk) : isNode(inner) ? checkable(inner) : inner);
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
      if (key === 'properties' && isNode(inner))
        return [[key, Object.fromEntries(Object.entries(inner).map(([name, of]) => [name, walk(of)]))]];
      if (key === 'enum' || key === 'const' || key === 'required') return [[key, inner]];
      return ['default', 'format', 'pattern', 'description'].includes(key) ? [] : [[key, walk(inner)]];
    }),
  );
};

type Walk = { readonly root: Node; left: number; words: number; readonly open: readonly string[] };

const flatten = (schema: unknown, walk: Walk, depth: number): Node => {
  walk.left -= 1;
  if (!isNode(schema) || depth > MAX_DEPTH || walk.left < 0) return {};
  const pointer = schema['$ref'];
  if (typeof pointer === 'string') {
    const target = walk.open.includes(pointer) ? undefined : lookUp(pointer, walk.root);
    const { $ref: _pointer, ...beside } = schema;
    const inner = { ...walk, open: [...walk.open, pointer] };
    const flat = flatten({ ...(isNode(target) ? target : {}), ...beside }, inner, depth);
    walk.left = inner.left;
    walk.words = inner.words;
    return flat;
  }
  const merged = mergeAll(schema, walk);
  return { ...scalars(merged, walk), ...children(merged, walk, depth + 1) };
};

const scalars = (schema: Node, walk: Walk): Node => {
  const { type, enum: options, format, default: otherwise } = schema;
  const types = listOf(Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string' && TYPES.has(one));
  const choice = 'const' in schema ? [schema['const']] : listOf(options);
  const description = described(schema['description'] ?? schema['title'], walk);
  return {
    ...(types.length === 0 ? {} : { type: types.length === 1 ? types[0] : types }),
    ...(description === '' ? {} : { description }),
    ...(choice.length > 0 && choice.length <= MAX_ENUM && choice.every(isShort) ? { enum: choice } : {}),
    ...Object.fromEntries(NUMBERS.flatMap((key) => (typeof schema[key] === 'number' ? [[key, schema[key]]] : []))),
    ...(typeof format === 'string' && /^[a-z-]{1,20}$/.test(format) ? { format } : {}),
    ...(otherwise !== undefined && otherwise !== null && isShort(otherwise) ? { default: otherwise } : {}),
  };
};

const described = (value: unknown, walk: Walk): string => {
  if (typeof value !== 'string') return '';
  const told = value.slice(0, Math.min(MAX_WORDS, Math.max(0, walk.words))).toWellFormed();
  walk.words -= told.length;
  return told;
};
const isShort = (value: unknown): boolean =>
  typeof value === 'string' ? value.length <= MAX_NAME : value === null || ['number', 'boolean'].includes(typeof value);

const children = (schema: Node, walk: Walk, depth: number): Node => {
  const { properties, items, required, additionalProperties: others } = schema;
  const options = [schema['anyOf'], schema['oneOf']].find(Array.isArray);
  const all = isNode(properties) ? Object.entries(properties) : [];
  const known = all.flatMap(([name, of]) => (name.length > MAX_NAME || walk.left <= 0 ? [] : [[name, flatten(of, walk, depth)] as const]));
  const names = new Set(known.map(([name]) => name));
  const needed = listOf(required).filter((name) => typeof name === 'string' && names.has(name));
  const closed = others === false && !('patternProperties' in schema) && known.length === all.length;
  return {
    ...(isNode(properties) ? { properties: Object.fromEntries(known) } : {}),
    ...(needed.length === 0 ? {} : { required: [...new Set(needed)] }),
    ...(closed ? { additionalProperties: false } : isNode(others) ? { additionalProperties: flatten(others, walk, depth) } : {}),
    // Several servers refuse a list that does not say what it holds.
    ...(schema['type'] === 'array' || isNode(items) ? { items: flatten(items, walk, depth) } : {}),
    ...(options === undefined ? {} : { anyOf: options.slice(0, 20).map((one: unknown) => flatten(one, walk, depth)) }),
  };
};

/** `allOf` put into the schema that holds it. */
const mergeAll = (schema: Node, walk: Pick<Walk, 'root' | 'open'>): Node => {
  const { allOf, ...rest } = schema;
  if (!Array.isArray(allOf)) return schema;
  return allOf.slice(0, 20).reduce<Node>((whole, part: unknown) => {
    const pointer = isNode(part) ? part['$ref'] : undefined;
    const target = typeof pointer === 'string' && !walk.open.includes(pointer) ? lookUp(pointer, walk.root) : part;
    return isNode(target) ? both(whole, target) : whole;
  }, rest);
};

const both = (a: Node, b: Node): Node => ({
  ...b,
  ...a,
  ...(isNode(a['properties']) || isNode(b['properties'])
    ? { properties: { ...(isNode(b['properties']) ? b['properties'] : {}), ...(isNode(a['properties']) ? a['properties'] : {}) } }
    : {}),
  required: [...listOf(a['required']), ...listOf(b['required'])],
  // What each part shuts out the other may name.
  additionalProperties: true,
});

/** Choices at the root are not taken by model servers: every property of every choice may be given, and what all need is needed. */
const mergeRoot = (schema: Node, root: Node): Node => {
  const pointer = schema['$ref'];
  const found = typeof pointer === 'string' ? lookUp(pointer, root) : undefined;
  const whole = mergeAll(isNode(found) ? found : schema, { root, open: [] });
  const options = [whole['anyOf'], whole['oneOf']].find(Array.isArray);
  if (options === undefined) return whole;
  const { anyOf: _any, oneOf: _one, ...rest } = whole;
  const parts = options.slice(0, 20).map((one: unknown) => {
    const at = isNode(one) ? one['$ref'] : undefined;
    const part = typeof at === 'string' ? lookUp(at, root) : one;
    return isNode(part) ? part : {};
  });
  const needed = listOf(parts[0]?.['required']).filter((name) => parts.every((part) => listOf(part['required']).includes(name)));
  const merged = parts.reduce(both, rest);
  return { ...merged, required: [...listOf(rest['required']), ...needed] };
};

const lookUp = (pointer: string, root: Node): unknown => {
  if (pointer !== '#' && !pointer.startsWith('#/')) return undefined;
  const steps = pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return steps.reduce<unknown>((at, step) => (isNode(at) && Object.hasOwn(at, step) ? at[step] : undefined), root);
};

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && !Array.isArray(value);
