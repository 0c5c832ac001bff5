/**
 * A tree cut into parts that a platform can take. The caller measures (what it would really send, fences and all) and gives the limit.
 *
 * Promised: each part measures at most `limit`, if the limit has room for a single character of the block in question; every character of
 * text is in exactly one part, in order (a table's header is repeated, fences and emphasis are closed and opened again); a block that fits
 * into one message stays whole; graphemes, links and mentions are never cut.
 */
import { cutBlock } from './cut-block.ts';
import { rootOf } from './nodes.ts';
import type { Block, Root } from './nodes.ts';

export const splitMarkdown = (root: Root, measure: (root: Root) => number, limit: number): readonly Root[] => {
  const size = (blocks: readonly Block[]): number => measure(rootOf(blocks));
  const parts: Root[] = [];
  // What is still to be placed, last first.
  const waiting = root.children.toReversed();
  let part: Block[] = [];
  const flush = (): void => {
    const last = part.at(-1);
    // A heading goes with what it heads.
    const carried = last?.type === 'heading' && part.length > 1 && waiting.length > 0;
    if (carried) part.pop();
    if (part.length > 0) parts.push(rootOf(part));
    part = carried ? [last] : [];
  };
  for (let block = waiting.pop(); block !== undefined; block = waiting.pop()) {
    const before = part;
    const next = block;
    if (size([...before, next]) <= limit) {
      part.push(next);
      continue;
    }
    const fillsLittle = before.length === 0 || size(before) <= limit * FILL;
    if (before.length > 0 && (!fillsLittle || size([next]) <= limit)) {
      waiting.push(next);
      flush();
      continue;
    }
    const cut = cutBlock(next, limit * 2, (head) => size([...before, head]) <= limit);
    if (cut !== null) {
      waiting.push(cut.tail);
      part.push(cut.head);
      flush();
    } else if (before.length > 0) {
      waiting.push(next);
      flush();
    } else parts.push(rootOf([next]));
  }
  flush();
  return parts;
};
/** A part filled to less than this takes the beginning of a block that must be cut anyway. */
const FILL = 0.7;
