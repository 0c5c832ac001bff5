/** In which order a message is tried where Discord refuses it. Pure; nothing is ever said twice the same way. */
import type { Failure } from '../../../src/core/failure.ts';
import type { OutMessage } from '../encode.ts';
import { smallLine } from '../encode-cell.ts';
import { messageLimits } from '../limits.ts';
import { discordCode, statusOf } from '../rest/failure.ts';
import { alive } from './target.ts';
import type { Target } from './target.ts';

export type Form = 'whole' | 'no-files' | 'plain' | 'sorry';
export type Way = {
  readonly by: 'token' | 'channel' | 'direct';
  readonly channel: string;
  readonly reply: string;
  readonly form: Form;
  /** What the form makes of a message. */
  readonly change: (message: OutMessage) => OutMessage;
};

const whole = (message: OutMessage): OutMessage => message;

/** Null: there is none. */
export const firstWay = (target: Target, first: boolean, now: number): Way | null => {
  const { token } = target;
  const form = { form: 'whole', change: whole } as const;
  if (alive(token, now) && (token.hidden || !target.member)) return { by: 'token', channel: '', reply: '', ...form };
  if (!target.member) return null;
  return { by: 'channel', channel: target.channel, reply: first ? target.reply : '', ...form };
};

/** The way after a refusal; `wait` in seconds where Discord only wants it later; null where nothing is left to be tried. */
export const nextWay = (way: Way, why: Failure, target: Target, message: OutMessage): Way | { readonly wait: number } | null => {
  const code = discordCode(why);
  if (code === null) return null;
  const { form } = way;
  const hasFiles = message.files.length > 0 && form === 'whole';
  const without = (note: string): Way => ({ ...way, form: 'no-files', change: (one) => withoutFiles(one, note) });
  const plain: Way = { ...way, form: 'plain', change: (one) => ({ ...withoutFiles(one, 'could not be sent'), rows: [] }) };
  switch (code) {
    // Slow mode, and the limit of writes to a channel.
    case 20_016:
    case 20_028:
      return { wait: 15 };
    case 40_005:
    case 30_015:
      return hasFiles ? without('Discord says that this is too large') : null;
    case 200_000:
    case 200_001:
      return form === 'sorry' ? null : sorry(way, 'The rules of this server’s AutoMod held back this part of my answer.');
    // A reply to a message that cannot be replied to, or without the right to read it.
    case 160_002:
    case 50_021:
      return way.reply === '' ? null : { ...way, reply: '' };
    case 50_001:
    case 50_013:
      return hasFiles && code === 50_013 ? without('I may not attach files here') : elsewhere(way, target);
    case 160_005:
    case 50_083:
    case 50_008:
      return elsewhere(way, target);
    default:
      break;
  }
  if (statusOf(why) === 413) return hasFiles ? without('Discord says that this is too large') : null;
  if (statusOf(why) !== 400) return null;
  if (way.reply !== '') return { ...way, reply: '' };
  if (form === 'whole' || form === 'no-files') return plain;
  return form === 'plain' ? sorry(way, 'Discord refused this part of my answer. `/export` gives you the whole thread as a file.') : null;
};

/** From the thread to its channel, from the channel to the asker. What cannot be told there either is not told. */
const elsewhere = (way: Way, target: Target): Way | null => {
  const form = { form: 'whole', change: whole } as const;
  if (way.by !== 'channel' || target.direct) return null;
  if (way.channel !== target.parent) return { by: 'channel', channel: target.parent, reply: target.question, ...form };
  if (target.user === '') return null;
  return { by: 'direct', channel: '', reply: '', form: 'whole', change: (one) => toAsker(one, target) };
};

/** As it is said to the asker alone: buttons would have no session in the direct channel. */
export const toAsker = (message: OutMessage, target: Target): OutMessage =>
  withLine({ ...message, rows: [] }, `I may not write in <#${target.parent}>, so this comes to you.`);

const sorry = (way: Way, words: string): Way => ({
  ...way,
  form: 'sorry',
  change: (one) => ({ content: `-# ${words}`, rows: one.rows, files: [] }),
});

/** Small print under a message, where it has room. */
export const withLine = (message: OutMessage, line: string): OutMessage => {
  const content = message.content === '' ? `-# ${line}` : `${message.content}\n-# ${line}`;
  return content.length > messageLimits.contentChars ? message : { ...message, content };
};

const withoutFiles = (message: OutMessage, note: string): OutMessage => {
  if (message.files.length === 0) return message;
  const bare = { ...message, files: [] };
  const names = message.files.map(({ name }) => name).join(', ');
  const lines = smallLine(`Without ${names}: ${note}.`, 180);
  const content = bare.content === '' ? lines : `${bare.content}\n${lines}`;
  if (content.length <= messageLimits.contentChars) return { ...bare, content };
  return { ...bare, content: `${bare.content.slice(0, messageLimits.contentChars - 40).toWellFormed()}\n-# (without its files)` };
};
