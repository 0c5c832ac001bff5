/** The Python that stands in a message of Discord's. Pure. */
import { z } from 'zod';
import { codeIn } from '../../src/core/addressing.ts';
import { parseMarkdown } from '../../src/core/markdown/parse.ts';
import { pythonBlocks } from '../../src/core/posted-code.ts';

const contentSchema = z.object({ content: z.string() });

/** The code of a raw message: its Python blocks, else its only block, else what stands behind a prompt. Null: there is none. */
export const firstPython = (message: unknown): string | null => {
  const text = contentSchema.safeParse(message).data?.content ?? '';
  const marked = pythonBlocks(text);
  if (marked.length > 0) return marked.join('\n\n');
  const blocks = parseMarkdown(text).children.flatMap((node) => (node.type === 'code' ? [node.value] : []));
  if (blocks.length === 1) return blocks[0] ?? null;
  if (!/^\s*>>>/.test(text)) return null;
  const code = codeIn(text);
  return code.trim() === '' ? null : code;
};
