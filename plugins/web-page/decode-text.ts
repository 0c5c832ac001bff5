/** Bytes -> text, by the charset of the header, else of a byte order mark, else of the page itself, else UTF-8. */
export const decodeText = (body: Uint8Array, charset: string | null): string =>
  decoderFor(bomOf(body) ?? charset ?? declared(body) ?? 'utf-8').decode(body);

const bomOf = ([a, b, c]: Uint8Array): string | undefined => {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8';
  if (a === 0xff && b === 0xfe) return 'utf-16le';
  return a === 0xfe && b === 0xff ? 'utf-16be' : undefined;
};

/** `<meta charset>`, `<meta http-equiv>` or an XML declaration within the first bytes. */
const declared = (body: Uint8Array): string | undefined =>
  /<(?:meta|\?xml)\b[^>]{0,200}?(?:charset|encoding)\s*=\s*["']?\s*([\w:.-]{1,40})/i.exec(
    new TextDecoder('latin1').decode(body.subarray(0, 4_096)),
  )?.[1];

const decoderFor = (label: string): InstanceType<typeof TextDecoder> => {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder(); // a charset that nobody knows
  }
};
