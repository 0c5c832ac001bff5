import { describe, expect, it } from 'vitest';
import { createDemultiplexer } from '../../../src/infra/docker/docker-stream.ts';
import { createFrameParser, encodeFrame } from '../../../src/infra/docker/frames.ts';
import type { Frame } from '../../../src/infra/docker/frames.ts';

const bounds = { A: 300_000, B: 10 };
const bytesOf = (...chunks: readonly (readonly Buffer[])[]): Buffer => Buffer.concat(chunks.flat());
/** The frames and, where it broke, the reason, whatever pieces the stream comes in. */
const parseAll = (stream: Buffer, pieceSize: number): { frames: Frame[]; broken: string | null } => {
  const parse = createFrameParser(bounds);
  const frames: Frame[] = [];
  let broken: string | null = null;
  for (let at = 0; at < stream.length; at += pieceSize) {
    const parsed = parse(stream.subarray(at, at + pieceSize));
    if (parsed.ok) frames.push(...parsed.value);
    else broken = parsed.failure;
  }
  return { frames, broken };
};

describe('frames', () => {
  const large = Buffer.alloc(200_000, 'x');
  const stream = bytesOf(
    encodeFrame('A', Buffer.from('one')),
    encodeFrame('B'),
    encodeFrame('A', Buffer.from('a'), large),
    encodeFrame('B', Buffer.from('z')),
  );

  it.each([1, 2, 3, 5, 7, 4096, 65_536, 1_000_000])('come out whole from pieces of %i bytes', (size) => {
    const { frames, broken } = parseAll(stream, size);
    expect(broken).toBeNull();
    expect(frames.map((frame) => [frame.type, frame.payload.length])).toEqual([
      ['A', 3],
      ['B', 0],
      ['A', 200_001],
      ['B', 1],
    ]);
    expect(frames[2]?.payload.equals(Buffer.concat([Buffer.from('a'), large]))).toBe(true);
  });

  it('of a type nobody knows end the stream, whatever follows', () => {
    const parse = createFrameParser(bounds);
    expect(parse(bytesOf(encodeFrame('Z', Buffer.from('?'))))).toMatchObject({ ok: false });
    expect(parse(bytesOf(encodeFrame('A', Buffer.from('fine'))))).toMatchObject({ ok: false });
  });

  it('over their bound are refused at the header, before anything is gathered', () => {
    const header = Buffer.from([0xff, 0xff, 0xff, 0xff, 'A'.charCodeAt(0)]);
    expect(createFrameParser(bounds)(header)).toMatchObject({ ok: false, failure: 'frame A of 4294967295 bytes is over its bound' });
    expect(createFrameParser(bounds)(bytesOf(encodeFrame('B', Buffer.alloc(11))))).toMatchObject({ ok: false });
  });

  it('do not take names of object properties for types', () => {
    for (const type of ['_', 'c', '\u0000'])
      expect(createFrameParser({ ...bounds })(bytesOf(encodeFrame(type)))).toMatchObject({ ok: false });
  });
});

describe("Docker's stream", () => {
  const piece = (stream: number, text: string): Buffer => {
    const header = Buffer.alloc(8);
    header[0] = stream;
    header.writeUInt32BE(Buffer.byteLength(text), 4);
    return Buffer.concat([header, Buffer.from(text)]);
  };
  const stream = Buffer.concat([piece(1, 'out'), piece(2, 'err'), piece(1, ''), piece(1, 'more')]);

  it.each([1, 3, 8, 9, 1000])('is taken apart from pieces of %i bytes', (size) => {
    const demultiplex = createDemultiplexer();
    const heard = { stdout: '', stderr: '' };
    for (let at = 0; at < stream.length; at += size)
      for (const { stream: name, bytes } of demultiplex(stream.subarray(at, at + size))) heard[name] += bytes.toString();
    expect(heard).toEqual({ stdout: 'outmore', stderr: 'err' });
  });
});
