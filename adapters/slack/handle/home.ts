/** The App Home: what the bot is, the sessions that this person takes part in, what was used, and the settings. */
import type { HomeView, KnownBlock, PlainTextElement } from '@slack/types';
import type { Failure } from '../../../src/core/failure.ts';
import { addressOf, eventKey } from '../../../src/core/ids.ts';
import { plainWords } from '../../../src/core/markdown-text.ts';
import { ok } from '../../../src/core/result.ts';
import type { Result } from '../../../src/core/result.ts';
import { firstLine } from '../../../src/core/text.ts';
import type { Gateway } from '../../../src/ports/adapter.ts';
import { actionIds } from '../actions.ts';
import { attempt } from '../api/client.ts';
import type { SlackClient } from '../api/client.ts';
import type { Installed } from '../decode/decode-envelope.ts';
import { addressIn, clientFor, NO_THREAD } from './desk.ts';
import type { Desk } from './desk.ts';
import { escapeText } from '../encode/encode-text.ts';
import { introduction } from './greeting.ts';
import { mrkdwnOf } from '../markdown/markdown.ts';

/** One session on the list. `link` null: Slack gave no address for it. */
export type HomeSession = { readonly title: string; readonly channel: string; readonly at: number; readonly link: string | null };
export type HomeFacts = {
  readonly command: string;
  readonly model: string;
  readonly practice: boolean;
  readonly sessions: readonly HomeSession[];
  /** Blocks that say what was used; empty where it cannot be read. */
  readonly usage: readonly KnownBlock[];
};

const SESSIONS = 8;
/** How many of the workspace's newest sessions are looked through for those of one person. */
const LOOKED_THROUGH = 60;
const MAX_BLOCKS = 100;

const plain = (text: string): PlainTextElement => ({ type: 'plain_text', text, emoji: false });
const header = (text: string): KnownBlock => ({ type: 'header', text: plain(text) });
const section = (text: string): KnownBlock => ({ type: 'section', text: { type: 'mrkdwn', text: text.slice(0, 2_900) } });
const small = (text: string): KnownBlock => ({ type: 'context', elements: [{ type: 'mrkdwn', text: text.slice(0, 1_900) }] });

/** The view. Pure. */
const toHomeView = (facts: HomeFacts): HomeView => ({
  type: 'home',
  blocks: [
    header('Hektor'),
    section(mrkdwnOf(introduction(facts.command))),
    {
      type: 'actions',
      elements: [
        { type: 'button', action_id: actionIds.newChat, text: plain('New chat'), style: 'primary' },
        {
          type: 'conversations_select',
          action_id: actionIds.settings,
          placeholder: plain('Settings of a channel'),
          filter: { include: ['public', 'private', 'mpim'], exclude_bot_users: true },
        },
      ],
    },
    header('Your recent sessions'),
    ...(facts.sessions.length === 0
      ? [section('None yet. Mention me in a channel, or write to me in Messages.')]
      : facts.sessions.map(sessionBlock)),
    ...(facts.usage.length === 0 ? [] : [header('What you used today'), ...facts.usage]),
    small(
      `${facts.practice ? 'No language model is set up: a practice model answers, which does not think.' : `Answers are written by the language model ${escapeText(facts.model)} and may be wrong.`} What is said in a thread is stored for that thread; \`!forget\` there erases it.`,
    ),
  ].slice(0, MAX_BLOCKS),
});

/** Bold, unless its own asterisks would end that. */
const titleWords = (title: string): string => mrkdwnOf(title.includes('*') ? plainWords(title) : `**${plainWords(title)}**`);

const sessionBlock = ({ title, channel, at, link }: HomeSession): KnownBlock => {
  const where = channel.startsWith('D') ? 'direct messages' : `<#${channel}>`;
  const when = `<!date^${Math.floor(at / 1000)}^{date_short_pretty}, {time}|${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}>`;
  const words = `${titleWords(firstLine(title, 120))}\n${where} · ${when}`;
  if (link === null) return section(words);
  return {
    type: 'section',
    text: { type: 'mrkdwn', text: words },
    accessory: { type: 'button', action_id: actionIds.link, text: plain('Open'), url: link },
  };
};

/** Publishes the Home of one person. */
export const publishHome = async (desk: Desk, by: Installed, user: string): Promise<Result<void, Failure>> => {
  const at = await clientFor(desk, by);
  if (!at.ok) return at;
  const { client } = at.value;
  const [sessions, usage] = await Promise.all([sessionsOf(desk, client, by, user), usageOf(desk.gateway, by, user)]);
  const { name, practice } = desk.gateway.model();
  const view = toHomeView({ command: desk.config.command, model: name, practice, sessions, usage });
  const published = await attempt(() => client.web.views.publish({ user_id: user, view }));
  if (!published.ok) desk.log.info({ detail: published.failure.detail }, 'an App Home could not be published');
  return ok(undefined);
};

/** Only what this person takes part in: others' threads may stand where they cannot look. */
const sessionsOf = async (desk: Desk, client: SlackClient, by: Installed, user: string): Promise<readonly HomeSession[]> => {
  const recent = await desk.gateway.recent('slack', by.workspace, LOOKED_THROUGH);
  if (!recent.ok) return [];
  const mine: HomeSession[] = [];
  for (const { conversation, title, at } of recent.value) {
    if (mine.length === SESSIONS) break;
    const address = addressOf(conversation);
    const read = await desk.gateway.read(conversation);
    if (address === undefined || !read.ok || read.value === null) continue;
    const { session, entries } = read.value;
    const takesPart = session.owner?.id === user || entries.some((entry) => entry.kind === 'said' && entry.author.id === user);
    if (!takesPart) continue;
    const link = await attempt(() => client.read.chat.getPermalink({ channel: address.channel, message_ts: address.thread }));
    mine.push({ title, channel: address.channel, at, link: link.ok ? (link.value.permalink ?? null) : null });
  }
  return mine;
};

const usageOf = async (gateway: Gateway, by: Installed, user: string): Promise<readonly KnownBlock[]> => {
  const accepted = await gateway.accept({
    kind: 'command',
    address: addressIn(by, 'home', NO_THREAD),
    key: eventKey(`home:${user}`),
    author: { id: user, name: user },
    standing: 'member',
    name: 'usage',
    args: '',
    origin: {},
  });
  if (!accepted.ok || accepted.value.answer === null) return [];
  // The command speaks of its thread first, and there is none here. Views hold no tables, so its words are shown as text.
  const [, ...ofToday] = accepted.value.answer.text.split(/(?=^\*\*You, today)/m);
  const words = mrkdwnOf(ofToday.join(''));
  return words === '' ? [section('Nothing yet today.')] : [section(words)];
};
