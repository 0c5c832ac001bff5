/** A run's output as it is kept: both streams in the order they came, the middle left out where it is too long. Pure. */
export type OutputKeeper = {
  /** The text of these bytes; a character that is split between two chunks of a stream comes whole with the second. */
  readonly add: (stream: 'stdout' | 'stderr', bytes: Uint8Array) => string;
  readonly finish: () => { readonly output: string; readonly droppedBytes: number };
};

/** `limit`: bytes kept, half of them from the head and half from the tail. `most`: bytes looked at in all. */
export const createOutputKeeper = (limit: number, most: number): OutputKeeper => {
  const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };
  const half = Math.floor(limit / 2);
  let head = '';
  let headBytes = 0;
  /** Beyond the head; its own head is cut off as it grows. */
  let tail = '';
  let seen = 0;
  let ignored = 0;
  let cut = 0;

  const keep = (text: string): void => {
    const size = Buffer.byteLength(text);
    if (tail === '' && cut === 0 && headBytes + size <= half) {
      head += text;
      headBytes += size;
      return;
    }
    tail += text;
    // Trimmed only when it has grown to twice its share, so that many small chunks do not cost a copy each.
    if (tail.length > 2 * half) trim();
  };
  const trim = (): void => {
    const bytes = Buffer.from(tail);
    if (headBytes < half && cut === 0) {
      const room = splitPoint(bytes, half - headBytes);
      head += bytes.toString('utf8', 0, room);
      headBytes = half;
      tail = bytes.toString('utf8', room);
      return trim();
    }
    const from = splitPoint(bytes, Math.max(0, bytes.length - half));
    cut += from;
    tail = bytes.toString('utf8', from);
  };

  return {
    add: (stream, bytes) => {
      const taken = bytes.subarray(0, Math.max(0, most - seen));
      seen += taken.length;
      ignored += bytes.length - taken.length;
      const text = decoders[stream].decode(taken, { stream: true });
      if (text !== '') keep(text);
      return text;
    },
    finish: () => {
      for (const decoder of Object.values(decoders)) {
        const rest = decoder.decode();
        if (rest !== '') keep(rest);
      }
      trim();
      const gap = cut === 0 ? '' : `\n[… ${cut.toLocaleString('en')} bytes left out …]\n`;
      return { output: head + gap + tail, droppedBytes: cut + ignored };
    },
  };
};

/** The nearest position at or after `at` that does not split a UTF-8 character. */
const splitPoint = (bytes: Uint8Array, at: number): number => {
  let point = Math.min(at, bytes.length);
  while (point < bytes.length && ((bytes[point] ?? 0) & 0xc0) === 0x80) point += 1;
  return point;
};
