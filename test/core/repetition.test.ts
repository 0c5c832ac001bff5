import { describe, expect, it } from 'vitest';
import { repetitionOf } from '../../src/core/repetition.ts';

const of = (trail: string) => repetitionOf(trail === '' ? [] : trail.split(''));

describe('repetition', () => {
  it.each(['', 'A', 'AB', 'AA', 'ABCA', 'ABCD', 'AABB', 'ABCAB'])('sees none in %j', (trail) => expect(of(trail)).toBe('none'));

  it.each(['AAA', 'ABCABDA', 'ABAB', 'XABAB', 'ABCABC'])('notes %j', (trail) => expect(of(trail)).toBe('note'));

  it.each(['AAAAA', 'ABACADAEA', 'ABABAB', 'XABABAB', 'ABCABCABC'])('stops at %j', (trail) => expect(of(trail)).toBe('stop'));

  it('takes a round for one only from its beginning to its end, again and again', () => {
    expect(of('ABABC')).toBe('none');
    expect(of('ABABCAB')).not.toBe('stop');
  });
});
