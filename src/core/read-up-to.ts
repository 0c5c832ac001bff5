/** The whole body, or null once it is over `max` bytes: what is over is never held. Leaving the loop early cancels the body and ends its connection. */
export const readUpTo = async (body: AsyncIterable<Uint8Array> | null, max: number): Promise<Uint8Array | null> => {
  if (body === null) return new Uint8Array();
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > max) return null;
    chunks.push(chunk);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
};
