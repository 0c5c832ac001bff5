/** The Python that stands in what was posted, for Run buttons: they name a message and a block, and the code comes out of the store. Pure. */
import type { Entry } from './conversation.ts';
import { parseMarkdown } from './markdown/parse.ts';

/** All Python blocks at the top level of a text, in order. */
export const pythonBlocks = (text: string): readonly string[] =>
  parseMarkdown(text).children.flatMap((node) => (node.type === 'code' && /^(py|python3?)$/i.test(node.lang) ? [node.value] : []));

/**
 * Block number `block` of the answer with this message id, counted over the whole text that was posted: the words beside the turn's calls, then the
 * answer. Null: it is no longer stored.
 */
export const codeInAnswer = (entries: readonly Entry[], message: string, block: number): string | null => {
  const answer = entries.find((entry) => entry.kind === 'answered' && entry.message === message);
  if (answer?.kind !== 'answered') return null;
  const beside = entries.flatMap((entry) => (entry.kind === 'called' && entry.turn === answer.turn ? [entry.text] : []));
  const text = [...beside, answer.text].filter((part) => part.trim() !== '').join('\n\n');
  return pythonBlocks(text)[block] ?? null;
};
