/** Operations -> what Slack's methods are called with. Pure. */
import type { KnownBlock } from '@slack/types';
import type { Post, ProgressLine } from '../../src/core/outbound.ts';
import { pythonBlocks } from '../../src/core/posted-code.ts';
import type { FoldedCell } from '../../src/core/run-text.ts';
import type { Place } from './api/api.ts';
import { stopButton, toButtons } from './encode/encode-buttons.ts';
import { personsCell, runningOutput, toFoldedBlocks } from './encode/encode-cell.ts';
import { escapeText, shortText } from './encode/encode-text.ts';

/** One message. `text` is mrkdwn, escaped: notifications and screen readers read it, and it stands where blocks are refused. */
export type OutMessage = { readonly text: string; readonly blocks: readonly KnownBlock[] };
export type TextFile = { readonly name: string; readonly content: string };
export type Rendered = { readonly messages: readonly OutMessage[]; readonly files: readonly TextFile[] };
/** Markdown -> messages, each within Slack's limits. */
export type Render = (markdown: string) => Rendered;

const BLOCKS = 50;

export type EncodedPost = Rendered & {
  /** What stands under the text. */
  readonly under: readonly KnownBlock[];
  /** What is left to send of a text whose beginning stands already. */
  readonly rest: (text: string) => Rendered;
};

/** A post as messages and text files, in order; files that runs made are sent beside it. Never a message without words. */
export const encodePost = (post: Post, render: Render, cells: readonly FoldedCell[]): EncodedPost => {
  const { text, under, name } = post.run !== null && post.run.by === 'person' ? ofRun(post, post.run) : ofText(post, cells);
  const { messages, files } = text.trim() === '' ? nothing : render(text);
  return {
    messages: withUnder(post.run === null ? messages : withSmall(messages, name), under, name),
    files: [...files, ...(post.run === null ? [] : fileOf(post.run))],
    under,
    rest: (left) => {
      if (left.trim() === '') return nothing;
      const rendered = render(left);
      return { messages: withUnder(rendered.messages, under, name), files: rendered.files };
    },
  };
};
const nothing: Rendered = { messages: [], files: [] };

type Parts = { readonly text: string; readonly under: readonly KnownBlock[]; readonly name: string };

const ofText = (post: Post, cells: readonly FoldedCell[]): Parts => {
  const ran = new Set(cells.map((cell) => cell.code.trim()));
  return {
    text: post.text,
    under: [
      ...toFoldedBlocks(cells),
      ...(post.kind === 'answer' && post.status === 'complete' ? [byModel] : []),
      ...toButtons(post, post.kind === 'answer' ? runnable(post.text, ran) : []),
    ],
    name: cells.length > 0 ? 'What I ran' : '',
  };
};

/** Slack asks of apps like this one that they say so. */
const byModel: KnownBlock = { type: 'context', elements: [{ type: 'mrkdwn', text: 'Written by a language model. Check what matters.' }] };

const ofRun = (post: Post, run: NonNullable<Post['run']>): Parts => {
  const cell = personsCell(run);
  const small = cell.small.slice(0, SMALL);
  return {
    text: cell.body,
    under: [{ type: 'context', elements: [{ type: 'mrkdwn', text: small }] }, ...toButtons(post, [])],
    name: small,
  };
};
const SMALL = 2_900;
/** Those who read or hear only the text have the small print too; an edit takes 4,000 bytes of it. */
const withSmall = (messages: readonly OutMessage[], small: string): readonly OutMessage[] =>
  messages.map((message, n) => {
    const text = `${message.text}\n${small}`;
    return n < messages.length - 1 || Buffer.byteLength(text) > 3_950 ? message : { ...message, text };
  });
const fileOf = (run: NonNullable<Post['run']>): readonly TextFile[] => {
  const file = run.by === 'person' ? personsCell(run).file : null;
  return file === null ? [] : [file];
};

/** The numbers of the Python blocks of an answer that nobody ran yet. */
const runnable = (text: string, ran: ReadonlySet<string>): readonly number[] => {
  if (!text.includes('```') && !text.includes('~~~')) return [];
  return pythonBlocks(text).flatMap((code, n) => (code.trim() === '' || ran.has(code.trim()) ? [] : [n]));
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
