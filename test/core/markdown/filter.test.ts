import { describe, expect, it } from 'vitest';
import { filterOutput, strictPolicy } from '../../../src/core/markdown/filter.ts';
import type { OutputPolicy } from '../../../src/core/markdown/filter.ts';
import { labelClaims } from '../../../src/core/markdown/link-policy.ts';
import { plainBlocks } from '../../../src/core/markdown/nodes.ts';
import type { Block, Inline } from '../../../src/core/markdown/nodes.ts';
import { parseMarkdown } from '../../../src/core/markdown/parse.ts';

const filtered = (text: string, policy: OutputPolicy = strictPolicy): readonly Block[] =>
  filterOutput(parseMarkdown(text), policy).children;
const inline = (text: string, policy: OutputPolicy = strictPolicy): readonly Inline[] => {
  const [first] = filtered(text, policy);
  return first?.type === 'paragraph' ? first.children : [];
};
const kinds = (text: string, policy: OutputPolicy = strictPolicy): readonly string[] => inline(text, policy).map((node) => node.type);

describe('filterOutput', () => {
  it('MI4: shows no picture, and says what a link would carry', () => {
    const text = 'Done! ![ok](https://evil.example/p.png?d=c2VjcmV0) see https://evil.example/x?d=c2VjcmV0';
    expect(kinds(text)).toEqual(['text', 'inlineCode', 'text', 'link']);
    expect(plainBlocks(filtered(text))).toContain('not linked: it would carry 10 characters of data to evil.example');
    expect(kinds('![a chart](https://e.org/chart.png)')).toEqual(['link']);
  });

  it('does not link long queries, fragments, credentials and dense paths to hosts that nobody named', () => {
    const data = 'QUJD'.repeat(40);
    for (const url of [
      `https://evil.example/?q=${data}`,
      `https://evil.example/#${data}`,
      `https://evil.example/${data}`,
      `https://${'abcd'.repeat(13)}.${'abcd'.repeat(13)}.evil.example/`,
      'https://bank.example@evil.example/',
    ]) {
      expect(kinds(`see [this](${url})`), url).not.toContain('link');
      expect(plainBlocks(filtered(`see [this](${url})`))).toContain('evil.example');
    }
    const known = { ...strictPolicy, allowedHosts: new Set(['evil.example']) };
    expect(kinds(`[this](https://www.evil.example/?q=${data})`, known)).toEqual(['link']);
    expect(kinds('[search](https://e.org/search?q=how+to+sort+a+list&lang=en#results)')).toEqual(['link']);
    expect(kinds('[doc](https://e.org/blog/how-to-write-a-very-long-title-that-goes-on-and-on-and-on-for-a-while)')).toEqual(['link']);
  });

  it('links nothing but the web, mail and telephone', () => {
    for (const url of ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'docs/a.md', 'slack://open'])
      expect(kinds(`[x](${url})`)).not.toContain('link');
    expect(kinds('[mail](mailto:a@example.org)')).toEqual(['link']);
  });

  it('tells a label that claims another address', () => {
    expect(plainBlocks(filtered('[https://bank.example](https://evil.example/x)'))).toBe('https://bank.example (https://evil.example/x)');
    for (const label of [
      'bank.example.com',
      'www.bank.com',
      'https://bank.com/login',
      'bank\u200b.com',
      'see https://bank.com now',
      'bank.com/login',
    ])
      expect(labelClaims(label, 'https://evil.example/x'), label).toBe(true);
    for (const label of [
      'evil.example',
      'www.evil.example',
      'the page',
      'README.md',
      'main.py',
      'Node.js',
      'e.g. this',
      'v1.2',
      'fs.readFile',
    ])
      expect(labelClaims(label, 'https://evil.example/x'), label).toBe(false);
  });

  it('U052, S10: makes only the mentions live that the policy names', () => {
    const policy = { ...strictPolicy, mentions: new Set(['<@U1>']) };
    expect(inline('hi <@U1|ann> <@U2> <!here>', policy)).toEqual([
      { type: 'text', value: 'hi ' },
      { type: 'mention', token: '<@U1>' },
      { type: 'text', value: ' <@U2> <!here>' },
    ]);
    expect(kinds('`<@U1>` is code', policy)).toEqual(['inlineCode', 'text']);
    expect(kinds('<@U1>')).toEqual(['text']);
  });
});
