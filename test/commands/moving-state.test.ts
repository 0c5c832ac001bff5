/** undo, reset and fork: commands that move the state. */
import { describe, expect, it } from 'vitest';
import { countingRuns, listRuns } from '../../src/core/ledger.ts';
import { after, ann, emptyWorld, planOf, runCommand, state, withAnswer, withRun } from '../support/command-world.ts';

const three = withRun(withRun(withRun(emptyWorld, { code: 'x = 1' }), { code: 'x = 2' }), { code: 'x = 3' });
const counting = (world: typeof three): readonly number[] => countingRuns(world.entries).map((ran) => ran.run.n);

describe('undo', () => {
  it('goes back to before the last run, names and files, and never uses its number again', async () => {
    const plan = await planOf(three, 'undo');
    expect(plan.text).toBe('Back to before run 3 (`x = 3`), names and files. Run 3 no longer counts. The next run will be number 4.');
    expect(plan.append).toEqual([{ kind: 'state-moved', at: 100, turn: 't-command', by: ann, how: 'undo', toRun: 2, head: state(2) }]);
    expect(plan.session).toEqual({ ...three.session, head: state(2), runs: 3 });
  });

  it.each(['1', ' #1 ', 'run 1', 'Run #1', '01'])('goes back to before a numbered run: %j', async (args) => {
    const world = await after(three, 'undo', args);
    expect(world.session).toMatchObject({ head: null, runs: 3 });
    expect(counting(world)).toEqual([]);
  });

  it('says which runs no longer count, and that the state is empty', async () => {
    expect((await planOf(three, 'undo', '1')).text).toBe(
      'Back to before run 1 (`x = 1`), names and files. Runs 1–3 no longer count. The state is empty. The next run will be number 4.',
    );
    expect((await planOf(three, 'undo', '2')).text).toContain('Runs 2 and 3 no longer count.');
  });

  it('goes further back each time, over what was run in between', async () => {
    const undone = await after(three, 'undo');
    const more = withRun(undone, { code: 'y = 4' });
    expect(counting(more)).toEqual([1, 2, 4]);
    const once = await after(more, 'undo');
    expect(once.session.head).toEqual(state(2));
    const twice = await after(once, 'undo');
    expect(twice.session.head).toEqual(state(1));
    // Run 3 was undone before, so the state that remains is the one after run 1.
    expect(twice.entries.at(-1)).toMatchObject({ how: 'undo', toRun: 1 });
    expect(counting(twice)).toEqual([1]);
  });

  it('passes over a run that was rolled back by itself: it left nothing to undo', async () => {
    const world = withRun(three, { code: 'while True: pass', end: 'timed-out' });
    const plan = await planOf(world, 'undo');
    expect(plan.append).toMatchObject([{ toRun: 2, head: state(2) }]);
    expect(plan.text).toContain('Runs 3 and 4 no longer count.');
    expect((await planOf(world, 'undo', '4')).append).toMatchObject([{ toRun: 3, head: state(3) }]);
  });

  it('undoes a run that raised, since that kept what it had changed', async () => {
    expect((await planOf(withRun(three, { code: 'x = 4; 1/0', end: 'raised' }), 'undo')).append).toMatchObject([{ toRun: 3 }]);
  });

  it.each(['999', '4'])('refuses an unknown run and changes nothing: %s', async (args) => {
    const plan = await planOf(three, 'undo', args);
    expect(plan).toEqual({ text: `There is no run ${args}. The runs that count are 1–3.`, private: true });
  });

  it('refuses a run that was undone or reset', async () => {
    const undone = await after(three, 'undo', '2');
    expect((await planOf(undone, 'undo', '3')).text).toBe('Run 3 no longer counts: it was undone or reset. The only run that counts is 1.');
    const reset = await after(three, 'reset');
    expect((await planOf(reset, 'undo', '2')).text).toBe('Run 2 no longer counts: it was undone or reset. There is nothing to undo.');
    expect((await planOf(reset, 'undo')).append).toBeUndefined();
    expect((await planOf(reset, 'undo')).text).toContain('There is no run to undo');
  });

  it('has nothing to do in an empty thread', async () => {
    expect((await planOf(emptyWorld, 'undo')).append).toBeUndefined();
    expect((await planOf(emptyWorld, 'undo', '1')).text).toBe('There is no run 1. There is nothing to undo.');
  });

  it.each(['abc', '0', '00', '-1', '1.5', '1 2', '1e3', '٣', '99999999999999999999'])(
    'explains itself where it does not understand: %j',
    async (args) => {
      expect(await runCommand(three, 'undo', args)).toMatchObject({ ok: false, failure: { code: 'command-arguments' } });
    },
  );

  it('stays where it is when the state before that run is no longer stored', async () => {
    const gone = { ...three, states: new Map([...three.states].filter(([id]) => id !== state(2))) };
    expect(await runCommand(gone, 'undo')).toMatchObject({ ok: false, failure: { code: 'snapshot-lost' } });
  });

  it('shows code with backticks without breaking out of its span', async () => {
    expect((await planOf(withRun(three, { code: 's = "``"\nt = 1' }), 'undo')).text).toContain('(```s = "``"```)');
  });
});

describe('reset', () => {
  it('empties the state and leaves all that was said behind, itself included (U098)', async () => {
    const world = await after(three, 'reset');
    expect(world.session).toMatchObject({ head: null, runs: 3, since: world.entries.length });
    expect(world.entries.at(-1)).toMatchObject({ kind: 'state-moved', how: 'reset', toRun: 0, head: null });
    expect(counting(world)).toEqual([]);
  });

  it('goes on counting runs', async () => {
    expect((await planOf(three, 'reset')).text).toContain('The next run will be number 4.');
    expect((await planOf(emptyWorld, 'reset')).text).toContain('The first run will be number 1.');
    expect(counting(withRun(await after(three, 'reset')))).toEqual([4]);
  });

  it('does nothing when words follow it: somebody writes about a reset', async () => {
    expect(await runCommand(three, 'reset', 'does not work')).toMatchObject({ ok: false, failure: { code: 'command-arguments' } });
  });
});

describe('fork', () => {
  it('hands over a copy of everything, and the new thread belongs to who asked', async () => {
    const world = withAnswer(three, 'What is x?', { text: '3' });
    const plan = await planOf(world, 'fork');
    expect(plan.fork?.session.title).toBe('Fork of What is x?');
    expect(plan.fork?.entries.slice(0, -1)).toEqual(world.entries);
    expect(plan.fork?.entries.at(-1)).toMatchObject({ kind: 'state-moved', how: 'fork', toRun: 3, head: state(3) });
    expect(plan.fork?.session).toEqual({ ...world.session, title: 'Fork of What is x?', createdAt: 100, owner: ann });
    expect(plan.append).toBeUndefined();
    expect(counting({ ...world, entries: plan.fork?.entries ?? [] })).toEqual([1, 2, 3]);
  });

  it('takes a title, and does not copy nothing', async () => {
    expect((await planOf(three, 'fork', ' Another way ')).fork?.session.title).toBe('Another way');
    expect((await planOf(three, 'fork')).fork?.session.title).toBe('Fork of a thread');
    expect((await planOf(emptyWorld, 'fork')).fork).toBeUndefined();
  });
});

it.each([
  [[], ''],
  [[1], '1'],
  [[1, 2], '1 and 2'],
  [[1, 2, 3], '1–3'],
  [[1, 3, 4, 6, 7, 8], '1, 3, 4 and 6–8'],
])('writes run numbers as people do: %j', (numbers, text) => expect(listRuns(numbers)).toBe(text));
