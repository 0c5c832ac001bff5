/** A finished run for tests of what is made from runs; every field can be set. */
import type { Run } from '../../src/core/run.ts';

export const aRun = (fields: Partial<Run> = {}): Run => ({
  n: 1,
  by: 'model',
  author: null,
  at: 1,
  code: '1',
  end: 'finished',
  output: '',
  droppedBytes: 0,
  value: null,
  error: null,
  files: [],
  removedFiles: [],
  lost: [],
  notes: [],
  durationMs: 1,
  before: null,
  after: null,
  ...fields,
});
