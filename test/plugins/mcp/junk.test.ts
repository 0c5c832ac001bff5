import { describe, expect, it } from 'vitest';
import { answeredRequest, createLineReader } from '../../../plugins/mcp/lines.ts';
import type { Line } from '../../../plugins/mcp/lines.ts';
import { checkOf, flattenSchema } from '../../../plugins/mcp/schema.ts';
import { offeredName } from '../../../plugins/mcp/tool-names.ts';
import { openBench, stdio } from './bench.ts';

describe('names', () => {
  it('are legal and at most 64 long, cut with a hash that tells long ones apart (MH1)', () => {
    expect(offeredName('my server', 'get.weather', new Set())).toBe('my_server__get_weather');
    const [a, b] = [`${'long'.repeat(20)}a`, `${'long'.repeat(20)}b`].map((tool) => offeredName('server', tool, new Set()));
    for (const name of [a, b, offeredName('', '\u{1f600}', new Set())]) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
    expect(a).not.toBe(b);
    expect(a).toBe(offeredName('server', `${'long'.repeat(20)}a`, new Set()));
  });

  it('never take the name of another tool', () => {
    const name = offeredName('a', 'b', new Set(['a__b']));
    expect(name).toMatch(/^a__b_[0-9a-f]{6}$/);
    expect(offeredName('a', 'b', new Set(['a__b', name]))).not.toBe(name);
  });
});

describe('schemas', () => {
  const text = (schema: unknown): string => JSON.stringify(flattenSchema(schema));

  it('are told without references and oneOf, and end where they go round in circles', () => {
    const flat = flattenSchema({
      type: 'object',
      properties: { next: { $ref: '#/$defs/N' }, pick: { oneOf: [{ type: 'string' }, { $ref: '#/definitions/M' }] } },
      $defs: { N: { type: 'object', properties: { next: { $ref: '#/$defs/N' }, v: { type: 'string' } } } },
      definitions: { M: { type: 'integer', minimum: 1 } },
    });
    expect(JSON.stringify(flat)).not.toMatch(/\$ref|oneOf|\$defs/);
    expect(flat).toMatchObject({
      properties: { next: { properties: { v: { type: 'string' } } }, pick: { anyOf: [{ type: 'string' }, { type: 'integer' }] } },
    });
  });

  it('have no choice at the root', () => {
    const flat = flattenSchema({
      anyOf: [
        { type: 'object', properties: { a: { type: 'string' } }, required: ['a', 'c'] },
        { type: 'object', properties: { b: { type: 'string' } }, required: ['b', 'c'] },
      ],
      properties: { c: { type: 'string' } },
    });
    expect(flat).toMatchObject({ type: 'object', required: ['c'], properties: { a: {}, b: {}, c: {} } });
    expect(flat).not.toHaveProperty('anyOf');
  });

  it('stay small and harmless whatever a server sends', () => {
    const wide = {
      type: 'object',
      properties: Object.fromEntries(Array.from({ length: 20_000 }, (_, n) => [`p${n}`, { type: 'string', description: 'x'.repeat(99) }])),
    };
    const bomb = {
      type: 'object',
      properties: { a: { $ref: '#/$defs/0' } },
      $defs: Object.fromEntries(
        Array.from({ length: 40 }, (_, n) => [
          String(n),
          { type: 'object', properties: { l: { $ref: `#/$defs/${n + 1}` }, r: { $ref: `#/$defs/${n + 1}` } } },
        ]),
      ),
    };
    const deep = JSON.parse(`${'{"type":"object","properties":{"a":'.repeat(2_000)}{}${'}}'.repeat(2_000)}`) as unknown;
    const loud = { type: 'object', properties: { [`n${'x'.repeat(1_000_000)}`]: {}, e: { enum: ['y'.repeat(1_000_000)], default: deep } } };
    for (const schema of [wide, bomb, deep, loud]) expect(text(schema).length).toBeLessThan(60_000);
    for (const schema of [null, 7, [], 'x', { type: 'string' }, { type: ['array'] }]) expect(flattenSchema(schema)).toBeNull();
    for (const schema of [{}, { type: 'object', properties: 'junk', required: 5 }, { allOf: 7, anyOf: [1, null] }, { $ref: '#' }])
      expect(flattenSchema(schema)).toMatchObject({ type: 'object', properties: {} });
  });

  it('check what they say and run no pattern of a server', () => {
    const flat = flattenSchema({
      type: 'object',
      properties: {
        n: { type: 'integer', minimum: 1, default: 4 },
        s: { type: 'string', pattern: '^(a+)+$', format: 'date-time' },
        format: { type: 'string' },
      },
      required: ['n'],
    });
    if (flat === null) throw new TypeError('no schema');
    const check = checkOf(flat);
    expect(check.safeParse({ n: 2, s: 'a'.repeat(40) + '!', format: 'x', more: true })).toMatchObject({
      success: true,
      data: { more: true },
    });
    expect(check.safeParse({ n: 0 }).success).toBe(false);
    expect(check.safeParse({}).success).toBe(false);
    expect(check.safeParse({ n: 1, format: 3 }).success).toBe(false);
  });
});

describe('a server that sends junk', () => {
  it('loses only the tools that are junk; the others are told within the limits of every model server', async () => {
    await using bench = await openBench({ junk: stdio('junk') });
    await bench.has('junk__echo');
    const specs = bench.specs();
    for (const { name, description, parameters } of specs) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
      expect(description.text.length).toBeLessThanOrEqual(1_024);
      expect(parameters).toMatchObject({ type: 'object' });
      expect(JSON.stringify(parameters)).not.toContain('$ref');
    }
    const names = specs.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['junk__nested', 'junk__recursive', 'junk__same_name']));
    expect(names.filter((name) => name.startsWith('junk__same_name'))).toHaveLength(2);
    expect(names.some((name) => /text|no_schema/.test(name))).toBe(false);
    expect(specs.find(({ name }) => name === 'junk__chatty')?.description.text.match(/<\/description>/g)).toHaveLength(1);
    const second = names.find((name) => name.startsWith('junk__same_name_')) ?? '';
    expect((await bench.call(second)).text).toContain('same name was called');
    expect(bench.logged.some(({ message }) => message.includes('malformed'))).toBe(true);
  });

  it('offers no more than fit beside the other tools, in the order of the settings, and tells the operator (MH4)', async () => {
    const others = Array.from({ length: 117 }, (_, n) => `other${n}`);
    await using bench = await openBench({ a: stdio('good'), b: stdio('good', { tools: ['echo', 'fail', 'media', 'die'] }) }, {}, others);
    await bench.has('a__echo');
    await bench.has('b__echo');
    expect(bench.names()).toHaveLength(11);
    expect(bench.names().filter((name) => name.startsWith('b__'))).toEqual(['b__echo', 'b__die', 'b__fail']);
    expect(bench.logged.some(({ message }) => message.includes('more than a model takes'))).toBe(true);
  });
});

describe('lines of a server', () => {
  const readAll = (chunks: readonly Buffer[], max: number): readonly Line[] => {
    const lines: Line[] = [];
    const read = createLineReader(max, (line) => lines.push(line));
    chunks.forEach(read);
    return lines;
  };

  it('are the same however the bytes are cut', () => {
    const whole = Buffer.from('{"a":"é"}\n\nsecond\n{"jsonrpc":"2.0","id":7,"result":"' + 'x'.repeat(3_000) + '"}\nlast\n');
    const lines = readAll([whole], 1_000);
    for (const size of [1, 2, 7, 600]) {
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, n) => whole.subarray(n * size, (n + 1) * size));
      expect(readAll(chunks, 1_000)).toEqual(lines);
    }
    expect(lines.map((line) => line.kind)).toEqual(['whole', 'whole', 'oversize', 'whole']);
  });

  it('say which request they answer even where they are too large to be read', () => {
    const x = 'x'.repeat(600);
    expect(answeredRequest({ head: `{"jsonrpc":"2.0","id":7,"result":{"t":"${x}`, tail: x })).toBe(7);
    expect(answeredRequest({ head: `{"result":{"t":"${x}`, tail: `${x}"}]},"jsonrpc":"2.0","id":12}` })).toBe(12);
    expect(answeredRequest({ head: `{"result":{"t":"${x}`, tail: `${x}"}]},"id":3,"jsonrpc":"2.0"}` })).toBe(3);
    expect(answeredRequest({ head: `{"method":"m","params":"${x}`, tail: `${x}"}` })).toBeUndefined();
  });
});
