import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/core/command.ts';
import { authorise } from '../../src/core/gate.ts';

const ann = { id: 'a', name: 'Ann' };
const bob = { id: 'b', name: 'Bob' };
const carl = { id: 'c', name: 'Carl' };
const rules = { operators: new Set(['op']) };
const may = (action: Action, person: typeof ann, subject: typeof ann | null): boolean =>
  authorise({ action, person, owner: ann, subject }, rules).ok;

describe('the gate', () => {
  it.each(['talk', 'run-code', 'read'] as const)('lets everybody in the thread %s', (action) => {
    expect(may(action, bob, null)).toBe(true);
  });
  it.each(['stop', 'undo'] as const)('lets a person %s their own work, the owner everybody’s, and nobody another’s', (action) => {
    expect(may(action, bob, bob)).toBe(true);
    expect(may(action, ann, bob)).toBe(true);
    expect(may(action, carl, bob)).toBe(false);
    expect(may(action, { id: 'op', name: 'Operator' }, bob)).toBe(true);
  });
  it.each(['change-settings', 'erase'] as const)('keeps %s to the owner and operators', (action) => {
    expect(may(action, ann, null)).toBe(true);
    expect(may(action, bob, null)).toBe(false);
  });
  it('says no in words for the person', () => {
    const answer = authorise({ action: 'erase', person: bob, owner: ann, subject: null }, rules);
    expect(!answer.ok && answer.failure).toMatchObject({ code: 'forbidden', action: 'erase this thread' });
  });
});
