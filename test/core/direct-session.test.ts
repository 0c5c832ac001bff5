import { describe, expect, it } from 'vitest';
import { decodeDirectSession, directSession, directThread, encodeDirectSession } from '../../src/core/direct-session.ts';

const HOUR = 3_600_000;

describe('sessions of direct messages', () => {
  it('U044: a message after 30 hours begins a new one, one after 23 does not', () => {
    const first = directSession(null, 0, false);
    const second = directSession(first, 23 * HOUR, false);
    const third = directSession(second, 53 * HOUR, false);
    expect([first, second, third].map((one) => directThread('D1', one))).toEqual(['D1', 'D1', 'D1:2']);
    expect(directSession(first, 24 * HOUR, false).session).toBe(2);
  });

  it('U044: a new one may be asked for at any time', () => {
    const first = directSession(null, 0, true);
    expect(first.session).toBe(1);
    expect(directThread('D1', directSession(first, 1, true))).toBe('D1:2');
  });

  it('never goes back: not for a late message, and not in time', () => {
    const last = { session: 3, at: 30 * HOUR };
    expect(directSession(last, 10 * HOUR, false)).toEqual(last);
  });

  it('survives being stored, and a record that is none', () => {
    const record = { session: 2, at: 5 };
    expect(decodeDirectSession(encodeDirectSession(record))).toEqual(record);
    for (const text of [null, '', '{', '{"session":0,"at":1}', '[]', '{"session":"2"}']) expect(decodeDirectSession(text)).toBeNull();
  });
});
