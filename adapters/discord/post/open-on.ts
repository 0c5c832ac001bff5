/** Opens the thread of a question: on the message that asks, or on the answer to a slash command. Its name is set here and never changed. */
import { ThreadAutoArchiveDuration } from 'discord.js';
import { z } from 'zod';
import type { Failure } from '../../../src/core/failure.ts';
import type { Address, ConversationId } from '../../../src/core/ids.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { toEditBody } from '../encode.ts';
import { escapeText } from '../markdown-escape.ts';
import { threadName } from '../markdown.ts';
import { discordCode, isUnknown } from '../rest/failure.ts';
import type { TargetDeps } from './targets.ts';
import { tokenOf } from './target.ts';
import type { Origin } from './target.ts';

const KEPT_MS = 30 * 24 * 3_600_000;
/** Threads have a limit of minutes of their own; nobody waits for it. */
const PATIENCE_MS = 4_000;
const EXISTS = 160_004;

/** Resolves with the thread, or null where the answer is to be a reply in the channel. */
export const openOn = async (
  deps: TargetDeps,
  conversation: ConversationId,
  address: Address,
  origin: Origin,
): Promise<Result<string | null, Failure>> => {
  const { message = '', threads = '', interaction = '' } = origin;
  if (threads !== 'thread') return ok(null);
  if (message !== '' && address.thread === message) return start(deps, address, message, await nameOf(deps, address, origin));
  // A reply in the channel goes on with a session that lives there; a slash command begins one.
  return interaction !== '' && address.thread === interaction ? onCommand(deps, conversation, address, origin) : ok(null);
};

const start = async (
  { calls, log }: TargetDeps,
  { channel }: Address,
  message: string,
  name: string,
): Promise<Result<string | null, Failure>> => {
  const body = { name, auto_archive_duration: ThreadAutoArchiveDuration.ThreeDays };
  const opened = await calls.startThreadOn(channel, message, body, { patienceMs: PATIENCE_MS });
  // The thread on a message has the message's id, whoever opened it.
  if (opened.ok || discordCode(opened.failure) === EXISTS) return ok(message);
  if (isUnknown(opened.failure) || opened.failure.code === 'config-invalid') return opened;
  log.info({ detail: opened.failure.detail }, 'no thread can be opened on a message; the answer is a reply in the channel');
  return ok(null);
};

/** The command's answer becomes what the thread hangs on, and says what was asked. */
const onCommand = async (
  deps: TargetDeps,
  conversation: ConversationId,
  address: Address,
  origin: Origin,
): Promise<Result<string | null, Failure>> => {
  const { calls, notes, shared, clock } = deps;
  const token = tokenOf(origin, null, clock.now());
  if (token === null || token.first !== 'fill') return ok(null);
  const title = threadName(origin['title'] ?? '');
  const content = origin['asked'] || `> ${escapeText(title, true)}`;
  const first = await calls.editOriginal(token, toEditBody({ content, rows: [], files: [] }));
  if (!first.ok) return isUnknown(first.failure) ? first : ok(null);
  const root = first.value.id;
  const opened = await start(deps, address, root, title);
  if (!opened.ok || opened.value === null) return opened;
  const named = await shared.set(`thread:${root}`, address.thread, KEPT_MS);
  if (!named.ok) return named;
  // It was answered: what follows is said in the thread.
  const given = await notes.set(conversation, `original:${token.interaction}`, 'thread');
  return given.ok ? opened : given;
};

const contentSchema = z.object({ content: z.string().default('') });

const nameOf = async ({ calls }: TargetDeps, { channel }: Address, origin: Origin): Promise<string> => {
  const told = origin['title'] ?? '';
  if (told !== '') return threadName(told);
  const read = await calls.message(channel, origin['message'] ?? '', { patienceMs: PATIENCE_MS });
  return threadName(read.ok ? (contentSchema.safeParse(read.value).data?.content ?? '') : '');
};
