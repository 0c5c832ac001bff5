/** A result as text for the terminal. Pure. */
import { dollars } from '../../src/core/cost.ts';
import type { Change, EvalResult } from './result.ts';
import { percent, rateOf } from './result.ts';

const cell = ({ passed, of, errors }: { readonly passed: number; readonly of: number; readonly errors: readonly string[] }): string =>
  of === 0 ? (errors.length === 0 ? '-' : 'error') : `${passed}/${of}`;

/** One row a case, one column a model, and the rates at the end. */
export const toTable = (result: EvalResult): string => {
  const ids = result.models[0]?.cases.map((one) => one.id) ?? [];
  const rows = [
    ['case', ...result.models.map((model) => model.label)],
    ...ids.map((id) => [
      id,
      ...result.models.map((model) => cell(model.cases.find((one) => one.id === id) ?? { passed: 0, of: 0, errors: [] })),
    ]),
    ['prefix', ...result.models.map((model) => model.prefix)],
    ['passed', ...result.models.map((model) => percentOf(rateOf(model.cases)))],
    ['tokens', ...result.models.map((model) => model.tokens.toLocaleString('en'))],
    ['cost', ...result.models.map((model) => (model.costMicros === null ? 'unknown' : dollars(model.costMicros)))],
  ];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => (row[column] ?? '').length))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  lines.splice(-4, 0, widths.map((width) => '-'.repeat(width)).join('  '));
  return [`Prompts: ${result.prompts.map((prompt) => `${prompt.id} v${prompt.version}`).join(', ')}`, '', ...lines].join('\n');
};
const percentOf = (rate: number | null): string => (rate === null ? '-' : percent(rate));

/** Why samples failed: each case's first failure of each model, with what came back. */
export const toFailures = (result: EvalResult): string =>
  result.models
    .flatMap((model) =>
      model.cases.flatMap((one) => {
        const [failure] = one.failures;
        if (failure === undefined) return one.errors.slice(0, 1).map((error) => `${model.label} · ${one.id}: ${error}`);
        const { text, calls } = failure.reply;
        const said = [text, ...calls.map((call) => `${call.name}(${call.arguments})`)].join(' ').replace(/\s+/g, ' ').trim();
        return [`${model.label} · ${one.id}: ${failure.faults.join('; ')}\n    ${said.length > 300 ? `${said.slice(0, 300)}…` : said}`];
      }),
    )
    .join('\n');

export const toChanges = (changes: readonly Change[]): string =>
  changes.length === 0
    ? 'No case differs from the earlier run.'
    : changes
        .map(
          ({ label, id, before, after }) =>
            `${after < before ? 'worse ' : 'better'}  ${label} · ${id}: ${percent(before)} -> ${percent(after)}`,
        )
        .join('\n');
