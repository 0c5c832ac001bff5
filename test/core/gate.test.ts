import { describe, expect, it } from 'vitest';
import type { Action } from '../../src/core/command.ts';
import { forPerson } from '../../src/core/failure.ts';
import { authorise, mayRunCode, openRules } from '../../src/core/gate.ts';
import type { Question, Rules } from '../../src/core/gate.ts';

const ann = { id: 'ann', name: 'Ann' };
const bob = { id: 'bob', name: 'Bob' };
const operator = { id: 'op', name: 'Op' };
const address = { platform: 'slack', workspace: 'T1', channel: 'C1', thread: '1.1' };
const withOperator: Rules = { ...openRules, operators: ['slack/op'] };

const question = (fields: Partial<Question> = {}): Question => ({
  action: 'talk',
  person: bob,
  standing: 'member',
  address,
  outsidersHere: false,
  owner: ann,
  subject: null,
  ...fields,
});
const may = (fields: Partial<Question>, rules: Rules = withOperator): boolean => authorise(question(fields), rules).ok;
const actions: readonly Action[] = ['talk', 'run-code', 'read', 'stop', 'undo', 'change-settings', 'change-channel', 'erase', 'approve'];

describe('the gate', () => {
  it.each(['talk', 'run-code', 'read'] as const)('lets everybody %s', (action) => {
    expect(may({ action })).toBe(true);
  });

  it.each(['stop', 'undo'] as const)('lets a person %s their own, and the owner and operators anybody’s', (action) => {
    expect(may({ action, subject: bob })).toBe(true);
    expect(may({ action, subject: null })).toBe(true);
    expect(may({ action, subject: ann })).toBe(false);
    expect(may({ action, person: ann, subject: bob })).toBe(true);
    expect(may({ action, person: operator, subject: ann })).toBe(true);
    // Before the first turn is stored a thread has no owner: its work is the asker's all the same.
    expect(may({ action, owner: null, subject: ann })).toBe(false);
    expect(may({ action, owner: null, person: ann, subject: ann })).toBe(true);
  });

  it.each(['change-settings', 'erase'] as const)('keeps %s to the owner and operators', (action) => {
    expect(may({ action })).toBe(false);
    expect(may({ action, person: ann })).toBe(true);
    expect(may({ action, person: operator })).toBe(true);
  });

  it('keeps the settings of a channel to operators; without any, to the owner of the thread', () => {
    expect(may({ action: 'change-channel', person: operator })).toBe(true);
    expect(may({ action: 'change-channel', person: ann })).toBe(false);
    expect(may({ action: 'change-channel', person: ann }, openRules)).toBe(true);
    expect(may({ action: 'change-channel', person: bob }, openRules)).toBe(false);
    expect(may({ action: 'change-channel', person: ann, standing: 'outsider' }, { ...openRules, outsiders: true })).toBe(false);
  });

  it('lets nobody but operators open a channel to other organisations', () => {
    expect(may({ action: 'open-channel', person: ann }, openRules)).toBe(false);
    expect(may({ action: 'open-channel', person: operator })).toBe(true);
  });

  it.each(actions)('refuses outsiders who want to %s, unless the installation or the channel lets them in', (action) => {
    const outsider = { action, standing: 'outsider', owner: bob, subject: bob } as const;
    expect(may(outsider)).toBe(false);
    if (action === 'change-channel') return;
    expect(may(outsider, { ...withOperator, outsiders: true })).toBe(true);
    expect(may({ ...outsider, outsidersHere: true })).toBe(true);
  });

  it.each(actions)('binds a command that wants to %s to the list of channels, operators too (U106)', (action) => {
    const rules = { ...withOperator, channels: ['slack/*/C2', 'discord/*/*'] };
    for (const person of [ann, bob, operator]) expect(may({ action, person, subject: person }, rules)).toBe(false);
    expect(may({ action, person: operator, address: { ...address, channel: 'C2' } }, rules)).toBe(true);
    expect(may({ action, person: operator, address: { ...address, workspace: 'T2', channel: 'C2' } }, rules)).toBe(true);
  });

  it.each(actions)('refuses whoever is not on the list of people and wants to %s', (action) => {
    const rules = { ...openRules, people: ['slack/ann', 'web/*'] };
    expect(may({ action, subject: bob, owner: bob }, rules)).toBe(false);
    expect(may({ action, person: ann, subject: ann }, rules)).toBe(true);
    expect(may({ action, subject: bob, owner: bob, address: { ...address, platform: 'web' } }, rules)).toBe(true);
  });

  it('knows people by their platform: the same id elsewhere is somebody else', () => {
    expect(may({ action: 'erase', person: operator, address: { ...address, platform: 'web' } })).toBe(false);
  });

  it('lets only runners run code, and have the model run it', () => {
    const rules = { ...withOperator, runners: ['slack/ann'] };
    expect(may({ action: 'run-code' }, rules)).toBe(false);
    expect(may({ action: 'talk' }, rules)).toBe(true);
    expect(may({ action: 'run-code', person: ann }, rules)).toBe(true);
    expect(may({ action: 'run-code', person: operator }, rules)).toBe(true);
    expect([bob, ann, operator].map((person) => mayRunCode(person, 'slack', rules))).toEqual([false, true, true]);
    expect(mayRunCode(bob, 'slack', openRules)).toBe(true);
  });

  it('says no in words for a person', () => {
    const answer = authorise(question({ action: 'erase' }), withOperator);
    expect(answer.ok ? '' : forPerson(answer.failure)).toBe('You may not erase this thread here.');
  });
});
