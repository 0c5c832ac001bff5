/** Runs a plugin's tool as the loop does: arguments decoded with its schema, the outcome fenced and bounded. The web is behind a real fetcher. */
import { keptFiles } from '../support/kept-files.ts';
import { failure } from '../../src/core/failure.ts';
import type { AnyPlugin, AnyTool, Capabilities } from '../../src/core/plugin.ts';
import { err, ok } from '../../src/core/result.ts';
import type { ToolResult } from '../../src/core/tool.ts';
import { createFetcher } from '../../src/infra/fetch/fetcher.ts';
import { runTool } from '../../src/turn/run-tool.ts';
import { createTestLog } from '../support/test-log.ts';

export type ToolBench = AsyncDisposable & {
  readonly tools: readonly AnyTool[];
  readonly call: (args: object, signal?: AbortSignal) => Promise<ToolResult>;
  readonly logged: ReturnType<typeof createTestLog>['lines'];
};

export type BenchOptions = {
  readonly env?: Readonly<Record<string, string>>;
  readonly allow?: readonly string[];
  readonly now?: () => number;
};

/** The first tool of the plugin. Throws where the plugin is not set up by `env`. */
export const toolBench = (plugin: AnyPlugin, { env = {}, allow = [], now = Date.now }: BenchOptions = {}): ToolBench => {
  const ready = 'configure' in plugin ? plugin.configure(env) : { ok: true as const, value: plugin };
  if (!ready.ok || ready.value === null) throw new TypeError('the plugin is not set up');
  const { tools } = ready.value;
  const [tool] = tools;
  if (tool === undefined) throw new TypeError('the plugin has no tool');
  const fetcher = createFetcher({ allow });
  const { log, lines } = createTestLog();
  const capabilities: Capabilities = {
    clock: { now },
    sandbox: { run: async () => err(failure('sandbox-missing', {})) },
    fetch: { get: (request, signal) => fetcher.get(request, tool.of.services, signal) },
    kept: { read: () => Promise.resolve(ok(null)) },
    log: { warn: log.warn },
  };
  return {
    tools,
    logged: lines,
    call: (args, signal = new AbortController().signal) =>
      runTool({
        tool,
        args: tool.parameters.parse(args),
        callKey: 'turn:1:0',
        keptAs: 'turn:1:0',
        keepFiles: keptFiles,
        keep: () => Promise.resolve(null),
        capabilities,
        progress: () => {},
        signal,
        log,
      }),
    [Symbol.asyncDispose]: () => fetcher[Symbol.asyncDispose](),
  };
};
