/** The terminal adapter as people meet it: on a real pseudo-terminal, and behind pipes. */
import { chmod, mkdtemp, readFile, rm, stat, writeFile, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onPipes, onTerminal } from '../../support/pty.ts';
import type { Running } from '../../support/pty.ts';

const program = [process.execPath, resolve(import.meta.dirname, '../../support/terminal-program.ts')];
const settings = { HEKTOR_TERMINAL: '1', HEKTOR_TERMINAL_THREAD: '' };
let cwd = '';
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'hektor-terminal-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const PROMPT = />>> (?:\u001b\[5G)?$/;
const FURTHER = /\.\.\. (?:\u001b\[5G)?$/;
/** Without the escape sequences of the line editor. */
const words = (output: string): string => output.replace(/\u001b\[[0-9;?]*[A-Za-z]/g, '').replace(/\r/g, '');

const start = async (env: { readonly [name: string]: string } = {}): Promise<Running> => {
  const running = onTerminal(program, { cwd, env: { ...settings, ...env } });
  await running.see(PROMPT);
  return running;
};
const enter = async (running: Running, keys: string): Promise<string> => {
  running.type(keys);
  return words(await running.see(PROMPT));
};

describe('at a terminal', () => {
  it('greets, runs code, and leaves with Ctrl-D', async () => {
    await using running = onTerminal(program, { cwd, env: settings });
    const greeting = words(await running.see(PROMPT));
    expect(greeting).toContain('Hektor: Python, and a-model beside it in one state.');
    expect(await enter(running, '1 + 1\r')).toBe('1 + 1\n1 + 1\n>>> ');
    expect(await enter(running, 'print(hello)\r')).toBe('print(hello)\nhello\n>>> ');
    running.type('\u0004');
    expect((await running.ended).code).toBe(0);
  });

  it.each(['exit()', 'quit', 'exit'])('leaves with %s', async (word) => {
    await using running = await start();
    running.type(`${word}\r`);
    expect((await running.ended).code).toBe(0);
  });

  it('goes on until a block has ended', async () => {
    await using running = await start();
    running.type('for i in x:\r');
    await running.see(FURTHER);
    running.type('    i\r');
    await running.see(FURTHER);
    expect(await enter(running, '\r')).toBe('\nfor i in x:\n    i\n>>> ');
  });

  it('asks the model: the answer streams once, and code that it ran stands in it as a cell', async () => {
    await using running = await start();
    expect(await enter(running, '?what is >>> stop\r')).toBe(
      '?what is >>> stop\nThinking…You asked: what is >>> stop\n>>> print(7)\n7\nThat is all.\n>>> ',
    );
  });

  it('takes commands, known and unknown', async () => {
    await using running = await start();
    expect(await enter(running, '!help undo\r')).toContain('undo [n]: Take the Python state');
    expect(await enter(running, '!dance\r')).toContain('There is no command dance.');
    expect(await enter(running, '!undo\r')).toContain('There is no run to undo');
  });

  it('shows an error and goes on', async () => {
    await using running = await start();
    expect(await enter(running, 'raise it\r')).toContain('ValueError: no\n>>> ');
    expect(await enter(running, '2\r')).toBe('2\n2\n>>> ');
  });

  it('stops what runs with Ctrl-C (U137), and takes up what was typed meanwhile no more', async () => {
    await using running = await start();
    running.type('forever\r');
    await running.see(/Running; Ctrl-C stops it…/);
    running.type('\u0003');
    expect(words(await running.see(PROMPT))).toContain('Run 1 was stopped; the state stayed as it was before it.');
    expect(await enter(running, '2\r')).toBe('2\n2\n>>> ');
  });

  it('clears the line, and a block that was begun, with Ctrl-C', async () => {
    await using running = await start();
    running.type('for i in x:\r');
    await running.see(FURTHER);
    running.type('    nonsense');
    await running.see(/nonsense/);
    running.type('\u0003');
    expect(words(await running.see(PROMPT))).toContain('KeyboardInterrupt\n>>> ');
    expect(await enter(running, '3\r')).toBe('3\n3\n>>> ');
  });

  it('keeps a paste of several lines as it is: indentation, empty lines, tabs (sandbox row 23)', async () => {
    await using running = await start();
    const pasted = 's = """line1\n\n  # x\n\tline2"""\n\ns';
    running.type(`\u001b[200~${pasted}\u001b[201~`);
    await running.see(/s$/);
    expect(await enter(running, '\r')).toBe(`\n${pasted}\n>>> `);
  });

  it('takes a pasted session without its prompts and output', async () => {
    await using running = await start();
    running.type('\u001b[200~>>> a\n1\n>>> b\n2\u001b[201~');
    await running.see(/2$/);
    expect(await enter(running, '\r')).toBe('\na\nb\n>>> ');
  });

  it('saves pictures and says where', async () => {
    await using running = await start();
    const shown = await enter(running, 'plot\r');
    const path = /\[picture A line, 3 B: (\S+)\]/.exec(shown)?.[1] ?? '';
    expect([...(await readFile(join(cwd, path)))]).toEqual([1, 2, 3]);
    expect((await stat(join(cwd, path))).mode & 0o777).toBe(0o600);
  });

  it('remembers what was typed, for its owner only', async () => {
    {
      await using running = await start();
      await enter(running, 'first\r');
      await enter(running, 'second\r');
      running.type('\u0004');
      await running.ended;
    }
    expect(await readFile(join(cwd, '.hektor/terminal-history'), 'utf8')).toBe('second\nfirst\n');
    expect((await stat(join(cwd, '.hektor/terminal-history'))).mode & 0o777).toBe(0o600);
    expect((await stat(join(cwd, '.hektor'))).mode & 0o777).toBe(0o700);
    await using again = await start();
    // Up twice: the line before the last.
    expect(await enter(again, '\u001b[A\u001b[A\r')).toMatch(/first\nfirst\n>>> $/);
  });

  it('goes on in the thread of the last time, in a named one, or in a new one', async () => {
    await mkdir(join(cwd, '.hektor'));
    await writeFile(join(cwd, '.hektor/terminal.json'), '{"thread":"old-thread"}');
    const greetingWith = async (thread: string): Promise<string> => {
      await using running = onTerminal(program, { cwd, env: { ...settings, HEKTOR_TERMINAL_THREAD: thread } });
      return words(await running.see(PROMPT));
    };
    expect(await greetingWith('')).toContain('Thread old-thread goes on after run 5');
    expect(await greetingWith('new')).not.toContain('old-thread');
    expect(await readFile(join(cwd, '.hektor/terminal.json'), 'utf8')).not.toContain('old-thread');
    expect(await greetingWith('old-thread')).toContain('Thread old-thread goes on after run 5');
  });

  it('survives a broken note of the last thread and a folder that cannot be written', async () => {
    await mkdir(join(cwd, '.hektor'));
    await writeFile(join(cwd, '.hektor/terminal.json'), '{"thread":');
    await writeFile(join(cwd, '.hektor/files'), 'in the way');
    await chmod(join(cwd, '.hektor'), 0o500);
    await using running = await start();
    expect(await enter(running, 'plot\r')).toContain('[picture A line, 3 B');
    await chmod(join(cwd, '.hektor'), 0o700);
  });

  it('shows no colour where NO_COLOR is set', async () => {
    await using running = await start({ NO_COLOR: '1' });
    running.type('raise it\r');
    expect(await running.see(PROMPT)).not.toMatch(/\u001b\[[0-9;]+m/);
    await using colourful = await start();
    colourful.type('raise it\r');
    expect(await colourful.see(PROMPT)).toContain('\u001b[31m');
  });
});

describe('behind a pipe', () => {
  const runScript = async (script: string, env: { readonly [name: string]: string } = {}): ReturnType<() => Running['ended']> => {
    await using running = onPipes(program, { cwd, env: { ...settings, ...env } });
    running.type(script);
    running.end();
    return await running.ended;
  };

  it.each([
    ['1+1', '1+1\n'],
    ['1+1\n', '1+1\n'],
    ['print(a)\r\nprint(b)\r\n', 'a\nb\n'],
    ['def f():\n    a\n\n    b\nprint(x)\n', 'def f():\n    a\n\n    b\nx\n'],
    ['# nothing\n\n', ''],
    ['', ''],
    ['exit()\n1', ''],
  ])('runs %j', async (script, output) => {
    expect(await runScript(script)).toEqual({ code: 0, output });
  });

  it('asks and takes commands, without any escape sequence', async () => {
    const { code, output } = await runScript('?why\n!undo\n');
    expect(code).toBe(0);
    expect(output).toContain('>>> print(7)\n7\nYou asked: why\n\nThat is all.\n');
    expect(output).toContain('There is no run to undo');
    expect(output).not.toContain('\u001b');
  });

  it('ends with 1 where a run raised, and runs the rest', async () => {
    const { code, output } = await runScript('raise it\nprint(after)\n');
    expect(code).toBe(1);
    expect(output).toMatch(/ValueError: no\nafter\n$/);
  });

  it('ends with 1 where something is refused', async () => {
    expect(await runScript('!dance\n')).toEqual({ code: 1, output: 'There is no command dance. help lists them.\n' });
    expect((await runScript(`x = "${'y'.repeat(20_000)}"\n`)).code).toBe(0);
  });

  it('refuses a thread that does not exist', async () => {
    expect(await runScript('1', { HEKTOR_TERMINAL_THREAD: 'no-such-thread' })).toEqual({ code: 78, output: 'thread-unknown\n' });
  });

  it('runs each statement as it comes', async () => {
    await using running = onPipes(program, { cwd, env: settings });
    running.type('print(one)\n');
    await running.see(/one\n/);
    running.type('print(two)\n');
    await running.see(/two\n/);
    running.end();
    expect((await running.ended).code).toBe(0);
  });
});
