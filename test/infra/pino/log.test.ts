import { describe, expect, it } from 'vitest';
import { failure } from '../../../src/core/failure.ts';
import { createLog } from '../../../src/infra/pino/log.ts';
import type { LogLevel } from '../../../src/infra/pino/log.ts';
import type { LogFields } from '../../../src/ports/log.ts';

const capture = (level: LogLevel = 'debug') => {
  const lines: string[] = [];
  return { log: createLog({ level, destination: { write: (line) => void lines.push(line) } }), lines };
};
/** The one line that logging these fields writes. */
const lineOf = (fields: LogFields, message = 'm'): { [field: string]: unknown } => {
  const { log, lines } = capture();
  log.info(fields, message);
  expect(lines).toHaveLength(1);
  return JSON.parse(lines[0]!) as { [field: string]: unknown };
};

describe('a log line', () => {
  it('is one JSON object with time, level as a word, fields and message', () => {
    const line = lineOf({ conversation: 'web/w/c/t', runs: 3, ok: true, none: null }, 'a run ended');
    expect(line).toMatchObject({
      level: 'info',
      conversation: 'web/w/c/t',
      runs: 3,
      ok: true,
      none: null,
      msg: 'a run ended',
      pid: process.pid,
    });
    expect(line['time']).toMatch(/^\d{4}-\d\d-\d\dT/);
  });

  it('is written from the level on that was set', () => {
    const { log, lines } = capture('warn');
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level]({}, level);
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['warn', 'error']);
  });

  it('carries the fields that the log was given, scrubbed as any other', () => {
    const { log, lines } = capture();
    log.with({ adapter: 'slack', token: 'xyz' }).with({ shard: 1 }).error({}, 'm');
    expect(JSON.parse(lines[0]!)).toMatchObject({ adapter: 'slack', shard: 1, token: '[redacted]' });
  });

  it('holds a failure with its code and detail, and the cause behind it', () => {
    const cause = new Error('connect ECONNREFUSED 10.0.0.1:6379');
    const line = lineOf({ failure: failure('store-unreachable', {}, 'while claiming', cause) });
    expect(line['failure']).toMatchObject({
      code: 'store-unreachable',
      detail: 'while claiming',
      cause: { type: 'Error', message: cause.message },
    });
  });
});

// Written in parts, so that no scanner takes these for real ones.
const parts = (...of: readonly string[]): string => of.join('');
const SECRETS: readonly (readonly [what: string, text: string, secret: string])[] = [
  ['an OpenAI key', parts('refused key sk-', 'proj-AbCdEf0123456789'), 'AbCdEf0123456789'],
  ['a Slack bot token', parts('xoxb', '-123456789012-abcdefABCDEF'), '123456789012'],
  ['a Slack app token', parts('xapp', '-1-A0123456789-0123456789'), 'A0123456789'],
  [
    'a Discord token',
    parts('MTA0ODk2MjM0NTY3ODkwMTIz', '.GabcdE.', 'abcdefghijklmnopqrstuvwxyz0123456789AB'),
    'abcdefghijklmnopqrstuvwxyz',
  ],
  ['a bearer header', 'authorization: Bearer abc.def-ghi/jkl=', 'abc.def'],
  ['a bot header', 'Authorization: Bot abcdefghijklmnop', 'abcdefghijklmnop'],
  ['a password in a URL', 'redis://user:hunter22@redis:6379/0', 'hunter22'],
  ['a password without a user', 'redis://:hunter22@redis:6379/0', 'hunter22'],
  ['a key in a query', 'https://example.org/x?api_key=abcdef123&y=1', 'abcdef123'],
  ['a token in JSON', '{"token":"abcdef123"}', 'abcdef123'],
  ['a Slack hook', 'https://hooks.slack.com/services/T000/B000/abcdefghijkl', 'abcdefghijkl'],
  ['a Discord webhook', 'POST /webhooks/1234567/abcdefghijklmnopqrstuvwx', 'abcdefghijklmnopqrstuvwx'],
  ['a JSON web token', parts('eyJ', 'hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'), 'hbGciOiJIUzI1NiJ9'],
  ['a GitHub token', parts('ghp_', 'abcdefghijklmnopqrstuvwxyz0123456789'), 'abcdefghij'],
  ['a private key', '-----BEGIN RSA PRIVATE KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----', 'MIIabc'],
];

describe('secrets', () => {
  it.each(SECRETS)('%s is kept out, wherever it stands', (_what, text, secret) => {
    const inside = new Error(`request failed: ${text}`, { cause: new Error(text) });
    const { log, lines } = capture();
    log
      .with({ where: text })
      .warn({ detail: text, list: [text], deep: { a: { b: text } }, error: inside, failure: failure('model-rejected', {}, text) }, text);
    expect(lines[0]).not.toContain(secret);
    expect(lines[0]).toContain('[redacted]');
  });

  it('words that only look a little like one are left alone', () => {
    for (const text of ['task-oriented', 'the bot answered', 'basic auth is off', 'web/w/c/t', 'a token was spent', 'risk-averse-approach'])
      expect(lineOf({ detail: text })['detail']).toBe(text);
  });
});

describe('contents', () => {
  it('are kept out by the names of their fields, at any depth', () => {
    const fields = {
      text: 'my words',
      prompt: 'my words',
      headers: { a: 'my words' },
      item: { text: 'my words', origin: { x: 'my words' } },
    };
    expect(JSON.stringify(lineOf({ ...fields, list: [fields], code: 'print("my words")', 'API-Key': 'my words' }))).not.toContain(
      'my words',
    );
  });

  it('leave numbers under such names readable: they are counts', () => {
    expect(lineOf({ tokens: 12, code: 404, files: 3, usage: { input: 5, output: 6 } })).toMatchObject({
      tokens: 12,
      code: 404,
      files: 3,
      usage: { input: 5, output: 6 },
    });
  });

  it('of an error are its type, message, code and place; what an SDK hung on it stays out', () => {
    const error = Object.assign(new TypeError('bad'), { code: 'ERR_X', request: { body: 'my words' }, response: { data: 'my words' } });
    const line = lineOf({ error });
    expect(line['error']).toMatchObject({ type: 'TypeError', message: 'bad', code: 'ERR_X' });
    expect(JSON.stringify(line)).not.toContain('my words');
  });
});

describe('anything may be logged', () => {
  it('bounded in length and depth, without ever throwing', () => {
    const circle: { [key: string]: unknown } = { name: 'c' };
    circle['self'] = circle;
    const deep = { a: { b: { c: { d: { e: { f: 1 } } } } } };
    const fields = {
      circle,
      deep,
      long: 'x'.repeat(1_000_000),
      many: Array.from({ length: 1_000 }, (_, n) => n),
      bytes: new Uint8Array(1_000_000),
      map: new Map([['a', 'b']]),
      big: 10n,
      fn: () => 1,
      sym: Symbol('s'),
      date: new Date(0),
      bad: new Date(Number.NaN),
      lone: '\ud800',
    };
    const line = lineOf(fields);
    expect(line).toMatchObject({ map: '[1 items]', big: '10', date: '1970-01-01T00:00:00.000Z', bad: null });
    expect(JSON.stringify(line).length).toBeLessThan(6_000);
  });

  it('a getter that throws costs the field, not the caller', () => {
    const nasty = Object.defineProperty({ fine: 1 }, 'nasty', {
      enumerable: true,
      get: () => {
        throw new Error('no');
      },
    });
    expect(lineOf({ object: nasty, after: 2 })).toMatchObject({ after: 2 });
  });
});
