import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { closeOpen, openAtEnd } from '../../../src/core/markdown/close-open.ts';
import { plainBlocks } from '../../../src/core/markdown/nodes.ts';
import { parseMarkdown } from '../../../src/core/markdown/parse.ts';
import { documents, noise } from '../../support/markdown-samples.ts';

const plain = (text: string): string => plainBlocks(parseMarkdown(text).children);
const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

describe('parseMarkdown', () => {
  it('never throws, whatever comes and wherever it is cut', () => {
    fc.assert(
      fc.property(noise, (text) => void parseMarkdown(text)),
      { numRuns: 50 },
    );
    fc.assert(
      fc.property(documents, fc.nat(), (text, at) => void parseMarkdown(text.slice(0, at % (text.length + 1)))),
      { numRuns: 50 },
    );
  });

  it('shows hostile nesting as lines', () => {
    for (const text of [
      '>'.repeat(20_000),
      '> '.repeat(5000),
      '- '.repeat(5000),
      '1. '.repeat(5000),
      Array.from({ length: 400 }, (_none, n) => `${'  '.repeat(n)}- x`).join('\n'),
    ]) {
      expect(parseMarkdown(`${text}a`).children.every((block) => block.type === 'paragraph')).toBe(true);
    }
  });

  it('keeps the letters of text without markup', () => {
    const text = 'Plain words, 2 * 3, a_b, C:\\path & <tag> "quotes" — 日本.';
    expect(plain(text)).toBe(text);
  });

  it('takes `__x__` for bold (D26), a single tilde for itself, and `**「…」**は` for bold', () => {
    expect(parseMarkdown('__Note__ ~5 and ~6').children).toMatchObject([{ children: [{ type: 'strong' }, { value: ' ~5 and ~6' }] }]);
    expect(parseMarkdown('これは**「重要」**です').children).toMatchObject([{ children: [{}, { type: 'strong' }, {}] }]);
    expect(plain(String.raw`\*\*「a」\*\*b`)).toBe('**「a」**b');
  });

  it('takes mathematics for code, and money for words', () => {
    expect(parseMarkdown('$$\n\\frac{a_1}{b_2}\n$$').children).toEqual([{ type: 'code', lang: 'latex', value: '\\frac{a_1}{b_2}' }]);
    expect(parseMarkdown('so \\(x_1\\) and $y_2$').children).toMatchObject([
      { children: [{}, { type: 'inlineCode', value: 'x_1' }, {}, { type: 'inlineCode', value: 'y_2' }] },
    ]);
    expect(plain('It costs $5 or $6, in `$x_1$` or:\n\n```\n$$a$$\n```')).toBe('It costs $5 or $6, in $x_1$ or:\n$$a$$');
  });

  it('resolves references, footnotes, HTML that formats, and Slack’s form of a link', () => {
    expect(parseMarkdown('[a][1]\n\n[1]: https://e.org').children).toMatchObject([{ children: [{ type: 'link', url: 'https://e.org' }] }]);
    expect(plain('A[^n].\n\n[^n]: Note.')).toBe('A[n].\n[n] Note.');
    expect(parseMarkdown('<b>x</b><br>y <div>').children).toMatchObject([
      { children: [{ type: 'strong' }, { type: 'break' }, { value: 'y <div>' }] },
    ]);
    expect(parseMarkdown('<https://e.org|words>').children).toMatchObject([
      { children: [{ type: 'link', url: 'https://e.org', children: [{ value: 'words' }] }] },
    ]);
  });

  it('keeps a first line that is no language, and drops none of an odd info string', () => {
    expect(parseMarkdown(`\`\`\`${'x'.repeat(400)}\ny\n\`\`\``).children).toEqual([
      { type: 'code', lang: '', value: `${'x'.repeat(400)}\ny` },
    ]);
    expect(parseMarkdown('```python title="a.py"\ny\n```').children).toEqual([{ type: 'code', lang: 'python', value: 'y' }]);
  });

  it('U049, U050: takes no part of an address, e-mail or package name for something else', () => {
    expect(parseMarkdown('https://social.example/@ann/12').children).toMatchObject([
      { children: [{ type: 'link', url: 'https://social.example/@ann/12' }] },
    ]);
    expect(parseMarkdown('ann@example.org and npm i @scope/pkg').children).toEqual([
      { type: 'paragraph', children: [{ type: 'text', value: 'ann@example.org and npm i @scope/pkg' }] },
    ]);
  });

  it('U053: ends an address where the words around it say', () => {
    expect(parseMarkdown('**https://e.org/x**').children).toMatchObject([
      { children: [{ type: 'strong', children: [{ type: 'link', url: 'https://e.org/x' }] }] },
    ]);
    expect(parseMarkdown('(http://localhost:3000/a_b_c).').children).toMatchObject([
      { children: [{}, { url: 'http://localhost:3000/a_b_c' }, { value: ').' }] },
    ]);
  });
});

describe('closeOpen', () => {
  it.each([
    ['a **b', 'a **b**'],
    ['a *b **c', 'a *b **c***'],
    ['a `b', 'a `b`'],
    ['a ~~b', 'a ~~b~~'],
    ['a _b', 'a _b_'],
    ['a **', 'a '],
    ['see [the page](https://e.o', 'see the page'],
    ['```py\nx = 1', '```py\nx = 1\n```'],
    ['```py\nx = 1\n``', '```py\nx = 1\n```'],
    ['````\n```\nx\n```', '````\n```\nx\n```\n````'],
    ['> ```js\n> a', '> ```js\n> a\n> ```'],
    ['- ```\n  a', '- ```\n  a\n  ```'],
    ['2 * 3 and a_b_c and `x` **done**', '2 * 3 and a_b_c and `x` **done**'],
    ['```\nx\n```', '```\nx\n```'],
    ['a **b\n\nc', 'a **b\n\nc'],
    ['', ''],
  ])('%j -> %j', (text, wanted) => {
    expect(closeOpen(text)).toBe(wanted);
  });

  it('leaves nothing open, and changes nothing that is closed', () => {
    fc.assert(
      fc.property(documents, fc.nat(), (text, at) => {
        const draft = text.slice(0, at % (text.length + 1));
        const whole = closeOpen(draft);
        expect(openAtEnd(whole) === 'fence').toBe(false);
        expect(letters(plain(whole)).length).toBeLessThanOrEqual(letters(draft).length + 'latex'.length * 9);
      }),
      { numRuns: 60 },
    );
  });
});
