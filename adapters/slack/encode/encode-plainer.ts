/** Other forms of a message that Slack refused for its form. Pure. */
import type { OutMessage } from '../encode.ts';

const FANCY: ReadonlySet<string> = new Set(['plan', 'task_card', 'context_actions', 'table', 'data_table', 'data_visualization']);

/** What is tried where a message was refused for its form: plainer at each rung, and in the end a sentence that anything takes. */
export const plainer = (message: OutMessage): readonly (readonly OutMessage[])[] => {
  const simple = message.blocks.filter((block) => !FANCY.has(block.type));
  const actions = message.blocks.filter((block) => block.type === 'actions');
  const pieces = piecesOf(message.text, 1_500);
  return [
    ...(simple.length < message.blocks.length && simple.length > 0 ? [[{ text: message.text, blocks: simple }]] : []),
    [{ text: message.text, blocks: [] }],
    pieces.map((text) => ({ text, blocks: [] })),
    [{ text: SORRY, blocks: actions }],
    [{ text: SORRY, blocks: [] }],
  ];
};
const SORRY = 'Slack refused this part of my answer. `export` gives you the whole thread as a file.';

/** Escaped text in pieces at ends of lines or words; no entity and no link is cut, and an open code block is closed and opened again. */
const piecesOf = (text: string, max: number): readonly string[] => {
  const pieces: string[] = [];
  let rest = text;
  let open = false;
  while (rest !== '') {
    const room = max - 8;
    let cut = rest.length <= room ? rest.length : Math.max(rest.lastIndexOf('\n', room), rest.lastIndexOf(' ', room));
    if (cut <= room / 3 && rest.length > room) cut = wholeEnd(rest, room);
    const part = rest.slice(0, cut);
    const inside: boolean = ((part.match(/```/g)?.length ?? 0) % 2 === 1) !== open;
    pieces.push(`${open ? '```\n' : ''}${part.replace(/^\n/, '')}${inside ? '\n```' : ''}`);
    open = inside;
    rest = rest.slice(cut);
  }
  return pieces.filter((piece) => piece.replace(/`/g, '').trim() !== '');
};
const wholeEnd = (text: string, at: number): number => {
  const back = /(?:&[a-z]{0,3}|<[^>\n]{0,500}|[\ud800-\udbff])$/.exec(text.slice(0, at));
  return back === null || back.index === 0 ? at : back.index;
};
