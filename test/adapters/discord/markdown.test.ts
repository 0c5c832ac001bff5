import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { partsForDiscord, threadName, toDiscord } from '../../../adapters/discord/markdown.ts';
import { closeOpen } from '../../../src/core/markdown/close-open.ts';
import { filterOutput, strictPolicy } from '../../../src/core/markdown/filter.ts';
import { plainBlocks } from '../../../src/core/markdown/nodes.ts';
import { parseMarkdown } from '../../../src/core/markdown/parse.ts';
import { answers } from '../../support/markdown-answers.ts';
import { documents, noise } from '../../support/markdown-samples.ts';

const LIMIT = 2000;
const fences = (text: string): number => text.split('```').length - 1;
const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');
const convert = (text: string): string => toDiscord(filterOutput(parseMarkdown(text)));
const LIVE = /<(?:[@#!]|a?:\w+:\d|\/\w|id:)|@(?:everyone|here)/;

describe('properties of what goes to Discord', () => {
  it('D01, U059, U107: every part is short enough, whole in its fences, and calls nobody', () => {
    fc.assert(
      fc.property(fc.oneof(documents, noise), fc.integer({ min: 300, max: LIMIT }), (text, limit) => {
        for (const part of partsForDiscord(text, limit).parts) {
          expect(part.length).toBeLessThanOrEqual(limit);
          expect(part.trim()).not.toBe('');
          expect(fences(part) % 2).toBe(0);
          // Discord reads no mention in code.
          expect(part.replace(/```[^]*?```|(?<!\\)(?:``[^]*?``|`[^`]*`)/g, '')).not.toMatch(LIVE);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('loses no letter or digit', () => {
    fc.assert(
      fc.property(documents, (text) => {
        const tree = filterOutput(parseMarkdown(text));
        fc.pre(!tree.children.some((block) => block.type === 'table'));
        const shown = partsForDiscord(text).parts.join('\n');
        let at = 0;
        const all = letters(shown);
        for (const sign of letters(plainBlocks(tree.children))) {
          at = all.indexOf(sign, at) + 1;
          expect(at).toBeGreaterThan(0);
        }
      }),
      { numRuns: 40 },
    );
  });

  it('U052: converting what was converted changes nothing', () => {
    fc.assert(
      fc.property(documents, (text) => {
        // Markup inside an HTML comment is text at first and would be markup when read again.
        fc.pre(!text.includes('<!--'));
        const once = convert(text);
        expect(convert(once)).toBe(once);
      }),
      { numRuns: 60 },
    );
  });

  it('shows any half of an answer', () => {
    fc.assert(
      fc.property(documents, fc.nat(), (text, at) => {
        for (const part of partsForDiscord(closeOpen(text.slice(0, at % (text.length + 1)))).parts) expect(fences(part) % 2).toBe(0);
      }),
      { numRuns: 60 },
    );
  });
});

describe('Discord’s limits', () => {
  it('D01: a long info string and a long fence make parts of at most 2,000 with even fences', () => {
    const text = `\`\`\`${'x'.repeat(400)}\n${'line of code 12345\n'.repeat(300)}\`\`\``;
    const { parts } = partsForDiscord(text);
    expect(parts.length).toBeGreaterThan(2);
    for (const part of parts) {
      expect(part.length).toBeLessThanOrEqual(LIMIT);
      expect(fences(part)).toBe(2);
      expect(part.startsWith('```\n')).toBe(true);
    }
    expect(parts.join('\n').split('line of code 12345').length - 1).toBe(300);
  });

  it('D02, U061: code over several parts is fenced in each, in its language', () => {
    const code = Array.from({ length: 300 }, (_none, index) => `v_${index} = f(1)`);
    const { parts } = partsForDiscord(`Here:\n\`\`\`py\n${code.join('\n')}\n\`\`\`\nDone.`);
    expect(parts.length).toBeGreaterThan(1);
    for (const part of parts) {
      expect(fences(part)).toBe(2);
      expect(part).toContain('```py\n');
    }
    expect(parts.flatMap((part) => [...part.matchAll(/^v_\d+ = f\(1\)$/gm)].map(([line]) => line))).toEqual(code);
    expect(parts[0]?.startsWith('Here:\n```py\n')).toBe(true);
    expect(parts.at(-1)?.endsWith('```\nDone.')).toBe(true);
  });

  it('U059, D23: 4,500 characters are three parts with the same text', () => {
    const text = Array.from({ length: 750 }, (_none, index) => String(index).padStart(5, '0')).join(' ');
    const { parts, files } = partsForDiscord(text);
    expect(parts).toHaveLength(3);
    expect(files).toEqual([]);
    expect(parts.join(' ')).toBe(text);
  });

  it('U064: a family emoji at the cut stays whole', () => {
    expect(partsForDiscord(`${'a'.repeat(1999)}👩‍👩‍👧`).parts).toEqual(['a'.repeat(1999), '👩‍👩‍👧']);
  });

  it('a very long answer, very long code and a long wide table are files', () => {
    const long = partsForDiscord('Some words of a sentence. '.repeat(2000));
    expect(long.files).toMatchObject([{ name: 'answer.md' }]);
    expect(long.parts.at(-1)).toContain('`answer.md`');
    expect(long.parts.length).toBeLessThan(12);
    expect(partsForDiscord(`\`\`\`py\n${'x = 1\n'.repeat(3000)}\`\`\``).files).toMatchObject([{ name: 'code-1.py' }]);
    expect(partsForDiscord('').parts).toEqual([]);
    expect(partsForDiscord(' \n ').parts).toEqual([]);
  });
});

describe('Discord’s dialect', () => {
  it('D26: bold for `__x__`, columns by display width for a table', () => {
    expect(convert('__Note__\n\n| a | b |\n|---|---|\n| 日本 | 2 |')).toBe('**Note**\n```\na     b\n────  ─\n日本  2\n```');
  });

  it('D26: a table that the model fenced itself is left as it is', () => {
    const text = '```\n| a | b |\n|---|---|\n| 1 | 2 |\n```';
    expect(convert(text)).toBe(text);
  });

  it('U146: no address gets a preview; U145: an answer is plain text', () => {
    expect(convert('https://e.org/a and [x](https://e.org/b)')).toBe('<https://e.org/a> and [x](<https://e.org/b>)');
  });

  it('U107: calls nobody', () => {
    expect(convert('@everyone @here <@&1> <@2> `@everyone`')).toBe('@\u200beveryone @\u200bhere <\u200b@&1> <\u200b@2> `@everyone`');
    expect(toDiscord(filterOutput(parseMarkdown('<@2> <@3>'), { ...strictPolicy, mentions: new Set(['<@2>']) }))).toBe('<@2> <\u200b@3>');
  });

  it('U062: three backticks within a fence do not end it', () => {
    const [part] = partsForDiscord('````md\n```py\nx\n```\n````').parts;
    expect(fences(part ?? '')).toBe(2);
    expect(part?.replaceAll('\u200b', '')).toBe('```md\n```py\nx\n```\n```');
  });

  it('U055: code comes back byte for byte', () => {
    expect(convert('```\nif a<b && c>d: print("&amp;")\n```')).toContain('\nif a<b && c>d: print("&amp;")\n');
    expect(convert('`a<b & "&lt;"`')).toBe('`a<b & "&lt;"`');
  });

  it('masks only web addresses, and never with words that are an address', () => {
    expect(convert('[https://bank.example](https://evil.example)')).toBe('`https://bank.example` (<https://evil.example>)');
    expect(convert('[a [b] c](https://e.org)')).toBe('[a (b) c](<https://e.org>)');
    expect(convert('[x](javascript:alert(1))')).not.toContain('](');
  });
});

describe('threadName', () => {
  it.each([
    ['<@123> **How** do I\nsort `xs`?', 'How do I sort xs?'],
    ['# Title [link](https://e.org)', 'Title link'],
    ['<@123>', 'New chat'],
    ['', 'New chat'],
    ['@everyone hello', 'everyone hello'],
    ['x'.repeat(300), `${'x'.repeat(80)}…`],
    ['👩‍👩‍👧'.repeat(30), `${'👩‍👩‍👧'.repeat(10)}…`],
    ['```py\nprint(1)\n```', 'print 1'],
  ])('%j -> %j', (text, name) => {
    expect(threadName(text)).toBe(name);
  });

  it('is always 1 to 100 characters on one line', () => {
    fc.assert(
      fc.property(noise, (text) => {
        const name = threadName(text);
        expect(name.trim()).toBe(name);
        expect(name).toMatch(/^[^\n]{1,100}$/);
      }),
      { numRuns: 60 },
    );
  });
});

describe('answers as Discord shows them', () => {
  it.each(Object.entries(answers))('%s', (_name, text) => {
    const { parts, files } = partsForDiscord(text);
    expect([...parts, ...files.map((file) => file.name)].join('\n=====\n')).toMatchSnapshot();
  });
});
