/** The plugin `mcp` opened on stand-in servers, and its tools run as the loop runs them: arguments decoded, outcomes fenced and bounded. */
import { keptFiles } from '../../support/kept-files.ts';
import { resolve } from 'node:path';
import { mcpPlugin } from '../../../plugins/mcp/index.ts';
import type { AnyTool } from '../../../src/core/plugin.ts';
import { decodeCalls } from '../../../src/core/tool-call.ts';
import type { ToolResult } from '../../../src/core/tool.ts';
import { runTool } from '../../../src/turn/run-tool.ts';
import { toolSpecs, toolTable } from '../../../src/turn/tool-table.ts';
import { capabilitiesForTests } from '../../support/capabilities.ts';
import { createTestLog } from '../../support/test-log.ts';
import { until } from '../../support/until.ts';

export const serverFile = resolve(import.meta.dirname, '../../servers/mcp/stdio-server.ts');

/** A stdio server of that kind; `file` gets the pid of each process. */
export const stdio = (kind: string, more: object = {}, file?: string): object => ({
  command: process.execPath,
  args: [serverFile, kind, ...(file === undefined ? [] : [file])],
  connectMs: 30_000,
  ...more,
});

export type McpBench = AsyncDisposable & {
  readonly tools: () => readonly AnyTool[];
  readonly names: () => readonly string[];
  /** Waits until a tool of that name is offered. */
  readonly has: (name: string) => Promise<void>;
  /** As the model would call it. */
  readonly call: (name: string, args?: object, signal?: AbortSignal) => Promise<ToolResult>;
  readonly specs: () => ReturnType<typeof toolSpecs>;
  readonly logged: ReturnType<typeof createTestLog>['lines'];
};

export const openBench = async (
  mcpServers: object,
  env: Record<string, string> = {},
  otherTools: readonly string[] = [],
): Promise<McpBench> => {
  const ready = mcpPlugin.configure(mcpServers, { PATH: process.env['PATH'], ...env });
  if (!ready.ok || ready.value === null) throw new TypeError(`not set up: ${JSON.stringify(ready)}`);
  const { log, lines } = createTestLog();
  const plugin = await ready.value({ log, otherTools: new Set(otherTools) });
  const names = (): readonly string[] => plugin.tools.map((tool) => tool.name);
  return {
    tools: () => plugin.tools,
    names,
    has: (name) => until(() => names().includes(name), `${name} offered`, 60_000),
    call: async (name, args = {}, signal = new AbortController().signal) => {
      const table = toolTable([plugin]);
      const [offered] = decodeCalls([{ id: 'a', name, arguments: JSON.stringify(args), passBack: null }], table, 'turn:1');
      const tool = table.get(name);
      if (tool === undefined || offered === undefined) throw new TypeError(`no tool ${name}`);
      if (!offered.decoded.ok) throw new TypeError(offered.decoded.failure.detail);
      const request = {
        tool,
        args: offered.decoded.value.arguments,
        callKey: 'turn:1:0',
        keptAs: 'turn:1:0',
        capabilities: capabilitiesForTests,
      };
      return runTool({ ...request, keepFiles: keptFiles, keep: async () => null, progress: () => {}, signal, log });
    },
    specs: () => toolSpecs(toolTable([plugin])),
    logged: lines,
    [Symbol.asyncDispose]: () => plugin[Symbol.asyncDispose](),
  };
};
