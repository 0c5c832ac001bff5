/** `agents.sessions.*` and the older `assistant.threads.*`: both write to the same place in the thread. */
import { lengthOf } from '../args.ts';
import { channelOf, needScope } from '../call.ts';
import type { Call, Handler, Parts } from '../call.ts';
import { ApiFault, invalid } from '../fault.ts';
import type { AgentSession } from '../model.ts';
import { messageAt } from '../world.ts';
import type { World } from '../world.ts';

export const sessionAt = (world: World, channel: string, threadTs: string): AgentSession | null => {
  const found = world.sessions.get(`${channel}:${threadTs}`) ?? null;
  // A status of `processing` that nobody renews ends after an hour.
  if (found?.status === 'processing' && found.statusAt < world.clock.now() - 3_600_000) found.status = 'active';
  return found;
};

export const setSession = (
  { world }: Pick<Parts, 'world'>,
  channel: string,
  threadTs: string,
  change: Partial<Pick<AgentSession, 'status' | 'title' | 'legacyStatus' | 'prompts'>>,
): AgentSession => {
  const there = world.sessions.get(`${channel}:${threadTs}`);
  const session: AgentSession = there ?? { channel, threadTs, status: 'active', title: '', statusAt: 0, legacyStatus: '', prompts: [] };
  world.sessions.set(`${channel}:${threadTs}`, session);
  Object.assign(session, change, change.status === undefined ? {} : { statusAt: world.clock.now() });
  world.changed();
  return session;
};

const place = (call: Call): { readonly channel: string; readonly threadTs: string } => {
  if (!call.world.app.agents) throw new ApiFault('feature_not_enabled');
  const channel = channelOf(call, 'channel_id');
  const threadTs = call.args.need('thread_ts', 'invalid_thread_ts');
  if (messageAt(call.world, channel.id, threadTs) === null) throw new ApiFault('invalid_thread_ts');
  return { channel: channel.id, threadTs };
};

export const setStatus: Handler = (call) => {
  const status = call.args.need('status');
  if (!['processing', 'active', 'suspended', 'closed'].includes(status)) throw invalid('invalid_arguments', `status: ${status}`);
  const title = call.args.text('title');
  if (title !== null && lengthOf(title) > 200) throw invalid('invalid_arguments', 'title: must be less than 201 characters');
  const { channel, threadTs } = place(call);
  const initiator = call.args.text('initiator_user_id');
  if (initiator !== null && !call.world.channels.get(channel)?.members.has(initiator)) throw new ApiFault('user_not_in_channel');
  const isNew = sessionAt(call.world, channel, threadTs) === null;
  const session = setSession(call, channel, threadTs, { status, legacyStatus: '', ...(isNew && title !== null ? { title } : {}) });
  return { session: { channel_id: channel, thread_ts: threadTs, status: session.status, title: session.title } };
};

export const rename: Handler = (call) => {
  const title = call.args.need('title');
  if (lengthOf(title) > 200) throw invalid('invalid_arguments', 'title: must be less than 201 characters');
  const { channel, threadTs } = place(call);
  if (sessionAt(call.world, channel, threadTs) === null) throw new ApiFault('session_not_found');
  setSession(call, channel, threadTs, { title });
  return {};
};

/** The older status shows words; an empty text takes them away. */
export const setThreadStatus: Handler = (call) => {
  // Either scope is enough for this one.
  if (!call.installation?.scopes.includes('chat:write')) needScope(call, 'assistant:write');
  const { channel, threadTs } = place(call);
  setSession(call, channel, threadTs, { legacyStatus: call.args.text('status') ?? '' });
  return {};
};

export const setThreadTitle: Handler = (call) => {
  const { channel, threadTs } = place(call);
  setSession(call, channel, threadTs, { title: call.args.need('title') });
  return {};
};

export const setSuggestedPrompts: Handler = (call) => {
  const prompts = call.args.list('prompts', 'invalid_arguments') ?? [];
  if (prompts.length === 0 || prompts.length > 4) throw invalid('invalid_arguments', 'prompts: from 1 to 4');
  if (!prompts.every((one) => typeof one['title'] === 'string' && typeof one['message'] === 'string'))
    throw invalid('invalid_arguments', 'prompts: title and message');
  const channel = channelOf(call, 'channel_id');
  setSession(call, channel.id, call.args.text('thread_ts') ?? '', { prompts });
  return {};
};
