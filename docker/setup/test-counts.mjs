/**
 * @typedef {{passed: number, failed: number}} Counts
 */

/**
 * Reads vitest's JSON report. A file that broke before its first test counts as one failure, and so does a run that failed
 * without naming a test.
 *
 * @param {string | undefined} text undefined: there is no report
 * @param {boolean} ok whether vitest said that all is well
 * @returns {Counts}
 */
export function countVitest(text, ok) {
  if (text === undefined) return { passed: 0, failed: 1 };
  const report = JSON.parse(text);
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const failed = report.numFailedTests + broken.length;
  return { passed: report.numPassedTests, failed: ok || failed > 0 ? failed : 1 };
}

/**
 * Reads the closing lines of Python's unittest.
 *
 * @param {string} output
 * @param {boolean} ok
 * @returns {Counts}
 */
export function countUnittest(output, ok) {
  const run = Number(/^Ran (\d+) tests?/mu.exec(output)?.[1] ?? 0);
  const part = (name) => Number(new RegExp(`^(?:FAILED|OK) \\(.*\\b${name}=(\\d+)`, 'mu').exec(output)?.[1] ?? 0);
  const failed = part('failures') + part('errors') + part('unexpected successes');
  const counted = ok || failed > 0 ? failed : 1;
  return { passed: Math.max(0, run - failed - part('skipped')), failed: counted };
}
