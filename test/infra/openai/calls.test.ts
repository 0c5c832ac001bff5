/** Faulty tool calls of the catalogue, over a real socket, streamed and whole, up to the decoded call. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeCalls } from '../../../src/core/tool-call.ts';
import { stepOf, callStep } from '../../servers/openai/cases.ts';
import { startScriptedServer } from '../../servers/openai/server.ts';
import type { ScriptedServer, Step } from '../../servers/openai/server.ts';
import { valueOf } from '../../support/results.ts';
import { ask, openModel, prompt, tools } from './harness.ts';

let server: ScriptedServer;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

type Expected =
  | { readonly name: string; readonly args: object }
  | { readonly name: string; readonly problem: string; readonly words?: unknown };
const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
const good = (name: string, args: object): Expected => ({ name, args });

const both: readonly (readonly [string, string, readonly Expected[]])[] = [
  ['MA1', 'raw code under a name from training', [good('run_python', { code: 'import sys\nprint(sys.executable)' })]],
  ['MA2', '`functions.` before the name', [good('web_search', { query: 'x' })]],
  ['MA4', 'control tokens after the name', [good('web_search', { query: 'x' })]],
  ['MA5', 'signs around the name', [good('web_search', { query: 'x' })]],
  ['MA7', 'an unknown tool', [{ name: 'query_risk_register', problem: 'tool-unknown' }]],
  ['MA8', 'an inherited name', [{ name: 'constructor', problem: 'tool-unknown' }]],
  ['MB2', 'a literal backslash-n between tokens', [good('run_python', { code: '1+1', timeout: 5 })]],
  ['MB3', 'real newlines inside of a string', [good('run_python', { code: 'for i in range(2):\n  print(i)' })]],
  ['MB5', 'double-encoded arguments', [good('web_search', { query: 'x' })]],
  ['MB6', 'a double-encoded value', [good('set_todos', { todos: ['a', 'b'] })]],
  ['MB8', 'a Python literal', [good('read', { paths: ['app.py'], all: true })]],
  ['MB9', 'two objects run together', [good('web_search', { query: 'a' }), good('web_search', { query: 'b' })]],
  [
    'MB11',
    'cut off although finish_reason says tool_calls',
    [{ name: 'run_python', problem: 'tool-arguments', words: matching(/not complete/) }],
  ],
  ['MB12', 'hundreds of newlines after the JSON', [good('web_search', { query: 'x' })]],
  ['MB14', 'wrong types and unknown keys', [{ name: 'web_search', problem: 'tool-arguments', words: matching(/query[^]*not known: q/) }]],
  ['MB15', 'code in a fence', [good('run_python', { code: 'print(1)' })]],
  ['MC7', 'one id for two calls', [good('web_search', { query: 'a' }), good('web_search', { query: 'b' })]],
  ['MC8', 'an id that other turns have as well', [good('web_search', { query: 'a' })]],
  ['MD1', 'finish_reason stop beside calls', [good('web_search', { query: 'x' })]],
  ['MD15', 'the old function_call', [good('web_search', { query: 'x' })]],
];
const streamedOnly: readonly (readonly [string, string, readonly Expected[]])[] = [
  ['MC1', 'no index', [good('web_search', { query: 'x' })]],
  ['MC2', 'two calls at one index', [good('web_search', { query: 'a' }), good('web_search', { query: 'b' })]],
  ['MC4', 'an empty id', [good('web_search', { query: 'x' })]],
  ['MC5', 'a new id with every piece', [good('web_search', { query: 'x' })]],
  ['MC10', 'no type', [good('web_search', { query: 'x' })]],
  ['MC11', 'indexes from 1', [good('web_search', { query: 'x' })]],
  ['MC13', 'a character in two pieces', [good('web_search', { query: '🙈' })]],
];

const decode = async (step: Step, stream: boolean) => {
  server.play(step);
  const { model } = openModel(server.baseUrl, { profile: { stream } });
  const reply = valueOf((await ask(model)).result);
  return { reply, offered: decodeCalls(reply.calls, tools, 'turn:1', reply.finish === 'length') };
};

/** What comes of a step. `legal`: the calls may go into a history, whatever came of them. */
const outcomeOf = async (step: Step, stream: boolean) => {
  const { reply, offered } = await decode(step, stream);
  const ids = offered.map(({ call }) => call.id);
  return {
    finish: reply.finish,
    legal:
      new Set(ids).size === ids.length &&
      ids.every((id) => /^turn:1:\d+(\.\d+)?$/.test(id)) &&
      offered.every(({ call }) => /^[\w-]{1,64}$/.test(call.name) && call.arguments.startsWith('{')),
    calls: offered.map(({ call, decoded }) =>
      decoded.ok
        ? { name: call.name, args: decoded.value.arguments }
        : { name: call.name, problem: decoded.failure.code, words: JSON.stringify(decoded.failure) },
    ),
  };
};
const calls = (expected: readonly Expected[]) => ({ finish: 'tool-calls', legal: true, calls: expected });

describe.each([
  ['streamed', true],
  ['whole', false],
])('calls, %s', (_how, stream) => {
  it.each(both)('%s: %s', async (id, _what, expected) => {
    expect(await outcomeOf(stepOf(id), stream)).toMatchObject(calls(expected));
  });

  it('MA3: multi_tool_use.parallel is taken apart', async () => {
    const args = JSON.stringify({
      tool_uses: [
        { recipient_name: 'functions.web_search', parameters: { query: 'a' } },
        { recipient_name: 'functions.now', parameters: {} },
      ],
    });
    expect(await outcomeOf(callStep('multi_tool_use.parallel', args), stream)).toMatchObject(
      calls([good('web_search', { query: 'a' }), good('now', {})]),
    );
  });

  it.each(['', 'null', '   '])('blank arguments (%j) are an empty object', async (args) => {
    expect(await outcomeOf(callStep('now', args), stream)).toMatchObject(calls([good('now', {})]));
  });

  it('arguments that are an object and no text', async () => {
    expect(await outcomeOf(callStep('web_search', { query: 'x' }), stream)).toMatchObject(calls([good('web_search', { query: 'x' })]));
  });

  it('MC3: no id at all', async () => {
    const step = callStep('web_search', '{"query":"x"}', { id: '' });
    expect(await outcomeOf(step, stream)).toMatchObject(calls([good('web_search', { query: 'x' })]));
  });

  it('a reply that ended by its length runs none of its calls, however whole they look', async () => {
    const { reply, offered } = await decode(callStep('run_python', 'print(1', { finish: 'length' }), stream);
    expect(reply.finish).toBe('length');
    expect(offered).toMatchObject([
      { call: { name: 'run_python', arguments: '{}' }, decoded: { ok: false, failure: { code: 'tool-arguments' } } },
    ]);
  });

  it('MI3: of 200 calls in one message 128 arrive', async () => {
    const calls = Array.from({ length: 200 }, (_, n) => ({ id: `c${n}`, type: 'function', function: { name: 'now', arguments: '{}' } }));
    const { offered } = await decode(
      { json: { choices: [{ index: 0, message: { role: 'assistant', content: null, tool_calls: calls }, finish_reason: 'tool_calls' }] } },
      stream,
    );
    expect(offered).toHaveLength(128);
  });

  it('MI3: an argument beyond 256 KiB ends the reply; it is not run', async () => {
    const { reply, offered } = await decode(callStep('web_search', JSON.stringify({ query: 'x'.repeat(300_000) })), stream);
    expect(offered).toMatchObject([{ decoded: { ok: false, failure: { code: 'tool-arguments' } } }]);
    expect(reply.calls[0]!.arguments.length).toBeLessThanOrEqual(256 << 10);
  });
});

describe('calls, streamed in odd ways', () => {
  it.each(streamedOnly)('%s: %s', async (id, _what, expected) => {
    expect(await outcomeOf(stepOf(id), true)).toMatchObject(calls(expected));
  });

  const delta = (tool_calls: unknown) => ({ delta: { tool_calls }, finish_reason: null });
  const end = { delta: {}, finish_reason: 'tool_calls' };

  it('the name comes with every piece', async () => {
    const step: Step = {
      sse: [
        delta([{ index: 0, id: 'a', function: { name: 'web_search', arguments: '{"query"' } }]),
        delta([{ index: 0, id: 'a', function: { name: 'web_search', arguments: ':"x"}' } }]),
        delta([{ index: 0, id: 'a', function: { name: 'web_search', arguments: '' } }]),
        end,
      ],
    };
    expect(await outcomeOf(step, true)).toMatchObject(calls([good('web_search', { query: 'x' })]));
  });

  it('pieces of two calls come interleaved', async () => {
    const step: Step = {
      sse: [
        delta([{ index: 0, id: 'a', function: { name: 'web_search', arguments: '{"qu' } }]),
        delta([{ index: 1, id: 'b', function: { name: 'read', arguments: '{"pa' } }]),
        delta([{ index: 0, function: { arguments: 'ery":"x"}' } }]),
        delta([{ index: 1, function: { arguments: 'th":"y"}' } }]),
        end,
      ],
    };
    expect(await outcomeOf(step, true)).toMatchObject(calls([good('web_search', { query: 'x' }), good('read', { path: 'y' })]));
  });

  it('two calls without ids and indexes', async () => {
    const step: Step = {
      sse: [
        delta([{ function: { name: 'web_search', arguments: '{"query":"a"}' } }]),
        delta([{ function: { name: 'web_search', arguments: '{"query":"b"}' } }]),
        end,
      ],
    };
    expect(await outcomeOf(step, true)).toMatchObject(calls([good('web_search', { query: 'a' }), good('web_search', { query: 'b' })]));
  });

  it('takes arguments that are sent whole once more at the end as one call', async () => {
    const step: Step = {
      sse: [
        delta([{ index: 0, id: 'a', function: { name: 'web_search', arguments: '{"query":"x"}' } }]),
        delta([{ index: 0, id: 'a', function: { arguments: '{"query":"x"}' } }]),
        end,
      ],
    };
    expect(await outcomeOf(step, true)).toMatchObject(calls([good('web_search', { query: 'x' })]));
  });

  it('MB12: a model that prints blanks without end after its arguments is stopped, and its call counts', async () => {
    const blanks = Array.from({ length: 40 }, () => delta([{ index: 0, function: { arguments: '\n'.repeat(100) } }]));
    server.play({
      sse: [delta([{ index: 0, id: 'a', function: { name: 'web_search', arguments: '{"query":"x"}' } }]), ...blanks],
      end: 'hang',
    });
    const { model } = openModel(server.baseUrl);
    const reply = valueOf((await ask(model)).result);
    expect(reply.finish).toBe('tool-calls');
    expect(decodeCalls(reply.calls, tools, 't:1')).toMatchObject([{ decoded: { ok: true } }]);
  });

  it('ME2: a signature on a call goes back to the server and model that gave it, and only there', async () => {
    server.play(stepOf('ME2'));
    const { model } = openModel(server.baseUrl);
    const reply = valueOf((await ask(model)).result);
    const [offered] = decodeCalls(reply.calls, tools, 't:1');
    const history = [
      { role: 'assistant' as const, text: '', calls: [offered!.call], passBack: reply.passBack },
      { role: 'tool' as const, call: offered!.call, content: prompt('r') },
    ];
    server.play({ json: { choices: [{ index: 0, message: { content: 'ok' }, finish_reason: 'stop' }] } });
    await ask(model, { messages: history });
    expect(JSON.stringify(server.requests.at(-1)!.body)).toContain('"thought_signature":"c2ln"');
    server.play({ json: { choices: [{ index: 0, message: { content: 'ok' }, finish_reason: 'stop' }] } });
    await ask(openModel(server.baseUrl, { name: 'another' }).model, { messages: history });
    expect(JSON.stringify(server.requests.at(-1)!.body)).not.toContain('c2ln');
  });
});

describe('the requests of all these tests', () => {
  it('are such that the strictest server takes them', () => {
    expect(server.requests.length).toBeGreaterThan(10);
    expect(server.requests.flatMap((one) => one.problems)).toEqual([]);
  });
});
