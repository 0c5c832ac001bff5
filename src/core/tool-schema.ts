/** The JSON Schema of a tool's arguments, as models are told it, and arguments that nearly fit it -> arguments that do. */
import { z } from 'zod';
import { MAX_DEPTH, scanJson } from './json-scan.ts';
import type { AnyTool } from './plugin.ts';
import type { JsonSchema } from './tool.ts';

/** The schema for the model: an object at the root, no keys beside those named. Throws a TypeError for a tool whose parameters are no object. */
export const toolSchema = (tool: AnyTool): JsonSchema => {
  if (tool.schema !== undefined) return tool.schema;
  const known = schemas.get(tool.parameters);
  if (known !== undefined) return known;
  const { $schema: _dialect, ...schema } = z.toJSONSchema(tool.parameters, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type === 'object' && jsonSchema.properties !== undefined && jsonSchema.additionalProperties === undefined)
        Object.assign(jsonSchema, { additionalProperties: false });
    },
  });
  if (schema.type !== 'object') throw new TypeError(`the parameters of ${tool.name} are not an object`);
  schemas.set(tool.parameters, schema);
  return schema;
};
// The same tool has the same schema in every request; making it is the costly part.
const schemas = new WeakMap<AnyTool['parameters'], JsonSchema>();

/**
 * Mends what models get wrong about types, guided by the schema and only where the schema leaves no doubt: a text that holds the wanted
 * object, list, number or truth value; null for a value that may be left out.
 */
export const coerce = (value: unknown, schema: unknown, depth = 0): unknown => {
  if (!isRecord(schema) || depth > 20) return value;
  const type = schema['type'];
  if (typeof value === 'string' && (type === 'object' || type === 'array')) return coerceJson(value, schema, type, depth);
  if (typeof value === 'string' && (type === 'number' || type === 'integer'))
    return /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/.test(value.trim()) ? Number(value) : value;
  if (typeof value === 'string' && type === 'boolean') return /^true$/i.test(value) ? true : /^false$/i.test(value) ? false : value;
  if (type === 'array' && Array.isArray(value)) return value.map((item: unknown) => coerce(item, schema['items'], depth + 1));
  if (type === 'object' && isRecord(value)) return coerceObject(value, schema, depth);
  return value;
};

const coerceJson = (text: string, schema: JsonSchema, type: 'object' | 'array', depth: number): unknown => {
  if (scanJson(text).depth > MAX_DEPTH) return text;
  try {
    const inner: unknown = JSON.parse(text);
    const fits = type === 'array' ? Array.isArray(inner) : isRecord(inner);
    return fits ? coerce(inner, schema, depth + 1) : text;
  } catch {
    return text;
  }
};

const coerceObject = (value: Record<string, unknown>, schema: JsonSchema, depth: number): unknown => {
  const properties = isRecord(schema['properties']) ? new Map(Object.entries(schema['properties'])) : new Map<string, unknown>();
  const required = Array.isArray(schema['required']) ? schema['required'] : [];
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
      const inner = properties.get(key);
      if (item === null && inner !== undefined && !required.includes(key) && !takesNull(inner)) return [];
      return [[key, coerce(item, inner, depth + 1)]];
    }),
  );
};

const takesNull = (schema: unknown): boolean => /"null"|"const":null/.test(JSON.stringify(schema));

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What does not fit, in words for the model: which argument, what was wanted. */
export const problemsIn = (error: z.ZodError, value: unknown, schema: JsonSchema): string => {
  const lines = error.issues
    .slice(0, 8)
    .map((issue) => `${issue.path.length === 0 ? 'the arguments' : issue.path.map(String).join('.')}: ${issue.message}`);
  const known = isRecord(schema['properties']) ? Object.keys(schema['properties']) : [];
  const unknown = isRecord(value) ? Object.keys(value).filter((key) => !known.includes(key)) : [];
  if (unknown.length > 0) lines.push(`not known: ${unknown.slice(0, 8).join(', ')}`);
  lines.push(`the parameters are: ${known.length === 0 ? 'none' : known.join(', ')}`);
  return lines.join('\n').slice(0, 1_500);
};
