import { definePrompt } from '../core/prompt.ts';
import type { Run } from '../core/run.ts';
import { joinWords, words } from '../core/trust.ts';
import { runReport } from './run-report.ts';

/** The result of a run that the model asked for; it stands as the tool's result, right after the call with the code. */
export const generatedCodeExecutedPrompt = definePrompt<{ readonly run: Run }>({
  id: 'generated-code-executed',
  version: 2,
  words: ({ run }) =>
    joinWords(
      [
        words`Run ${run.n}: your code was executed in the shared Python session.`,
        runReport(run),
        words`Do not run it again; the symbols it defined are there.`,
      ],
      '\n',
    ),
});
