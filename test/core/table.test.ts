import { describe, expect, it } from 'vitest';
import { tableFacts } from '../../src/core/table.ts';

const facts = (text: string, name = 'a.csv', type = '') => tableFacts(name, type, Buffer.from(text));

describe('what is said of a table', () => {
  it.each([
    ['a,b\n1,2\n3,4\n', 'a.csv', { columns: ['a', 'b'], rows: 2 }],
    ['a,b\n1,2\n3,4', 'A.CSV', { columns: ['a', 'b'], rows: 2 }],
    ['\ufeffmonth;"sold; net"\r\nJan;3\r\n', 'x.csv', { columns: ['month', 'sold; net'], rows: 1 }],
    ['a\tb,c\n', 'a.tsv', { columns: ['a', 'b,c'], rows: 0 }],
  ])('%j in %s', (text, name, expected) => {
    expect(facts(text, name)).toEqual({ ...expected, sheets: [] });
  });

  it('goes by the type where the name says nothing', () => {
    expect(facts('a,b\n', 'data', 'text/csv')).toEqual({ columns: ['a', 'b'], rows: 0, sheets: [] });
  });

  it.each([
    ['', 'a.csv'],
    ['a,b\n', 'a.png'],
    ['PK\u0003\u0004\0\0', 'a.csv'],
    ['x'.repeat(10_000), 'a.csv'],
  ])('is nothing for %j in %s', (text, name) => {
    expect(facts(text, name)).toBeNull();
  });

  it('bounds the columns', () => {
    expect(facts(Array.from({ length: 500 }, (_, n) => `c${n}`).join(','))?.columns).toHaveLength(60);
  });
});
