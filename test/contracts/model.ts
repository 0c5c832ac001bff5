/** What every model must do, whatever stands behind it. See src/ports/model.ts. */
import { describe, expect, it } from 'vitest';
import type { Model } from '../../src/ports/model.ts';
import { codeOf, valueOf } from '../support/results.ts';
import { ask, prompt, request } from '../infra/openai/harness.ts';

/** `open` gives a model that answers any question with some words. */
export const modelContract = (name: string, open: () => Model): void => {
  describe(`model: ${name}`, () => {
    it('answers with text, a reason, a name and its usage', async () => {
      const reply = valueOf((await ask(open())).result);
      expect(reply.text.length).toBeGreaterThan(0);
      expect(reply.finish).toBe('stop');
      expect(reply.model).not.toBe('');
      expect(reply.usage?.output).toBeGreaterThan(0);
    });

    it('shows its text as it grows; the last that was shown is the reply', async () => {
      const { result, texts } = await ask(open());
      const { text } = valueOf(result);
      for (const shown of texts) expect(text.startsWith(shown)).toBe(true);
      expect(texts.at(-1)).toBe(text);
    });

    it('is interrupted, and asks nobody, where the signal has aborted before', async () => {
      const { result, texts } = await ask(open(), {}, AbortSignal.abort());
      expect([codeOf(result), texts]).toEqual(['interrupted', []]);
    });

    it('is interrupted in the middle, and shows nothing after that', async () => {
      const stop = new AbortController();
      const texts: string[] = [];
      let after = 0;
      const result = await open().complete(
        request({ messages: [{ role: 'user', content: prompt('say a long text') }] }),
        {
          text: (soFar) => {
            if (stop.signal.aborted) after += 1;
            texts.push(soFar);
            stop.abort();
          },
          retrying: () => undefined,
          spent: () => undefined,
        },
        stop.signal,
      );
      expect([codeOf(result), after, texts.length]).toEqual(['interrupted', 0, 1]);
    });

    it('answers many at once, each its own question', async () => {
      const model = open();
      const all = await Promise.all(Array.from({ length: 20 }, () => ask(model)));
      expect(new Set(all.map((one) => valueOf(one.result).text)).size).toBe(1);
    });

    it('describes itself', () => {
      expect(open().describe()).toMatchObject({ name: expect.any(String) as unknown, toolCalls: true });
    });
  });
};
