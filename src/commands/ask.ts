import { defineCommand, option } from '../core/command.ts';
import { failure } from '../core/failure.ts';
import { eventKey } from '../core/ids.ts';
import { err, ok } from '../core/result.ts';

/** Puts a question to the model, whatever it looks like: also one that begins with `>>>` or `!`. */
export const askCommand = defineCommand({
  name: 'ask',
  description: 'Ask the model',
  usage: 'ask <question>',
  options: [option('question', 'What you want to know', { required: true })],
  action: 'talk',
  when: 'now',
  run: ({ args, item, now, files }) => {
    const text = args.trim();
    if (text === '') return Promise.resolve(err(failure('command-arguments', { usage: '`ask <question>`' })));
    const { author, origin } = item;
    return Promise.resolve(
      ok({ text: '', send: { kind: 'ask', key: eventKey(`${item.key}:ask`), at: now, author, origin, text, files, earlier: [] } }),
    );
  },
});
