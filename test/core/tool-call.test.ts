/** Decoding what a model calls. The whole way from the wire is in test/infra/openai/calls.test.ts. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { decodeCalls, decodeStored, toolSchema } from '../../src/core/tool-call.ts';
import { readArguments } from '../../src/core/tool-arguments.ts';
import { toolNamed } from '../../src/core/tool-name.ts';
import { definePlugin } from '../../src/core/plugin.ts';
import { words } from '../../src/core/trust.ts';
import { toolTable } from '../../src/turn/tool-table.ts';
import { samplePlugin, tools } from '../infra/openai/harness.ts';

const raw = (name: string, args: string) => ({ id: 'x', name, arguments: args, passBack: null });
const decode = (name: string, args: string) => decodeCalls([raw(name, args)], tools, 't:1');

describe('the name of a tool', () => {
  it.each([
    ['web_search', 'web_search'],
    ['Web-Search', 'web_search'],
    ['WebSearch', 'web_search'],
    ['functions.web_search', 'web_search'],
    ['default_api:web_search', 'web_search'],
    ['tools/web_search', 'web_search'],
    ['namespace.web_search', 'web_search'],
    ['send_mail', 'mail__send_mail'],
    ['python', 'run_python'],
    ['code_interpreter', 'run_python'],
    ['web_search<|channel|>commentary', 'web_search'],
    [' : web_search!', 'web_search'],
  ])('%j means %s', (name, tool) => {
    expect(toolNamed(name, tools)).toMatchObject({ kind: 'tool', tool: { name: tool } });
  });

  it.each(['web_serch', 'search', '', '__proto__', 'toString', 'hasOwnProperty', '<|channel|>', 'read_file'])(
    'MA8: %j is not guessed at',
    (name) => {
      expect(toolNamed(name, tools)).toEqual({ kind: 'unknown' });
    },
  );

  it('is unknown where two tools fit', () => {
    const twice = toolTable([
      samplePlugin,
      definePlugin({
        name: 'other',
        description: 'd',
        needs: [],
        tools: (define) => [
          define({
            name: 'other__send_mail',
            description: words`d`,
            parameters: z.object({}),
            effect: 'write',
            idempotent: false,
            parallelSafe: false,
            timeoutMs: 1,
            execute: () => Promise.resolve({ text: '' }),
          }),
        ],
      }),
    ]);
    expect(toolNamed('send_mail', twice)).toEqual({ kind: 'unknown' });
  });

  it('MA7: the model is told the names there are, and the history gets a legal one', () => {
    expect(decode('such a "tool"<', '{"x":1}')).toMatchObject([
      {
        call: { name: 'such_a__tool', arguments: '{}' },
        decoded: { ok: false, failure: { code: 'tool-unknown', available: [...tools.keys()] } },
      },
    ]);
  });
});

describe('arguments', () => {
  const read = { effect: 'read' } as const;
  const write = { effect: 'write' } as const;
  const code = { effect: 'read', bareArgument: 'code' } as const;

  it.each([
    ['', [{}]],
    ['null', [{}]],
    ['{"a":1}', [{ a: 1 }]],
    ['"{\\"a\\":1}"', [{ a: 1 }]],
    ['"\\"{\\\\\\"a\\\\\\":1}\\""', [{ a: 1 }]],
    ['[{"a":1}]', [{ a: 1 }]],
    ['```json\n{"a":1}\n```', [{ a: 1 }]],
    ["{'a': 'it is', 'b': True, 'c': None}", [{ a: 'it is', b: true, c: null }]],
    ['{a: 1, b: "x",}', [{ a: 1, b: 'x' }]],
    ['{"a":1}{"a":2}', [{ a: 1 }, { a: 2 }]],
    ['{"a":1}\n{"a":2}', [{ a: 1 }, { a: 2 }]],
    ['{"a":1}{"a":1}', [{ a: 1 }]],
    ['{"a":"}{"}', [{ a: '}{' }]],
  ])('%j', (text, objects) => {
    expect(readArguments(text, read)).toEqual({ objects });
  });

  it.each(['{"a":', '{"a":"x', '{"a":[1,2}', '{"a":1}}', 'a: 1', 'some words', '[1,2]', '5', 'true', '{"a":1} and then', '{"a":{"b":1}'])(
    'MB11: %j is refused, not guessed at',
    (text) => {
      expect(readArguments(text, read)).toHaveProperty('problem');
    },
  );

  it.each(["{'a': 1}", '{a: 1}', '{"a":1,}', '{"a":"x\ny"}'])('%j is not mended for a tool with effects outside', (text) => {
    expect(readArguments(text, write)).toHaveProperty('problem');
    expect(readArguments(text, read)).toHaveProperty('objects');
  });

  it.each([
    ['print(1)', 'print(1)'],
    ['```python\nprint(1)\n```', 'print(1)'],
    ['```\nprint(1)\n```', 'print(1)'],
    ['"print(1)"', 'print(1)'],
    ['[1, 2]', '[1, 2]'],
    ['5', '5'],
    ['{k: k for k in "ab"}', '{k: k for k in "ab"}'],
    ['x = {"code": 1', 'x = {"code": 1'],
    ['if x:\n    print("```")', 'if x:\n    print("```")'],
  ])('MA1: %j is code', (text, expected) => {
    expect(readArguments(text, code)).toEqual({ objects: [{ code: expected }] });
  });

  it.each(['{"code":"os.rem', '{"code": "a"', "{'code': 'os.remove(1)'}", '{code: print(1)}'])(
    'MB11: %j is broken JSON, and never run as code',
    (text) => {
      expect(readArguments(text, code)).toHaveProperty('problem');
    },
  );

  it('keeps keys like __proto__ plain data', () => {
    const [offered] = decode('read', '{"__proto__":{"polluted":true},"path":"a"}');
    expect(offered).toMatchObject({ decoded: { ok: true } });
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
    expect(JSON.parse(offered!.call.arguments)).toHaveProperty('path', 'a');
  });

  it('refuses nesting that would exhaust the stack', () => {
    for (const text of [
      JSON.stringify(`{"path":${'['.repeat(60_000)}${']'.repeat(60_000)}}`),
      `{"path":${'['.repeat(60_000)}${']'.repeat(60_000)}}`,
      `{"path":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`,
      '['.repeat(100_000),
    ])
      expect(decode('read', text)).toMatchObject([
        { call: { arguments: '{}' }, decoded: { ok: false, failure: { code: 'tool-arguments' } } },
      ]);
  });

  it('takes a megabyte of junk without hanging', () => {
    for (const text of ['{'.repeat(250_000), "'".repeat(250_000), '\\n'.repeat(125_000), '{"a":'.repeat(50_000), '`'.repeat(250_000)])
      expect(decode('web_search', text)).toMatchObject([{ decoded: { ok: false } }]);
  });
});

describe('arguments and the schema', () => {
  it.each([
    ['web_search', '{"query":"x","count":"5"}', { query: 'x', count: 5 }],
    ['web_search', '{"query":"x","count":null}', { query: 'x' }],
    ['read', '{"all":"True","paths":"[\\"a\\"]"}', { all: true, paths: ['a'] }],
  ])('MB6, MB14: %s(%s) fits after coercion', (name, text, args) => {
    const [offered] = decode(name, text);
    expect(offered!.decoded).toMatchObject({ ok: true, value: { arguments: args } });
    expect(JSON.parse(offered!.call.arguments)).toEqual(args);
  });

  it('leaves alone what already fits', () => {
    expect(decode('web_search', '{"query":"[1]"}')).toMatchObject([{ decoded: { ok: true, value: { arguments: { query: '[1]' } } } }]);
  });

  it('coerces nothing for a tool with effects outside', () => {
    expect(decode('send_mail', '{"to":"a","copies":"5"}')).toMatchObject([{ decoded: { ok: false, failure: { code: 'tool-arguments' } } }]);
  });

  it('says what is wrong so that a model can mend it', () => {
    const [offered] = decode('web_search', '{"q":"x","count":"ten"}');
    expect(offered!.decoded).toMatchObject({ ok: false, failure: { name: 'web_search' } });
    const problem = JSON.stringify(offered!.decoded);
    for (const part of ['query:', 'count:', 'not known: q', 'the parameters are: query, count']) expect(problem).toContain(part);
  });

  it('is told to the model without dialect, closed, and the same each time', () => {
    const schema = toolSchema(tools.get('web_search')!);
    expect(schema).toEqual({
      type: 'object',
      properties: {
        query: { type: 'string' },
        count: { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER },
      },
      required: ['query'],
      additionalProperties: false,
    });
    expect(toolSchema(tools.get('web_search')!)).toBe(schema);
  });
});

describe('calls of one reply', () => {
  it('have ids of ours, in order, also where they were run together', () => {
    const offered = decodeCalls([raw('web_search', '{"query":"a"}{"query":"b"}'), raw('now', '')], tools, 'turn:3');
    expect(offered.map(({ call }) => call.id)).toEqual(['turn:3:0', 'turn:3:0.1', 'turn:3:1']);
  });

  it('have arguments that read the same for equal calls', () => {
    const text = (args: string) => decode('read', args)[0]!.call.arguments;
    expect(text('{"path":"a","all":true}')).toBe(text('{ "all": true, "path": "a" }'));
  });

  it('can be decoded again from the journal', () => {
    const [offered] = decode('python', 'print(1)');
    expect(decodeStored(offered!.call, tools)).toMatchObject({
      ok: true,
      value: { tool: { name: 'run_python' }, args: { code: 'print(1)' } },
    });
    expect(decodeStored({ ...offered!.call, name: 'gone' }, tools)).toMatchObject({ ok: false, failure: { code: 'tool-unknown' } });
  });

  it('MA3: nested or empty parallel calls end in words, not in a loop', () => {
    const nested = JSON.stringify({ tool_uses: [{ recipient_name: 'multi_tool_use.parallel', parameters: { tool_uses: [] } }] });
    for (const args of [nested, '{}', 'x', '{"tool_uses":[1,null,{}]}'])
      expect(decode('multi_tool_use.parallel', args)).toMatchObject([
        { call: { name: 'multi_tool_use_parallel' }, decoded: { ok: false, failure: { code: 'tool-unknown' } } },
      ]);
  });
});
