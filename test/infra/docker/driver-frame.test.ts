import { describe, expect, it } from 'vitest';
import { decodeDriverFrame } from '../../../src/infra/docker/driver-frame.ts';

const decode = (type: string, value: unknown) => decodeDriverFrame({ type, payload: Buffer.from(JSON.stringify(value)) });
const answer = { n: 1, ok: true, error: null, value: null, notes: [], ms: 1 };
const saved = { n: 1, manifest: {}, lost: [], changed: [], removed: [], new: [], ms: 1 };
const id = 'a'.repeat(32);

describe('what the driver says', () => {
  it('is decoded', () => {
    expect(decode('D', answer)).toMatchObject({ kind: 'answer', answer: { ok: true } });
    expect(decode('S', saved)).toMatchObject({ kind: 'saved' });
    expect(decode('N', [id])).toEqual({ kind: 'need', ids: [id] });
    expect(decodeDriverFrame({ type: 'B', payload: Buffer.from(`${id}bytes`) })).toMatchObject({ kind: 'blob', id });
    expect(decodeDriverFrame({ type: 'E', payload: Buffer.from('x') })).toMatchObject({ kind: 'output', stream: 'stderr' });
  });

  it.each([
    ['no JSON', 'D', Buffer.from('{')],
    ['another shape', 'D', Buffer.from('{"n":1}')],
    ['a list for an object', 'S', Buffer.from('[]')],
    ['a path out of the workspace', 'S', Buffer.from(JSON.stringify({ ...saved, removed: ['../../etc/passwd'] }))],
    ['an absolute path', 'S', Buffer.from(JSON.stringify({ ...saved, changed: [{ path: '/etc/passwd', size: 1, id }] }))],
    ['an id that is none', 'N', Buffer.from('["../x"]')],
    ['a blob without an id', 'B', Buffer.from('short')],
    ['a picture whose length lies', 'P', Buffer.from([0xff, 0xff, 0xff, 0xff, 1])],
    ['an empty picture', 'P', Buffer.alloc(0)],
  ])('is garbled where it is %s', (_, type, payload) => {
    expect(decodeDriverFrame({ type, payload })).toMatchObject({ kind: 'garbled' });
  });

  it('is cut to a length rather than believed, and loses lone surrogates', () => {
    const frame = decode('D', {
      ...answer,
      value: { text: 'r'.repeat(100_000), type: '\ud83c' },
      notes: Array.from({ length: 500 }, () => 'n'.repeat(5_000)),
    });
    if (frame.kind !== 'answer') throw new Error('no answer');
    expect(frame.answer.value?.text.length).toBeLessThan(21_000);
    expect(frame.answer.value?.type.isWellFormed()).toBe(true);
    expect(frame.answer.notes).toHaveLength(20);
    expect(frame.answer.notes[0]?.length).toBeLessThan(600);
  });
});
