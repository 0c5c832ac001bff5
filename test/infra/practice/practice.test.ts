/** The practice model: what it understands, and that it goes over the same wire as any other. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { render } from '../../../src/core/prompt.ts';
import { callId } from '../../../src/core/ids.ts';
import { checkChatRequest } from '../../../src/infra/practice/conformance.ts';
import { intentOf } from '../../../src/infra/practice/intent.ts';
import { startPracticeModel } from '../../../src/infra/practice/server.ts';
import type { PracticeServer } from '../../../src/infra/practice/server.ts';
import type { ModelMessage } from '../../../src/ports/model.ts';
import {
  generatedCodeExecutedPrompt,
  hintPrompt,
  requestPrompt,
  toolResultPrompt,
  userCodeExecutedPrompt,
} from '../../../src/prompts/index.ts';
import { aRun } from '../../support/a-run.ts';
import { valueOf } from '../../support/results.ts';
import { until } from '../../support/until.ts';
import { modelContract } from '../../contracts/model.ts';
import { ask, openModel } from '../openai/harness.ts';

let server: PracticeServer;
beforeAll(async () => {
  server = await startPracticeModel({ host: '127.0.0.1', port: 0, wordDelayMs: 0, tickMs: 20 });
});
afterAll(() => server[Symbol.asyncDispose]());

const url = () => `http://127.0.0.1:${server.port}/v1`;
const asked = (text: string): ModelMessage => ({ role: 'user', content: render(requestPrompt, { speaker: 'Ann', text, files: [] }) });
const reply = async (messages: readonly ModelMessage[], more = {}) =>
  valueOf((await ask(openModel(url()).model, { messages, ...more })).result);
const codeOf = async (messages: readonly ModelMessage[]) => {
  const { calls } = await reply(messages);
  return (JSON.parse(calls[0]?.arguments ?? '{}') as { code?: string }).code;
};

describe('what people say to the practice model', () => {
  it.each([
    ['run `print(1)`', 'print(1)'],
    ['please run print(1)', 'print(1)'],
    ['Run this:\n```python\nx = 1\nx\n```', 'x = 1\nx'],
    ['calculate 2+2', '2+2'],
    ['what is x + 1?', 'x + 1'],
    ['what is x?', 'x'],
    ['What is 2^10', '2**10'],
    ['x + 1', 'x + 1'],
    ['len(names)', 'len(names)'],
    ['set x to 10', 'x = 10'],
    ['Set name to "Ann".', 'name = "Ann"'],
    ['x = 3', 'x = 3'],
    ['add 5 to total', 'total += 5\ntotal'],
    ['<@U123> set x to 10', 'x = 10'],
  ])('%j is code', (text, code) => {
    expect(intentOf({ asked: text, ran: [], before: [] })).toEqual({ kind: 'code', code });
  });

  it.each([
    ['search for cats and dogs', { kind: 'search', query: 'cats and dogs' }],
    ['read https://example.org/a?b=1.', { kind: 'read', url: 'https://example.org/a?b=1' }],
    ['what time is it?', { kind: 'time' }],
    ['say a long text', { kind: 'long' }],
    ['wait 5 seconds', { kind: 'wait', seconds: 5 }],
    ['wait for 2 minutes', { kind: 'wait', seconds: 120 }],
    ['wait 99999 s', { kind: 'wait', seconds: 300 }],
    ['call echo {"a": 1}', { kind: 'call', name: 'echo', args: '{"a": 1}' }],
    ['hello', { kind: 'talk' }],
    ['what is love', { kind: 'talk' }],
    ['how are you - fine?', { kind: 'talk' }],
    ['', { kind: 'talk' }],
  ])('%j', (text, intent) => {
    expect(intentOf({ asked: text, ran: [], before: [] })).toEqual(intent);
  });

  it.each(['plot a sine', 'draw bars 3 7 5', 'plot 1 2 3 4', 'draw a scatter plot', 'list the files'])('%j is some Python', (text) => {
    expect(intentOf({ asked: text, ran: [], before: [] })).toMatchObject({ kind: 'code' });
  });
});

it('takes a word for a name where it was set', () => {
  expect(intentOf({ asked: 'what is total?', ran: ['total = 10'], before: [] })).toEqual({ kind: 'code', code: 'total' });
});

describe('the practice model over the wire', () => {
  it('sees through the prompts, calls python, and tells what came back', async () => {
    const first = await reply([asked('set x to 10')]);
    expect(first).toMatchObject({
      finish: 'tool-calls',
      calls: [{ name: 'run_python', arguments: '{"code":"x = 10"}' }],
      model: 'hektor-practice',
    });
    const call = { id: callId('t:1:0'), name: 'run_python', arguments: '{"code":"x + 1"}' };
    const report = render(generatedCodeExecutedPrompt, { run: aRun({ value: '11' }) });
    const second = await reply([
      asked('what is x + 1'),
      { role: 'assistant', text: '', calls: [call], passBack: null },
      { role: 'tool', call, content: report },
    ]);
    expect(second).toMatchObject({ finish: 'stop', calls: [] });
    expect(second.text).toBe('**Practice model:** `run_python` gave:\n\n```text\n11\n```');
  });

  it('knows the name that was set last, by the model or by a person', async () => {
    const call = { id: callId('t:1:0'), name: 'run_python', arguments: '{"code":"total = 10"}' };
    const before: readonly ModelMessage[] = [
      asked('set total to 10'),
      { role: 'assistant', text: '', calls: [call], passBack: null },
      { role: 'tool', call, content: render(toolResultPrompt, { text: 'ok' }) },
    ];
    expect(await codeOf([...before, asked('add one')])).toBe('total += 1\ntotal');
    const persons: ModelMessage = { role: 'user', content: render(userCodeExecutedPrompt, { run: aRun({ by: 'person', code: 'y = 2' }) }) };
    expect(await codeOf([...before, persons, asked('add two to it')])).toBe('y += 2\ny');
  });

  it('answers the person also where the loop adds a hint after them', async () => {
    const hint: ModelMessage = { role: 'user', content: render(hintPrompt, { hint: 'answer-now' }) };
    expect((await reply([asked('set x to 10'), hint], { toolChoice: 'none' })).text).toContain('No tools are allowed');
  });

  it('uses the plugins that are there, and names those that are not', async () => {
    expect(await reply([asked('search for cats')])).toMatchObject({ calls: [{ name: 'web_search', arguments: '{"query":"cats"}' }] });
    expect(await reply([asked('call set_todos {"todos": ["a"]}')])).toMatchObject({
      calls: [{ name: 'set_todos', arguments: '{"todos":["a"]}' }],
    });
    expect((await reply([asked('search for cats')], { tools: [] })).text).toMatch(/web-search.*not switched on/);
    expect((await reply([asked('call nothing')])).text).toContain('not switched on');
  });

  it('calls the one tool that it is told to call', async () => {
    expect(await reply([asked('hello')], { toolChoice: { name: 'web_search' } })).toMatchObject({ calls: [{ name: 'web_search' }] });
  });

  it('says what it is, and that it does not think', async () => {
    expect((await reply([asked('hello')])).text).toMatch(/\*\*Practice model:\*\*.*do not think/);
    const long = (await reply([asked('say a long text')])).text;
    for (const part of [/^# /m, /^- /m, /^\| /m, /```python/]) expect(long).toMatch(part);
  });

  it('takes its time when asked, and stops when the client goes', async () => {
    const { text } = await reply([asked('wait 3 seconds')]);
    expect(text).toContain(' 1 2 3. Done.');
    const stop = new AbortController();
    const started = ask(openModel(url()).model, { messages: [asked('wait 300 seconds')] }, stop.signal);
    await until(() => true, 'a moment');
    stop.abort();
    expect((await started).result).toMatchObject({ ok: false, failure: { code: 'interrupted' } });
  });

  it('does not stream where a whole reply is asked for', async () => {
    const { model } = openModel(url(), { profile: { stream: false } });
    expect(valueOf((await ask(model, { messages: [asked('set x to 10')] })).result)).toMatchObject({ finish: 'tool-calls' });
  });

  it('MG4, MG5: refuses, with reasons, what a strict server refuses', async () => {
    const post = async (body: unknown) => {
      const response = await fetch(`${url()}/chat/completions`, {
        method: 'POST',
        body: typeof body === 'string' ? body : JSON.stringify(body),
      });
      return { status: response.status, text: await response.text() };
    };
    const user = { role: 'user', content: 'x' };
    const call = { id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } };
    const bad: readonly (readonly [unknown, RegExp])[] = [
      ['nonsense', /not JSON/],
      [{ model: 'm', messages: [] }, /messages/],
      [{ model: 'm', messages: [user, { role: 'tool', tool_call_id: 'a', content: 'r' }] }, /role 'tool' must be a response/],
      [
        { model: 'm', messages: [user, { role: 'assistant', content: null, tool_calls: [call] }, user] },
        /must be followed by tool messages/,
      ],
      [{ model: 'm', messages: [user, { role: 'assistant', content: null, tool_calls: [call] }] }, /must be followed by tool messages/],
      [{ model: 'm', messages: [user], tool_choice: 'none' }, /tool_choice/],
      [{ model: 'm', messages: [{ role: 'user', content: '\ud83d' }] }, /surrogate/],
    ];
    for (const [body, words] of bad) {
      const answer = await post(body);
      expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(words)]);
    }
    expect((await fetch(`${url()}/models`)).status).toBe(200);
    expect((await fetch(`${url()}/nothing`)).status).toBe(404);
  });

  it('says everything that is wrong with a request at once', () => {
    const checked = checkChatRequest({ model: '', messages: [{ role: 'nobody' }], tools: [] });
    expect(checked.ok ? [] : checked.problems.length).toBeGreaterThanOrEqual(3);
  });
});

modelContract('the practice model', () => openModel(url()).model);
