import { describe, expect, it } from 'vitest';
import { commandId, menuNames, openId, readModal, readPress, modalId, runId } from '../../../adapters/discord/actions.ts';
import { hashOf, readCalled, readTyped, toApplicationCommands } from '../../../adapters/discord/commands.ts';
import { commandHelp } from '../../../src/commands/index.ts';

const deployed = toApplicationCommands(commandHelp);

describe('the commands that are deployed', () => {
  it('are all of Hektor’s, and the two menu entries', () => {
    expect(deployed.map(({ name }) => name)).toEqual([...commandHelp.map(({ name }) => name), menuNames.ask, menuNames.run]);
  });

  it('keep to Discord’s limits', () => {
    expect(deployed.length).toBeLessThanOrEqual(100);
    for (const { type, name, description, options } of deployed) {
      if (type === 1) {
        expect(name).toMatch(/^[-_a-z0-9]{1,32}$/);
        expect(description?.length ?? 0).toBeGreaterThan(0);
        expect(description?.length ?? 0).toBeLessThanOrEqual(100);
      } else expect(description).toBeUndefined();
      const required = (options ?? []).map((option) => option.required);
      expect(required).toEqual(required.toSorted((a, b) => Number(b) - Number(a)));
      expect(JSON.stringify(options ?? []).length).toBeLessThan(8_000);
      expect(options?.length ?? 0).toBeLessThanOrEqual(25);
    }
  });

  it('D22: have a hash that changes only with them', () => {
    expect(hashOf(toApplicationCommands(commandHelp))).toBe(hashOf(deployed));
    expect(hashOf(deployed.slice(1))).not.toBe(hashOf(deployed));
  });
});

describe('a command that was used', () => {
  it('reads options as typed arguments', () => {
    expect(readCalled({ name: 'undo', options: [{ name: 'run', type: 4, value: 3 }] }, commandHelp)).toEqual({
      name: 'undo',
      args: '3',
      file: null,
    });
    expect(readCalled({ name: 'ask', options: [{ name: 'question', type: 3, value: 'what is 2+2?' }] }, commandHelp)?.args).toBe(
      'what is 2+2?',
    );
    expect(readCalled({ name: 'vars' }, commandHelp)).toEqual({ name: 'vars', args: '', file: null });
  });

  it('keeps code as it stands', () => {
    const code = 'for i in range(3):\n    print(i)';
    expect(readCalled({ name: 'py', options: [{ name: 'code', value: code }] }, commandHelp)?.args).toBe(code);
  });

  it('knows the file that came with it', () => {
    const data = {
      name: 'ask',
      options: [
        { name: 'file', type: 11, value: '900000000000000001' },
        { name: 'question', value: 'sum it up' },
      ],
    };
    expect(readCalled(data, commandHelp)).toEqual({ name: 'ask', args: 'sum it up', file: '900000000000000001' });
  });

  it('takes nothing else', () => {
    expect(readCalled({ name: 'ban' }, commandHelp)).toBeNull();
    expect(readCalled(null, commandHelp)).toBeNull();
  });

  it('reads what is being typed', () => {
    expect(readTyped({ name: 'model', options: [{ name: 'name', value: 'gp', focused: true }] })).toEqual({
      command: 'model',
      option: 'name',
      partial: 'gp',
    });
    expect(readTyped({ name: 'model', options: [] })).toBeNull();
  });
});

describe('other languages', () => {
  it('are put beside the names, and count for the hash', () => {
    const plain = toApplicationCommands(commandHelp);
    const german = toApplicationCommands(commandHelp, { ask: { de: { name: 'frage', description: 'Frag mich etwas' } } });
    expect(german.find(({ name }) => name === 'ask')).toMatchObject({
      name_localizations: { de: 'frage' },
      description_localizations: { de: 'Frag mich etwas' },
    });
    expect(plain.find(({ name }) => name === 'ask')).not.toHaveProperty('name_localizations');
    expect(hashOf(german)).not.toBe(hashOf(plain));
  });
});

describe('buttons', () => {
  it('say what to do and come back as that', () => {
    expect(readPress(commandId('stop'))).toEqual({ kind: 'command', name: 'stop', args: '' });
    expect(readPress(commandId('undo', '12'))).toEqual({ kind: 'command', name: 'undo', args: '12' });
    expect(readPress(commandId('approve', '0123456789ab'))).toEqual({ kind: 'command', name: 'approve', args: '0123456789ab' });
    expect(readPress(runId('aTurn-0_x', 2))).toEqual({ kind: 'run', message: 'aTurn-0_x', block: 2 });
    expect(readPress(openId('settings'))).toEqual({ kind: 'open', modal: 'settings' });
    expect(readModal(modalId('settings'))).toEqual({ kind: 'settings' });
    const about = { message: '1300000000000000001', note: '1300000000000000002' };
    expect(readModal(modalId('ask', about))).toEqual({ kind: 'ask', ...about });
    expect(modalId('ask', about).length).toBeLessThanOrEqual(100);
    expect(readModal(modalId('ask'))).toBeNull();
  });

  it.each([
    '',
    'hektor:',
    'hektor:forget:',
    'hektor:settings:speak=all',
    'hektor:run:x',
    'hektor:run:2',
    'hektor:modal:ask:1',
    'other:stop:',
    `hektor:undo:${'1'.repeat(99)}`,
  ])('are nothing where the id is %j', (id) => {
    expect(readPress(id)).toBeNull();
    expect(readModal(id)).toBeNull();
  });
});
