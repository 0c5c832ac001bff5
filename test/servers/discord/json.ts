/** Reading what is not typed. */
import type { Json } from './model.ts';

export const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value);

export const textIn = (value: Json, name: string): string => (typeof value[name] === 'string' ? value[name] : '');

export const listIn = (value: Json, name: string): readonly Json[] => {
  const found = value[name];
  return Array.isArray(found) ? found.filter(isObject) : [];
};

export const numberIn = (value: Json, name: string, otherwise = 0): number => {
  const found = value[name];
  return typeof found === 'number' ? found : otherwise;
};

/** A text, or a number as text; nothing else can be one. */
export const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '');
