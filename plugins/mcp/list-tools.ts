/** The tools a server has, read page by page. One that is malformed is left out; the others stay. */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { z } from 'zod';

const toolSchema = z.object({
  name: z.string().min(1).max(500),
  description: z.string().catch('').default(''),
  inputSchema: z.unknown(),
  annotations: z
    .object({ readOnlyHint: z.boolean().optional(), destructiveHint: z.boolean().optional(), idempotentHint: z.boolean().optional() })
    .catch({})
    .default({}),
});
export type ListedTool = z.output<typeof toolSchema>;

const pageSchema = z.looseObject({ tools: z.array(z.unknown()), nextCursor: z.string().optional().catch(undefined) });

const MAX_PAGES = 50;
const MAX_TOOLS = 1_000;

export type Listed = {
  readonly tools: readonly ListedTool[];
  /** How many were left out for being malformed. */ readonly malformed: number;
};

/** Rejects where the server does. Two tools of one name are the first of them: the server could not tell them apart. */
export const listTools = async (client: Client, timeout: number): Promise<Listed> => {
  const tools = new Map<string, ListedTool>();
  let malformed = 0;
  let cursor: string | undefined;
  const seen = new Set<string>();
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const request = { method: 'tools/list' as const, ...(cursor === undefined ? {} : { params: { cursor } }) };
    const { tools: items, nextCursor } = await client.request(request, pageSchema, { timeout });
    for (const item of items) {
      const decoded = toolSchema.safeParse(item);
      if (!decoded.success) malformed += 1;
      else if (!tools.has(decoded.data.name) && tools.size < MAX_TOOLS) tools.set(decoded.data.name, decoded.data);
    }
    // A server that gives the same page for ever must end some time.
    if (nextCursor === undefined || seen.has(nextCursor)) break;
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  return { tools: [...tools.values()], malformed };
};
