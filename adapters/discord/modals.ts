/** The modals: what they ask. Pure. Lengths are Discord's: title 45, label 45, description 100, text 4,000; at most five fields. */
import { ComponentType, TextInputStyle } from 'discord.js';
import type { APIModalInteractionResponseCallbackData } from 'discord.js';
import type { ChannelSettings } from '../../src/core/channel-settings.ts';
import type { CommandHelp, CommandOption } from '../../src/core/command.ts';
import { modalId } from './actions.ts';

const LABEL = 45;
const DESCRIPTION = 100;
const QUESTION = 4_000;
const PERSONA = 1_000;

type Field = APIModalInteractionResponseCallbackData['components'][number];

export const askModal = (about: { readonly message: string; readonly note: string }): APIModalInteractionResponseCallbackData => ({
  custom_id: modalId('ask', about),
  title: 'Ask about this',
  components: [
    {
      type: ComponentType.Label,
      label: 'Your question',
      description: 'Left empty, it is: what do you say to this?',
      component: {
        type: ComponentType.TextInput,
        custom_id: 'question',
        style: TextInputStyle.Paragraph,
        required: false,
        max_length: QUESTION,
      },
    },
  ],
});

export const personaModal = (): APIModalInteractionResponseCallbackData => ({
  custom_id: modalId('persona'),
  title: 'Persona',
  components: [
    {
      type: ComponentType.Label,
      label: 'How shall I present myself in this thread?',
      description: 'Tone, role or language; none for no persona, default for the channel’s',
      component: { type: ComponentType.TextInput, custom_id: 'text', style: TextInputStyle.Paragraph, required: true, max_length: PERSONA },
    },
  ],
});

/** The settings of a channel, one field for each option of the command `settings`; with what holds now, where that is known in time. */
export const settingsModal = (command: CommandHelp, now: ChannelSettings | null): APIModalInteractionResponseCallbackData => ({
  custom_id: modalId('settings'),
  title: 'How I behave in this channel',
  components: command.options.slice(0, 5).map((option) => fieldFor(option, currentOf(option, now))),
});

const fieldFor = (option: CommandOption, current: string): Field => {
  const common = {
    type: ComponentType.Label as const,
    label: option.name.slice(0, LABEL),
    description: option.description.slice(0, DESCRIPTION),
  };
  if (option.choices.length > 0) {
    return {
      ...common,
      component: {
        type: ComponentType.StringSelect,
        custom_id: option.name,
        required: false,
        min_values: 0,
        max_values: 1,
        options: option.choices.map(({ name, value }) => ({ label: name, value, default: value === current })),
      },
    };
  }
  return {
    ...common,
    component: {
      type: ComponentType.TextInput,
      custom_id: option.name,
      style: TextInputStyle.Short,
      required: false,
      max_length: PERSONA,
      ...(current === '' ? {} : { value: current.slice(0, PERSONA) }),
    },
  };
};

const currentOf = ({ name }: CommandOption, now: ChannelSettings | null): string => {
  const value: unknown = now === null ? null : new Map<string, unknown>(Object.entries(now)).get(name);
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return typeof value === 'string' ? value : '';
};
