/** A snippet as one line of plain text: without tags, with its few entities decoded, cut to `max`. */
export const plainText = (html: string, max: number): string => {
  const line = html
    .replace(/<[^>]{0,200}>/g, '')
    .replace(
      /&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
      (whole, name: string | undefined, decimal: string | undefined, hex: string | undefined) =>
        name === undefined
          ? fromCode(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal), whole)
          : (NAMED.get(name.toLowerCase()) ?? whole),
    )
    .replace(/\s+/g, ' ')
    .trim();
  return line.length > max ? `${line.slice(0, max - 1).toWellFormed()}…` : line;
};

const NAMED = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

const fromCode = (code: number, otherwise: string): string =>
  code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff) ? String.fromCodePoint(code) : otherwise;
