/** What only one person should see: by the interaction that they asked with, else as a direct message. */
import type { Failure } from '../../../src/core/failure.ts';
import type { ConversationId } from '../../../src/core/ids.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import type { OutMessage } from '../encode.ts';
import { discordCode } from '../rest/failure.ts';
import { deliver } from './deliver.ts';
import type { DeliverDeps } from './deliver.ts';
import { patience } from './sender.ts';
import { alive } from './target.ts';
import type { Target } from './target.ts';

/** Direct messages are closed, or there is no server in common. */
const CLOSED = new Set([50_007, 50_278, 10_013]);
const ELSEHOW: OutMessage = {
  content:
    'That is for you alone, and your direct messages are closed to me. Ask me with the slash command of the same name, or open them for this server.',
  rows: [],
  files: [],
};

export const deliverHidden = async (
  deps: DeliverDeps,
  conversation: ConversationId,
  target: Target,
  person: string,
  key: string,
  messages: readonly OutMessage[],
): Promise<Result<void, Failure>> => {
  if (alive(target.token, deps.clock.now())) {
    await deps.sender.dropFirst(conversation, target);
    const said = await deliver(deps, conversation, target, key, messages, 0);
    // An interaction that is over, or whose channel is gone, is no reason to keep it from them.
    if (said.ok || discordCode(said.failure) === null || !target.member) return said.ok ? ok(undefined) : said;
  }
  if (!target.member) return ok(undefined);
  const opened = await deps.calls.directChannel(person, { patienceMs: patience.answer });
  if (!opened.ok) return closed(deps, conversation, target, key, opened.failure);
  const { id } = opened.value;
  // Buttons would have no session there.
  const plain = messages.map((message) => ({ ...message, rows: [] }));
  const direct: Target = { ...target, channel: id, parent: id, direct: true, reply: '', session: '', token: null };
  const said = await deliver(deps, conversation, direct, key, plain, 0);
  return said.ok ? ok(undefined) : closed(deps, conversation, target, key, said.failure);
};

const closed = async (
  deps: DeliverDeps,
  conversation: ConversationId,
  target: Target,
  key: string,
  why: Failure,
): Promise<Result<void, Failure>> => {
  if (!CLOSED.has(discordCode(why) ?? -1)) return { ok: false, failure: why };
  const told = await deliver(deps, conversation, { ...target, token: null }, `${key}:elsehow`, [ELSEHOW], 0);
  return told.ok ? ok(undefined) : told;
};
