import { defineCommand, option } from '../core/command.ts';
import type { ModelChoice } from '../core/command.ts';
import { failure } from '../core/failure.ts';
import { codeSpan, markdownTable } from '../core/markdown-text.ts';
import { err, ok } from '../core/result.ts';

/** Shows which models there are and which one answers here, or chooses one for this thread. */
export const modelCommand = defineCommand({
  name: 'model',
  description: 'Show or choose the model that answers in this thread',
  usage: 'model [name | default]',
  options: [option('name', 'The name of a model, or default', { completes: true })],
  action: 'change-settings',
  when: 'in-turn',
  special: (args) => (args.trim() === '' ? { action: 'read', when: 'now' } : null),
  run: ({ args }, { session, models }) => {
    const wanted = args.trim().replace(/^`(.*)`$/, '$1');
    if (wanted === '') return Promise.resolve(ok({ text: describe(models, session.model), private: true }));
    const found = models.find((one) => one.key.toLowerCase() === wanted.toLowerCase());
    // A model may itself be called `default`; it is then chosen by that name.
    if (found === undefined && wanted.toLowerCase() === 'default') {
      const usual = models.find((one) => one.current);
      return Promise.resolve(
        ok({ text: `This thread uses the usual model again: ${named(usual)}.`, session: { ...session, model: null } }),
      );
    }
    if (found === undefined)
      return Promise.resolve(
        err(failure('command-arguments', { usage: `\`model NAME\`, with one of ${models.map((one) => codeSpan(one.key)).join(', ')}` })),
      );
    return Promise.resolve(
      ok({ text: `From the next message on ${named(found)} answers in this thread.`, session: { ...session, model: found.key } }),
    );
  },
});

const named = (model: ModelChoice | undefined): string => {
  if (model === undefined) return 'none';
  return model.key === model.name ? codeSpan(model.key) : `${codeSpan(model.key)} (${codeSpan(model.name)})`;
};

const describe = (models: readonly ModelChoice[], chosen: string | null): string => {
  const here = models.find((one) => one.key === chosen) ?? models.find((one) => one.current);
  const rows = models.map((one) => [
    codeSpan(one.key),
    codeSpan(one.name),
    [one === here ? 'answers here' : '', one.current ? 'usual' : ''].filter((part) => part !== '').join(', '),
  ]);
  const how = models.length > 1 ? '\n\n`model NAME` chooses another one for this thread.' : '';
  return `${markdownTable(['name', 'model', ''], rows)}${how}`;
};
