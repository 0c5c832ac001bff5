import { describe, expect, it } from 'vitest';
import { createCalibration, estimateTokens, nextRatio } from '../../src/core/tokens.ts';

describe('token estimates', () => {
  it('count bytes, and take no time for hostile text', () => {
    expect(estimateTokens('abc')).toBe(1);
    expect(estimateTokens('日本')).toBe(2);
    expect(estimateTokens('<|endoftext|>'.repeat(100_000))).toBeGreaterThan(400_000);
  });

  it('come nearer to what a model reports with every request', () => {
    const calibration = createCalibration();
    for (let n = 0; n < 20; n += 1) calibration.learn('m', 1_000, 1_500);
    expect(calibration.ratioOf('m')).toBeGreaterThan(1.45);
    expect(calibration.ratioOf('m')).toBeLessThanOrEqual(1.5);
    expect(calibration.ratioOf('another')).toBe(1);
  });

  it('are never off by more than a factor of two, and learn nothing from small or uncounted requests', () => {
    let ratio = 1;
    for (let n = 0; n < 50; n += 1) ratio = nextRatio(ratio, 1_000, 1_000_000);
    expect(ratio).toBeLessThanOrEqual(2);
    for (let n = 0; n < 50; n += 1) ratio = nextRatio(ratio, 1_000_000, 1);
    expect(ratio).toBeGreaterThanOrEqual(0.5);
    expect(nextRatio(1, 50, 500)).toBe(1);
    expect(nextRatio(1, 5_000, 0)).toBe(1);
  });
});
