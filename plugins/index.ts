/** The built-in plugins, in the order in which their tools are put to the model (a stable order keeps prompt caches warm). */
import type { Plugin } from '../src/core/plugin.ts';
import { clockPlugin } from './clock/index.ts';
import { pythonPlugin } from './python/index.ts';

export const plugins: readonly Plugin[] = [clockPlugin, pythonPlugin];
