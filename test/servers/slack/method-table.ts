/** Every method of the Web API that the stand-in knows: who carries it out, the scope it takes and how often it may be called. */
import type { Handler } from './call.ts';
import * as agents from './methods/agents.ts';
import * as chat from './methods/chat.ts';
import * as conversations from './methods/conversations.ts';
import * as files from './methods/files.ts';
import * as oauth from './methods/oauth.ts';
import * as people from './methods/people.ts';
import * as streams from './methods/streams.ts';
import * as views from './methods/views.ts';

export type Method = {
  readonly run: Handler;
  /** Null: any token will do, or the method checks for itself. */
  readonly scope: string | null;
  /** Calls per minute and workspace. */
  readonly perMinute: number;
  readonly token: 'bot' | 'app' | 'none';
};

const method = (run: Handler, scope: string | null, perMinute: number, token: Method['token'] = 'bot'): Method => ({
  run,
  scope,
  perMinute,
  token,
});

const [TIER1, TIER2, TIER3, TIER4, SPECIAL] = [1, 20, 50, 100, 600];

export const methods: Readonly<Record<string, Method>> = {
  'api.test': method(({ args }) => ({ args: args.all }), null, TIER4, 'none'),
  'auth.test': method(people.test, null, SPECIAL),
  'auth.revoke': method(people.revoke, null, TIER3),
  'apps.connections.open': method(({ socket }) => ({ url: socket.open() }), 'connections:write', TIER1 * 30, 'app'),
  'oauth.v2.access': method(oauth.access, null, SPECIAL, 'none'),
  'blocks.validate': method(chat.validateBlocks, null, TIER4, 'none'),
  'chat.postMessage': method(chat.postMessage, 'chat:write', SPECIAL),
  'chat.update': method(chat.update, 'chat:write', TIER3),
  'chat.delete': method(chat.remove, 'chat:write', TIER3),
  'chat.postEphemeral': method(chat.postEphemeral, 'chat:write', TIER4),
  'chat.getPermalink': method(chat.getPermalink, null, SPECIAL),
  'chat.startStream': method(streams.startStream, 'chat:write', TIER2),
  'chat.appendStream': method(streams.appendStream, 'chat:write', TIER4),
  'chat.stopStream': method(streams.stopStream, 'chat:write', TIER2),
  'agents.sessions.setStatus': method(agents.setStatus, 'assistant:write', TIER3),
  'agents.sessions.rename': method(agents.rename, 'assistant:write', TIER3),
  'assistant.threads.setStatus': method(agents.setThreadStatus, null, SPECIAL),
  'assistant.threads.setTitle': method(agents.setThreadTitle, 'assistant:write', TIER3),
  'assistant.threads.setSuggestedPrompts': method(agents.setSuggestedPrompts, 'assistant:write', TIER3),
  'conversations.replies': method(conversations.replies, null, TIER3),
  'conversations.history': method(conversations.history, null, TIER3),
  'conversations.info': method(conversations.info, null, TIER3),
  'conversations.members': method(conversations.members, null, TIER4),
  'conversations.list': method(conversations.list, null, TIER2),
  'conversations.open': method(conversations.open, null, TIER3),
  'conversations.join': method(conversations.join, 'channels:join', TIER3),
  'conversations.leave': method(conversations.leave, null, TIER3),
  'users.info': method(people.info, null, TIER4),
  'users.list': method(people.list, null, TIER2),
  'bots.info': method(people.botInfo, null, TIER3),
  'team.info': method(people.team, null, TIER3),
  'reactions.add': method(people.addReaction, 'reactions:write', TIER3),
  'reactions.remove': method(people.removeReaction, 'reactions:write', TIER2),
  'reactions.get': method(people.getReactions, 'reactions:read', TIER3),
  'files.getUploadURLExternal': method(files.getUploadUrl, 'files:write', TIER4),
  'files.completeUploadExternal': method(files.completeUpload, 'files:write', TIER4),
  'files.info': method(files.info, 'files:read', TIER4),
  'files.delete': method(files.remove, 'files:write', TIER3),
  'views.open': method(views.open, null, TIER4),
  'views.push': method(views.push, null, TIER4),
  'views.update': method(views.update, null, TIER4),
  'views.publish': method(views.publish, null, TIER4),
};
