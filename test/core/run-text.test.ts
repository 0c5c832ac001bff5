import { describe, expect, it } from 'vitest';
import { duration, firstLines, foldedCell, remarks, replText, smallPrint } from '../../src/core/run-text.ts';
import { blobId, snapshotId } from '../../src/core/ids.ts';
import { aRun } from '../support/a-run.ts';

const after = snapshotId(blobId('a'.repeat(32)));

describe('the text of runs', () => {
  it('shows output, value and error as a Python prompt would', () => {
    const error = {
      type: 'ZeroDivisionError',
      value: 'division by zero',
      traceback: 'Traceback\nZeroDivisionError: division by zero\n',
      line: 1,
    };
    expect(replText(aRun({ output: 'hello\n', value: '42', error }))).toBe('hello\n42\nTraceback\nZeroDivisionError: division by zero');
    expect(replText(aRun({ output: '', value: null, error: { ...error, traceback: '' } }))).toBe('ZeroDivisionError: division by zero');
  });

  it('says what was lost, dropped and removed, and nothing where all is well', () => {
    expect(remarks(aRun({ after }))).toEqual([]);
    const lost = Array.from({ length: 8 }, (_, n) => ({ name: `g${n}`, type: 'generator', why: 'cannot be pickled', path: '' }));
    const said = remarks(aRun({ lost, droppedBytes: 2_000_000, removedFiles: ['a.csv'] })).join(' · ');
    expect(said).toContain('2.0 MB more were printed and are not shown');
    expect(said).toContain('g5 (generator: cannot be pickled) and 2 more');
    expect(said).toContain('removed: a.csv');
  });

  it('has small print even where there is nothing to show', () => {
    expect(smallPrint(aRun({ after, n: 4, output: '', value: null, files: [], durationMs: 120 }))).toBe('Run 4 · 120 ms · nothing to show');
  });

  it('folds a run into a title, its code and what it said, within what a note holds', () => {
    const cell = foldedCell(aRun({ n: 3, code: 'x = 1\n'.repeat(1_000), output: 'y'.repeat(9_000), durationMs: 61_500 }));
    expect(cell.title).toBe('Run 3: 1000 lines of Python, 1 min 2 s');
    expect(cell.code.length).toBeLessThan(2_500);
    expect(cell.code).toMatch(/x = 1\n\[…\]$/);
    expect(cell.said.length).toBeLessThan(2_500);
  });

  it('tells times as people do and cuts at ends of lines', () => {
    expect([0, 120, 1_234, 59_940, 125_000].map(duration)).toEqual(['1 ms', '120 ms', '1.2 s', '59.9 s', '2 min 5 s']);
    expect(firstLines('one\ntwo', 100)).toBe('one\ntwo');
    expect(firstLines('one\ntwo\nthree', 9)).toBe('one\ntwo\n[…]');
  });
});
