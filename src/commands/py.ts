import { asPrompted, codeIn } from '../core/addressing.ts';
import { defineCommand, option } from '../core/command.ts';
import { failure } from '../core/failure.ts';
import { eventKey } from '../core/ids.ts';
import { err, ok } from '../core/result.ts';

/** Runs code in the thread's state: what `>>>` does, for those who prefer commands. */
export const pyCommand = defineCommand({
  name: 'py',
  description: 'Run Python in this thread',
  usage: 'py <code>',
  options: [option('code', 'Python, one line or more', { required: true })],
  action: 'run-code',
  when: 'now',
  run: ({ args, item, now, files }) => {
    const code = codeIn(args);
    if (code.trim() === '') return Promise.resolve(err(failure('command-arguments', { usage: '`py <code>`' })));
    const { author, origin } = item;
    const send = { kind: 'run', key: eventKey(`${item.key}:py`), at: now, author, origin, text: asPrompted(code), code, files } as const;
    return Promise.resolve(ok({ text: '', send }));
  },
});
