/** Records that an earlier version wrote are still read. */
import { describe, expect, it } from 'vitest';
import { entrySchema, sessionSchema } from '../../src/core/conversation.ts';
import { toolResultSchema } from '../../src/core/tool.ts';

describe('records of before', () => {
  it('a session without a chosen model', () => {
    expect(sessionSchema.parse({ runs: 2, head: null, since: 0, createdAt: 1, owner: null })).toMatchObject({ runs: 2, model: null });
  });

  it('a result that says neither where it came from nor what is kept of it', () => {
    const result = { kind: 'result', at: 1, turn: 't', call: 't:1:0', name: 'clock', text: 'noon', failed: false, run: null };
    expect(entrySchema.parse(result)).toMatchObject({ outside: false, links: [], kept: null });
    expect(toolResultSchema.parse({ text: 'noon', failed: false, run: null, head: null })).toMatchObject({ kept: null });
  });

  it('a summary keeps its index', () => {
    const summary = { kind: 'summarised', at: 1, turn: 't', from: 12, text: 'Goal: x.', model: 'm', outside: true, prompts: [] };
    expect(entrySchema.parse(summary)).toEqual(summary);
  });
});
