/** Operations -> what Slack's methods are called with. Pure. */
import type { KnownBlock } from '@slack/types';
import type { Post, ProgressLine } from '../../src/core/outbound.ts';
import type { Place } from './api.ts';
import { stopButton, toButtons } from './encode-buttons.ts';
import { personsCell, runningOutput, toFoldedBlocks } from './encode-cell.ts';
import type { FoldedCell } from './encode-cell.ts';
import { escapeText, shortText } from './encode-text.ts';

/** One message. `text` is mrkdwn, escaped: notifications and screen readers read it, and it stands where blocks are refused. */
export type OutMessage = { readonly text: string; readonly blocks: readonly KnownBlock[] };
export type TextFile = { readonly name: string; readonly content: string };
export type Rendered = { readonly messages: readonly OutMessage[]; readonly files: readonly TextFile[] };
/** Markdown -> messages, each within Slack's limits. */
export type Render = (markdown: string) => Rendered;

const BLOCKS = 50;

/** A post as messages and text files, in order, and what stands under its text; files that runs made are sent beside it. Never a message without words. */
export const encodePost = (
  post: Post,
  render: Render,
  cells: readonly FoldedCell[],
): Rendered & { readonly under: readonly KnownBlock[] } => {
  if (post.run !== null && post.run.by === 'person') return encodePersonsRun(post, post.run, render);
  const { messages, files } = post.text.trim() === '' ? { messages: [], files: [] } : render(post.text);
  const under = [...toFoldedBlocks(cells), ...toButtons(post)];
  return { messages: withUnder(messages, under, cells.length > 0 ? 'What I ran' : ''), files, under };
};

const encodePersonsRun = (post: Post, run: NonNullable<Post['run']>, render: Render): ReturnType<typeof encodePost> => {
  const cell = personsCell(run);
  const body = cell.body === '' ? { messages: [], files: [] } : render(cell.body);
  const small: KnownBlock = { type: 'context', elements: [{ type: 'mrkdwn', text: cell.small.slice(0, 2_900) }] };
  const under = [small, ...toButtons(post)];
  const messages = withUnder(body.messages, under, cell.small.slice(0, 2_900));
  return { messages, under, files: [...body.files, ...(cell.file === null ? [] : [cell.file])] };
};

/** The blocks under the last message; a message of their own, called `name`, where there is no room. */
const withUnder = (messages: readonly OutMessage[], under: readonly KnownBlock[], name: string): readonly OutMessage[] => {
  const last = messages.at(-1);
  if (under.length === 0) return messages;
  if (last !== undefined && last.blocks.length > 0 && last.blocks.length + under.length <= BLOCKS)
    return [...messages.slice(0, -1), { text: last.text, blocks: [...last.blocks, ...under] }];
  // Buttons alone are nothing to say.
  if (name === '') return messages;
  return [...messages, { text: name, blocks: under }];
};

/** What a running turn shows where there are no streams: the answer so far, what is being done, and Stop under the last message. */
export const encodeDraft = (text: string, progress: readonly ProgressLine[], render: Render): readonly OutMessage[] => {
  const lines = progress.slice(-5).map((line) => `${marks[line.state]} ${shortText(line.text, 200)}`);
  const doing: readonly KnownBlock[] =
    lines.length === 0 ? [] : [{ type: 'context', elements: [{ type: 'mrkdwn', text: lines.join('\n') }] }];
  const { messages } = text.trim() === '' ? { messages: [] } : render(text);
  return withUnder(messages, [...doing, stopButton], lines.join('\n') || 'Working');
};
const marks = { running: '…', done: '✓', failed: '✗' } as const;

/** What a person's running code has printed so far. */
export const encodeOutput = (text: string, render: Render): readonly OutMessage[] =>
  withUnder(render(runningOutput(text)).messages, [stopButton], 'Running');

/** Names what was posted, so that it is found again where nobody knows whether it arrived. */
export type Mark = string | null;
const EVENT = 'hektor_post';
const metadata = (mark: Mark) => (mark === null ? {} : { metadata: { event_type: EVENT, event_payload: { key: mark } } });

/** Nothing is unfurled (Slack would fetch what a model wrote) and no name becomes a mention. */
const quiet = { unfurl_links: false, unfurl_media: false, link_names: false, parse: 'none' } as const;

export const toPostArgs = (place: Place, message: OutMessage, mark: Mark) => ({
  channel: place.channel,
  ...(place.thread === '' ? {} : { thread_ts: place.thread }),
  text: message.text,
  ...(message.blocks.length === 0 ? {} : { blocks: message.blocks }),
  ...quiet,
  ...metadata(mark),
});

// Blocks are always named: what an update leaves out stays as it was.
export const toUpdateArgs = (place: Place, ts: string, message: OutMessage, mark: Mark) => ({
  channel: place.channel,
  ts,
  text: message.text,
  blocks: message.blocks,
  link_names: false,
  parse: 'none' as const,
  ...metadata(mark),
});

export const toEphemeralArgs = (place: Place, user: string, message: OutMessage) => ({
  channel: place.channel,
  user,
  ...(place.thread === '' ? {} : { thread_ts: place.thread }),
  text: message.text,
  ...(message.blocks.length === 0 ? {} : { blocks: message.blocks }),
  link_names: false,
  parse: 'none' as const,
});

export const toStopArgs = (
  place: Place,
  ts: string,
  end: { readonly chunks: readonly unknown[]; readonly blocks: readonly KnownBlock[]; readonly over: boolean; readonly mark: Mark },
) => ({
  channel: place.channel,
  ts,
  ...(end.chunks.length === 0 ? {} : { chunks: end.chunks }),
  ...(end.blocks.length === 0 ? {} : { blocks: end.blocks }),
  session_status: end.over ? 'active' : 'processing',
  ...metadata(end.mark),
});

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

/** An answer to a slash command, through the address that came with it. */
export const toResponse = (message: OutMessage, everybody: boolean) => ({
  response_type: everybody ? 'in_channel' : 'ephemeral',
  replace_original: false,
  text: message.text,
  ...(message.blocks.length === 0 ? {} : { blocks: message.blocks }),
  ...quiet,
});

/** The first message of a thread that the bot opens. */
export const encodeRoot = (title: string, text: string, render: Render): readonly OutMessage[] => {
  const words = text.trim() === '' ? title : text;
  const { messages } = render(words.trim() === '' ? 'New thread' : words);
  return messages.length > 0 ? messages : [{ text: escapeText(title) || 'New thread', blocks: [] }];
};
