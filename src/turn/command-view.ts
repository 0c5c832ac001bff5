/** The little world that commands look at. */
import { findApproval } from '../core/approval.ts';
import type { CommandView, SentPart } from '../core/command.ts';
import { defaultChannelSettings } from '../core/channel-settings.ts';
import { spenderOf } from '../core/budget.ts';
import { project, wholeHistory } from '../core/context.ts';
import type { Entry, Session } from '../core/conversation.ts';
import { newSession } from '../core/conversation.ts';
import type { Failure } from '../core/failure.ts';
import { addressOf } from '../core/ids.ts';
import type { ConversationId } from '../core/ids.ts';
import type { Person } from '../core/message.ts';
import { render } from '../core/prompt.ts';
import { ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { commandHelp } from '../commands/index.ts';
import type { ModelDescription, ModelMessage } from '../ports/model.ts';
import { initialPrompt } from '../prompts/index.ts';
import { readManifest } from './attach-files.ts';
import type { TurnDeps } from './deps.ts';
import { toMessages } from './messages.ts';
import { toolSpecs, toolTable } from './tool-table.ts';

export type ViewDeps = Pick<TurnDeps, 'store' | 'blobs' | 'budgets' | 'channels' | 'clock' | 'plugins' | 'models'>;
export type ViewOf = {
  readonly conversation: ConversationId;
  readonly session: Session | null;
  readonly author: Person;
  readonly busy: boolean;
};

/** `session` null: nothing is stored of the conversation yet; commands see an empty one. */
export const commandView = (deps: ViewDeps, { conversation, session, author, busy }: ViewOf): CommandView => ({
  author,
  session: session ?? newSession(deps.clock.now(), author),
  busy,
  entries: () => allEntries(deps, conversation),
  manifest: (snapshot) => readManifest(deps.blobs, conversation, snapshot),
  blob: (id) => deps.blobs.get(conversation, id),
  today: () => deps.budgets.today(spenderOf(conversation, author)),
  sent: async (entries) =>
    ok(sentParts(deps, entries, session?.since ?? 0, deps.models.route(conversation, session?.model ?? null)[0].describe())),
  approval: async (id, now) => {
    const all = await allEntries(deps, conversation);
    return all.ok ? ok(findApproval(all.value.slice(session?.since ?? 0), conversation, id, now)) : all;
  },
  models: deps.models.choices(conversation),
  settings: () => settingsOf(deps, conversation),
  commands: commandHelp,
});

const settingsOf = (deps: ViewDeps, conversation: ConversationId): ReturnType<CommandView['settings']> => {
  const address = addressOf(conversation);
  return address === undefined ? Promise.resolve(ok(defaultChannelSettings)) : deps.channels.get(address);
};

/** All entries of a conversation, read in pages. */
const allEntries = async (deps: ViewDeps, conversation: ConversationId): Promise<Result<readonly Entry[], Failure>> => {
  const all: Entry[] = [];
  for (;;) {
    const page = await deps.store.entries(conversation, all.length, 1_000);
    if (!page.ok) return page;
    all.push(...page.value.entries);
    if (page.value.entries.length === 0 || all.length >= page.value.total) return ok(all);
  }
};

const sentParts = (deps: ViewDeps, entries: readonly Entry[], since: number, model: ModelDescription): readonly SentPart[] => {
  const table = toolTable(deps.plugins);
  const system = render(initialPrompt, { code: table.has('python'), gepl: false });
  const tools = toolSpecs(table).map((tool): SentPart => ({
    role: 'tools',
    text: `${tool.name}: ${tool.description.text}`,
    stamp: tool.description.stamp,
  }));
  return [
    { role: 'system', text: system.text, stamp: system.stamp },
    ...tools,
    ...toMessages(project(wholeHistory(entries, since), model.contextTokens), 'none').map(toPart),
  ];
};

const toPart = (message: ModelMessage): SentPart =>
  message.role === 'assistant'
    ? {
        role: 'assistant',
        text: [message.text, ...message.calls.map((call) => `${call.name}(${call.arguments})`)].filter((part) => part !== '').join('\n'),
        stamp: null,
      }
    : { role: message.role, text: message.content.text, stamp: message.content.stamp };
