import { defineCommand, option } from '../core/command.ts';
import { ok } from '../core/result.ts';

/** Erases this conversation for good. Asked twice, since nothing brings it back. */
export const forgetCommand = defineCommand({
  name: 'forget',
  description: 'Erase this thread for good: messages, Python state and files',
  usage: 'forget everything',
  options: [option('what', 'What to erase', { choices: [{ name: 'everything in this thread', value: 'everything' }] })],
  action: 'erase',
  when: 'overtaking',
  run: ({ args }) =>
    Promise.resolve(
      args.trim().toLowerCase() === 'everything'
        ? ok({
            text: 'Erased: everything I had stored of this thread is gone. What this platform itself keeps is not mine to erase.',
            erase: true,
          })
        : ok({
            text: 'This erases all that I have stored of this thread, of everybody in it: messages, Python state and files. Nothing brings it back. To do it, write `!forget everything`. (I cannot erase one person’s part alone.)',
            private: true,
          }),
    ),
});
