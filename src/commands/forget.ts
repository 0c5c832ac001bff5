import { defineCommand, option } from '../core/command.ts';
import { ok } from '../core/result.ts';

/** Erases this conversation for good, or one's own words in it. The whole is asked twice, since nothing brings it back. */
export const forgetCommand = defineCommand({
  name: 'forget',
  description: 'Erase this thread for good, or only your own words in it',
  usage: 'forget everything | me',
  options: [
    option('what', 'What to erase', {
      choices: [
        { name: 'everything: messages, Python state and files', value: 'everything' },
        { name: 'me: what I wrote here, and what was answered to me alone', value: 'me' },
      ],
    }),
  ],
  action: 'erase',
  when: 'overtaking',
  // One's own words are one's own. In their turn, so that nothing of what was said before can come after it.
  special: (args) => (isMe(args) ? { action: 'talk', when: 'in-turn' } : args.trim() === '' ? { action: 'read', when: 'now' } : null),
  run: ({ args }, { author }) => {
    if (isMe(args)) return Promise.resolve(ok({ text: FORGOTTEN, private: true, forget: author }));
    return Promise.resolve(
      args.trim().toLowerCase() === 'everything'
        ? ok({
            text: 'Erased: everything I had stored of this thread is gone. What this platform itself keeps is not mine to erase.',
            erase: true,
          })
        : ok({ text: ASKING, private: true }),
    );
  },
});

const isMe = (args: string): boolean => args.trim().toLowerCase() === 'me';

const ASKING =
  'This erases all that I have stored of this thread, of everybody in it: messages, Python state and files. Nothing brings it back. To do it, write `!forget everything`. To erase only what you wrote here, your files, and what I answered to you alone, write `!forget me`.';
const FORGOTTEN =
  'Erased: what you wrote in this thread, the files you sent, and what I answered to you alone. Names in the Python state stay until `!reset`. What this platform itself keeps is not mine to erase.';
