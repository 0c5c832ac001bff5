import { definePrompt } from '../core/prompt.ts';
import type { Run } from '../core/run.ts';
import { joinWords, quote, quoteInline, untrusted, words } from '../core/trust.ts';
import { runReport } from './run-report.ts';

/** A person ran code themselves: the model is told who, what and with what result. */
export const userCodeExecutedPrompt = definePrompt<{ readonly run: Run }>({
  id: 'user-code-executed',
  version: 2,
  words: ({ run }) =>
    joinWords(
      [
        words`Run ${run.n}: ${quoteInline(untrusted(run.author?.name ?? 'somebody'), 80)} executed this code in the shared Python session:`,
        quote('code', untrusted(run.code)),
        runReport(run),
        words`It is already executed: do not run it again. Remember the symbols it defines.`,
      ],
      '\n',
    ),
});
