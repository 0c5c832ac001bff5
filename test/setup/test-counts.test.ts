import { expect, test } from 'vitest';

type Counts = { readonly passed: number; readonly failed: number };

// The set-up is plain JavaScript, so that it starts before TypeScript can: its functions get their types here.
const path = '../../docker/setup/test-counts.mjs';
const { countUnittest, countVitest } = (await import(path)) as {
  readonly countUnittest: (output: string, ok: boolean) => Counts;
  readonly countVitest: (report: string | undefined, ok: boolean) => Counts;
};

const report = (numPassedTests: number, numFailedTests: number, testResults: readonly object[] = []): string =>
  JSON.stringify({ numPassedTests, numFailedTests, testResults });

test.each([
  ['all pass', 'Ran 12 tests in 0.1s\n\nOK', true, { passed: 12, failed: 0 }],
  ['skipped ones do not count as passed', 'Ran 12 tests in 0.1s\n\nOK (skipped=2)', true, { passed: 10, failed: 0 }],
  ['failures and errors are failures', 'Ran 9 tests in 2s\n\nFAILED (failures=2, errors=1)', false, { passed: 6, failed: 3 }],
  ['an unexpected success is a failure', 'Ran 3 tests in 2s\n\nFAILED (unexpected successes=1)', false, { passed: 2, failed: 1 }],
  ['a run that broke off is one failure', 'python3: not found', false, { passed: 0, failed: 1 }],
])('the driver’s tests: %s', (_title, output, ok, counts) => {
  expect(countUnittest(output, ok)).toEqual(counts);
});

test.each([
  ['all pass', report(7, 0), true, { passed: 7, failed: 0 }],
  ['failed tests', report(5, 2, [{ status: 'failed', assertionResults: [{ status: 'failed' }] }]), false, { passed: 5, failed: 2 }],
  ['a file that broke before its first test', report(5, 0, [{ status: 'failed', assertionResults: [] }]), false, { passed: 5, failed: 1 }],
  ['an error outside of any test', report(5, 0), false, { passed: 5, failed: 1 }],
  ['no report at all', undefined, false, { passed: 0, failed: 1 }],
])('vitest: %s', (_title, text, ok, counts) => {
  expect(countVitest(text, ok)).toEqual(counts);
});
