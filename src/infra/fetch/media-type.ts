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
