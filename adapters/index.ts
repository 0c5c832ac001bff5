/** The platforms Hektor speaks to. A new one: its folder, and a line here. */
import type { AdapterFactory } from '../src/ports/adapter.ts';
import { discord } from './discord/index.ts';
import { slack } from './slack/index.ts';
import { terminal } from './terminal/index.ts';
import { web } from './web/index.ts';

export const adapters: readonly AdapterFactory[] = [web, terminal, slack, discord];
