/** Whatever a plugin does, it harms only its own call. */
import { keptFiles } from '../support/kept-files.ts';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { AnyTool, ToolOutcome } from '../../src/core/plugin.ts';
import { definePlugin } from '../../src/core/plugin.ts';
import { words } from '../../src/core/trust.ts';
import { runTool } from '../../src/turn/run-tool.ts';
import { capabilitiesForTests } from '../support/capabilities.ts';
import { createTestLog } from '../support/test-log.ts';

const toolThat = (execute: (signal: AbortSignal) => Promise<unknown>, timeoutMs = 60_000): AnyTool => {
  const plugin = definePlugin({
    name: 'test',
    description: 'A tool for tests.',
    needs: [],
    tools: (define) => [
      define({
        name: 'tool',
        description: words`A tool.`,
        parameters: z.object({}),
        effect: 'read',
        idempotent: true,
        parallelSafe: true,
        timeoutMs,
        execute: (_args, { signal }) => execute(signal) as Promise<ToolOutcome>,
      }),
    ],
  });
  return plugin.tools[0]!;
};
const run = (tool: AnyTool, signal = new AbortController().signal) =>
  runTool({
    tool,
    args: {},
    callKey: 'k',
    keptAs: 'k',
    keepFiles: keptFiles,
    keep: () => Promise.resolve(null),
    capabilities: capabilitiesForTests,
    progress: () => {},
    signal,
    log: createTestLog().log,
  });

describe('a tool call', () => {
  it('gives the tool’s text', async () => {
    expect(await run(toolThat(async () => ({ text: 'fine' })))).toMatchObject({ text: 'fine', failed: false });
  });
  it('that throws becomes a result', async () => {
    expect(await run(toolThat(() => Promise.reject(new Error('secret sk-abc'))))).toMatchObject({
      failed: true,
      text: expect.not.stringContaining('sk-abc'),
    });
  });
  it('that throws at once becomes a result', async () => {
    expect(
      await run(
        toolThat(() => {
          throw new Error('at once');
        }),
      ),
    ).toMatchObject({ failed: true });
  });
  it.each([undefined, null, 42, 'text', {}, { text: 42 }])('that returns junk (%j) becomes a result', async (junk) => {
    expect(await run(toolThat(async () => junk))).toMatchObject({ failed: true, text: expect.stringContaining('cannot be read') });
  });
  it('that returns 50 MB is cut', async () => {
    const result = await run(toolThat(async () => ({ text: 'x'.repeat(50_000_000) })));
    expect(result.text.length).toBeLessThan(20_000);
    expect(result.text).toContain('characters left out');
  });
  it('that hangs is given up on', async () => {
    expect(await run(toolThat(() => new Promise(() => {}), 50))).toMatchObject({
      failed: true,
      text: expect.stringContaining('took longer'),
    });
  });
  it('that is stopped says so, and may hand in what it has', async () => {
    const abort = new AbortController();
    const pending = run(
      toolThat((signal) => new Promise((resolve) => signal.addEventListener('abort', () => resolve({ text: 'half', failed: true })))),
      abort.signal,
    );
    abort.abort();
    expect(await pending).toMatchObject({ text: 'half' });
  });
  it('MH5: text that is not well-formed is mended', async () => {
    expect((await run(toolThat(async () => ({ text: 'a\ud83c\u0000b' })))).text).toBe('a\ufffdb');
  });
});
