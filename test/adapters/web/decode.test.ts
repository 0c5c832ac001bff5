import { describe, expect, it } from 'vitest';
import { readWebConfig } from '../../../adapters/web/config.ts';
import {
  bodies,
  checkMessage,
  cleanFileName,
  cleanType,
  decodeAuthor,
  decodeBody,
  decodeThread,
  threadOf,
} from '../../../adapters/web/decode.ts';
import { codeOf, valueOf } from '../../support/results.ts';

describe('what comes in over HTTP', () => {
  it('takes thread ids of its own kind and no others', () => {
    const id = 'k-zkok5YVLR6cucCaLMJFQ';
    expect(threadOf(valueOf(decodeThread(id)))).toBe(id);
    for (const forged of ['', 'short', '../../etc/passwd', 'a/b/c/d-e-f', 'x'.repeat(101), 'with space-12', 'nul\u0000nulnul']) {
      expect(codeOf(decodeThread(forged))).toBe('thread-unknown');
    }
  });

  it('shows a name as one line, without marks that turn or hide text', () => {
    expect(decodeAuthor(undefined)).toEqual({ id: 'You', name: 'You' });
    expect(decodeAuthor('  \u202e\u2066 ').name).toBe('You');
    expect(decodeAuthor('Ann\n\n<b>\u0000admin\u202e').name).toBe('Ann <b>admin');
    expect(decodeAuthor('a'.repeat(500)).name).toHaveLength(80);
    expect(decodeAuthor(`${'a'.repeat(79)}😀`).name.isWellFormed()).toBe(true);
  });

  it('keeps of a file name what cannot lead anywhere else', () => {
    const names = [
      ['../../etc/passwd', 'passwd'],
      ['C:\\Users\\ann\\data.csv', 'data.csv'],
      ['.bashrc', 'bashrc'],
      ['..', 'file'],
      ['', 'file'],
      ['a\u0000b\r\nc.txt', 'ab c.txt'],
      ['invoice\u202egpj.exe', 'invoicegpj.exe'],
      ['<img src=x>.png', '_img src=x_.png'],
      ['Übersicht 2026 – 日本.csv', 'Übersicht 2026 – 日本.csv'],
    ] as const;
    for (const [given, kept] of names) expect(cleanFileName(given)).toBe(kept);
    const long = cleanFileName(`${'x'.repeat(400)}.parquet`);
    expect(long).toHaveLength(150);
    expect(long.endsWith('.parquet')).toBe(true);
  });

  it('takes a MIME type without its parameters, or none', () => {
    expect(cleanType('Text/CSV; charset=utf-8')).toBe('text/csv');
    for (const wrong of ['', 'text', 'text/html\r\nx: y', 'a b/c']) expect(cleanType(wrong)).toBe('application/octet-stream');
  });

  it('says what is wrong with a body, and fills in what may be left out', () => {
    expect(valueOf(decodeBody(bodies.thread, undefined))).toEqual({});
    expect(valueOf(decodeBody(bodies.command, {}))).toEqual({ args: '' });
    for (const wrong of [null, [], 'x', 7, {}, { text: 7 }, { text: 'a', key: '' }, { text: 'a', key: 'k'.repeat(201) }]) {
      expect(codeOf(decodeBody(bodies.message, wrong))).toBe('request-malformed');
    }
  });

  it('refuses what is empty or over a limit, and takes a message that is only files', () => {
    const limits = { textChars: 10, files: 2 };
    expect(codeOf(checkMessage(' \n\t', 0, limits))).toBe('message-empty');
    expect(codeOf(checkMessage('', 1, limits))).toBe('ok');
    expect(codeOf(checkMessage('x'.repeat(11), 0, limits))).toBe('message-too-long');
    expect(codeOf(checkMessage('x', 3, limits))).toBe('too-many-files');
  });

  it('reads its settings, and tells all that is wrong with them at once', () => {
    expect(valueOf(readWebConfig({}))).toEqual({ token: null, hosts: [] });
    expect(valueOf(readWebConfig({ HEKTOR_WEB_TOKEN: '', HEKTOR_WEB_HOSTS: 'Chat.Example.org, 10.0.0.4:3000 ,[::1]:80' }))).toEqual({
      token: null,
      hosts: ['chat.example.org', '10.0.0.4:3000', '[::1]:80'],
    });
    const wrong = readWebConfig({ HEKTOR_WEB_TOKEN: 'short', HEKTOR_WEB_HOSTS: 'https://x/' });
    expect(wrong.ok ? [] : wrong.failure.code === 'config-invalid' ? wrong.failure.problems : []).toHaveLength(2);
  });
});
