/** Inline content cut in two where it reads best, never inside a grapheme, a link or a mention; emphasis is closed and opened again. Pure. */
import { largest } from './gallop.ts';
import { mergeTexts, textOf } from './nodes.ts';
import type { Inline } from './nodes.ts';

export type Cut<T> = { readonly head: T; readonly tail: T };

/** How fine to cut: between words and whole nodes; inside code and addresses too; between code points. Coarser first. */
type Grain = 'whole' | 'grapheme' | 'point';
const GRAINS: readonly Grain[] = ['whole', 'grapheme', 'point'];

/** The longest good head for which `fits`; null where nothing fits. `most`: no head longer than so many characters can fit. */
export const cutInline = (
  nodes: readonly Inline[],
  most: number,
  fits: (head: readonly Inline[]) => boolean,
): Cut<readonly Inline[]> | null => {
  for (const grain of GRAINS) {
    const ready = grain === 'whole' ? nodes : nodes.flatMap(opened);
    const units = unitsOf(ready, most, grain);
    const longest = largest(units.length, (n) => fits(take(ready, n, grain).head));
    if (longest > 0) {
      const { head, tail } = take(ready, goodEnd(units, longest), grain);
      return { head: mergeTexts(head), tail: mergeTexts(tail) };
    }
  }
  return null;
};

/** A link too long for a whole message is its words and its address, as text. */
const opened = (node: Inline): readonly Inline[] => {
  if (node.type === 'link') return [...node.children, textOf(` (${node.url})`)];
  if (node.type === 'image') return [textOf(`${node.alt} (${node.url})`)];
  return [node];
};

const segmenter = new Intl.Segmenter('en', { granularity: 'grapheme' });
const piecesOf = (text: string, grain: Grain): Iterable<string> => (grain === 'point' ? text : graphemesOf(text));
function* graphemesOf(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment;
}

/** What the content is made of, piece by piece, `most` at most. A node that stays whole is one piece. */
const unitsOf = (nodes: readonly Inline[], most: number, grain: Grain): readonly string[] => {
  const units: string[] = [];
  for (const node of nodes) {
    if (units.length >= most) break;
    if (isText(node, grain)) {
      for (const piece of piecesOf(node.value.slice(0, most * 4), grain)) {
        units.push(piece);
        if (units.length >= most) break;
      }
    } else if (node.type === 'emphasis' || node.type === 'strong' || node.type === 'delete') {
      units.push(...unitsOf(node.children, most - units.length, grain));
    } else units.push(node.type === 'break' ? '\n' : '\ufffc');
  }
  return units;
};

const isText = (node: Inline, grain: Grain): node is Extract<Inline, { type: 'text' | 'inlineCode' }> =>
  node.type === 'text' || (node.type === 'inlineCode' && grain !== 'whole');

/** At a line's end, else a sentence's, else a word's, if that leaves at least half; otherwise where it must be. */
const goodEnd = (units: readonly string[], longest: number): number => {
  if (longest === units.length) return longest;
  const least = Math.ceil(longest / 2);
  const back = (good: (at: number) => boolean): number | null => {
    for (let at = longest; at >= least; at--) if (good(at)) return at;
    return null;
  };
  const unit = (at: number): string => units[at] ?? '';
  return (
    back((at) => unit(at - 1).includes('\n')) ??
    back((at) => (/\s/.test(unit(at - 1)) && /[.!?:;]/.test(unit(at - 2))) || /[。！？]/.test(unit(at - 1))) ??
    back((at) => /\s/.test(unit(at - 1))) ??
    longest
  );
};

const take = (nodes: readonly Inline[], n: number, grain: Grain): Cut<Inline[]> => {
  const head: Inline[] = [];
  const tail: Inline[] = [];
  let left = n;
  for (const node of nodes) {
    if (left <= 0) {
      tail.push(node);
      continue;
    }
    if (isText(node, grain)) {
      let at = 0;
      for (const piece of piecesOf(node.value, grain)) {
        if (left === 0) break;
        at += piece.length;
        left--;
      }
      if (at > 0) head.push({ ...node, value: node.value.slice(0, at) });
      if (at < node.value.length) tail.push({ ...node, value: node.value.slice(at) });
    } else if (node.type === 'emphasis' || node.type === 'strong' || node.type === 'delete') {
      const size = unitsOf(node.children, left + 1, grain).length;
      if (size <= left) {
        head.push(node);
        left -= size;
      } else {
        const inner = take(node.children, left, grain);
        left = 0;
        head.push({ ...node, children: inner.head });
        tail.push({ ...node, children: inner.tail });
      }
    } else {
      head.push(node);
      left--;
    }
  }
  return { head, tail };
};
