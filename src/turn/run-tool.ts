/** One tool call, bounded in time and size. Whatever a plugin does, the outcome is a result that the model can read. */
import { failure } from '../core/failure.ts';
import type { RunFile } from '../core/run.ts';
import { leftOut, toolFiles } from './tool-files.ts';
import type { Failure } from '../core/failure.ts';
import type { BlobId } from '../core/ids.ts';
import { capabilityNames } from '../core/plugin.ts';
import type { AnyTool, Capabilities, ToolContext, ToolFile, ToolOutcome } from '../core/plugin.ts';
import { render } from '../core/prompt.ts';
import type { Run } from '../core/run.ts';
import { canonicalUrl } from '../core/taint.ts';
import { cutMiddle } from '../core/text.ts';
import { wordsResult } from '../core/tool.ts';
import type { ToolResult } from '../core/tool.ts';
import { clean, quote, untrusted } from '../core/trust.ts';
import type { Log } from '../ports/log.ts';
import { toolFailedPrompt } from '../prompts/index.ts';
import { KEPT_CHARS, RESULT_CHARS } from './limits.ts';

export type ToolRun = {
  readonly tool: AnyTool;
  readonly args: unknown;
  readonly callKey: string;
  /** The name under which the model finds a result that is too long to be told whole. */
  readonly keptAs: string;
  readonly capabilities: Capabilities;
  readonly progress: (line: string) => void;
  /** Stores a result that is too long to be told whole; null where it cannot. */
  readonly keep: (text: string) => Promise<BlobId | null>;
  /** Stores the files of a result; those that it cannot store are left out. */
  readonly keepFiles: (files: readonly ToolFile[]) => Promise<readonly RunFile[]>;
  /** Aborts when the turn is stopped. */
  readonly signal: AbortSignal;
  readonly log: Log;
};

/** Runs the tool. Resolves within its time limit even where the plugin never does; a late outcome is ignored. */
export const runTool = async (request: ToolRun): Promise<ToolResult> => {
  const { tool } = request;
  const timeUp = AbortSignal.timeout(tool.timeoutMs);
  const signal = AbortSignal.any([request.signal, timeUp]);
  const aborted = new Promise<'aborted'>((resolve) => {
    if (signal.aborted) resolve('aborted');
    else signal.addEventListener('abort', () => resolve('aborted'), { once: true });
  });
  // A tool that honours the signal gets a moment to hand in what it has (a stopped run, for one) before it is given up on.
  const late = aborted.then(() => new Promise<'aborted'>((resolve) => setTimeout(() => resolve('aborted'), GRACE_MS).unref()));
  const outcome = await Promise.race([attempt(request, signal), late]);
  if (outcome === 'aborted') {
    const why = timeUp.aborted
      ? failure('tool-timeout', { name: tool.name, seconds: Math.round(tool.timeoutMs / 1000) })
      : failure('tool-not-run', { name: tool.name, why: 'it was stopped' });
    return failedResult(why);
  }
  return outcome;
};
const GRACE_MS = 8_000;

const attempt = async (request: ToolRun, signal: AbortSignal): Promise<ToolResult> => {
  const { tool, callKey, keptAs, progress, capabilities } = request;
  try {
    const outcome: unknown = await tool.execute(request.args, granted({ callKey, signal, progress, ...capabilities }, tool));
    if (!isOutcome(outcome)) return failedResult(failure('tool-result-bad', { name: tool.name }));
    const kept = outcome.text.length > RESULT_CHARS ? await request.keep(clean(outcome.text.slice(0, KEPT_CHARS))) : null;
    const files = toolFiles(outcome.files);
    const stored = files.length === 0 ? [] : await request.keepFiles(files);
    return toResult(outcome, { keptAs, kept, files: stored, left: leftOut(outcome.files, stored) });
  } catch (cause) {
    request.log.warn({ tool: tool.name, error: cause instanceof Error ? cause.stack : String(cause) }, 'a tool threw');
    return failedResult(failure('tool-threw', { name: tool.name }));
  }
};

/** The context without the capabilities that the tool's plugin did not declare. */
const granted = (context: ToolContext & Capabilities, { of }: AnyTool): ToolContext & Capabilities => {
  for (const name of capabilityNames) if (!of.needs.includes(name)) Reflect.deleteProperty(context, name);
  return context;
};

// Plugins come from outside the type checker's reach, so what they return is looked at before it is believed.
const isOutcome = (value: unknown): value is ToolOutcome =>
  typeof value === 'object' && value !== null && 'text' in value && typeof value.text === 'string';

type Stored = { readonly keptAs: string; readonly kept: BlobId | null; readonly files: readonly RunFile[]; readonly left: number };

const toResult = (outcome: ToolOutcome, { keptAs, kept, files, left }: Stored): ToolResult => {
  const run: Run | null = outcome.run ?? null;
  const text = cutMiddle(clean(outcome.text), RESULT_CHARS);
  const outside = outcome.trusted === false;
  const told = outside ? quote('outside', untrusted(text)) : text;
  const advice = typeof outcome.advice === 'string' ? cutMiddle(outcome.advice, MAX_ADVICE) : '';
  const whole = kept === null ? '' : `(The whole result is kept as ${keptAs}.)`;
  return {
    text: [told, whole, shown(files, left), advice].filter((part) => part !== '').join('\n'),
    failed: outcome.failed ?? false,
    run,
    head: run?.after ?? null,
    outside,
    links: (Array.isArray(outcome.links) ? outcome.links : [])
      .flatMap((link: unknown) => (typeof link === 'string' ? (canonicalUrl(link) ?? []) : []))
      .slice(0, MAX_LINKS),
    kept,
    files,
  };
};
/** The names are words of somebody else, cut down to what a file name may hold. */
const shown = (files: readonly RunFile[], left: number): string =>
  [
    files.length === 0 ? '' : `(Shown in the thread: ${files.map((file) => file.name).join(', ')}.)`,
    left === 0 ? '' : `(${left} more files were too many or too large to be shown.)`,
  ]
    .filter((part) => part !== '')
    .join('\n');
const MAX_ADVICE = 2_000;
const MAX_LINKS = 50;

/** The result by which the model is told of a failure. */
export const failedResult = (why: Failure): ToolResult => wordsResult(render(toolFailedPrompt, { failure: why }).text, true);
