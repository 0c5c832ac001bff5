/** The servers that are held open, and what of their tools is offered to the model. */
import { DEFAULT_INHERITED_ENV_VARS } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { OpenPlugin, PluginHost } from '../../src/core/live-plugin.ts';
import { MAX_TOOLS } from '../../src/core/live-plugin.ts';
import type { AnyTool, PluginFacts } from '../../src/core/plugin.ts';
import { createHttpTransport } from './http.ts';
import type { ListedTool } from './list-tools.ts';
import { createMcpServer } from './server.ts';
import type { McpServer } from './server.ts';
import type { ServerSettings } from './settings.ts';
import { createStdioTransport } from './stdio.ts';
import { offeredName } from './tool-names.ts';
import { toTool } from './tools.ts';

/** Begins to connect to all servers. `env`: of this process; a server's own gets what any process needs, and what its settings name. */
export const openServers = (
  all: readonly ServerSettings[],
  env: { readonly [name: string]: string | undefined },
  facts: PluginFacts,
  host: PluginHost,
): Opened => {
  // What a process needs in order to run at all; none of it is a secret.
  const base = Object.fromEntries(DEFAULT_INHERITED_ENV_VARS.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  const servers = all.map((settings) => ({
    settings,
    server: createMcpServer({
      settings,
      log: host.log,
      open: () => (settings.kind === 'http' ? createHttpTransport(settings) : createStdioTransport(settings, base)),
    }),
  }));
  return {
    offer: createOffer(servers, facts, host),
    inspect: () =>
      Promise.all(
        servers.map(async ({ server }) => {
          const trouble = await server.firstTry;
          const text = trouble === null ? `connected, ${server.tools().length} tools` : `cannot be reached: ${trouble}`;
          return { of: `MCP server ${server.name}`, good: trouble === null, text };
        }),
      ),
    [Symbol.asyncDispose]: async () => {
      await Promise.all(servers.map(({ server }) => server[Symbol.asyncDispose]()));
    },
  };
};

export type Opened = Pick<OpenPlugin, 'inspect' | typeof Symbol.asyncDispose> & {
  /** The tools that can be used now. */
  readonly offer: () => readonly AnyTool[];
};

type Held = { readonly settings: ServerSettings; readonly server: McpServer };

/** The tools that are offered now; made anew only when a server's list has changed, since their schemas are costly. */
const createOffer = (servers: readonly Held[], facts: PluginFacts, host: PluginHost): (() => readonly AnyTool[]) => {
  let of: readonly (readonly ListedTool[])[] = [];
  let tools: readonly AnyTool[] = [];
  return () => {
    const now = servers.map(({ server }) => server.tools());
    if (now.length === of.length && now.every((list, at) => list === of[at])) return tools;
    of = now;
    tools = offered(servers, facts, host);
    return tools;
  };
};

/**
 * In the order of the settings and of each server's own list. Model servers take 128 tools (MH4): what does not fit is left off, from the
 * end, and the operator is told, who can choose with `tools`.
 */
const offered = (servers: readonly Held[], facts: PluginFacts, { log, otherTools }: PluginHost): readonly AnyTool[] => {
  const taken = new Set(otherTools);
  const tools: AnyTool[] = [];
  let [left, unfit] = [0, 0];
  for (const { settings, server } of servers) {
    for (const listed of server.tools()) {
      if (settings.tools !== null && !settings.tools.includes(listed.name)) continue;
      const tool = toTool(server, listed, offeredName(server.name, listed.name, taken), settings.callMs, facts);
      if (tool === null) unfit += 1;
      else if (taken.size >= MAX_TOOLS) left += 1;
      else {
        taken.add(tool.name);
        tools.push(tool);
      }
    }
  }
  if (unfit > 0) log.warn({ tools: unfit }, 'tools of MCP servers were left out: their parameters are not those of an object');
  if (left > 0)
    log.warn(
      { tools: left, most: MAX_TOOLS },
      'tools of MCP servers were left out: there are more than a model takes; choose with "tools"',
    );
  return tools;
};
