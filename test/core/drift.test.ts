import { describe, expect, it } from 'vitest';
import { createDriftWatch } from '../../src/core/drift.ts';

const seen = (model: string, fingerprint: string | null = null) => ({ model, fingerprint });

describe('the watch on the model that answers', () => {
  it('tells a drift from the pin once per change', () => {
    const watch = createDriftWatch({ model: 'm-1', fingerprint: null });
    expect(watch(seen('m-1'))).toBeNull();
    expect(watch(seen('m-2'))).toMatchObject({ expected: { model: 'm-1' }, seen: { model: 'm-2' } });
    expect(watch(seen('m-2', 'fp'))).toBeNull();
    expect(watch(seen('m-1'))).toBeNull();
    expect(watch(seen('m-2'))).not.toBeNull();
    expect(watch(seen('m-3'))).not.toBeNull();
  });

  it('looks at the fingerprint only where one is pinned', () => {
    const watch = createDriftWatch({ model: 'm', fingerprint: 'a' });
    expect(watch(seen('m', 'a'))).toBeNull();
    expect(watch(seen('m', 'b'))).toMatchObject({ seen: { fingerprint: 'b' } });
    expect(watch(seen('m', 'b'))).toBeNull();
    expect(watch(seen('m', null))).not.toBeNull();
  });

  it('takes the first model that answered for the measure where nothing is pinned', () => {
    const watch = createDriftWatch(null);
    expect(watch(seen('m-1', 'a'))).toBeNull();
    expect(watch(seen('m-1', 'b'))).toBeNull();
    expect(watch(seen('m-2', 'b'))).not.toBeNull();
  });
});
