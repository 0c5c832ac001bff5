/** The tool calls of a running turn as tasks of a stream. Pure. */
import type { AnyChunk, PlanUpdateChunk, TaskUpdateChunk } from '@slack/types';
import type { ProgressLine } from '../../../src/core/outbound.ts';
import { shortText } from './encode-text.ts';

/** Slack takes 256 characters; a title that long is no title. */
const TITLE = 150;

/**
 * `ended`: the turn is over, and what still runs was ended with it. A failed call is a step that was made: only what the turn's end cut off is
 * an error. The line is what the tool itself says that it does; arguments, results and code are not in it.
 */
export const toTask = (line: ProgressLine, ended = false): TaskUpdateChunk => {
  const failed = line.state === 'failed' ? ' (failed)' : '';
  return {
    type: 'task_update',
    id: line.call,
    title: `${shortText(line.text, TITLE)}${failed}` || 'Working',
    status: line.state !== 'running' ? 'complete' : ended ? 'error' : 'in_progress',
  };
};

/** The tasks whose look is another than `known` says, by id. */
export const changedTasks = (
  progress: readonly ProgressLine[],
  known: ReadonlyMap<string, string>,
  ended = false,
): readonly TaskUpdateChunk[] => progress.map((line) => toTask(line, ended)).filter((task) => known.get(task.id) !== signatureOf(task));

export const signatureOf = (task: TaskUpdateChunk): string => `${task.status} ${task.title}`;

/** One call's chunks: tasks first, since the text speaks of what they found. */
export const toChunks = (tasks: readonly TaskUpdateChunk[], text: string): AnyChunk[] => [
  ...tasks,
  ...(text === '' ? [] : [{ type: 'markdown_text', text } satisfies AnyChunk]),
];

/** The plan's title, before its first task: a title that comes later would stand in the middle of the text. */
export const begunPlan = (known: number, tasks: readonly TaskUpdateChunk[]): readonly PlanUpdateChunk[] =>
  known === 0 && tasks.length > 0 ? [{ type: 'plan_update', title: 'Working' }] : [];

/** The plan's title once nothing is going on in it any more; nothing where there was no plan. */
export const endedPlan = (tasks: number): readonly PlanUpdateChunk[] =>
  tasks === 0 ? [] : [{ type: 'plan_update', title: tasks === 1 ? 'One step' : `${tasks} steps` }];
