import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toBlocks } from '../../../adapters/slack/markdown/markdown-blocks.ts';
import { breakCalls, escapeWords } from '../../../adapters/slack/markdown/markdown-escape.ts';
import { toMrkdwn } from '../../../adapters/slack/markdown/markdown-mrkdwn.ts';
import { toSlackMarkdown } from '../../../adapters/slack/markdown/markdown-standard.ts';
import { markdownForSlack, messagesForSlack, mrkdwnOf } from '../../../adapters/slack/markdown/markdown.ts';
import { strictPolicy } from '../../../src/core/markdown/filter.ts';
import { plainBlocks } from '../../../src/core/markdown/nodes.ts';
import { parseMarkdown } from '../../../src/core/markdown/parse.ts';
import { answers } from '../../support/markdown-answers.ts';
import { documents, noise } from '../../support/markdown-samples.ts';

/** What Slack makes of escaped text: the three signs, once. */
const decoded = (text: string): string => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
const withoutLinks = (text: string): string => text.replace(/<(?:https?:\/\/|mailto:|tel:)[^<>]*>/g, '');
const TOKEN = /<(?:!(?:here|channel|everyone|group|subteam|date)|@[UW][A-Z0-9]{3,}|#C[A-Z0-9]{3,})/;
const bytes = (text: string): number => Buffer.byteLength(text);
const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');
/** All the words in blocks, in order. */
const wordsOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(wordsOf).join(' ');
  if (typeof value !== 'object' || value === null) return '';
  return Object.entries(value)
    .map(([key, inner]) => (key === 'text' && typeof inner === 'string' ? inner : wordsOf(inner)))
    .join(' ');
};

describe('properties of what goes to Slack', () => {
  it('S10, S11, U107: messages keep every limit, and no token leaves', () => {
    fc.assert(
      fc.property(fc.oneof(documents, noise), (text) => {
        for (const message of messagesForSlack(text).messages) {
          expect(bytes(message.text)).toBeLessThanOrEqual(4000);
          expect(message.blocks.length).toBeLessThanOrEqual(50);
          expect(message.blocks.filter((block) => block.type === 'table').length).toBeLessThanOrEqual(1);
          expect(withoutLinks(message.text)).not.toContain('<');
          const payload = JSON.stringify(message.blocks);
          expect(payload).not.toMatch(TOKEN);
          // Slack refuses empty texts and empty elements.
          expect(payload).not.toMatch(/"text":""|"elements":\[\]/);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('S10, S11: Markdown for streams and blocks keeps its limit, its fences and no `<`', () => {
    fc.assert(
      fc.property(fc.oneof(documents, noise), fc.integer({ min: 300, max: 3000 }), (text, limit) => {
        for (const part of markdownForSlack(text, limit)) {
          expect(Array.from(part).length).toBeLessThanOrEqual(limit);
          expect(part).not.toContain('<');
          expect((part.split('```').length - 1) % 2).toBe(0);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('S11: `text` and blocks both say all of the answer', () => {
    fc.assert(
      fc.property(documents, (source) => {
        const root = parseMarkdown(source.replace(/[`<\\|]/g, ''));
        const wanted = Array.from(letters(plainBlocks(root.children)));
        for (const shown of [letters(decoded(toMrkdwn(root))), letters(wordsOf(toBlocks(root)) + JSON.stringify(toBlocks(root)))]) {
          let at = 0;
          for (const sign of wanted) {
            at = shown.indexOf(sign, at) + 1;
            expect(at).toBeGreaterThan(0);
          }
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe('Slack’s limits', () => {
  it('S11: 9,000 characters with a code block of 5,000 and emoji are some whole messages', () => {
    const code = Array.from({ length: 250 }, (_none, index) => `row_${index} = "🎉 x<y"`)
      .join('\n')
      .slice(0, 5000);
    const text = `${'Words with 🎉 and more. '.repeat(90)}\n\n\`\`\`py\n${code}\n\`\`\`\n\n${'The end comes 🚀 soon. '.repeat(90)}`;
    const { messages, files } = messagesForSlack(text);
    expect(files).toEqual([]);
    expect(messages.length).toBeGreaterThan(2);
    for (const message of messages) {
      expect(bytes(message.text)).toBeLessThanOrEqual(4000);
      expect((message.text.split('```').length - 1) % 2).toBe(0);
    }
    const shown = messages.flatMap((message) => message.blocks.filter((block) => JSON.stringify(block).includes('rich_text_preformatted')));
    expect(decoded(wordsOf(shown)).replace(/\s/g, '')).toBe(code.replace(/\s/g, ''));
  });

  it('U067: a paragraph of 3,001 characters is shown whole', () => {
    const text = 'x'.repeat(3001);
    expect(messagesForSlack(text).messages).toMatchObject([{ text }]);
  });

  it('a hundred short blocks are several messages; a table of 20 columns and 100 rows is a table, of more is none', () => {
    expect(
      messagesForSlack(Array.from({ length: 100 }, (_none, index) => `p${index}`).join('\n\n')).messages.map(
        (message) => message.blocks.length,
      ),
    ).toEqual([44, 44, 12]);
    const table = (columns: number, rows: number): string =>
      [
        Array.from({ length: columns }, () => 'h'),
        Array.from({ length: columns }, () => '-'),
        ...Array.from({ length: rows }, () => Array.from({ length: columns }, () => '1')),
      ]
        .map((row) => `|${row.join('|')}|`)
        .join('\n');
    expect(toBlocks(parseMarkdown(table(20, 99)))[0]?.type).toBe('table');
    expect(toBlocks(parseMarkdown(table(21, 2)))[0]?.type).toBe('rich_text');
    expect(toBlocks(parseMarkdown(table(2, 100)))[0]?.type).toBe('rich_text');
    expect(toBlocks(parseMarkdown(`${table(2, 2)}\n\n${table(2, 2)}`)).map((block) => block.type)).toEqual(['table', 'rich_text']);
  });

  it('wide tables and very long code go as files', () => {
    const row = `| ${'wide cell '.repeat(6)}| ${'wider cell '.repeat(6)}| =1+1 |`;
    const { messages, files } = messagesForSlack(
      `Look:\n\n| a | b | c |\n|---|---|---|\n${Array.from({ length: 20 }, () => row).join('\n')}\n\n\`\`\`py\n${'x = 1\n'.repeat(5000)}\`\`\``,
    );
    expect(files.map((file) => file.name)).toEqual(['table-1.csv', 'code-2.py']);
    expect(files[0]?.content.split('\r\n')).toHaveLength(22);
    expect(files[0]?.content).toContain(`,'=1+1`);
    expect(messages).toHaveLength(1);
    expect(messages[0]?.text).toContain('`table-1.csv`');
  });
});

describe('Slack’s dialects', () => {
  it('U055: code comes back byte for byte, escaped exactly once', () => {
    const code = 'if a<b && c>d: print("&amp;")';
    const [message] = messagesForSlack(`\`\`\`\n${code}\n\`\`\``).messages;
    expect(message?.text).toBe('```\nif a&lt;b &amp;&amp; c&gt;d: print("&amp;amp;")\n```');
    expect(JSON.stringify(message?.blocks)).toContain(JSON.stringify(code));
    expect(decoded(mrkdwnOf(`so: ${code}`))).toBe('so: if a<b && c>d: print("&")');
    expect(markdownForSlack(`\`${code}\``)).toEqual(['`if a&lt;b &amp;&amp; c&gt;d: print("&amp;amp;")`']);
  });

  it('U056: no language word is shown as code', () => {
    const root = parseMarkdown('```py\nx=1\n```');
    expect(toMrkdwn(root)).toBe('```\nx=1\n```');
    expect(toSlackMarkdown(root)).toBe('```\nx=1\n```');
  });

  it('U052: an allowed mention leaves as it is, in each form; no other does', () => {
    const policy = { ...strictPolicy, mentions: new Set(['<@U1>']) };
    expect(mrkdwnOf('hi <@U1>, not <@U2>', policy)).toBe('hi <@U1>, not &lt;@U2&gt;');
    expect(markdownForSlack('hi <@U1>', 12_000, policy)).toEqual(['hi <@U1>']);
    expect(JSON.stringify(messagesForSlack('hi <@U1>', policy).messages[0]?.blocks)).toContain('{"type":"user","user_id":"U1"}');
    expect(mrkdwnOf('hi <@U1>')).toBe('hi &lt;@U1&gt;');
  });

  it('U049, U050: no name in an address, e-mail, package or code is touched', () => {
    for (const text of ['ann@example.org', 'npm i @scope/pkg', '`@here`']) expect(mrkdwnOf(text)).toBe(text);
    expect(mrkdwnOf('https://social.example/@ann/12')).toBe('<https://social.example/@ann/12>');
  });

  it('U053: a bold address ends at its own end', () => {
    expect(mrkdwnOf('**https://e.org/x**')).toBe('*<https://e.org/x>*');
    expect(markdownForSlack('**https://e.org/x**')).toEqual(['**[https://e.org/x](https://e.org/x)**']);
  });

  it('U046, U047, U048: a link is a link at every stage of a draft', () => {
    for (const draft of ['See [x](https://e.org)', 'See [x](https://e.org) and', 'See [x](https://e.org) and **more**'])
      expect(mrkdwnOf(draft)).toContain('<https://e.org|x>');
  });

  it('U107: the words that call everybody are broken in words and kept in code', () => {
    expect(escapeWords('@channel <!here>')).toBe('@\u2060channel &lt;!here&gt;');
    expect(breakCalls('@hereby @here')).toBe('@hereby @\u2060here');
  });
});

describe('answers as Slack shows them', () => {
  it.each(Object.entries(answers))('%s', (_name, text) => {
    const { messages, files } = messagesForSlack(text);
    expect([...messages.map((message) => message.text), ...files.map((file) => file.name)].join('\n=====\n')).toMatchSnapshot('mrkdwn');
    expect(markdownForSlack(text).join('\n=====\n')).toMatchSnapshot('markdown');
    expect(messages.map((message) => message.blocks)).toMatchSnapshot('blocks');
  });
});
