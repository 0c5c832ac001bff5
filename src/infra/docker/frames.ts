/**
 * Frames of the driver's protocol: `u32 length, u8 type, payload`. Pure: no streams here.
 * The parser is incremental and bounded per type, so a container can neither confuse nor exhaust the worker.
 */
import { err, ok } from '../../core/result.ts';
import type { Result } from '../../core/result.ts';

export type Frame = { readonly type: string; readonly payload: Buffer };
/** The largest payload of each type; a type that is not named is refused. */
export type FrameBounds = { readonly [type: string]: number };

const HEADER_BYTES = 5;
const SMALL = 64 * 1024;

/** The frame as chunks to write in order; large payloads are not copied. */
export const encodeFrame = (type: string, ...payload: readonly Uint8Array[]): readonly Buffer[] => {
  const size = payload.reduce((sum, part) => sum + part.length, 0);
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt32BE(size, 0);
  header.write(type, 4, 'latin1');
  const chunks = [header, ...payload.map((part) => Buffer.from(part.buffer, part.byteOffset, part.length))];
  return size < SMALL ? [Buffer.concat(chunks)] : chunks;
};

/**
 * Takes the stream's chunks and returns the frames that are complete. The first error is final: the stream cannot be
 * trusted after it.
 */
export const createFrameParser = (bounds: FrameBounds): ((chunk: Buffer) => Result<readonly Frame[], string>) => {
  let queue: Buffer[] = [];
  let queued = 0;
  let head: { readonly type: string; readonly size: number } | null = null;
  let broken: string | null = null;

  const take = (size: number): Buffer => {
    queued -= size;
    const first = queue[0];
    if (first !== undefined && first.length >= size) {
      if (first.length === size) queue.shift();
      else queue[0] = first.subarray(size);
      return first.subarray(0, size);
    }
    const all = Buffer.concat(queue);
    queue = all.length > size ? [all.subarray(size)] : [];
    return all.subarray(0, size);
  };

  return (chunk) => {
    if (broken !== null) return err(broken);
    if (chunk.length > 0) queue.push(chunk);
    queued += chunk.length;
    const frames: Frame[] = [];
    for (;;) {
      if (head === null) {
        if (queued < HEADER_BYTES) return ok(frames);
        const header = take(HEADER_BYTES);
        head = { size: header.readUInt32BE(0), type: header.toString('latin1', 4, 5) };
        const bound = Object.hasOwn(bounds, head.type) ? bounds[head.type] : undefined;
        if (bound === undefined) broken = `unknown frame type ${JSON.stringify(head.type)}`;
        else if (head.size > bound) broken = `frame ${head.type} of ${head.size} bytes is over its bound`;
        if (broken !== null) {
          queue = [];
          return err(broken);
        }
      }
      if (queued < head.size) return ok(frames);
      frames.push({ type: head.type, payload: head.size === 0 ? Buffer.alloc(0) : take(head.size) });
      head = null;
    }
  };
};
