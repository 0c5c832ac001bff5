import { describe, expect, it } from 'vitest';
import { createThoughtFilter } from '../../../src/infra/openai/thoughts.ts';

const filter = (pieces: readonly string[]) => {
  const one = createThoughtFilter();
  for (const piece of pieces) one.push(piece);
  one.end();
  return { text: one.text(), thoughts: one.thoughts() };
};
const cuts = (text: string): readonly (readonly string[])[] => [
  [text],
  Array.from({ length: text.length }, (_, at) => text[at]!),
  ...Array.from({ length: text.length }, (_, at) => [text.slice(0, at), text.slice(at)]),
];

const cases: readonly (readonly [string, string, string, string])[] = [
  ['MD16: a think block', '<think>hmm</think>Paris.', 'Paris.', 'hmm'],
  ['MD16: a think block with blank lines around it', '\n<think>\nhmm\n</think>\n\nParis.', 'Paris.', '\nhmm\n'],
  ['MD16: two think blocks', '<think>a</think>\n<think>b</think>\nParis.', 'Paris.', 'ab'],
  ['MD16: Mistral’s brackets', '[THINK]a[/THINK]b', 'b', 'a'],
  ['MD16: only the closing tag', 'I wonder.\n</think>\n\nParis.', 'Paris.', 'I wonder.\n'],
  ['MD16: a think block that never ends', '<think>and on and on', '', 'and on and on'],
  ['a tag in the middle of a sentence is text', 'Write <think> here, and </think> there.', 'Write <think> here, and </think> there.', ''],
  ['MD6: a leaked call', '<|channel|>commentary<|message|>{"path":"/"}<|end|>', '', ''],
  ['MD6: channels', '<|channel|>analysis<|message|>hm<|end|><|start|>assistant<|channel|>final<|message|>Paris.<|return|>', 'Paris.', 'hm'],
  [
    'MD6: a call with a recipient',
    'Look.<|start|>assistant<|channel|>commentary to=functions.x <|constrain|>json<|message|>{"a":1}<|call|>',
    'Look.',
    '',
  ],
  ['MD6: a token at the end', 'Paris.<|im_end|>', 'Paris.', ''],
  ['MD6: ChatML', '<|im_start|>assistant\nParis.<|im_end|>', 'Paris.', ''],
  ['tokens between backticks are text', 'The token `<|im_end|>` ends it.', 'The token `<|im_end|>` ends it.', ''],
  ['tokens in a fence are text', '```\n<|im_start|>user\n```\nThat.<|im_end|>', '```\n<|im_start|>user\n```\nThat.', ''],
  ['pipes and comparisons are text', 'a <| b, x < y, [T] <', 'a <| b, x < y, [T] <', ''],
  ['leading blanks of a continuation stay', ' and so on', ' and so on', ''],
];

describe('thoughts and control tokens', () => {
  it.each(cases)('%s, wherever it is cut', (_what, raw, text, thoughts) => {
    for (const pieces of cuts(raw)) expect({ pieces, ...filter(pieces) }).toEqual({ pieces, text, thoughts });
  });

  it('MC13: never shows half of a character', () => {
    const one = createThoughtFilter();
    one.push('a\ud83d');
    expect(one.text()).toBe('a');
    one.push('\ude48');
    expect(one.text()).toBe('a🙈');
  });
});
