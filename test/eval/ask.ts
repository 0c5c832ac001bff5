/** Puts one case to one model: the project's own prompts, tools and dialects, so that what is examined is what is sent. */
import { createHash } from 'node:crypto';
import { plugins as listed } from '../../plugins/index.ts';
import { readPlugins } from '../../src/app/read-plugins.ts';
import { project, wholeHistory } from '../../src/core/context.ts';
import type { PromptStamp } from '../../src/core/conversation.ts';
import type { Spending } from '../../src/core/cost.ts';
import { forOperator, forPerson } from '../../src/core/failure.ts';
import type { Failure } from '../../src/core/failure.ts';
import { conversationIdOf } from '../../src/core/ids.ts';
import { ok } from '../../src/core/result.ts';
import type { Result } from '../../src/core/result.ts';
import { decodeCalls } from '../../src/core/tool-call.ts';
import type { Model } from '../../src/ports/model.ts';
import { dialectOf } from '../../src/turn/dialect.ts';
import { stampsOf } from '../../src/turn/messages.ts';
import { noPictures } from '../../src/turn/pictures.ts';
import { toolTable } from '../../src/turn/tool-table.ts';
import type { ToolTable } from '../../src/turn/tool-table.ts';
import type { EvalCase } from './case.ts';
import { toEntries } from './case.ts';
import type { EvalReply } from './check.ts';

export type Asked = {
  readonly reply: Result<EvalReply, Failure>;
  readonly stamps: readonly PromptStamp[];
  readonly spendings: readonly Spending[];
  /** A digest of what begins every request, the system prompt and the tools: a change that kept its version shows here. */
  readonly prefix: string;
};

const settings = { BRAVE_API_KEY: 'evaluation' };
const conversation = conversationIdOf({ platform: 'eval', workspace: '-', channel: '-', thread: 'case' });

/** The tools of all built-in plugins, the web search too, so that runs compare wherever they are made. Nothing is run. */
export const evalTools = (): ToolTable => {
  const plugins = readPlugins(listed, settings);
  if (!plugins.ok) throw new Error(plugins.failure.detail);
  return toolTable(plugins.value);
};

export const askCase = async (model: Model, table: ToolTable, one: EvalCase, signal: AbortSignal): Promise<Asked> => {
  const spendings: Spending[] = [];
  const attempt = async () => {
    const { toolCalls, contextTokens } = model.describe();
    const dialect = dialectOf(toolCalls, table);
    const messages = dialect.messages(project(wholeHistory(toEntries(one)), contextTokens), 'none', noPictures);
    const replied = await model.complete(
      { conversation, system: dialect.system, messages, tools: dialect.tools, toolChoice: 'auto' },
      { text: () => {}, retrying: () => {}, spent: (spending) => void spendings.push(spending) },
      signal,
    );
    return { dialect, replied, stamps: stampsOf(dialect.system, messages) };
  };
  let asked = await attempt();
  // As in a turn: a server that was just found to take no tools is asked by the text protocol.
  if (asked.dialect.tools.length > 0 && !model.describe().toolCalls) asked = await attempt();
  const { dialect, replied, stamps } = asked;
  const told = dialect.tools.map((tool) => [tool.name, tool.description.text, tool.parameters]);
  const prefix = createHash('sha256')
    .update(JSON.stringify([dialect.system.text, told]))
    .digest('hex')
    .slice(0, 12);
  if (!replied.ok) return { reply: replied, stamps, spendings, prefix };
  const { text, calls } = dialect.read(replied.value);
  const decoded = decodeCalls(calls, table, 'eval:1', replied.value.finish === 'length').map(({ call, decoded: result }) => ({
    name: call.name,
    arguments: call.arguments,
    problem: result.ok ? null : forPerson(result.failure),
  }));
  return { reply: ok({ text, calls: decoded }), stamps, spendings, prefix };
};

/** A failure in words for whoever runs the evaluation. */
export const inWords = (failure: Failure): string => `${forOperator(failure)}${failure.detail === '' ? '' : ` (${failure.detail})`}`;
