import type { Response } from 'undici';

/** `Text/HTML; charset="UTF-8"` -> `text/html` and `utf-8`. What is no media type by its form comes out empty: it is a stranger's text. */
export const contentType = (header: string | null): { readonly type: string; readonly charset: string | null } => {
  const [type = '', ...parameters] = (header ?? '').split(';');
  const charset = parameters.map((one) => /^\s*charset\s*=\s*"?([\w.:-]{1,40})"?\s*$/i.exec(one)?.[1]).find((one) => one !== undefined);
  return { type: MEDIA_TYPE.exec(type.trim().toLowerCase())?.[0] ?? '', charset: charset?.toLowerCase() ?? null };
};

const MEDIA_TYPE = /^[a-z0-9.+-]{1,60}\/[a-z0-9.+-]{1,80}$/;

/** The cap in bytes of a media type; undefined where it is not accepted. */
export const capOf = (accept: { readonly [type: string]: number }, type: string): number | undefined =>
  new Map(Object.entries(accept)).get(type) ?? new Map(Object.entries(accept)).get(`${type.split('/', 1)[0]}/*`);

/** The body after decompression; undefined where it is larger than the cap. What is over is never held. */
export const readBody = async (answer: Response, cap: number): Promise<Uint8Array | undefined> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  // Leaving the loop early cancels the body, which ends the connection.
  const body: AsyncIterable<Uint8Array> | null = answer.body;
  if (body === null) return new Uint8Array();
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > cap) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
};
