/** Slack's text -> text as people wrote it. */
import { describe, expect, it } from 'vitest';
import { isToOthers, mentions, readText, usersIn, withoutLeading } from '../../../adapters/slack/decode/decode-text.ts';

const known: Readonly<Record<string, string>> = { U0BOT: 'Hektor', U1: 'Ann', U2: 'Bob', U3: 'a&lt;b' };
const read = (text: string): string => readText(text, { user: (id) => known[id], channel: () => undefined });

describe('reading', () => {
  it.each([
    ['names for people', '<@U1> and <@U2|bob> argue with <@U9|nina> and <@U8>', '@Ann and @Bob argue with @nina and @U8'],
    ['channels and groups', '<#C1|general> <#C2> <!subteam^S1|@ops> <!subteam^S2>', '#general #C2 @ops @S2'],
    ['everybody, inert', '<!here> <!channel> <!everyone|everyone>', '@here @channel @everyone'],
    ['dates', '<!date^1392734382^{date}|Feb 18>', 'Feb 18'],
    ['links', '<https://e.org/x?a=1&amp;b=2|the page>, <https://e.org>', '[the page](https://e.org/x?a=1&b=2), https://e.org'],
    ['what Slack made a link of', '<http://e.org|e.org> <mailto:a@e.org|a@e.org> <https://e.org/|e.org>', 'e.org a@e.org e.org'],
    ['escapes, once', 'a &lt; b &amp;&amp; c &gt; d, &amp;lt; stays', 'a < b && c > d, &lt; stays'],
    [
      'what a person typed is never a reference',
      '&lt;!channel&gt; &lt;@U1&gt; &lt;https://e.org|x&gt;',
      '<!channel> <@U1> <https://e.org|x>',
    ],
    ['a name that looks escaped', '<@U3>', '@a&lt;b'],
    ['links in code are what was typed', '`curl <http://e.org|e.org>` <http://e.org/a|b>', '`curl e.org` [b](http://e.org/a)'],
    ['a block on the line of its words', 'see ```x = 1``` there', 'see\n```\nx = 1\n```\nthere'],
    ['a named language', '```python\nx = 1```', '```python\nx = 1\n```'],
    ['a first line that is code', '```x\ny```', '```\nx\ny\n```'],
    ['a block that stands alone', '```\nx = 1\n```', '```\nx = 1\n```'],
    ['prompts', '&gt;&gt;&gt; x = 5\n&gt;&gt;&gt; x &lt; 6', '>>> x = 5\n>>> x < 6'],
  ])('%s (U142, U055)', (_, text, shown) => {
    expect(read(text)).toBe(shown);
  });

  it('B08: code comes out byte for byte', () => {
    const text = '<@U0BOT> why does ```#include &lt;stdio.h&gt;\nif (a &amp;&amp; b &lt; c) puts("&amp;lt;");``` fail?';
    expect(read(withoutLeading(text, 'U0BOT'))).toBe('why does\n```\n#include <stdio.h>\nif (a && b < c) puts("&lt;");\n```\nfail?');
  });

  it('takes hostile text in no time worth naming', () => {
    const hostile = ['<'.repeat(50_000), '`'.repeat(50_000), '<@'.repeat(30_000), '&amp;'.repeat(20_000), '```'.repeat(20_000)];
    for (const text of hostile) expect(typeof read(text)).toBe('string');
  });
});

describe('whom it speaks to', () => {
  it.each([
    ['<@U0BOT> hi', true],
    ['hi <@U0BOT|hektor>', true],
    ['`<@U0BOT>` is how you mention it', false],
    ['```<@U0BOT>```', false],
    ['&gt; <@U0BOT> do it\nwhat did she mean?', false],
    ['&gt;&gt;&gt; all that follows\n<@U0BOT>', false],
    ['&gt; said Ann\n<@U0BOT> true?', true],
    ['hektor', false],
    ['&lt;@U0BOT&gt;', false],
    ['<!channel> hello', false],
  ])('%j mentions the bot: %s', (text, yes) => {
    expect(mentions(text, 'U0BOT')).toBe(yes);
  });

  it.each([
    ['<@U1> look', true],
    ['  <@U1>, look', true],
    ['<!here> lunch', true],
    ['<!subteam^S1|@ops> look', true],
    ['<@U0BOT> look', false],
    ['what does <@U1> think', false],
    ['<!date^1^{date}|today> is fine', false],
  ])('%j is for others: %s', (text, yes) => {
    expect(isToOthers(text, 'U0BOT')).toBe(yes);
  });

  it('takes off the mention it begins with, and nothing else', () => {
    expect(withoutLeading('<@U0BOT>: do it', 'U0BOT')).toBe('do it');
    expect(withoutLeading('<@U0BOT>\n>>> x', 'U0BOT')).toBe('>>> x');
    expect(withoutLeading('<@U1> do it', 'U0BOT')).toBe('<@U1> do it');
    expect(withoutLeading('do it <@U0BOT>', 'U0BOT')).toBe('do it <@U0BOT>');
    expect(usersIn('<@U1> <@U2> <@U1> &lt;@U4&gt;')).toEqual(['U1', 'U2']);
  });
});
