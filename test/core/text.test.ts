import { describe, expect, it } from 'vitest';
import { cutMiddle, firstLine } from '../../src/core/text.ts';

describe('cutMiddle', () => {
  it('leaves a text that fits alone', () => {
    expect(cutMiddle('abc', 3)).toBe('abc');
  });
  it('keeps head and tail and says how much is left out', () => {
    const cut = cutMiddle(`${'a'.repeat(600)}${'b'.repeat(5_000)}${'c'.repeat(400)}`, 1_000);
    expect(cut).toBe(`${'a'.repeat(600)}\n[… 5,000 characters left out …]\n${'c'.repeat(400)}`);
  });
  it('U064: never splits a surrogate pair', () => {
    for (let shift = 0; shift < 4; shift += 1) expect(cutMiddle('x'.repeat(shift) + '👩‍👩‍👧'.repeat(500), 1_000).isWellFormed()).toBe(true);
  });
});

describe('firstLine', () => {
  it.each([
    ['  hello\nworld', 'hello'],
    ['', ''],
    ['>>>\nimport pandas\nx', '>>> import pandas'],
    ['>>> x = 41', '>>> x = 41'],
    ['```python\nx = 41\n```', '>>> x = 41'],
  ])('%j gives %j', (text, line) => {
    expect(firstLine(text)).toBe(line);
  });
  it('shortens a long one', () => {
    expect(firstLine('x'.repeat(100), 10)).toBe(`${'x'.repeat(9)}…`);
  });
});
