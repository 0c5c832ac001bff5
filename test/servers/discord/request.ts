/** A request to the REST API as a route gets it, with its body read. */
import type { Events } from './events.ts';
import type { Gateway } from './gateway.ts';
import type { Interactions } from './interactions.ts';
import { isObject } from './json.ts';
import type { Json } from './model.ts';
import type { Posting } from './posting.ts';
import { invalidForm, refused } from './rest-fault.ts';
import type { World } from './world.ts';

/** The running parts of the stand-in. */
export type Parts = {
  readonly world: World;
  readonly gateway: Gateway;
  readonly events: Events;
  readonly posting: Posting;
  readonly interactions: Interactions;
};

export type SentFile = { readonly field: string; readonly name: string; readonly type: string; readonly bytes: Buffer };

export type Request = Parts & {
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly body: Json;
  /** The body where it is a list, as with the commands of an application. */
  readonly list: readonly unknown[];
  readonly files: readonly SentFile[];
};

/** What a route answers: a value for 200, undefined for 204. */
export type Handler = (request: Request) => unknown;

export type Body = { readonly value: unknown; readonly files: readonly SentFile[] };

/** Reads JSON, or multipart with `payload_json` and `files[n]`. */
export const readBody = async (bytes: Buffer, contentType: string): Promise<Body> => {
  if (bytes.length === 0) return { value: {}, files: [] };
  if (contentType.includes('multipart/form-data')) {
    const form = await new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } }).formData();
    const files: SentFile[] = [];
    const fields: Json = {};
    let value: unknown = null;
    for (const [field, part] of form) {
      if (typeof part !== 'string') files.push({ field, name: part.name, type: part.type, bytes: Buffer.from(await part.arrayBuffer()) });
      else if (field === 'payload_json') value = parse(part);
      else fields[field] = part;
    }
    return { value: value ?? fields, files };
  }
  if (!contentType.includes('application/json'))
    throw invalidForm({ at: '', code: 'CONTENT_TYPE_INVALID', message: 'Expected "Content-Type" header to be one of {application/json}.' });
  return { value: parse(bytes.toString('utf8')), files: [] };
};

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw refused(50109);
  }
};

export const objectOf = (value: unknown): Json => (isObject(value) ? value : {});
