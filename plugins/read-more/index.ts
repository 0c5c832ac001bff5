import { z } from 'zod';
import { forPerson } from '../../src/core/failure.ts';
import { definePlugin } from '../../src/core/plugin.ts';
import { words } from '../../src/core/trust.ts';

/** Characters of one page; together with its head line below what a result may be. */
const PAGE = 12_000;

/** Long results are cut, and older ones are taken out of what the model reads; nothing of either is lost. */
export const readMorePlugin = definePlugin({
  name: 'read-more',
  description: 'Lets the model read on in results that were too long or too old to be shown whole.',
  needs: ['kept'],
  tools: (define) => [
    define({
      name: 'read_more',
      description: words`Shows more of an earlier result or output that was cut or taken out; the text in its place says what it is "kept as". Right: {"name": "run 7", "from": 12000}. from is the character to begin at, 0 without it. Use it only when the part you need is not in front of you; for data in the Python session use python.`,
      parameters: z.object({ name: z.string().min(1).max(200), from: z.number().int().min(0).optional() }),
      effect: 'read',
      idempotent: true,
      parallelSafe: true,
      timeoutMs: 10_000,
      summary: ({ name }) => `Reading on in ${/^run \d+$/i.test(name.trim()) ? name.trim() : 'an earlier result'}`,
      execute: async ({ name, from = 0 }, { kept }) => {
        const found = await kept.read(name);
        if (!found.ok) return { text: forPerson(found.failure), failed: true };
        if (found.value === null)
          return { text: `Nothing is kept as ${JSON.stringify(name)}. Use the name exactly as it stands after "kept as".`, failed: true };
        const { text, outside } = found.value;
        const page = text.slice(from, from + PAGE).toWellFormed();
        if (page === '') return { text: `It has ${text.length} characters; there is nothing from ${from} on.`, failed: true };
        const to = from + page.length;
        const where = `Characters ${from} to ${to} of ${text.length}${to < text.length ? `; the next page begins at ${to}` : ', the end'}:`;
        return { text: `${where}\n${page}`, trusted: !outside };
      },
    }),
  ],
});
