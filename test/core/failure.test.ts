import { describe, expect, it } from 'vitest';
import { failure, failureCodes, forOperator, forPerson, mayRetry, toStoredFailure } from '../../src/core/failure.ts';

describe('the catalogue of failures', () => {
  it('says what the person can do, without anything internal (U118)', () => {
    const down = failure('model-unreachable', {}, 'connect ECONNREFUSED 10.0.0.7:443 key=sk-test-abc');
    expect(forPerson(down)).not.toMatch(/ECONN|10\.0|sk-/);
    expect(JSON.stringify(toStoredFailure(down))).not.toMatch(/ECONN|10\.0|sk-/);
    expect(forOperator(down)).toBe('the model server did not answer');
  });

  it('puts facts into the words', () => {
    expect(forPerson(failure('message-too-long', { length: 1_000_000, limit: 100_000 }))).toContain('1,000,000 characters; I take 100,000');
    expect(forPerson(failure('rate-limited', { waitSeconds: 1 }))).toContain('1 second.');
    expect(forPerson(failure('file-too-large', { name: 'a.bin', limit: 32 << 20 }))).toContain('up to 32 MB');
  });

  it('knows what may be tried again', () => {
    expect(mayRetry(failure('delivery-refused', {}))).toBe(false);
    expect(mayRetry(failure('store-unreachable', {}))).toBe(true);
  });

  it('names its codes in kebab-case', () => {
    expect(failureCodes.filter((code) => !/^[a-z]+(-[a-z]+)*$/.test(code))).toEqual([]);
    expect(failureCodes.length).toBeGreaterThan(40);
  });
});
