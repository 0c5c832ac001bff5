import { describe, expect, it } from 'vitest';
import type { ContextItem } from '../../src/core/context-item.ts';
import { blobId, callId, eventKey, messageId, turnId } from '../../src/core/ids.ts';
import { newestPictures, pictureType } from '../../src/core/picture.ts';
import type { RunFile } from '../../src/core/run.ts';
import { toMessages } from '../../src/turn/messages.ts';
import { aRun } from '../support/a-run.ts';

const blob = (n: number) => blobId(n.toString(16).padStart(32, '0'));
const file = (n: number, fields: Partial<RunFile> = {}): RunFile => ({
  name: `f${n}.png`,
  type: 'image/png',
  size: 100,
  blob: blob(n),
  picture: true,
  alt: '',
  ...fields,
});
const said = (...files: readonly RunFile[]): ContextItem => ({
  kind: 'said',
  entry: {
    kind: 'said',
    at: 1,
    turn: turnId('t'),
    message: messageId('m'),
    key: eventKey('k'),
    author: { id: 'u', name: 'Ann' },
    text: 'look',
    intent: 'ask',
    files: files.map((file) => ({ ...file, table: null })),
  },
});
const drew = (id: string, ...files: readonly RunFile[]): ContextItem => ({
  kind: 'result',
  call: { id: callId(id), name: 'python', arguments: '{}' },
  text: '',
  run: aRun({ files }),
  files: [],
});
const image = (n: number) => ({ type: 'image/png', base64: `b${n}` }) as const;

describe('pictures for a model', () => {
  it('are what their bytes are, not what they are called', () => {
    expect(pictureType(Buffer.from('\u0089PNG\r\n\u001a\n....', 'latin1'))).toBe('image/png');
    expect(pictureType(Buffer.from([0xff, 0xd8, 0xff, 0xe0]))).toBe('image/jpeg');
    expect(pictureType(Buffer.from('GIF89a..'))).toBe('image/gif');
    expect(pictureType(Buffer.from('RIFF....WEBPVP8 '))).toBe('image/webp');
    for (const other of ['', '<svg xmlns=', 'RIFF....WAVE', '%PDF-1.7']) expect(pictureType(Buffer.from(other))).toBeNull();
  });

  it('are the newest few, each once, none of them huge or of a kind that servers do not take', () => {
    const items = [said(file(1), file(2)), said(file(3), file(4), file(5), file(5))];
    expect(newestPictures(items)).toEqual([blob(5), blob(4), blob(3), blob(2)]);
    expect(
      newestPictures([said(file(6, { size: 50_000_000 }), file(7, { type: 'image/svg+xml' }), file(8, { type: 'text/csv' }))]),
    ).toEqual([]);
  });

  it('that a run drew come after the results of the step, which can hold none', () => {
    const call = (id: string) => ({ id: callId(id), name: 'python', arguments: '{}' });
    const items: readonly ContextItem[] = [
      said(),
      { kind: 'assistant', text: '', calls: [call('a'), call('b')], passBack: null },
      drew('a', file(1)),
      drew('b', file(2)),
      { kind: 'assistant', text: 'there', calls: [], passBack: null },
    ];
    const pictures = new Map([1, 2].map((n) => [blob(n), image(n)]));
    const messages = toMessages(items, 'none', pictures);
    expect(messages.map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'tool', 'user', 'assistant']);
    expect(messages[4]).toMatchObject({ images: [image(1), image(2)] });
    expect(toMessages(items, 'none').map((message) => message.role)).toEqual(['user', 'assistant', 'tool', 'tool', 'assistant']);
  });

  it('of a person stand with their message, and the words say which are shown', () => {
    const [message] = toMessages([said(file(1), file(2))], 'none', new Map([[blob(2), image(2)]]));
    expect(message).toMatchObject({ images: [image(2)] });
    const words = message?.role === 'user' ? message.content.text : '';
    expect(words).toMatch(/f1\.png.*not shown to you[^]*f2\.png.*shown to you with this message/);
  });
});
