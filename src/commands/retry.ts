import { readIntent } from '../core/addressing.ts';
import { defineCommand } from '../core/command.ts';
import type { Entry, EntryOf } from '../core/conversation.ts';
import { failure } from '../core/failure.ts';
import { eventKey } from '../core/ids.ts';
import { err, ok } from '../core/result.ts';

/**
 * Asks the last question again. Code that a person sent and that never ran (no sandbox was free, say) is tried again too; code that did
 * run is not, since its effects are in the state already.
 */
export const retryCommand = defineCommand({
  name: 'retry',
  description: 'Ask the last question again',
  usage: 'retry',
  options: [],
  action: 'talk',
  when: 'now',
  run: async ({ args, item, now }, { session, busy, entries }) => {
    if (args.trim() !== '') return err(failure('command-arguments', { usage: '`retry` alone' }));
    if (busy) return ok({ text: 'I am still working on the last message. `stop` ends that.', private: true });
    const all = await entries();
    if (!all.ok) return all;
    const last = lastToRetry(all.value.slice(session.since));
    if (last === undefined) return ok({ text: 'There is no question yet that I could try again.', private: true });
    // The files of the question are in the workspace already, perhaps changed since: they are not put there again.
    const common = { key: eventKey(`${item.key}:retry`), at: now, author: item.author, origin: item.origin, text: last.text, files: [] };
    if (last.intent === 'ask') return ok({ text: '', send: { kind: 'ask', ...common, earlier: [] } });
    const intent = readIntent(last.text, new Set(['py']));
    const code = intent.ok && intent.value.kind === 'run' ? intent.value.code : last.text;
    return ok({ text: '', send: { kind: 'run', ...common, code } });
  },
});

const lastToRetry = (entries: readonly Entry[]): EntryOf<'said'> | undefined =>
  entries.findLast(
    (entry): entry is EntryOf<'said'> =>
      entry.kind === 'said' &&
      (entry.intent === 'ask' || !entries.some((other) => other.kind === 'ran' && other.message === entry.message)),
  );
