import { describe, expect, it } from 'vitest';
import { endPiped, feedPiped, feedTyped, NEWLINE_SIGN } from '../../../adapters/terminal/input.ts';
import type { Entry, Pending } from '../../../adapters/terminal/input.ts';
import { noPaste, splitPaste, toEditingLine } from '../../../adapters/terminal/paste.ts';

/** Feeds lines one by one; the entries that came, and the lines that are still open. */
const typed = (...lines: readonly string[]): { readonly entries: readonly Entry[]; readonly open: Pending } => {
  let open: Pending = [];
  const entries: Entry[] = [];
  for (const line of lines) {
    const [next, more] = feedTyped(open, line);
    open = next;
    entries.push(...more);
  }
  return { entries, open };
};
const piped = (script: string): readonly string[] => {
  let open: Pending = [];
  const entries: Entry[] = [];
  for (const line of script.split('\n')) {
    const [next, more] = feedPiped(open, line);
    open = next;
    entries.push(...more);
  }
  return [...entries, ...endPiped(open)].map((entry) =>
    entry.kind === 'code'
      ? entry.code
      : entry.kind === 'question'
        ? `?${entry.text}`
        : entry.kind === 'leave'
          ? 'leave'
          : `!${entry.name} ${entry.args}`,
  );
};
const code = (text: string): Entry => ({ kind: 'code', code: text });

describe('typed lines', () => {
  it.each([
    ['1 + 1'],
    ['x = {1: 2}'],
    ['f = lambda x: x'],
    ['x: int = 3'],
    ['d[1:2]'],
    ["s = 'it''s'"],
    ["s = 'open"],
    ['s = "# no comment"'],
    ['x = 1 # (open'],
    ['x = 1 # ends with \\'],
    ['print(1))'],
    ['iffy = 1'],
    ['r"\\" '],
    ['  indented = 1'].map((line) => line.trim()),
    ["f'{x!r}'"],
    ['"""a""" + \'\'\'b\'\'\''],
  ])('%s is complete', (line) => expect(typed(line)).toEqual({ entries: [code(line)], open: [] }));

  it.each([
    [['if x:', '    y', '']],
    [['if x: y', '']],
    [['@decorated', 'def f():', '    pass', '']],
    [['while True:', '  if x:', '    break', '  else:', '    y', 'else:', '  z', '']],
    [['async def f():', '    await x', '']],
    [['try:', '    x', 'except E:', '    y', 'finally:', '    z', '']],
    [['match x:', '    case 1:', '        y', '']],
    [['f(', '  1,', ')']],
    [['s = """a', '', '# b', '"""']],
    [['x = 1 + \\', '2']],
    [["s = 'a\\", "b'"]],
    [['d = {', '}']],
    [['class A: # ) comment', '    x = "):"', '']],
  ])('%j is complete at its end and not before', (lines) => {
    expect(typed(...lines.slice(0, -1)).entries).toEqual([]);
    expect(typed(...lines)).toEqual({ entries: [code(lines.join('\n').trimEnd())], open: [] });
  });

  it.each([[''], ['   '], ['# a comment']])('%j is nothing', (line) => expect(typed(line)).toEqual({ entries: [], open: [] }));

  it('knows questions, commands and the wish to leave, at the beginning only', () => {
    expect(typed('?what is "this').entries).toEqual([{ kind: 'question', text: 'what is "this' }]);
    expect(typed('? spaced ').entries).toEqual([{ kind: 'question', text: 'spaced' }]);
    expect(typed('!undo 3').entries).toEqual([{ kind: 'command', name: 'undo', args: '3' }]);
    expect(typed('!PY  x').entries).toEqual([{ kind: 'command', name: 'py', args: ' x' }]);
    expect(typed('exit()').entries).toEqual([{ kind: 'leave' }]);
    expect(typed('f(', 'exit()').open).toEqual(['f(', 'exit()']);
    expect(typed('stop').entries).toEqual([code('stop')]);
  });

  it('takes a paste as a whole: only what is typed after it ends a block', () => {
    const paste = ['def f():', '', '    return 1', 'x = 2'].join(NEWLINE_SIGN);
    expect(typed(paste)).toEqual({ entries: [code('def f():\n\n    return 1\nx = 2')], open: [] });
    expect(typed(`def f():${NEWLINE_SIGN}    return 1`).open).toHaveLength(2);
    expect(typed(`def f():${NEWLINE_SIGN}    return 1${NEWLINE_SIGN}`).entries).toEqual([code('def f():\n    return 1')]);
    expect(typed(`?one${NEWLINE_SIGN}two`).entries).toEqual([{ kind: 'question', text: 'one\ntwo' }]);
  });
});

describe('piped lines', () => {
  it.each([
    ['x = 1\ny = 2', ['x = 1', 'y = 2']],
    ['def f():\n    a\n\n    b\nf()', ['def f():\n    a\n\n    b', 'f()']],
    ['if x:\n  a\nelif y:\n  b\nelse:\n  c\nd', ['if x:\n  a\nelif y:\n  b\nelse:\n  c', 'd']],
    ['@a\n@b\ndef f(): pass\nf()', ['@a\n@b\ndef f(): pass', 'f()']],
    ['f(\n1,\n)\ng', ['f(\n1,\n)', 'g']],
    ['s = """\n?no\n!no\n"""\n?yes\n!vars', ['s = """\n?no\n!no\n"""', '?yes', '!vars ']],
    ['for i in x:\n  i\n?why', ['for i in x:\n  i', '?why']],
    ['for i in x:\n  i\n# comment\n  j\nk', ['for i in x:\n  i\n# comment\n  j', 'k']],
    ['#!/usr/bin/env python\n# c\nx', ['x']],
    ['f(', ['f(']],
    ['exit()', ['leave']],
  ])('%j', (script, entries) => expect(piped(script)).toEqual(entries));
});

describe('bracketed paste', () => {
  const whole = 'a\u001b[200~b\rc\u001b[201~d\u001b[A\u001b[200~\u001b[201~';
  const segments = [
    { kind: 'typed', text: 'a' },
    { kind: 'pasted', text: 'b\rc' },
    { kind: 'typed', text: 'd\u001b[A' },
    { kind: 'pasted', text: '' },
  ];
  it('parts what was pasted from what was typed', () => {
    expect(splitPaste(noPaste, whole)).toEqual([noPaste, segments]);
  });
  it('does so wherever the chunks are cut, but behind a lone escape, which is a key', () => {
    for (let cut = 0; cut <= whole.length; cut += 1) {
      if (whole.startsWith('\u001b[200~', cut - 1)) continue;
      const [state, first] = splitPaste(noPaste, whole.slice(0, cut));
      const [end, second] = splitPaste(state, whole.slice(cut));
      expect(end).toEqual(noPaste);
      const all = [...first, ...second];
      const joined = (kind: string): string =>
        all
          .filter((segment) => segment.kind === kind)
          .map((segment) => segment.text)
          .join('');
      expect(joined('pasted')).toBe('b\rc');
      expect(joined('typed')).toBe('ad\u001b[A');
    }
  });
  it('lets the escape key through at once', () => {
    expect(splitPaste(noPaste, '\u001b')[1]).toEqual([{ kind: 'typed', text: '\u001b' }]);
  });
  it('keeps tabs and line ends of a paste, and no control characters', () => {
    expect(toEditingLine('a\r\n\tb\u0003\u001b[31m\rc')).toBe(`a${NEWLINE_SIGN}\tb[31m${NEWLINE_SIGN}c`);
  });
});
