/** The little world that commands look at. */
import { findApproval } from '../core/approval.ts';
import type { ChannelSettings } from '../core/channel-settings.ts';
import type { CommandView, ModelChoice, SentPart } from '../core/command.ts';
import { defaultChannelSettings, modelIn, personaIn } from '../core/channel-settings.ts';
import { spenderOf } from '../core/budget.ts';
import { project, wholeHistory } from '../core/context.ts';
import type { Entry, Session } from '../core/conversation.ts';
import { newSession } from '../core/conversation.ts';
import type { Failure } from '../core/failure.ts';
import { addressOf } from '../core/ids.ts';
import type { ConversationId } from '../core/ids.ts';
import type { Person } from '../core/message.ts';
import { ok } from '../core/result.ts';
import type { Result } from '../core/result.ts';
import { commandHelp } from '../commands/index.ts';
import type { ModelMessage } from '../ports/model.ts';
import { readManifest } from './attach-files.ts';
import type { TurnDeps } from './deps.ts';
import { dialectOf } from './dialect.ts';
import { currentTable } from './tool-table.ts';

export type ViewDeps = Pick<TurnDeps, 'store' | 'blobs' | 'budgets' | 'channels' | 'clock' | 'plugins' | 'models'>;
export type ViewOf = {
  readonly conversation: ConversationId;
  readonly session: Session | null;
  readonly author: Person;
  readonly busy: boolean;
};

/** `session` null: nothing is stored of the conversation yet; commands see an empty one. */
export const commandView = async (
  deps: ViewDeps,
  { conversation, session, author, busy }: ViewOf,
): Promise<Result<CommandView, Failure>> => {
  const channel = await settingsOf(deps, conversation);
  return channel.ok ? ok(viewIn(deps, { conversation, session, author, busy }, channel.value)) : channel;
};

const viewIn = (deps: ViewDeps, { conversation, session, author, busy }: ViewOf, channel: ChannelSettings): CommandView => ({
  author,
  platform: addressOf(conversation)?.platform ?? '',
  session: session ?? newSession(deps.clock.now(), author),
  busy,
  entries: () => allEntries(deps, conversation),
  manifest: (snapshot) => readManifest(deps.blobs, conversation, snapshot),
  blob: (id) => deps.blobs.get(conversation, id),
  today: () => deps.budgets.today(spenderOf(conversation, author)),
  sent: async (entries) => ok(sentParts(deps, conversation, entries, session ?? newSession(0), channel)),
  approval: async (id, now) => {
    const all = await allEntries(deps, conversation);
    return all.ok ? ok(findApproval(all.value.slice(session?.since ?? 0), conversation, id, now)) : all;
  },
  models: choicesIn(deps.models.choices(conversation), channel),
  settings: channel,
  commands: commandHelp,
});

/** The channel's own choice goes before the installation's. */
const choicesIn = (models: readonly ModelChoice[], { model }: ChannelSettings): readonly ModelChoice[] =>
  models.some(({ key }) => key === model) ? models.map((one) => ({ ...one, current: one.key === model })) : models;

/** The settings of the conversation's channel. A record that cannot be read counts as none: `settings` writes a new one. */
export const settingsOf = async (
  deps: Pick<ViewDeps, 'channels'>,
  conversation: ConversationId,
): Promise<Result<ChannelSettings, Failure>> => {
  const address = addressOf(conversation);
  if (address === undefined) return ok(defaultChannelSettings);
  const settings = await deps.channels.get(address);
  return !settings.ok && settings.failure.code === 'entry-unreadable' ? ok(defaultChannelSettings) : settings;
};

/** All entries of a conversation, read in pages. */
export const allEntries = async (
  deps: Pick<ViewDeps, 'store'>,
  conversation: ConversationId,
): Promise<Result<readonly Entry[], Failure>> => {
  const all: Entry[] = [];
  for (;;) {
    const page = await deps.store.entries(conversation, all.length, 1_000);
    if (!page.ok) return page;
    all.push(...page.value.entries);
    if (page.value.entries.length === 0 || all.length >= page.value.total) return ok(all);
  }
};

/** In the dialect of the model that would be asked now: the stored answer tells which one it was, not how it was spoken to. */
const sentParts = (
  deps: ViewDeps,
  conversation: ConversationId,
  entries: readonly Entry[],
  session: Session,
  channel: ChannelSettings,
): readonly SentPart[] => {
  const model = deps.models.route(conversation, modelIn(session, channel))[0].describe();
  const { system, tools, messages } = dialectOf(model.toolCalls, currentTable(deps.plugins), personaIn(session, channel));
  const specs = tools.map((tool): SentPart => ({
    role: 'tools',
    text: `${tool.name}: ${tool.description.text}`,
    stamp: tool.description.stamp,
  }));
  return [
    { role: 'system', text: system.text, stamp: system.stamp },
    ...specs,
    ...messages(project(wholeHistory(entries, session.since), model.contextTokens), 'none').map(toPart),
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
