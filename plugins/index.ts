/** The built-in plugins, in the order in which their tools are put to the model (a stable order keeps prompt caches warm). */
import type { LivePlugin } from '../src/core/live-plugin.ts';
import type { AnyPlugin } from '../src/core/plugin.ts';
import { clockPlugin } from './clock/index.ts';
import { mcpPlugin } from './mcp/index.ts';
import { pythonPlugin } from './python/index.ts';
import { readMorePlugin } from './read-more/index.ts';
import { webPagePlugin } from './web-page/index.ts';
import { webSearchPlugin } from './web-search/index.ts';

export const plugins: readonly AnyPlugin[] = [clockPlugin, pythonPlugin, webPagePlugin, webSearchPlugin, readMorePlugin];

/** Those that hold something open; their tools come behind the others'. */
export const livePlugins: readonly LivePlugin[] = [mcpPlugin];
