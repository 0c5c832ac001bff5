import type { SessionFacts } from '../core/ledger.ts';
import { definePrompt } from '../core/prompt.ts';
import { joinWords, quote, untrusted, words } from '../core/trust.ts';

/** Where the Python session stands, for a model that no longer sees the runs that made it so. Told by the interpreter, not by a model. */
export const sessionFactsPrompt = definePrompt<{ readonly facts: SessionFacts }>({
  id: 'session-facts',
  version: 1,
  words: ({ facts }) => {
    const names = facts.names.map(({ name, type, preview }) => `${name}: ${type} = ${preview.replace(/\s+/g, ' ')}`);
    const list = [
      ...(facts.modules.length === 0 ? [] : [`imported: ${facts.modules.join(', ')}`]),
      ...(facts.files.length === 0 ? [] : [`files: ${facts.files.join(', ')}`]),
      ...names,
    ];
    return joinWords(
      [
        words`(From the chat program: where the Python session stands. Runs so far: ${facts.runs}. All of this exists; do not define it again.)`,
        ...(list.length === 0 ? [words`No names are defined.`] : [quote('session', untrusted(list.join('\n')))]),
        ...(facts.moreNames === 0 ? [] : [words`And ${facts.moreNames} more names.`]),
        ...facts.lastRuns.flatMap((run) => [
          run.by === 'person' ? words`Run ${run.n}, a person's:` : words`Run ${run.n}, yours:`,
          quote('code', untrusted(run.code)),
        ]),
      ],
      '\n',
    );
  },
});
