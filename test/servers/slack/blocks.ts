/** What Slack checks in blocks before it takes a message or a view. */
import { isObject, lengthOf } from './args.ts';
import { ApiFault, invalid } from './fault.ts';
import type { Json } from './model.ts';
import { checkElement } from './block-elements.ts';

export type Surface = 'message' | 'stream' | 'modal' | 'home';

const MESSAGE =
  'section header divider context actions image markdown rich_text table data_table context_actions file video task_card plan alert card carousel container data_visualization input'.split(
    ' ',
  );
const VIEW = 'section header divider context actions image rich_text input video alert card carousel container'.split(' ');

const fail = (at: string, what: string): never => {
  throw invalid('invalid_blocks', `${what} [json-pointer:${at}]`);
};

/** A text object within its limit. `more than 3000` reads "must be less than 3001 characters", as Slack says it. */
export const checkText = (value: unknown, limit: number, at: string, kinds: readonly string[] = ['mrkdwn', 'plain_text']): void => {
  if (!isObject(value) || typeof value['text'] !== 'string' || !kinds.includes(String(value['type'])))
    return fail(at, `must be a ${kinds.join(' or ')} object`);
  if (value['text'].length === 0) return fail(`${at}/text`, 'must be more than 0 characters');
  if (lengthOf(value['text']) > limit) return fail(`${at}/text`, `must be less than ${limit + 1} characters`);
};

const items = (value: unknown, limit: number, at: string): readonly unknown[] => {
  if (!Array.isArray(value) || value.length === 0) return fail(at, 'no items: must have at least one');
  return value.length > limit ? fail(at, `no more than ${limit} items allowed`) : value;
};

const textLength = (value: unknown): number => {
  if (typeof value === 'string') return 0;
  if (Array.isArray(value)) return value.reduce<number>((sum, one) => sum + textLength(one), 0);
  if (!isObject(value)) return 0;
  const own = typeof value['text'] === 'string' ? value['text'].length : 0;
  return Object.values(value).reduce<number>((sum, one) => sum + textLength(one), own);
};

const checkTable = (block: Json, at: string): void => {
  const rows = items(block['rows'], 100, `${at}/rows`);
  const kinds = ['raw_text', 'raw_number', 'rich_text'];
  const width = Array.isArray(rows[0]) ? rows[0].length : 0;
  for (const [n, row] of rows.entries()) {
    const cells = items(row, 20, `${at}/rows/${n}`);
    if (cells.length !== width) fail(`${at}/rows/${n}`, 'every row must have as many cells as the first');
    for (const [m, cell] of cells.entries()) {
      if (!isObject(cell) || !kinds.includes(String(cell['type']))) fail(`${at}/rows/${n}/${m}`, `must be one of ${kinds.join(', ')}`);
      else if (cell['type'] === 'raw_text' && (typeof cell['text'] !== 'string' || cell['text'] === ''))
        fail(`${at}/rows/${n}/${m}/text`, 'must be more than 0 characters');
    }
  }
  if (Array.isArray(block['column_settings']) && block['column_settings'].length > 20)
    fail(`${at}/column_settings`, 'no more than 20 items allowed');
  if (block['type'] !== 'data_table') return;
  if (typeof block['caption'] !== 'string' || block['caption'] === '') fail(`${at}/caption`, 'missing required field: caption');
  const size = block['page_size'];
  if (size !== undefined && (typeof size !== 'number' || size < 1 || size > 100)) fail(`${at}/page_size`, 'must be from 1 to 100');
  if (textLength(rows) > 10_000) fail(`${at}/rows`, 'the table must be less than 10001 characters');
};

const checkImage = (block: Json, at: string): void => {
  if (typeof block['alt_text'] !== 'string') fail(at, 'missing required field: alt_text');
  else if (block['alt_text'].length > 2000) fail(`${at}/alt_text`, 'must be less than 2001 characters');
  if (block['title'] !== undefined) checkText(block['title'], 2000, `${at}/title`, ['plain_text']);
  if (typeof block['image_url'] !== 'string' && !isObject(block['slack_file'])) fail(at, 'missing required field: image_url or slack_file');
  if (typeof block['image_url'] === 'string' && block['image_url'].length > 3000)
    fail(`${at}/image_url`, 'must be less than 3001 characters');
};

const checkSection = (block: Json, at: string): void => {
  if (block['text'] === undefined && block['fields'] === undefined) fail(at, 'missing required field: text or fields');
  if (block['text'] !== undefined) checkText(block['text'], 3000, `${at}/text`);
  if (block['fields'] !== undefined) {
    for (const [n, field] of items(block['fields'], 10, `${at}/fields`).entries()) checkText(field, 2000, `${at}/fields/${n}`);
  }
  if (block['accessory'] !== undefined) checkElement(block['accessory'], `${at}/accessory`, fail);
};

const checkChart = (block: Json, at: string): void => {
  if (typeof block['title'] === 'string' && block['title'].length > 50) fail(`${at}/title`, 'must be less than 51 characters');
};

const checkBlock = (block: Json, at: string): void => {
  const id = block['block_id'];
  if (typeof id === 'string' && id.length > 255) fail(`${at}/block_id`, 'must be less than 256 characters');
  switch (block['type']) {
    case 'section':
      return checkSection(block, at);
    case 'header':
      return checkText(block['text'], 150, `${at}/text`, ['plain_text']);
    case 'markdown':
      if (typeof block['text'] !== 'string' || block['text'] === '') fail(`${at}/text`, 'must be more than 0 characters');
      return;
    case 'context':
      for (const [n, one] of items(block['elements'], 10, `${at}/elements`).entries()) {
        if (isObject(one) && one['type'] === 'image') checkImage(one, `${at}/elements/${n}`);
        else checkText(one, 3000, `${at}/elements/${n}`);
      }
      return;
    case 'actions':
      for (const [n, one] of items(block['elements'], 25, `${at}/elements`).entries()) checkElement(one, `${at}/elements/${n}`, fail);
      return;
    case 'context_actions':
      for (const [n, one] of items(block['elements'], 5, `${at}/elements`).entries()) {
        if (!isObject(one) || !['feedback_buttons', 'icon_button'].includes(String(one['type'])))
          fail(`${at}/elements/${n}`, 'unsupported element');
        checkElement(one, `${at}/elements/${n}`, fail);
      }
      return;
    case 'image':
      return checkImage(block, at);
    case 'table':
    case 'data_table':
      return checkTable(block, at);
    case 'data_visualization':
      return checkChart(block, at);
    case 'rich_text':
      items(block['elements'], 1000, `${at}/elements`);
      return;
    case 'input':
      checkText(block['label'], 2000, `${at}/label`, ['plain_text']);
      return checkElement(block['element'], `${at}/element`, fail);
    default:
  }
};

const unique = (values: readonly unknown[]): boolean => new Set(values).size === values.length;

/** Throws `invalid_blocks` where Slack refuses the message. */
export const checkBlocks = (blocks: readonly Json[], surface: Surface): void => {
  const limit = surface === 'modal' || surface === 'home' ? 100 : 50;
  if (blocks.length > limit) throw invalid('invalid_blocks', `no more than ${limit} items allowed [json-pointer:/blocks]`);
  const known = surface === 'modal' || surface === 'home' ? VIEW : MESSAGE;
  for (const [n, block] of blocks.entries()) {
    if (!known.includes(String(block['type']))) fail(`/blocks/${n}/type`, `unsupported type: ${String(block['type'])}`);
    if (surface === 'stream' && block['type'] === 'file') throw new ApiFault('internal_error');
    if (block['type'] === 'input' && surface === 'message') fail(`/blocks/${n}/type`, 'unsupported type: input');
    checkBlock(block, `/blocks/${n}`);
  }
  const markdown = blocks.reduce(
    (sum, block) => sum + (block['type'] === 'markdown' && typeof block['text'] === 'string' ? block['text'].length : 0),
    0,
  );
  if (markdown > 12_000) throw new ApiFault('msg_blocks_too_long');
  if (blocks.filter((block) => block['type'] === 'data_visualization').length > 2) fail('/blocks', 'no more than 2 charts allowed');
  if (!unique(blocks.flatMap((block) => (typeof block['block_id'] === 'string' ? [block['block_id']] : []))))
    fail('/blocks', 'block_id already exists');
};
