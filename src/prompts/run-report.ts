/** How a run is told to the model: shared by the two "executed" prompts. */
import { keptState, SHOWN_OUTPUT } from '../core/run.ts';
import type { Run } from '../core/run.ts';
import type { PromptText } from '../core/trust.ts';
import { joinWords, quote, quoteInline, untrusted, words } from '../core/trust.ts';
import { cutMiddle } from '../core/text.ts';

export const runReport = (run: Run): PromptText =>
  joinWords(
    [
      ...(run.output === '' ? [] : [quote('output', untrusted(cutMiddle(run.output, SHOWN_OUTPUT)))]),
      ...(run.output.length <= SHOWN_OUTPUT ? [] : [words`(The whole output is kept as run ${run.n}.)`]),
      ...(run.droppedBytes === 0 ? [] : [words`(${run.droppedBytes} further bytes were printed and dropped.)`]),
      ...(run.value === null ? [] : [quote('value', untrusted(cutMiddle(run.value, SHOWN_OUTPUT)))]),
      ...(run.error === null
        ? []
        : [
            quote(
              'error',
              untrusted(cutMiddle(run.error.traceback === '' ? `${run.error.type}: ${run.error.value}` : run.error.traceback, 4_000)),
            ),
          ]),
      howItEnded(run),
      ...(run.end === 'finished' || run.end === 'raised' || keptState(run) ? [] : [words`The state is as it was before this run.`]),
      ...run.files.map((file) =>
        file.picture
          ? words`A picture was shown to the people: ${quoteInline(untrusted(file.alt === '' ? file.name : file.alt))}.`
          : words`File sent to the people: ${quoteInline(untrusted(file.name))}, ${file.size} bytes.`,
      ),
      ...run.lost.map(
        (lost) =>
          words`Not kept for later runs: ${quoteInline(untrusted(lost.path === '' ? lost.name : lost.path))} (${quoteInline(untrusted(lost.why))}).`,
      ),
      ...run.notes.map((note) => words`Note: ${quoteInline(untrusted(note), 500)}`),
    ],
    '\n',
  );

const howItEnded = (run: Run): PromptText => {
  const nothing = run.output === '' && run.value === null;
  switch (run.end) {
    case 'finished':
      return nothing ? words`It finished without output.` : words`It finished.`;
    case 'raised':
      return words`It ended with this exception; what it had changed before is kept.`;
    case 'timed-out':
      return words`It ran too long and was ended.`;
    case 'out-of-memory':
      return words`It used up the memory and was ended.`;
    case 'killed':
      return words`It ended the interpreter.`;
    case 'stopped':
      return words`A person stopped it.`;
    case 'broken':
      return words`The sandbox failed under it.`;
    default:
      return run.end satisfies never;
  }
};
