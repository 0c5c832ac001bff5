import { defineCommand, option } from '../core/command.ts';
import { decide } from '../core/decide.ts';

/** Says yes to a call that waits: it is made just as it was shown, once. */
export const approveCommand = defineCommand({
  name: 'approve',
  description: 'Let a call be made that waits for a yes',
  usage: 'approve ID',
  options: [option('id', 'The id that the question shows', { required: true })],
  action: 'approve',
  when: 'now',
  run: decide('approve'),
});
