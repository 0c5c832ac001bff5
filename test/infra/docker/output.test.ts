import { describe, expect, it } from 'vitest';
import { createOutputKeeper } from '../../../src/infra/docker/output.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe("a run's output", () => {
  it('keeps both streams in the order they came', () => {
    const keeper = createOutputKeeper(1000, 10_000);
    keeper.add('stdout', bytes('a'));
    keeper.add('stderr', bytes('b'));
    keeper.add('stdout', bytes('c'));
    expect(keeper.finish()).toEqual({ output: 'abc', droppedBytes: 0 });
  });

  it('puts characters together that were split between chunks, per stream', () => {
    const keeper = createOutputKeeper(1000, 10_000);
    const [first, second] = [bytes('🎅').subarray(0, 2), bytes('🎅').subarray(2)];
    expect(keeper.add('stdout', first)).toBe('');
    expect(keeper.add('stderr', bytes('x'))).toBe('x');
    expect(keeper.add('stdout', second)).toBe('🎅');
    expect(keeper.finish().output).toBe('x🎅');
  });

  it('replaces what is not UTF-8', () => {
    const keeper = createOutputKeeper(1000, 10_000);
    keeper.add('stdout', new Uint8Array([0xff, 0x41, 0xf0]));
    expect(keeper.finish().output).toBe('\ufffdA\ufffd');
  });

  it.each([1, 7, 100, 5_000])('leaves out the middle of what is too long, in chunks of %i', (size) => {
    const text = Array.from({ length: 2_000 }, (_, line) => `line ${line} ä\n`).join('');
    const all = bytes(text);
    const keeper = createOutputKeeper(1_000, 1_000_000);
    for (let at = 0; at < all.length; at += size) keeper.add('stdout', all.subarray(at, at + size));
    const { output, droppedBytes } = keeper.finish();
    expect(output.startsWith('line 0 ä\nline 1 ä\n')).toBe(true);
    expect(output.endsWith('line 1999 ä\n')).toBe(true);
    expect(output).toMatch(/\[… [\d,]+ bytes left out …\]/);
    expect(Buffer.byteLength(output)).toBeLessThan(1_100);
    expect(output).not.toContain('\ufffd');
    const gap = /\n\[… .* left out …\]\n/.exec(output)?.[0] ?? '';
    expect(Buffer.byteLength(output) - Buffer.byteLength(gap) + droppedBytes).toBe(all.length);
  });

  it('exactly at the limit is whole', () => {
    const keeper = createOutputKeeper(10, 100);
    keeper.add('stdout', bytes('0123456789'));
    expect(keeper.finish()).toEqual({ output: '0123456789', droppedBytes: 0 });
  });

  it('looks at no more than it may, and counts the rest', () => {
    const keeper = createOutputKeeper(10, 8);
    expect(keeper.add('stdout', bytes('0123456789'))).toBe('01234567');
    expect(keeper.add('stdout', bytes('more'))).toBe('');
    expect(keeper.finish()).toEqual({ output: '01234567', droppedBytes: 6 });
  });
});
