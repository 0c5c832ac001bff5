/** Answers for Slack: whole messages within every limit, from the model's Markdown. Pure. */
import type { KnownBlock } from '@slack/types';
import { toFiles } from '../../../src/core/markdown/files.ts';
import type { TextFile } from '../../../src/core/markdown/files.ts';
import { filterOutput, strictPolicy } from '../../../src/core/markdown/filter.ts';
import type { OutputPolicy } from '../../../src/core/markdown/filter.ts';
import type { Root } from '../../../src/core/markdown/nodes.ts';
import { parseMarkdown } from '../../../src/core/markdown/parse.ts';
import { splitMarkdown } from '../../../src/core/markdown/split.ts';
import { toBlocks } from './markdown-blocks.ts';
import { toMrkdwn } from './markdown-mrkdwn.ts';
import { toSlackMarkdown } from './markdown-standard.ts';

/** `text` says all that the blocks show, so that a message whose blocks are refused is posted again without them and loses nothing. */
export type SlackMessage = { readonly text: string; readonly blocks: readonly KnownBlock[] };

/** `chat.update` refuses a `text` over 4,000 bytes; room is left for the adapter's own line. */
const MOST_TEXT_BYTES = 3_800;
/** A message takes 50 blocks; room is left for buttons, feedback and notes. */
const MOST_BLOCKS = 44;

/** An answer as messages in order, and files for what is no reading matter in a chat. Mentions and links obey the policy. */
export const messagesForSlack = (
  text: string,
  policy: OutputPolicy = strictPolicy,
): { readonly messages: readonly SlackMessage[]; readonly files: readonly TextFile[] } => {
  const { root, files } = toFiles(filterOutput(parseMarkdown(text), policy), text, MOST_TEXT_BYTES);
  const messages = splitMarkdown(root, sizeOf, MOST_TEXT_BYTES).map((part): SlackMessage => ({
    text: toMrkdwn(part),
    blocks: toBlocks(part),
  }));
  return { messages: messages.filter((message) => message.text !== ''), files };
};

/** How full a message is, on the scale of its `text`. */
const sizeOf = (part: Root): number =>
  Math.max(bytesOf(toMrkdwn(part)), Math.ceil((toBlocks(part).length / MOST_BLOCKS) * MOST_TEXT_BYTES));
const bytesOf = (text: string): number => new TextEncoder().encode(text).length;

/** An answer as pieces of Slack's Markdown of at most `limit` code points, for `markdown_text` and markdown blocks. */
export const markdownForSlack = (text: string, limit = 12_000, policy: OutputPolicy = strictPolicy): readonly string[] =>
  splitMarkdown(filterOutput(parseMarkdown(text), policy), (part) => pointsIn(toSlackMarkdown(part)), limit)
    .map(toSlackMarkdown)
    .filter((part) => part !== '');

const pointsIn = (text: string): number => Array.from(text).length;

/** Short Markdown (a notice, a command's answer) as one mrkdwn text. */
export const mrkdwnOf = (text: string, policy: OutputPolicy = strictPolicy): string => toMrkdwn(filterOutput(parseMarkdown(text), policy));
