/** A streamed message: what its chunks add up to. */
import { invalid } from './fault.ts';
import type { Json, Stream, StreamPart } from './model.ts';
import { isObject } from './args.ts';
import { checkBlocks } from './blocks.ts';

const STATUSES = ['pending', 'in_progress', 'complete', 'error'];

const textOf = (chunk: Json, name: string, limit: number, needed: boolean): string => {
  const value = chunk[name];
  if (value === undefined || value === null) {
    if (needed) throw invalid('invalid_chunks', `chunk ${String(chunk['type'])}: missing required field: ${name}`);
    return '';
  }
  if (typeof value !== 'string') throw invalid('invalid_chunks', `chunk ${String(chunk['type'])}: ${name} must be a string`);
  if (value.length > limit)
    throw invalid('invalid_chunks', `chunk ${String(chunk['type'])}: ${name} must be less than ${limit + 1} characters`);
  return value;
};

const checkChunk = (chunk: Json): void => {
  switch (chunk['type']) {
    case 'markdown_text':
      textOf(chunk, 'text', 12_000, true);
      return;
    case 'task_update':
      textOf(chunk, 'id', 256, true);
      textOf(chunk, 'title', 256, true);
      textOf(chunk, 'details', 256, false);
      textOf(chunk, 'output', 256, false);
      if (!STATUSES.includes(String(chunk['status'])))
        throw invalid('invalid_chunks', `task_update: status must be one of ${STATUSES.join(', ')}`);
      return;
    case 'plan_update':
      textOf(chunk, 'title', 256, true);
      return;
    case 'blocks': {
      const { blocks } = chunk;
      if (!Array.isArray(blocks) || !blocks.every(isObject)) throw invalid('invalid_chunks', 'blocks: must be a list of blocks');
      checkBlocks(blocks, 'stream');
      return;
    }
    default:
      throw invalid('invalid_chunks', `unknown type of chunk: ${String(chunk['type'])}`);
  }
};

/** Refuses what Slack refuses; nothing is added before all chunks of a call are well. */
export const checkChunks = (chunks: readonly Json[]): void => {
  for (const chunk of chunks) checkChunk(chunk);
};

/** Title and status of a task replace what was there, details and output go on. */
const addTask = (parts: StreamPart[], chunk: Json): void => {
  const text = (name: string): string => (typeof chunk[name] === 'string' ? chunk[name] : '');
  const sources: readonly unknown[] = Array.isArray(chunk['sources']) ? chunk['sources'] : [];
  const there = parts.find((part) => part.kind === 'task' && part.id === chunk['id']);
  if (there?.kind !== 'task') {
    parts.push({
      kind: 'task',
      id: text('id'),
      title: text('title'),
      status: text('status'),
      details: text('details'),
      output: text('output'),
      sources: [...sources],
    });
    return;
  }
  there.title = text('title');
  there.status = text('status');
  there.details += text('details');
  there.output += text('output');
  there.sources.push(...sources);
};

export const addChunks = (stream: Stream, chunks: readonly Json[]): void => {
  stream.calls.push([...chunks]);
  for (const chunk of chunks) {
    const last = stream.parts.at(-1);
    const text = typeof chunk['text'] === 'string' ? chunk['text'] : '';
    if (chunk['type'] === 'markdown_text') {
      if (last?.kind === 'text') last.text += text;
      else stream.parts.push({ kind: 'text', text });
    } else if (chunk['type'] === 'task_update') addTask(stream.parts, chunk);
    else if (chunk['type'] === 'plan_update') {
      const plan = stream.parts.find((part) => part.kind === 'plan');
      if (plan?.kind === 'plan') plan.title = String(chunk['title']);
      else stream.parts.push({ kind: 'plan', title: String(chunk['title']) });
    } else stream.parts.push({ kind: 'blocks', blocks: (chunk['blocks'] as Json[]) ?? [] });
  }
};

export const streamText = (stream: Stream): string => stream.parts.map((part) => (part.kind === 'text' ? part.text : '')).join('');

const richText = (text: string): Json => ({
  type: 'rich_text',
  elements: [{ type: 'rich_text_section', elements: [{ type: 'text', text }] }],
});

/** The blocks that the finished message has. */
export const streamBlocks = (stream: Stream): readonly Json[] => {
  const plan = stream.parts.find((part) => part.kind === 'plan');
  const card = (part: StreamPart & { kind: 'task' }): Json => ({
    type: 'task_card',
    task_id: part.id,
    title: part.title,
    status: part.status,
    ...(part.details === '' ? {} : { details: richText(part.details) }),
    ...(part.output === '' ? {} : { output: richText(part.output) }),
    ...(part.sources.length === 0 ? {} : { sources: part.sources }),
  });
  const tasks = stream.parts.flatMap((part) => (part.kind === 'task' ? [card(part)] : []));
  const grouped = stream.mode === 'plan' || plan !== undefined;
  return [
    ...(grouped && (tasks.length > 0 || plan !== undefined)
      ? [{ type: 'plan', title: plan?.kind === 'plan' ? plan.title : 'Working', tasks }]
      : []),
    ...stream.parts.flatMap((part): readonly Json[] => {
      if (part.kind === 'text') return [{ type: 'markdown', text: part.text }];
      if (part.kind === 'task') return grouped ? [] : [card(part)];
      return part.kind === 'blocks' ? part.blocks : [];
    }),
  ];
};
