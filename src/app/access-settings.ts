/** The settings of who may do what: environment -> the rules of the gate (src/core/gate.ts). */
import { z } from 'zod';
import type { Rules } from '../core/gate.ts';

/** A list with commas between; each entry has so many parts, parted by `/`. Parts may be empty: the web has no workspaces. */
const list = (parts: number, form: string) =>
  z.string().transform((value, context) => {
    const entries = value
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '');
    const wrong = entries.find((one) => one.split('/').length !== parts || /\s/.test(one) || one.startsWith('/'));
    if (wrong !== undefined) context.addIssue({ code: 'custom', message: `${wrong} is not ${form}` });
    return entries;
  });
const people = list(2, 'platform/person, as in slack/U0123').default([]);

export const accessShape = {
  HEKTOR_OPERATORS: people,
  HEKTOR_PEOPLE: people,
  HEKTOR_RUNNERS: people,
  HEKTOR_CHANNELS: list(3, 'platform/workspace/channel, as in slack/*/C0123').default([]),
  HEKTOR_OUTSIDERS: z.enum(['on', 'off']).default('off'),
};
const schema = z.object(accessShape);

export const toRules = (it: z.output<typeof schema>): Rules => ({
  operators: it.HEKTOR_OPERATORS,
  people: it.HEKTOR_PEOPLE,
  runners: it.HEKTOR_RUNNERS,
  channels: it.HEKTOR_CHANNELS,
  outsiders: it.HEKTOR_OUTSIDERS === 'on',
});
