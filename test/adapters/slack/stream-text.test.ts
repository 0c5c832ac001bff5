/** What a stream shows of an answer that grows: each sentence once, in its final form, whatever the pieces it came in. */
import { describe, expect, it } from 'vitest';
import { lastPiece, nextPiece, nothingWritten, restOf } from '../../../adapters/slack/live/stream-text.ts';
import type { Written } from '../../../adapters/slack/live/stream-text.ts';
import { streamRenderFor } from '../../../adapters/slack/markdown/render.ts';

const render = streamRenderFor({});
const ROOM = 11_000;

/** Streams a text that grows by `step` characters; resolves with what was appended. */
const stream = (text: string, step: number): { readonly chunks: readonly string[]; readonly diverged: boolean } => {
  let shown: Written = nothingWritten;
  const chunks: string[] = [];
  for (let end = step; end < text.length; end += step) {
    const piece = nextPiece(text.slice(0, end), shown, render, { pause: false, room: ROOM });
    if (piece === 'diverged') return { chunks, diverged: true };
    if (piece !== null) {
      chunks.push(piece.chunk);
      shown = piece.now;
    }
  }
  const rest = lastPiece(text, shown, render, ROOM);
  return rest === null || rest === 'diverged' ? { chunks, diverged: true } : { chunks: [...chunks, rest.rest], diverged: false };
};

const samples: Readonly<Record<string, string>> = {
  words: 'The quick brown fox jumps over the lazy dog. It does so again, and again.\n\nThen it rests for a while, as foxes do.',
  marks:
    'This is **bold and long** text, `code with spaces` and _quiet words_ in one line; a * b and snake_case_names stay.\n\nDone **now**.',
  links:
    'See [the manual of it](https://example.org/manual) for more, or [another one](https://example.org/b) there.\n\nBare: https://example.org/x ends.',
  code: 'Before.\n\n```python\nfor i in range(3):\n    print(i)\n\nx = 1\n```\n\nAfter the code there are words.',
  lists: 'Three things:\n\n- the first one\n- the second one\n- the third one\n\n1. one\n2. two\n\nEnd.',
  headings: '# Title of it\n\nText under it.\n\n## Next part\n\nMore text.\n\n> a quotation\n> in two lines\n\nEnd.',
  table: 'Numbers:\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n\nThat was the table.',
  pings: 'Hello <!channel> and <@U123ABC> and @everyone, if a<b && c>d then.\n\nMore <https://e.org|label> words.',
  emoji: 'Family 👩‍👩‍👧 and flags 🇩🇪🇫🇷 between words, and naïve café.\n\nEnd 🎉.',
};

describe('streamed text', () => {
  for (const [name, text] of Object.entries(samples)) {
    for (const step of [1, 7, 40]) {
      it(`U047, S14: shows ${name} once and in its final form, in pieces of ${step}`, () => {
        const { chunks, diverged } = stream(text, step);
        expect(diverged).toBe(false);
        expect(chunks.join('').trim()).toBe(render(text).trim());
      });
    }
  }

  it('never begins a piece with white space, which Slack may drop where pieces join', () => {
    for (const text of Object.values(samples)) for (const chunk of stream(text, 5).chunks.slice(1)) expect(chunk).not.toMatch(/^\s/);
  });

  it('S10: lets no token of Slack out, cut anywhere', () => {
    const text = 'x '.repeat(5) + '<!channel> <@U0HUMAN> <#C0GENERAL|g> and <!subteam^S1>. Done here.';
    for (let step = 1; step < 12; step += 1) expect(stream(text, step).chunks.join('')).not.toMatch(/<[!@#]/);
  });

  it('shows a plain answer as it comes and not only at its end', () => {
    const { chunks } = stream('word '.repeat(200), 20);
    expect(chunks.length).toBeGreaterThan(20);
  });

  it('shows code line by line', () => {
    const text = `\`\`\`py\n${Array.from({ length: 40 }, (_, n) => `v_${n} = f(${n})`).join('\n')}\n\`\`\`\n`;
    expect(stream(text, 30).chunks.length).toBeGreaterThan(10);
  });

  it('sends all there is before a pause, and what follows is a paragraph of its own', () => {
    const first = nextPiece('I will look that up', nothingWritten, render, { pause: true, room: ROOM });
    if (first === null || first === 'diverged') throw new Error('nothing was shown');
    expect(first.chunk).toBe('I will look that up\n\n');
    const text = 'I will look that up\n\nIt is 42.';
    expect(lastPiece(text, first.now, render, ROOM)).toEqual({ rest: 'It is 42.' });
  });

  it('says that it cannot go on where the answer begins anew', () => {
    const piece = nextPiece('The first try was not', nothingWritten, render, { pause: false, room: ROOM });
    if (piece === null || piece === 'diverged') throw new Error('nothing was shown');
    expect(nextPiece('Something else was said', piece.now, render, { pause: false, room: ROOM })).toBe('diverged');
    expect(lastPiece('Something else was said', piece.now, render, ROOM)).toBe('diverged');
    expect(lastPiece('The first try was not good', piece.now, render, 20)).toBeNull();
  });

  it('S14: cut in a code block, the rest opens it again', () => {
    const text = 'Before\n\n```py\na = 1\nb = 2\n```\n\nAfter';
    const at = text.indexOf('b = 2');
    expect(restOf(text, at).text).toBe('```py\nb = 2\n```\n\nAfter');
    expect(restOf(text, text.indexOf('\n```\n\nAfter') + 1).text).toBe('After');
    expect(restOf(text, 0).text).toBe(text);
    expect(restOf('ab  cd', 2)).toEqual({ text: 'cd', added: -2 });
  });
});
