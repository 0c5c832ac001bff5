/** help, py, ask, stop, retry, usage, forget: commands that answer, or stand for a message. */
import { describe, expect, it } from 'vitest';
import { readIntent } from '../../src/core/addressing.ts';
import { commands, commandNames } from '../../src/commands/index.ts';
import { failure, toStoredFailure } from '../../src/core/failure.ts';
import { after, ann, emptyWorld, planOf, runCommand, withAnswer, withRun } from '../support/command-world.ts';

describe('every command', () => {
  it.each(commands.map((command) => [command.name, command] as const))('%s describes itself', (_name, command) => {
    expect(command.description.length).toBeGreaterThan(5);
    // Discord takes no more than 100 characters.
    expect(command.description.length).toBeLessThanOrEqual(100);
    expect(command.usage.startsWith(command.name)).toBe(true);
  });

  it.each(commands.map((command) => [command.name]))('%s can be written in a thread (U136)', (name) => {
    expect(readIntent(`!${name}`, commandNames)).toMatchObject({ ok: true, value: { kind: 'command', name } });
  });

  it.each(commands.map((command) => [command.name]))('%s answers in an empty thread', async (name) => {
    const plan = await runCommand(emptyWorld, name);
    expect(plan.ok ? plan.value.text : plan.failure.code).not.toBe('');
  });
});

describe('help', () => {
  it('lists every command', async () => {
    const { text } = await planOf(emptyWorld, 'help');
    for (const command of commands) expect(text).toContain(`\`${command.usage}\``);
  });
  it.each(['undo', '!undo', ' UNDO '])('explains one: %j', async (args) => {
    expect((await planOf(emptyWorld, 'help', args)).text).toMatch(/^`undo \[n\]`: Take the Python state/);
  });
  it('says when there is no such command', async () => {
    expect(await runCommand(emptyWorld, 'help', 'dance')).toMatchObject({ ok: false, failure: { code: 'command-unknown', name: 'dance' } });
  });
});

describe('py and ask stand for a message', () => {
  it('py runs code as it stands', async () => {
    expect(await planOf(emptyWorld, 'py', 'if x:\n    y')).toEqual({
      text: '',
      send: {
        kind: 'run',
        key: 'k-command:py',
        at: 100,
        author: ann,
        origin: { at: 'here' },
        text: '>>>\nif x:\n    y',
        code: 'if x:\n    y',
        files: [],
      },
    });
    expect((await planOf(emptyWorld, 'py', '```py\nx\n```')).send).toMatchObject({ code: 'x', text: '>>> x' });
  });
  it('ask puts the words to the model, whatever they look like', async () => {
    expect((await planOf(emptyWorld, 'ask', ' >>> 1 ')).send).toMatchObject({ kind: 'ask', text: '>>> 1' });
  });
  it.each(['py', 'ask'])('%s without anything explains itself', async (name) => {
    expect(await runCommand(emptyWorld, name, ' \n')).toMatchObject({ ok: false, failure: { code: 'command-arguments' } });
  });
});

describe('stop', () => {
  it('asks for a stop at once, and says whether anything runs (U137)', async () => {
    expect(await planOf({ ...emptyWorld, busy: true }, 'stop')).toEqual({ text: 'Stopping.', private: true, stop: true });
    expect(await planOf(emptyWorld, 'stop')).toMatchObject({ text: 'Nothing is running here.', stop: true });
    expect(commands.find((command) => command.name === 'stop')?.when).toBe('overtaking');
  });
});

describe('retry', () => {
  const asked = withAnswer(withAnswer(emptyWorld, 'first', { text: '1' }), 'second?', { text: '2' });

  it('asks the last question again, as the person who wants it', async () => {
    expect(await planOf(asked, 'retry')).toEqual({
      text: '',
      send: { kind: 'ask', key: 'k-command:retry', at: 100, author: ann, origin: { at: 'here' }, text: 'second?', files: [], earlier: [] },
    });
  });
  it('does not run code twice that ran', async () => {
    expect((await planOf(withRun(asked), 'retry')).send).toMatchObject({ kind: 'ask', text: 'second?' });
  });
  it('tries code again that never ran', async () => {
    const busy = toStoredFailure(failure('sandbox-busy', { waiting: 3 }));
    const world = withRun(asked, { code: 'x = 1' });
    const [said] = world.entries.slice(-2);
    const failed = withAnswer(asked, 'x', { text: '', status: 'failed', failure: busy }).entries.at(-1);
    if (said === undefined || failed === undefined) throw new Error('no entries');
    expect((await planOf({ ...asked, entries: [...asked.entries, said, failed] }, 'retry')).send).toMatchObject({
      kind: 'run',
      code: 'x = 1',
      text: '>>> x = 1',
    });
  });
  it('has nothing to try in an empty thread, and after a reset', async () => {
    expect((await planOf(emptyWorld, 'retry')).send).toBeUndefined();
    expect((await planOf(await after(asked, 'reset'), 'retry')).send).toBeUndefined();
  });
  it('waits its turn', async () => {
    expect(await planOf({ ...asked, busy: true }, 'retry')).toMatchObject({ text: expect.stringContaining('still working') as string });
  });
});

describe('usage', () => {
  it('sums by model and says what it does not know', async () => {
    const world = withAnswer(
      withAnswer(withAnswer(emptyWorld, 'a', { text: '1', costMicros: 240 }), 'b', { text: '2', usage: null }),
      'c',
      {
        text: '3',
        model: 'other',
        usage: { input: 5, cachedInput: 0, output: 1, reasoning: 0, estimated: true },
      },
    );
    const { text } = await planOf(world, 'usage');
    expect(text).toContain('| `model-1` | 2 | 1,000 | 10 | 20 | 5 | $0.00024 and 1 unknown |');
    expect(text).toContain('| `other` | 1 | 5 | 0 | 1 | 0 | unknown |');
    expect(text).toContain('For one answer the server told no count');
    expect(text).toContain('Some counts are estimates.');
    expect(text).toContain('An unknown cost is a model without a known price.');
    expect(text).not.toContain('today');
  });

  it('shows what the person and the channel used today, and what it cost', async () => {
    const models = [{ model: 'm', requests: 3, input: 1_200, output: 34, micros: 1_500_000, unknown: 0 }];
    const day = { tokens: 1_234, micros: 1_500_000, models };
    const { text } = await planOf({ ...emptyWorld, today: { person: day, channel: day } }, 'usage');
    expect(text).toContain('**You, today**');
    expect(text).toContain('**This channel, today**');
    expect(text).toContain('| `m` | 3 | 1,200 | 34 | $1.50 |');
  });

  it('does not count answers that no model gave', async () => {
    expect((await planOf(withAnswer(emptyWorld, 'a', { text: '', model: '', usage: null }), 'usage')).text).toContain(
      'No answer of a model',
    );
  });
});

describe('forget', () => {
  it('asks twice before it erases (U115)', async () => {
    expect((await planOf(withRun(emptyWorld), 'forget')).erase).toBeUndefined();
    expect((await planOf(withRun(emptyWorld), 'forget', 'me')).erase).toBeUndefined();
    expect((await planOf(withRun(emptyWorld), 'forget', ' Everything ')).erase).toBe(true);
  });
});

describe('model', () => {
  it('shows what there is and which one answers', async () => {
    const { text } = await planOf(emptyWorld, 'model');
    expect(text).toContain('| `small` | `vendor/small-1` | answers here, usual |');
    expect(text).toContain('`large`');
  });

  it('chooses one for the thread, whatever the case, and the usual one again', async () => {
    const chosen = await after(emptyWorld, 'model', ' LARGE ');
    expect(chosen.session.model).toBe('large');
    expect((await planOf(chosen, 'model')).text).toContain('| `large` | `vendor/large-1` | answers here |');
    expect((await after(chosen, 'model', 'default')).session.model).toBeNull();
  });

  it('names what may be chosen where there is no such model', async () => {
    const result = await runCommand(emptyWorld, 'model', 'gpt-9');
    expect(result).toMatchObject({ ok: false, failure: { code: 'command-arguments', usage: expect.stringContaining('`small`, `large`') } });
  });
});
