/** Markdown as models write it, and as nobody would: for property tests of everything that reads or renders it. */
import * as fc from 'fast-check';

// The same documents in every run: a test that fails by chance stops everybody's work. Change the seed to look for more.
fc.configureGlobal({ seed: 20_261_130 });

const word = fc.oneof(
  {
    weight: 12,
    arbitrary: fc.constantFrom('the', 'value', 'of', 'x', 'grows', 'slowly', 'because', 'each', 'step', 'doubles', 'it', 'and', 'so', 'on'),
  },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      '日本語',
      'Größe',
      '👩‍👩‍👧',
      'a<b',
      'c>d',
      'R&D',
      '&amp;',
      '&lt;',
      'snake_case_name',
      '__init__',
      '2*3',
      '~5',
      'a|b',
      '||',
      '#1',
      '@ann',
      '@everyone',
      '@here',
      '@channel',
      '<!here>',
      '<!channel>',
      '<@U01BOB>',
      '<@123456>',
      '<#C01GEN>',
      '<@&99>',
      '<!subteam^S1|@x>',
      '</go:1>',
      '<:x:1>',
      'ann@example.org',
      '@scope/pkg',
      '\\*',
      '\\_',
      '\\<b\\>',
      '$5',
      '[x]',
      '[1]:',
      '1.',
      '-',
      '>',
      '#',
      '!',
      '`',
      '``',
      '*',
      '_',
      '~~',
      '**',
      '<div>',
      '<b>',
      '</b>',
      '<br>',
      '<!--',
      '-->',
      'https://e.org/a_b',
      'http://localhost:3000/x',
      'www.e.org',
      '\u{1F600}',
      'e\u0301',
      ':',
    ),
  },
);
const words = fc.array(word, { minLength: 1, maxLength: 16 }).map((list) => list.join(' '));
const wrapped = (inner: fc.Arbitrary<string>): fc.Arbitrary<string> =>
  fc.oneof(
    inner.map((text) => `**${text}**`),
    inner.map((text) => `*${text}*`),
    inner.map((text) => `_${text}_`),
    inner.map((text) => `__${text}__`),
    inner.map((text) => `~~${text}~~`),
    inner.map((text) => `\`${text.replaceAll('`', '')}\``),
    inner.map((text) => `[${text.replaceAll(/[[\]]/g, '')}](https://example.org/page?q=1)`),
    inner.map((text) => `![${text.replaceAll(/[[\]]/g, '')}](https://example.org/p.png)`),
    inner.map((text) => `**bold *both* ${text}**`),
    fc.constantFrom(
      '**https://e.org/x**',
      '$E = mc^2$',
      '\\(a_1 + b_1\\)',
      '[https://bank.example](https://evil.example)',
      '<https://e.org|label>',
      '<https://e.org/>',
      '[f](docs/a.md)',
      '**「重要」**です',
    ),
  );
const inline = fc.array(fc.oneof(words, words, wrapped(words)), { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '));

const codeLine = fc.constantFrom(
  'x = f(1)',
  '',
  '    return a < b && c > d',
  'print("&amp;")',
  '# comment @everyone',
  '<!DOCTYPE html>',
  'a'.repeat(150),
  '```',
  '日本 = 1',
  'if (a<b) { c[i] = "<@U01BOB>" }',
);
const fence = fc
  .tuple(fc.constantFrom('', 'py', 'typescript', 'c++', 'x'.repeat(60)), fc.array(codeLine, { maxLength: 40 }))
  .map(([lang, lines]) => `\`\`\`\`${lang}\n${lines.join('\n')}\n\`\`\`\``);
const cell = fc.oneof(
  words.map((text) => text.replaceAll('|', '').replaceAll(/[`\n\\]/g, '')),
  fc.constantFrom('1', '22.5', '日本', '**b**', '`c`', ''),
);
const table = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 20 }))
  .chain(([columns, rows]) =>
    fc
      .array(fc.array(cell, { minLength: columns, maxLength: columns }), { minLength: rows, maxLength: rows })
      .map((body) => ({ columns, body })),
  )
  .map(({ columns, body }) =>
    [Array.from({ length: columns }, (_none, index) => `H${index}`), Array.from({ length: columns }, () => '---'), ...body]
      .map((row) => `| ${row.join(' | ')} |`)
      .join('\n'),
  );
const list = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), inline), { minLength: 1, maxLength: 12 }).map((items) => {
  let depth = 0;
  return items
    .map(([wanted, text]) => {
      depth = Math.min(wanted, depth + 1);
      return `${'  '.repeat(depth)}- ${text}`;
    })
    .join('\n');
});
const numbered = fc
  .array(inline, { minLength: 1, maxLength: 12 })
  .map((items) => items.map((text, index) => `${index + 1}. ${text}`).join('\n'));
const block: fc.Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: inline },
  { weight: 1, arbitrary: fc.tuple(fc.integer({ min: 1, max: 6 }), words).map(([depth, text]) => `${'#'.repeat(depth)} ${text}`) },
  { weight: 2, arbitrary: fence },
  { weight: 1, arbitrary: table },
  { weight: 2, arbitrary: list },
  { weight: 1, arbitrary: numbered },
  { weight: 1, arbitrary: fc.oneof(inline, list, fence).map((text) => text.replaceAll(/^/gm, '> ')) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      '---',
      '$$\nx_1 + y\n$$',
      '<details>\n<summary>More</summary>\n\ninside\n\n</details>',
      '- [ ] to do\n- [x] done',
      'A note[^1].\n\n[^1]: The note.',
    ),
  },
);

/** A document of up to some thousand characters. */
export const documents = fc.array(block, { minLength: 1, maxLength: 6 }).map((blocks) => blocks.join('\n\n'));
/** Signs in no order: what half a stream or an attacker may send. */
export const noise = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        '*',
        '**',
        '_',
        '`',
        '```',
        '~~',
        '[',
        ']',
        '](',
        ')',
        '<',
        '>',
        '!',
        '|',
        '#',
        '-',
        '\n',
        '\n\n',
        ' ',
        '\\',
        '&',
        '@',
        '1. ',
        '$',
        '$$',
        '    ',
        '\t',
        'a',
        'b1',
        'http://a.b',
      ),
      word,
    ),
    {
      maxLength: 80,
    },
  )
  .map((parts) => parts.join(''));
