/** The tools of any servers of the Model Context Protocol that the operator names. They come and go with their servers. */
import { failure } from '../../src/core/failure.ts';
import type { LivePlugin } from '../../src/core/live-plugin.ts';
import type { PluginFacts } from '../../src/core/plugin.ts';
import { err, ok } from '../../src/core/result.ts';
import { readServers } from './settings.ts';

const facts: PluginFacts = { name: 'mcp', needs: [], services: [] };
const description = 'Tools of servers of the Model Context Protocol.';

export const mcpPlugin: LivePlugin = {
  name: facts.name,
  description,
  section: 'mcpServers',
  configure: (section, env) => {
    const { servers, problems } = readServers(section, env);
    if (problems.length > 0) return err(failure('config-invalid', { problems }, problems.join('; ')));
    if (servers.length === 0) return ok(null);
    return ok(async (host) => {
      // The protocol's packages are large, and most installations name no server.
      const { openServers } = await import('./open.ts');
      const { offer, ...opened } = openServers(servers, env, facts, host);
      return {
        ...facts,
        ...opened,
        description,
        get tools() {
          return offer();
        },
      };
    });
  },
};
