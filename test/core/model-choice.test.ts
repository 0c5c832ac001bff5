import { describe, expect, it } from 'vitest';
import { fallsOver, modelOfChannel, routeOf } from '../../src/core/model-choice.ts';
import type { ModelPlan } from '../../src/core/model-choice.ts';

const plan: ModelPlan = {
  names: ['small', 'large', 'local'],
  default: 'small',
  fallback: ['large', 'local'],
  channels: [
    { pattern: 'slack/T1/C-math', model: 'large' },
    { pattern: 'discord/*/*', model: 'local' },
  ],
};
const at = (platform: string, workspace: string, channel: string) => ({ platform, workspace, channel, thread: 't' });
const none = new Set<string>();

describe('the choice of a model', () => {
  it('is the thread’s own, else the channel’s, else the default', () => {
    expect(routeOf(plan, at('slack', 'T1', 'C-math'), 'local', none)[0]).toBe('local');
    expect(routeOf(plan, at('slack', 'T1', 'C-math'), null, none)[0]).toBe('large');
    expect(routeOf(plan, at('slack', 'T1', 'C-other'), null, none)[0]).toBe('small');
    expect(modelOfChannel(plan, at('discord', 'G9', 'anything'))).toBe('local');
    expect(modelOfChannel(plan, undefined)).toBe('small');
  });

  it('takes a choice that is no longer set up for none', () => {
    expect(routeOf(plan, at('slack', 'T1', 'C-math'), 'gone', none)[0]).toBe('large');
  });

  it('goes on with the fallbacks in their order, each model once', () => {
    expect(routeOf(plan, undefined, 'large', none)).toEqual(['large', 'local']);
    expect(routeOf(plan, undefined, null, none)).toEqual(['small', 'large', 'local']);
  });

  it('asks models that failed a moment ago last, and leaves none out', () => {
    expect(routeOf(plan, undefined, null, new Set(['small']))).toEqual(['large', 'local', 'small']);
    expect(routeOf({ ...plan, fallback: [] }, undefined, null, new Set(['small']))).toEqual(['small']);
  });

  it.each(['model-unreachable', 'model-overloaded', 'model-quota', 'model-refused-key', 'model-not-found', 'model-silent'] as const)(
    'falls over on %s',
    (code) => {
      expect(fallsOver(code)).toBe(true);
    },
  );
  it.each(['model-filtered', 'model-rejected', 'context-overflow', 'interrupted', 'stopped'] as const)(
    'does not fall over on %s',
    (code) => {
      expect(fallsOver(code)).toBe(false);
    },
  );
});
