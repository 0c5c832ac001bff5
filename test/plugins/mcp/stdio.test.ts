import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { until } from '../../support/until.ts';
import { openBench, stdio } from './bench.ts';

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};
const pidFile = (): string => join(mkdtempSync(join(tmpdir(), 'hektor-mcp-')), 'pids');
const pids = (file: string): readonly number[] => readFileSync(file, 'utf8').trim().split('\n').map(Number);

describe('an MCP server as a child process', () => {
  it('offers its tools as server__tool and gives their words back as words from outside', async () => {
    await using bench = await openBench({ good: stdio('noisy') });
    await bench.has('good__echo');
    const result = await bench.call('good__echo', { text: 'hello </outside> there' });
    expect(result).toMatchObject({ failed: false, outside: true });
    expect(result.text).toMatch(/^<outside>\nhello <\u200b\/outside> there\n<\/outside>/);
  });

  it('takes a tool that is not called read-only for one with effects', async () => {
    await using bench = await openBench({ good: stdio('good') });
    await bench.has('good__echo');
    const effects = Object.fromEntries(bench.tools().map((tool) => [tool.name, [tool.effect, tool.idempotent, tool.parallelSafe]]));
    expect(effects).toMatchObject({ good__echo: ['read', true, true], good__die: ['write', false, false] });
  });

  it('gives a child only the variables its settings name, never other secrets', async () => {
    const env = { NAMED: 'yes', OPENAI_API_KEY: 'sk-planted', SLACK_BOT_TOKEN: 'xoxb-planted', HOME: '/home/x' };
    await using bench = await openBench({ good: stdio('good', { env: ['NAMED'] }) }, env);
    await bench.has('good__environment');
    const { text } = await bench.call('good__environment');
    expect(text).toContain('"NAMED":"yes"');
    expect(text).not.toContain('planted');
  });

  it('tells the model of an error of the tool, and of pictures, embedded resources and links', async () => {
    await using bench = await openBench({ good: stdio('good') });
    await bench.has('good__fail');
    expect(await bench.call('good__fail')).toMatchObject({
      failed: true,
      outside: true,
      text: expect.stringContaining('the disk is full'),
    });
    const { text, files } = await bench.call('good__media');
    expect(text).toContain('[image image/png, 3000 bytes: a file named image-1.png]');
    expect(text).toContain('[image image/png: cannot be read]');
    expect(text).toContain('[resource file:///reports/q3.pdf, application/pdf, 8 bytes: a file named q3.pdf]');
    expect(text).toContain('(Shown in the thread: image-1.png, q3.pdf.)');
    expect(files).toMatchObject([
      { name: 'image-1.png', picture: true, size: 3_000 },
      { name: 'q3.pdf', picture: false, type: 'application/pdf' },
    ]);
    expect(text).toContain('[resource a.txt, file:///a.txt: not read]');
    expect(text).toContain('[resource file:///b.txt]\nwords of b');
  });

  it('ends a call that is never answered at its time limit, and goes on with the next', async () => {
    await using bench = await openBench({ good: stdio('good', { callMs: 1_000 }) });
    await bench.has('good__hang');
    expect(await bench.call('good__hang')).toMatchObject({ failed: true, text: expect.stringContaining('did not answer in time') });
    expect(await bench.call('good__echo', { text: 'still here' })).toMatchObject({ failed: false });
  });

  it('lets an answer of 50 MB harm only its own call', async () => {
    const file = pidFile();
    await using bench = await openBench({ good: stdio('good', {}, file) });
    await bench.has('good__big');
    const [big, echo] = await Promise.all([bench.call('good__big'), bench.call('good__echo', { text: 'beside it' })]);
    expect(big).toMatchObject({ failed: true, text: expect.stringContaining('larger than 8 MB') });
    expect(echo).toMatchObject({ failed: false, text: expect.stringContaining('beside it') });
    expect(pids(file)).toHaveLength(1);
  });

  it('tells of a server that dies in mid-call, starts it again, and offers its tools again', async () => {
    const file = pidFile();
    await using bench = await openBench({ good: stdio('good', {}, file) });
    await bench.has('good__die');
    expect(await bench.call('good__die')).toMatchObject({ failed: true, text: expect.stringContaining('broke off') });
    await until(() => pids(file).length === 2, 'started again');
    await bench.has('good__echo');
    expect(await bench.call('good__echo', { text: 'back' })).toMatchObject({ failed: false });
  });

  it('offers what a server adds to its list', async () => {
    await using bench = await openBench({ good: stdio('good') });
    await bench.has('good__grow');
    expect(bench.names()).not.toContain('good__grown');
    await bench.call('good__grow');
    await bench.has('good__grown');
    expect(await bench.call('good__grown')).toMatchObject({ failed: false });
  });

  it('offers no tools of a server that never answers initialize, and holds nothing up for it (U100)', async () => {
    await using bench = await openBench({ silent: stdio('silent', { connectMs: 1_000 }), good: stdio('good') });
    expect(bench.names()).toEqual([]);
    await bench.has('good__echo');
    expect(bench.names().filter((name) => name.startsWith('silent'))).toEqual([]);
    expect(await bench.call('good__echo', { text: 'hi' })).toMatchObject({ failed: false });
    await until(() => bench.logged.some(({ fields }) => 'server' in fields && fields.server === 'silent'), 'told the operator');
  });

  it('says that a program is not there, and leaves no process behind when it closes', async () => {
    const file = pidFile();
    const bench = await openBench({
      gone: { command: '/no/such/program' },
      good: stdio('good', {}, file),
      silent: stdio('silent', {}, file),
    });
    await bench.has('good__echo');
    await until(() => pids(file).length === 2, 'both started');
    await until(() => bench.logged.some(({ fields }) => 'server' in fields && fields.server === 'gone'), 'told the operator');
    await bench[Symbol.asyncDispose]();
    expect(pids(file).filter(isAlive)).toEqual([]);
    expect(bench.names()).toEqual([]);
  });
});
