import { describe, expect, it } from 'vitest';
import { ruleSchema } from '../../src/core/channel-settings.ts';
import { whoIsSpokenTo } from '../../src/core/speaking.ts';
import type { Heard, Rule, Spoken } from '../../src/core/speaking.ts';

const flags = [true, false] as const;
/** Every message that there can be. */
const everything: readonly Heard[] = ruleSchema.options.flatMap((rule) =>
  flags.flatMap((direct) =>
    flags.flatMap((mentioned) =>
      flags.flatMap((inOwnThread) =>
        flags.flatMap((toOthers) => flags.map((threaded) => ({ rule, direct, mentioned, inOwnThread, toOthers, threaded }))),
      ),
    ),
  ),
);
const where = (fits: Partial<Heard>): readonly Heard[] =>
  everything.filter((heard) =>
    Object.entries(fits).every(([name, value]) => Object.entries(heard).some(([n, v]) => n === name && v === value)),
  );
const all = (fits: Partial<Heard>): ReadonlySet<Spoken> => new Set(where(fits).map(whoIsSpokenTo));
const plain = { direct: false, mentioned: false, toOthers: false } as const;

describe('who is spoken to', () => {
  it('is decided for every message: 96 of them, in one table', () => {
    expect(everything).toHaveLength(96);
    const table = everything.map((heard) => {
      const facts = (['direct', 'mentioned', 'inOwnThread', 'toOthers', 'threaded'] as const).filter((name) => heard[name]);
      return `${heard.rule}: ${facts.join(', ') || 'plain words in the channel'} -> ${whoIsSpokenTo(heard)}`;
    });
    expect(table).toMatchSnapshot();
  });

  it.each(ruleSchema.options)('U036: answers a direct message and a mention, whatever else, under the rule %s', (rule: Rule) => {
    expect(all({ rule, direct: true })).toEqual(new Set(['answer']));
    expect(all({ rule, mentioned: true })).toEqual(new Set(['answer']));
  });

  it.each(ruleSchema.options)('says nothing to what is meant for somebody else, under the rule %s', (rule: Rule) => {
    expect(all({ rule, direct: false, mentioned: false, toOthers: true })).toEqual(new Set(['ignore']));
  });

  it('U037: answers a follow-up without a mention in its own thread', () => {
    expect(all({ rule: 'mention', ...plain, inOwnThread: true })).toEqual(new Set(['answer']));
    expect(all({ rule: 'all', ...plain, inOwnThread: true })).toEqual(new Set(['answer']));
  });

  it('U035, U038: in strict mode a plain follow-up is answered by a hint at most', () => {
    expect(all({ rule: 'strict', ...plain, inOwnThread: true })).toEqual(new Set(['hint']));
    expect(all({ rule: 'strict', ...plain, inOwnThread: false })).toEqual(new Set(['ignore']));
  });

  it('gives hints in strict mode only', () => {
    expect(new Set(everything.filter((heard) => whoIsSpokenTo(heard) === 'hint').map(({ rule }) => rule))).toEqual(new Set(['strict']));
  });

  it('D16: is not woken by words to the whole channel unless the channel is set so', () => {
    const lunch = { ...plain, inOwnThread: false, threaded: false } as const;
    expect(all({ rule: 'mention', ...lunch })).toEqual(new Set(['ignore']));
    expect(all({ rule: 'strict', ...lunch })).toEqual(new Set(['ignore']));
    expect(all({ rule: 'all', ...lunch })).toEqual(new Set(['answer']));
  });

  it('leaves other people’s threads to them, also where it answers everything', () => {
    for (const rule of ruleSchema.options) expect(all({ rule, ...plain, inOwnThread: false, threaded: true })).toEqual(new Set(['ignore']));
  });
});
