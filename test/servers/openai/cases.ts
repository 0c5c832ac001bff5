/** The catalogue of faulty model replies, as steps for the scripted server. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import type { Step } from './server.ts';

const sseItem = z.union([
  z.object({ raw: z.unknown() }).strict(),
  z.object({ line: z.string() }).strict(),
  z.object({ delta: z.unknown(), finish_reason: z.string().nullable(), usage: z.unknown().optional() }).strict(),
]);
const caseSchema = z.object({
  id: z.string(),
  title: z.string(),
  loopMust: z.string(),
  json: z.unknown().optional(),
  sse: z.array(sseItem).optional(),
  end: z.enum(['reset', 'hang']).optional(),
  http: z
    .object({
      status: z.number(),
      headers: z.record(z.string(), z.string()).optional(),
      body: z.unknown().optional(),
      text: z.string().optional(),
    })
    .optional(),
});
export type FaultCase = z.infer<typeof caseSchema>;

export const faultCases: readonly FaultCase[] = z
  .array(caseSchema)
  .parse(JSON.parse(readFileSync(resolve(import.meta.dirname, '../../fixtures/llm-faults.json'), 'utf8')));

/** The case as a step. Throws where there is no such case. */
export const stepOf = (id: string): Step => {
  const found = faultCases.find((one) => one.id === id);
  if (found === undefined) throw new TypeError(`there is no case ${id}`);
  if (found.http !== undefined) return { http: found.http };
  if (found.sse !== undefined) return { sse: found.sse, end: found.end ?? 'done' };
  return { json: found.json };
};

/** A plain good reply. */
export const goodStep = (content = 'ok', finish = 'stop'): Step => ({
  json: {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [{ index: 0, message: { role: 'assistant', content }, finish_reason: finish }],
    usage: { prompt_tokens: 9, completion_tokens: 3, total_tokens: 12 },
  },
});

/** A reply with one call; `arguments` is whatever the test wants to arrive. */
export const callStep = (name: string, args: unknown, more: { readonly finish?: string; readonly id?: string } = {}): Step => ({
  json: {
    id: 'c1',
    object: 'chat.completion',
    created: 1,
    model: 'm',
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: more.id ?? 'call_1', type: 'function', function: { name, arguments: args } }],
        },
        finish_reason: more.finish ?? 'tool_calls',
      },
    ],
  },
});
