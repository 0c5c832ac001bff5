import { choicesOf, defineCommand, option } from '../core/command.ts';
import { failure } from '../core/failure.ts';
import { err, ok } from '../core/result.ts';
import { cutMiddle } from '../core/text.ts';

const WORDS = 2_000;

/** Says what one thinks of the last answer. Counted, and kept with the thread for the operator; the model never reads it. */
export const feedbackCommand = defineCommand({
  name: 'feedback',
  description: 'Say whether the last answer was good',
  usage: 'feedback up|down [words]',
  options: [
    option('verdict', 'up: it was good; down: it was not', { required: true, choices: choicesOf(['up', 'down']) }),
    option('words', 'What was good or bad about it'),
  ],
  action: 'talk',
  when: 'now',
  run: ({ args }) => {
    const match = /^(up|down|\+1|-1|👍|👎)(?:\s+([\s\S]*))?$/iu.exec(args.trim());
    const word = match?.[1]?.toLowerCase();
    if (word === undefined)
      return Promise.resolve(err(failure('command-arguments', { usage: '`feedback up` or `feedback down`, and words if you like' })));
    const verdict = word === 'up' || word === '+1' || word === '👍' ? 'up' : 'down';
    return Promise.resolve(
      ok({ text: 'Thank you, noted.', private: true, rating: { verdict, words: cutMiddle(match?.[2] ?? '', WORDS) } }),
    );
  },
});
