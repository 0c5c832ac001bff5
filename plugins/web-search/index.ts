import { z } from 'zod';
import { definePlugin } from '../../src/core/plugin.ts';
import type { ToolOutcome } from '../../src/core/plugin.ts';
import { words } from '../../src/core/trust.ts';
import { createBrave, endpointOf } from './brave.ts';
import type { Found } from './brave.ts';

/** Web search by Brave. It gives addresses and snippets; the pages themselves are read with `web_page`. */
export const webSearchPlugin = definePlugin({
  name: 'web-search',
  description: 'Searches the web with Brave Search.',
  needs: ['fetch', 'clock', 'log'],
  settings: z.object({
    BRAVE_API_KEY: z.string().trim().min(1),
    BRAVE_API_URL: z.url({ protocol: /^https?$/ }).default('https://api.search.brave.com/res/v1'),
  }),
  services: ({ BRAVE_API_URL }) => [BRAVE_API_URL],
  tools: (define, { BRAVE_API_KEY, BRAVE_API_URL }) => {
    const brave = createBrave(endpointOf(BRAVE_API_URL), BRAVE_API_KEY);
    return [
      define({
        name: 'web_search',
        description: words`Searches the web and returns titles, URLs and snippets. Use it for news, for facts that change, and for what you do not know; then read the best pages with web_page, since snippets are short and may be old. Write a query as for a search engine. Right: {"query": "node.js 24 release date"}. Wrong: {"query": "Could you tell me when Node 24 came out?"}. freshness limits results to the last day, week, month or year.`,
        parameters: z.object({
          query: z.string().trim().min(1),
          count: z.int().min(1).max(20).optional(),
          freshness: z.enum(['day', 'week', 'month', 'year']).optional(),
        }),
        effect: 'read',
        idempotent: true,
        parallelSafe: true,
        timeoutMs: 20_000,
        bareArgument: 'query',
        aliases: ['search', 'search_web', 'brave_search', 'google_search', 'internet_search'],
        summary: ({ query }) => `Searching the web for ${query}`,
        execute: async ({ query, count = 8, freshness }, context) => {
          const found = await brave({ query, count, freshness }, context);
          return found.kind === 'failed' ? { text: found.words, failed: true } : toOutcome(query, found.results);
        },
      }),
    ];
  },
});

const toOutcome = (query: string, results: readonly Found[]): ToolOutcome =>
  results.length === 0
    ? { text: `Nothing was found for ${JSON.stringify(query)}. Try fewer or other words.` }
    : {
        text: results.map(toLines).join('\n\n'),
        trusted: false,
        links: results.map((result) => result.url),
        advice: words`Read the pages that matter with web_page before you answer, with their URLs exactly as they stand above, and name the pages you used.`,
      };

const toLines = ({ title, url, snippets, age }: Found, index: number): string =>
  [`${index + 1}. ${title}`, `   ${url}`, ...(age === '' ? [] : [`   (${age})`]), ...snippets.map((snippet) => `   ${snippet}`)].join('\n');
