/** Commands that set how the bot behaves, and how options become arguments. */
import { describe, expect, it } from 'vitest';
import { commandHelp, commandOf, commands } from '../../src/commands/index.ts';
import { argsOf, kindOf } from '../../src/core/command.ts';
import type { CommandHelp } from '../../src/core/command.ts';
import { readNamed } from '../../src/core/named-arguments.ts';
import { codeOf } from '../support/results.ts';
import { after, ann, emptyWorld, planOf, runCommand } from '../support/command-world.ts';

const helpOf = (name: string): CommandHelp => {
  const found = commandHelp.find((command) => command.name === name);
  if (found === undefined) throw new TypeError(`no command ${name}`);
  return found;
};
const kind = (name: string, args: string) => {
  const found = commandOf(name);
  if (found === undefined) throw new TypeError(`no command ${name}`);
  const { action, when } = kindOf(found, args);
  return `${action} ${when}`;
};

describe('options of commands', () => {
  it('are what platforms take: names, at most 25 choices, required ones first', () => {
    for (const { options } of commands) {
      expect(new Set(options.map(({ name }) => name)).size).toBe(options.length);
      const required = options.map((one) => one.required);
      expect(required).toEqual(required.toSorted((a, b) => Number(b) - Number(a)));
      for (const one of options) expect(one.kind === 'choice').toBe(one.choices.length > 0);
    }
  });

  it('become the arguments that a person would type', () => {
    expect(argsOf(helpOf('undo'), { run: '3' })).toBe('3');
    expect(argsOf(helpOf('feedback'), { words: 'too long', verdict: 'down' })).toBe('down too long');
    expect(argsOf(helpOf('py'), { code: 'if x:\n    y' })).toBe('if x:\n    y');
    expect(argsOf(helpOf('vars'), { what: 'ever' })).toBe('');
    expect(argsOf(helpOf('settings'), { speak: 'all', model: undefined, persona: '' })).toBe('speak=all');
  });

  it('that are named survive whatever stands in them', () => {
    const names = helpOf('settings').options.map(({ name }) => name);
    for (const persona of [
      'plain',
      'two words',
      'a "quoted" word',
      'speak=all model=x',
      'line\nline',
      String.raw`back\slash "`,
      '"half',
      'ends\\',
    ]) {
      const args = argsOf(helpOf('settings'), { speak: 'strict', persona, outsiders: 'off' });
      expect(readNamed(args, names), args).toEqual(
        new Map([
          ['speak', 'strict'],
          ['persona', persona],
          ['outsiders', 'off'],
        ]),
      );
    }
  });
});

describe('named arguments', () => {
  const read = (text: string) => readNamed(text, ['speak', 'persona']);
  it('are read as people write them', () => {
    expect(read('persona=You are a pirate, and brief speak=all')).toEqual(
      new Map([
        ['persona', 'You are a pirate, and brief'],
        ['speak', 'all'],
      ]),
    );
    expect(read('SPEAK: all')).toEqual(new Map([['speak', 'all']]));
    expect(read('')).toEqual(new Map());
    expect(read('persona=')).toEqual(new Map([['persona', '']]));
  });
  it.each(['all', 'loud speak=all', 'persona "x"'])('%j is none', (text) => {
    expect(read(text)).toBeNull();
  });
});

describe('what a command needs of the gate', () => {
  it.each([
    ['settings', '', 'read now'],
    ['settings', 'speak=all', 'change-channel now'],
    ['settings', 'speak=all outsiders=on', 'open-channel now'],
    ['settings', 'Outsiders : on', 'open-channel now'],
    ['persona', '', 'read now'],
    ['persona', 'a pirate', 'change-settings in-turn'],
    ['model', '', 'read now'],
    ['model', 'large', 'change-settings in-turn'],
    ['forget', '', 'read now'],
    ['forget', 'me', 'talk in-turn'],
    ['forget', 'everything', 'erase overtaking'],
  ])('%s %s: %s', (name, args, expected) => {
    expect(kind(name, args)).toBe(expected);
  });
});

describe('settings', () => {
  it('says what is set, for the asker alone', async () => {
    const plan = await planOf(emptyWorld, 'settings');
    expect(plan).toMatchObject({ private: true });
    expect(plan.text).toMatch(/`speak`.*mention.*\n.*`model`.*default/);
    expect(plan.settings).toBeUndefined();
  });

  it('changes what is named, and nothing else', async () => {
    const plan = await planOf(emptyWorld, 'settings', 'speak=strict model=LARGE threads=reply');
    expect(plan.settings).toEqual({ ...emptyWorld.settings, speak: 'strict', model: 'large', threads: 'reply' });
    const back = await planOf({ ...emptyWorld, settings: plan.settings ?? emptyWorld.settings }, 'settings', 'model=default persona=none');
    expect(back.settings).toMatchObject({ speak: 'strict', model: null, persona: '' });
  });

  it.each(['speak=shout', 'threads=none', 'outsiders=maybe', 'model=huge', `persona=${'x'.repeat(1_001)}`, 'whatever'])(
    'refuses %.20s and changes nothing',
    async (args) => {
      expect(codeOf(await runCommand(emptyWorld, 'settings', args))).toBe('command-arguments');
    },
  );
});

describe('persona', () => {
  it('U143: is chosen for a thread, taken away, or left to the channel', async () => {
    const pirate = await after(emptyWorld, 'persona', 'A pirate.');
    expect(pirate.session.persona).toBe('A pirate.');
    expect((await planOf(pirate, 'persona')).text).toContain('A pirate.');
    expect((await after(pirate, 'persona', 'none')).session.persona).toBe('');
    expect((await after(pirate, 'persona', 'default')).session.persona).toBeNull();
    const channel = { ...emptyWorld, settings: { ...emptyWorld.settings, persona: 'A poet.' } };
    expect((await planOf(channel, 'persona')).text).toMatch(/this channel[\s\S]*A poet\./);
    expect(codeOf(await runCommand(emptyWorld, 'persona', 'x'.repeat(1_001)))).toBe('command-arguments');
  });
});

describe('feedback', () => {
  it.each([
    ['up', 'up', ''],
    ['👎 far too\nlong', 'down', 'far too\nlong'],
    ['UP nice', 'up', 'nice'],
  ])('%j', async (args, verdict, words) => {
    expect((await planOf(emptyWorld, 'feedback', args)).rating).toEqual({ verdict, words });
  });
  it.each(['', 'meh', 'upwards'])('%j is none', async (args) => {
    expect(codeOf(await runCommand(emptyWorld, 'feedback', args))).toBe('command-arguments');
  });
});

describe('forget', () => {
  it('U115: erases one person’s words or everything, and asks before it erases all', async () => {
    expect(await planOf(emptyWorld, 'forget', 'me')).toMatchObject({ forget: ann, private: true });
    expect((await planOf(emptyWorld, 'forget', 'me')).erase).toBeUndefined();
    expect((await planOf(emptyWorld, 'forget')).erase).toBeUndefined();
    expect((await planOf(emptyWorld, 'forget', 'Everything')).erase).toBe(true);
  });
});

describe('what a platform does not have', () => {
  const inSlack = { ...emptyWorld, platform: 'slack' };

  it('U041: `threads` is neither shown nor taken in Slack, where an answer always stands in the thread of its question', async () => {
    expect((await planOf(inSlack, 'settings')).text).not.toContain('threads');
    expect((await planOf(emptyWorld, 'settings')).text).toContain('`threads`');
    expect(codeOf(await runCommand(inSlack, 'settings', 'threads=reply'))).toBe('command-arguments');
    expect((await planOf(emptyWorld, 'settings', 'threads=reply')).settings?.threads).toBe('reply');
    expect((await planOf(inSlack, 'help')).text).not.toContain('threads=');
    expect((await planOf(inSlack, 'help', 'settings')).text).toContain('[outsiders=on|off]');
  });

  it('help names `!py` where `>>>` becomes a quotation while it is typed', async () => {
    expect((await planOf(inSlack, 'help')).text).toContain('Start a message with `!py`');
    expect((await planOf(emptyWorld, 'help')).text).toContain('Start a message with `>>>`');
    expect((await planOf(inSlack, 'help')).text).toContain('Commands, written as `!command` in a thread');
    expect((await planOf({ ...emptyWorld, platform: 'discord' }, 'help')).text).toContain('Commands, as slash commands');
  });

  it('usage outside of a thread does not speak of one', async () => {
    expect((await planOf(emptyWorld, 'usage')).text).toBe('Nothing was used yet today, by you or in this channel.');
  });
});
