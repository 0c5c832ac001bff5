import { describe, expect, it } from 'vitest';
import { encodeFailure, toFileJson, toRunJson } from '../../../adapters/web/encode.ts';
import { blobHeaders } from '../../../adapters/web/http/blobs.ts';
import type { Kept } from '../../../adapters/web/http/draft-delta.ts';
import { createDraftReader, encodeDraft } from '../../../adapters/web/http/draft-delta.ts';
import { decodeStoredEvent } from '../../../adapters/web/decode.ts';
import { failure } from '../../../src/core/failure.ts';
import { blobId, messageId, turnId } from '../../../src/core/ids.ts';
import { aRun } from '../../support/a-run.ts';

describe('what goes out over HTTP', () => {
  it('shows a run as a Python prompt would, and its parts', () => {
    const run = toRunJson('t', aRun({ output: 'hi', value: '42' }));
    expect(run).toMatchObject({ output: 'hi\n42', printed: 'hi', value: '42', error: null });
    expect(toRunJson('t', aRun({ output: 'hi\n' })).output).toBe('hi\n');
  });

  it('never has a run that failed without an error', () => {
    const error = { type: 'ZeroDivisionError', value: 'division by zero', traceback: 'Traceback …', line: 1 };
    expect(toRunJson('t', aRun({ end: 'raised', error })).error).toBe('Traceback …');
    for (const end of ['raised', 'timed-out', 'out-of-memory', 'killed', 'stopped', 'broken'] as const) {
      expect(toRunJson('t', aRun({ end })).error).toMatch(/\w/);
    }
  });

  it('makes addresses of files that hold any name', () => {
    const file = { name: 'a b/ü?#"<.csv', type: 'text/csv', size: 1, blob: blobId('0'.repeat(32)), table: null };
    const { url } = toFileJson('thread', file);
    expect(new URL(url, 'http://h').pathname).toBe(url);
    expect(decodeURIComponent(url.split('/').at(-1)!)).toBe(file.name);
    expect(() => toFileJson('thread', { ...file, name: 'half \ud800' })).not.toThrow();
  });

  it('gives every failure a status, its words, and a time to come back where that helps', () => {
    expect(encodeFailure(failure('rate-limited', { waitSeconds: 7 }))).toMatchObject({ status: 429, retryAfter: 7 });
    const spent = failure('budget-day', { whose: 'person', what: 'tokens', minutes: 90 });
    expect(encodeFailure(spent)).toMatchObject({ status: 429, retryAfter: 5_400 });
    expect(encodeFailure(failure('store-unreachable', {}, 'redis at 10.0.0.9'))).toMatchObject({ status: 503, retryAfter: 3 });
    expect(JSON.stringify(encodeFailure(failure('store-unreachable', {}, 'redis at 10.0.0.9')))).not.toContain('10.0.0.9');
    expect(encodeFailure(failure('forbidden', { action: 'undo' }))).toMatchObject({ status: 403, retryAfter: null });
  });

  it('serves only what is a picture as one, whatever its name says', () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 0]);
    expect(blobHeaders('a.html', png)['content-type']).toBe('image/png');
    const html = blobHeaders('a.png', new TextEncoder().encode('<script>alert(1)</script>'));
    expect(html['content-type']).toBe('application/octet-stream');
    expect(html['content-disposition']).toMatch(/^attachment/);
    expect(html['content-security-policy']).toContain('sandbox');
    const svg = blobHeaders('a.svg', new TextEncoder().encode('<svg onload="alert(1)"/>'));
    expect(svg['content-disposition']).toMatch(/^attachment/);
    const forged = blobHeaders('x"\r\nset-cookie: a=b; filename=ü.csv', new Uint8Array())['content-disposition'];
    expect(forged).not.toMatch(/[\r\n]/);
    expect(forged).toContain("filename*=UTF-8''");
  });
});

describe('drafts in the event stream', () => {
  const draft = (text: string) => ({ op: 'draft', turn: turnId('t'), message: messageId('m'), text, progress: [] }) as const;
  const written = (texts: readonly string[]): string[] => {
    let kept: Kept | undefined;
    return texts.map((text) => {
      const [data, next] = encodeDraft(draft(text), kept);
      kept = next;
      return data;
    });
  };
  const read = (reader: ReturnType<typeof createDraftReader>, data: string) => reader.read(decodeStoredEvent(data)!.data)?.text ?? null;

  it('come out as they went in, whatever changed between them', () => {
    const texts = ['', 'H', 'Hello', 'Hello 😀', 'Hello 😁 there', 'Help', '', 'again', 'again'];
    const reader = createDraftReader();
    expect(written(texts).map((data) => read(reader, data))).toEqual(texts);
  });

  it('are kept small: a long answer takes a few times its own length and not its square', () => {
    const words = Array.from({ length: 1_500 }, (_, n) => `word-${n} `);
    const texts = words.map((_, n) => words.slice(0, n + 1).join(''));
    const text = texts.at(-1)!;
    const data = written(texts);
    const overhead = data.length * 150;
    expect(data.join('').length).toBeLessThan(text.length * 20 + overhead);
    const late = createDraftReader();
    const seen = data.slice(600).map((one) => read(late, one));
    // One that comes in the middle soon has the whole text.
    expect(seen.findIndex((one) => one !== null)).toBeLessThan(201);
    expect(seen.at(-1)).toBe(text);
  });
});
