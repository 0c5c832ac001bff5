/** The modals: what they ask, and what they carry over to their submission. Pure. */
import type { KnownBlock, ModalView, PlainTextElement } from '@slack/types';
import { z } from 'zod';
import type { ChannelSettings } from '../../../src/core/channel-settings.ts';
import { optionsOn } from '../../../src/core/command.ts';
import type { CommandHelp, CommandOption } from '../../../src/core/command.ts';
import { plainWords } from '../../../src/core/markdown-text.ts';
import { firstLine } from '../../../src/core/text.ts';
import { viewIds } from '../actions.ts';
import { mrkdwnOf } from '../markdown/markdown.ts';

const plain = (text: string, max: number): PlainTextElement => ({ type: 'plain_text', text: text.slice(0, max), emoji: false });

/** Lengths that Slack takes. */
const TITLE = 24;
const LABEL = 150;
const OPTION = 75;
const QUESTION = 3_000;

const question = (hint: string): KnownBlock => ({
  type: 'input',
  block_id: 'question',
  label: plain('Your question', LABEL),
  element: {
    type: 'plain_text_input',
    action_id: 'question',
    multiline: true,
    max_length: QUESTION,
    focus_on_load: true,
    placeholder: plain(hint, 150),
  },
});
const modal = (callback: string, title: string, meta: string, blocks: readonly KnownBlock[], submit = 'Send'): ModalView => ({
  type: 'modal',
  callback_id: callback,
  title: plain(title, TITLE),
  submit: plain(submit, TITLE),
  close: plain('Cancel', TITLE),
  private_metadata: meta,
  blocks: [...blocks],
});

/** What "Ask about this" carries: the message, and the name under which its words are noted. */
const aboutSchema = z.object({ channel: z.string(), ts: z.string(), root: z.string(), note: z.string() }).readonly();
export type About = z.infer<typeof aboutSchema>;
export const readAbout = (meta: string): About | null => aboutSchema.safeParse(parsed(meta)).data ?? null;

export const askAboutModal = (about: About, excerpt: string): ModalView =>
  modal(viewIds.askAbout, 'Ask about this', JSON.stringify(about), [
    { type: 'context', elements: [{ type: 'mrkdwn', text: mrkdwnOf(`About: ${plainWords(excerptOf(excerpt)) || 'this message'}`) }] },
    question('What does this mean? What should we answer?'),
  ]);

const excerptOf = (text: string): string => firstLine(text.replace(/\s+/g, ' ').trim(), 300);

export const newChatModal = (): ModalView =>
  modal(viewIds.newChat, 'New chat', '', [question('Ask anything. The answer comes as a direct message.')]);

const channelSchema = z.object({ channel: z.string() }).readonly();
export const readChannel = (meta: string): string | null => channelSchema.safeParse(parsed(meta)).data?.channel ?? null;

/** The settings of a channel, one field for each option of the command `settings`; with what holds now, where that is known in time. */
export const settingsModal = (command: CommandHelp, channel: string, now: ChannelSettings | null): ModalView =>
  modal(
    viewIds.settings,
    'Settings',
    JSON.stringify({ channel }),
    [
      { type: 'section', text: { type: 'mrkdwn', text: `How I behave in <#${channel}>. A field left empty stays as it is.` } },
      ...optionsOn(command, 'slack').map((option) => field(option, currentOf(option, now))),
    ],
    'Save',
  );

const currentOf = ({ name }: CommandOption, now: ChannelSettings | null): string => {
  const value: unknown = now === null ? null : new Map<string, unknown>(Object.entries(now)).get(name);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : '';
};

const field = (option: CommandOption, current: string): KnownBlock => {
  const choices = option.choices.map(({ name, value }) => ({ text: plain(name, OPTION), value }));
  const chosen = choices.find((choice) => choice.value === current);
  // What stands after the colon of a description is said under the field.
  const [label = '', hint = ''] = option.description.split(/:\s+(.*)/s, 2);
  const base = {
    type: 'input' as const,
    block_id: option.name,
    optional: true,
    label: plain(label, LABEL),
    ...(hint === '' ? {} : { hint: plain(hint.charAt(0).toUpperCase() + hint.slice(1), LABEL) }),
  };
  if (choices.length > 0) {
    return {
      ...base,
      element: {
        type: 'static_select',
        action_id: option.name,
        options: choices,
        ...(chosen === undefined ? {} : { initial_option: chosen }),
      },
    };
  }
  return {
    ...base,
    element: {
      type: 'plain_text_input',
      action_id: option.name,
      max_length: 1_000,
      ...(current === '' ? {} : { initial_value: current.slice(0, 1_000) }),
    },
  };
};

const parsed = (meta: string): unknown => {
  try {
    return JSON.parse(meta);
  } catch {
    return null;
  }
};
