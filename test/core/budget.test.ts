import { describe, expect, it } from 'vitest';
import { dayExceeded, dayOf, estimateTokens, isDayLimited, noLimits, spenderOf, toFailure, turnExceeded } from '../../src/core/budget.ts';
import { forPerson } from '../../src/core/failure.ts';
import { conversationIdOf } from '../../src/core/ids.ts';

const at = Date.UTC(2026, 10, 30, 18, 40);
const nothing = { tokens: 0, micros: 0 };
const used = { workspace: nothing, channel: nothing, person: { tokens: 90, micros: 5 } };

describe('budgets', () => {
  it('takes no limit for none, and 0 for nothing at all', () => {
    expect(turnExceeded(noLimits.turn, { tokens: 1e12, micros: 1e12 }, nothing)).toBeNull();
    expect(isDayLimited(noLimits.day)).toBe(false);
    expect(turnExceeded({ tokens: 0, micros: null }, nothing, nothing)).toEqual({ scope: 'turn', what: 'tokens' });
  });

  it('lets a request through that just fits, and none that does not', () => {
    const limits = { ...noLimits.day, person: { tokens: 100, micros: null } };
    expect(dayExceeded(limits, used, { tokens: 10, micros: 0 })).toBeNull();
    expect(dayExceeded(limits, used, { tokens: 11, micros: 0 })).toEqual({ scope: 'person', what: 'tokens' });
  });

  it('U140: says whose budget it is and when it starts afresh, in words without numbers of others', () => {
    const exceeded = dayExceeded({ ...noLimits.day, person: { tokens: null, micros: 5 } }, used, nothing);
    expect(exceeded).toEqual({ scope: 'person', what: 'money' });
    expect(forPerson(toFailure(exceeded!, at))).toMatch(
      /^You have used up .* cost today\. It starts afresh in about 5 hours \(midnight UTC\)/,
    );
    const late = toFailure({ scope: 'channel', what: 'tokens' }, Date.UTC(2026, 10, 30, 23, 59, 30));
    expect(forPerson(late)).toMatch(/^This channel has .* in 1 minute /);
    expect(forPerson(toFailure({ scope: 'turn', what: 'tokens' }, at))).toContain('one answer may use only so many tokens');
  });

  it('counts by days of UTC, by workspace and channel of the conversation', () => {
    expect(dayOf(at)).toBe('2026-11-30');
    const conversation = conversationIdOf({ platform: 'slack', workspace: 'T1', channel: 'C1', thread: '1.2' });
    expect(spenderOf(conversation, { id: 'U1', name: 'Ann' })).toEqual({ platform: 'slack', workspace: 'T1', channel: 'C1', person: 'U1' });
  });

  it('estimates by bytes, so that no script is taken for cheap', () => {
    expect(estimateTokens(['abc', 'ä'.repeat(3)]).input).toBe(3);
  });
});
