import { defineCommand } from '../core/command.ts';
import { ok } from '../core/result.ts';

/** Ends the turn that runs, its code included. Overtakes the mailbox: a stop that waits behind what it is to stop is none (U137). */
export const stopCommand = defineCommand({
  name: 'stop',
  description: 'Stop what is running',
  usage: 'stop',
  options: [],
  action: 'stop',
  when: 'overtaking',
  // The request is made also when nothing seems to run: a turn may be about to start.
  run: (_call, { busy }) => Promise.resolve(ok({ text: busy ? 'Stopping.' : 'Nothing is running here.', private: true, stop: true })),
});
