/** Arguments of a call, whether they came as a form, as JSON or in parts. */
import { ApiFault } from './fault.ts';
import type { Json } from './model.ts';

export type Args = {
  readonly all: Json;
  /** The argument as text, or null where it is missing or empty. */
  readonly text: (name: string) => string | null;
  /** The argument as text; refuses the call where it is missing. */
  readonly need: (name: string, fault?: string) => string;
  readonly flag: (name: string, otherwise: boolean) => boolean;
  readonly number: (name: string, otherwise: number) => number;
  readonly list: (name: string, fault: string) => readonly Json[] | null;
  readonly object: (name: string, fault: string) => Json | null;
};

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

/** A field as text; empty where it is something else. */
export const textIn = (object: Json, name: string): string => {
  const value = object[name];
  return typeof value === 'string' ? value : typeof value === 'number' || typeof value === 'boolean' ? String(value) : '';
};

/** Characters as Slack counts them: code points. */
export const lengthOf = (text: string): number => Array.from(text).length;

/** Forms carry lists and objects as JSON text; JSON bodies carry them as they are. */
const parsed = (value: unknown, fault: string): unknown => {
  if (typeof value !== 'string') return value;
  try {
    return JSON.parse(value);
  } catch {
    throw new ApiFault(fault);
  }
};

export const argsOf = (all: Json): Args => {
  const text = (name: string): string | null => {
    const value = all[name];
    if (typeof value === 'string') return value === '' ? null : value;
    return typeof value === 'number' || typeof value === 'boolean' ? String(value) : null;
  };
  return {
    all,
    text,
    need: (name, fault) => {
      const value = text(name);
      if (value === null)
        throw new ApiFault(fault ?? 'invalid_arguments', { response_metadata: { messages: [`[ERROR] missing required field: ${name}`] } });
      return value;
    },
    flag: (name, otherwise) => {
      const value = text(name);
      return value === null ? otherwise : value === 'true' || value === '1';
    },
    number: (name, otherwise) => {
      const value = Number(text(name) ?? otherwise);
      return Number.isFinite(value) ? value : otherwise;
    },
    list: (name, fault) => {
      const raw = all[name];
      if (raw === undefined || raw === null || raw === '') return null;
      const value = parsed(raw, fault);
      if (!Array.isArray(value) || !value.every(isObject)) throw new ApiFault(fault);
      return value;
    },
    object: (name, fault) => {
      const raw = all[name];
      if (raw === undefined || raw === null || raw === '') return null;
      const value = parsed(raw, fault);
      if (!isObject(value)) throw new ApiFault(fault);
      return value;
    },
  };
};
