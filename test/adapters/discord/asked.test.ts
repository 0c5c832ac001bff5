import { describe, expect, it } from 'vitest';
import { askedText } from '../../../adapters/discord/asked.ts';
import { asPrompted } from '../../../src/core/addressing.ts';

describe('What a command asked, for the channel to read', () => {
  it('U019: is whole: words as a quotation that formats and pings nothing, code in a fence', () => {
    expect(askedText('what is 6*7?\n# and @everyone <@1300000000000000001>')).toBe(
      '> what is 6\\*7?\n> \\# and @\u200beveryone <\u200b@1300000000000000001>',
    );
    expect(askedText(asPrompted('print(6*7)'))).toBe('```python\nprint(6*7)\n```');
    expect(askedText(asPrompted('for n in range(3):\n    print("```", n)'))).toBe(
      '```python\nfor n in range(3):\n    print("`\u200b`\u200b`", n)\n```',
    );
  });

  it('D01: is one message, cut where it is longer, and never through a character', () => {
    for (const text of ['*'.repeat(6000), '>>> ' + '`'.repeat(6000), '😀'.repeat(3000), 'a\n'.repeat(3000)]) {
      const shown = askedText(text);
      expect(shown.length).toBeLessThanOrEqual(2000);
      expect(shown.length).toBeGreaterThan(1500);
      expect(shown.isWellFormed()).toBe(true);
      expect(shown).toContain('…');
    }
    expect(askedText('  ')).toBe('> …');
  });
});
