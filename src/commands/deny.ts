import { defineCommand, option } from '../core/command.ts';
import { decide } from '../core/decide.ts';

/** Says no to a call that waits: it is not made, and the model is told so. */
export const denyCommand = defineCommand({
  name: 'deny',
  description: 'Refuse a call that waits for a yes',
  usage: 'deny ID',
  options: [option('id', 'The id that the question shows', { required: true })],
  action: 'approve',
  when: 'now',
  run: decide('deny'),
});
