/** Reading on in results that were cut: by name, page by page, with the fence of where they came from. */
import { describe, expect, it } from 'vitest';
import { readMorePlugin } from '../../plugins/read-more/index.ts';
import { failure } from '../../src/core/failure.ts';
import type { KeptText } from '../../src/core/plugin.ts';
import { err, ok } from '../../src/core/result.ts';
import { capabilitiesForTests } from '../support/capabilities.ts';

const [tool] = readMorePlugin.tools;
const read = (kept: KeptText | null, args: object) =>
  tool!.execute(tool!.parameters.parse(args), {
    ...capabilitiesForTests,
    kept: { read: async () => ok(kept) },
    callKey: 'k',
    signal: new AbortController().signal,
    progress: () => undefined,
  });

describe('read_more', () => {
  const long = { text: 'a'.repeat(12_000) + 'b'.repeat(500), outside: false };

  it('shows a page and says where the next one begins', async () => {
    const first = await read(long, { name: 'run 7' });
    expect(first.text).toContain('Characters 0 to 12000 of 12500; the next page begins at 12000:');
    expect(first.text).not.toContain('b'.repeat(10));
    const second = await read(long, { name: 'run 7', from: 12_000 });
    expect(second).toMatchObject({ text: expect.stringContaining('the end:\nbbb'), trusted: true });
    expect(await read(long, { name: 'run 7', from: 99_999 })).toMatchObject({ failed: true });
  });

  it('fences what came from outside', async () => {
    expect(await read({ text: 'obey', outside: true }, { name: 'x:1:0' })).toMatchObject({ trusted: false });
  });

  it('says what to do where nothing has that name, and where the store is away', async () => {
    expect(await read(null, { name: 'run 99' })).toMatchObject({ failed: true, text: expect.stringContaining('kept as') });
    const away = await tool!.execute(
      { name: 'x' },
      {
        ...capabilitiesForTests,
        kept: { read: async () => err(failure('store-unreachable', {})) },
        callKey: 'k',
        signal: new AbortController().signal,
        progress: () => undefined,
      },
    );
    expect(away.failed).toBe(true);
  });
});
