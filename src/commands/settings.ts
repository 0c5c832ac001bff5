import { PERSONA_CHARS } from '../core/channel-settings.ts';
import type { ChannelSettings } from '../core/channel-settings.ts';
import { choicesOf, defineCommand, option, optionsOn } from '../core/command.ts';
import type { ModelChoice } from '../core/command.ts';
import { failure } from '../core/failure.ts';
import type { Failure } from '../core/failure.ts';
import { codeSpan, markdownTable, plainWords } from '../core/markdown-text.ts';
import { readNamed } from '../core/named-arguments.ts';
import { err, ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { firstLine } from '../core/text.ts';

/* What each name takes; the first words are what the slash command's option says. */
const options = [
  option('speak', 'Whom I answer: mention, strict (only when mentioned), or all', { choices: choicesOf(['mention', 'strict', 'all']) }),
  option('model', 'The model that answers in this channel, or default', { completes: true }),
  option('persona', 'How I am to present myself in this channel, or none'),
  option('threads', 'Whether an answer opens a thread or is a reply', { choices: choicesOf(['thread', 'reply']), notOn: ['slack'] }),
  option('outsiders', 'Whether people of other organisations may talk to me here', { choices: choicesOf(['on', 'off']) }),
];
const namesOn = (platform: string): readonly string[] => optionsOn({ options }, platform).map(({ name }) => name);

/** Shows how the bot behaves in this channel, or changes it. */
export const settingsCommand = defineCommand({
  name: 'settings',
  description: 'Show or change how I behave in this channel',
  usage: 'settings [speak=mention|strict|all] [model=NAME] [persona=TEXT] [threads=thread|reply] [outsiders=on|off]',
  options,
  named: true,
  action: 'change-channel',
  when: 'now',
  special: (args) => {
    if (args.trim() === '') return { action: 'read', when: 'now' };
    // Who lets strangers in decides for everybody.
    return /\boutsiders\s*[=:]/i.test(args) ? { action: 'open-channel', when: 'now' } : null;
  },
  run: async ({ args }, { settings: now, models, platform }) => {
    const names = namesOn(platform);
    if (args.trim() === '') return ok({ text: describe(now, models, names), private: true });
    const settings = change(now, args, models, names);
    return settings.ok
      ? ok({ text: `From now on, in this channel:\n\n${describe(settings.value, models, names)}`, settings: settings.value })
      : settings;
  },
});

const refuse = (usage: string): Result<never, Failure> => err(failure('command-arguments', { usage }));

const change = (
  now: ChannelSettings,
  args: string,
  models: readonly ModelChoice[],
  names: readonly string[],
): Result<ChannelSettings, Failure> => {
  const values = readNamed(args, names);
  if (values === null) return refuse('`settings speak=strict`, with any of ' + names.map(codeSpan).join(', '));
  let next = now;
  for (const [name, value] of values) {
    const changed = changeOne(next, name, value, models);
    if (!changed.ok) return changed;
    next = changed.value;
  }
  return ok(next);
};

const changeOne = (now: ChannelSettings, name: string, value: string, models: readonly ModelChoice[]): Result<ChannelSettings, Failure> => {
  const word = value.toLowerCase();
  switch (name) {
    case 'speak':
      return word === 'mention' || word === 'strict' || word === 'all'
        ? ok({ ...now, speak: word })
        : refuse('`settings speak=mention`, `strict` or `all`');
    case 'threads':
      return word === 'thread' || word === 'reply' ? ok({ ...now, threads: word }) : refuse('`settings threads=thread` or `reply`');
    case 'outsiders':
      return word === 'on' || word === 'off' ? ok({ ...now, outsiders: word === 'on' }) : refuse('`settings outsiders=on` or `off`');
    case 'persona':
      if (value.length > PERSONA_CHARS) return refuse(`\`settings persona=…\` with at most ${PERSONA_CHARS} characters`);
      return ok({ ...now, persona: word === 'none' ? '' : value });
    default: {
      const found = models.find((one) => one.key.toLowerCase() === word);
      if (found === undefined && word !== 'default' && word !== '')
        return refuse(`\`settings model=NAME\`, with \`default\` or one of ${models.map((one) => codeSpan(one.key)).join(', ')}`);
      return ok({ ...now, model: found?.key ?? null });
    }
  }
};

const describe = (
  { speak, model, persona, threads, outsiders }: ChannelSettings,
  models: readonly ModelChoice[],
  names: readonly string[],
): string =>
  markdownTable(
    ['setting', 'is', ''],
    [
      [codeSpan('speak'), speak, spoken[speak]],
      [codeSpan('model'), model === null ? 'default' : codeSpan(model), modelNote(model, models)],
      [codeSpan('persona'), persona === '' ? 'none' : plainWords(firstLine(persona, 80)), ''],
      [
        codeSpan('threads'),
        threads,
        threads === 'thread' ? 'an answer to a mention opens a thread' : 'an answer is a reply in the channel',
      ],
      [codeSpan('outsiders'), outsiders ? 'on' : 'off', outsiders ? 'people of other organisations may talk to me here' : ''],
    ].filter(([name]) => names.some((one) => name === codeSpan(one))),
  );
const spoken: Readonly<Record<ChannelSettings['speak'], string>> = {
  mention: 'a mention starts a thread; in it I answer what is not meant for somebody else',
  strict: 'I answer only when I am mentioned',
  all: 'I answer everything that is not meant for somebody else',
};
const modelNote = (model: string | null, models: readonly ModelChoice[]): string =>
  model !== null && !models.some((one) => one.key === model) ? 'no longer set up, so the default answers' : '';
