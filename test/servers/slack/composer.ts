/** What Slack's composer makes of what a person types: tokens for mentions, channels and links, escapes, and rich text. */
import type { Json } from './model.ts';
import type { World } from './world.ts';

export type Composed = { readonly text: string; readonly blocks: readonly Json[] };

export const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

type Piece = { readonly text: string; readonly element: Json };

const CODE = /(```[\s\S]*?```|`[^`\n]+`)/;
const TOKEN = /(https?:\/\/[^\s<>]+[^\s<>.,;:!?)\]}'"]|[\w.+-]+@[\w-]+\.[\w.-]+\w|(?<![\w/])@[\w.-]*\w|(?<![\w/&])#[\w-]+)/;

const BROADCASTS = ['here', 'channel', 'everyone'];

const token = (world: World, team: string, piece: string): Piece => {
  const plain: Piece = { text: escape(piece), element: { type: 'text', text: piece } };
  if (/^https?:/.test(piece)) return { text: `<${escape(piece)}>`, element: { type: 'link', url: piece } };
  if (/^[^@]+@/.test(piece)) return { text: `<mailto:${piece}|${piece}>`, element: { type: 'link', url: `mailto:${piece}`, text: piece } };
  const name = piece.slice(1).toLowerCase();
  if (piece.startsWith('#')) {
    const channel = [...world.channels.values()].find((one) => one.team === team && one.kind === 'channel' && one.name === name);
    return channel === undefined
      ? plain
      : { text: `<#${channel.id}|${channel.name}>`, element: { type: 'channel', channel_id: channel.id } };
  }
  if (BROADCASTS.includes(name)) return { text: `<!${name}>`, element: { type: 'broadcast', range: name } };
  const person = [...world.people.values()].find((one) => one.name === name && (one.team === team || one.bot === null));
  return person === undefined ? plain : { text: `<@${person.id}>`, element: { type: 'user', user_id: person.id } };
};

const inline = (world: World, team: string, text: string): readonly Piece[] =>
  text.split(TOKEN).flatMap((piece, n): readonly Piece[] => {
    if (piece === '') return [];
    return n % 2 === 1 ? [token(world, team, piece)] : [{ text: escape(piece), element: { type: 'text', text: piece } }];
  });

/** `@name` and `#name` become tokens where there is such a person or channel, outside code. */
export const compose = (world: World, team: string, typed: string): Composed => {
  const texts: string[] = [];
  const elements: Json[] = [];
  let section: Json[] = [];
  const close = (): void => {
    if (section.length > 0) elements.push({ type: 'rich_text_section', elements: section });
    section = [];
  };
  for (const piece of typed.split(CODE)) {
    if (piece.startsWith('```') && piece.endsWith('```') && piece.length > 6) {
      const code = piece.slice(3, -3);
      texts.push(`\`\`\`${escape(code)}\`\`\``);
      close();
      elements.push({ type: 'rich_text_preformatted', border: 0, elements: [{ type: 'text', text: code.replace(/^\n/, '') }] });
    } else if (/^`[^`]+`$/.test(piece)) {
      texts.push(escape(piece));
      section.push({ type: 'text', text: piece.slice(1, -1), style: { code: true } });
    } else {
      texts.push(...inline(world, team, piece).map((one) => one.text));
      // A block of code ends its line; the break after it is not a line of its own.
      const pieces = inline(
        world,
        team,
        elements.at(-1)?.['type'] === 'rich_text_preformatted' && section.length === 0 ? piece.replace(/^\n/, '') : piece,
      );
      section.push(...pieces.map((one) => one.element));
    }
  }
  close();
  return { text: texts.join(''), blocks: elements.length === 0 ? [] : [{ type: 'rich_text', block_id: 'rt', elements }] };
};
