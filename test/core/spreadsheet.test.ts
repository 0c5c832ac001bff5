/** Workbooks that openpyxl wrote: test/fixtures/{sales,streamed,swollen}.xlsx; the last one's first sheet has 50 MB of blanks. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { workbookSheets } from '../../src/core/spreadsheet.ts';
import { tableFacts } from '../../src/core/table.ts';

const workbook = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../fixtures', name));

describe('what is said of a workbook', () => {
  it('is every sheet with its header and its rows, the first one’s also as the table’s', () => {
    const facts = tableFacts('Sales.XLSX', '', workbook('sales.xlsx'));
    const columns = ['month', 'sold <net>', 'Größe', '2024'];
    expect(facts).toEqual({
      columns,
      rows: 100,
      sheets: [
        { name: 'Sales & costs', columns, rows: 100 },
        { name: 'empty', columns: [], rows: 0 },
        { name: 'people', columns: ['id', 'name'], rows: 1 },
      ],
    });
  });

  it('counts the rows where the sheet does not say them', () => {
    expect(workbookSheets(workbook('streamed.xlsx'))).toEqual([{ name: 'streamed', columns: ['a', 'b'], rows: 2 }]);
  });

  it('reads no more of a part that swells than it needs, and says that it did not count', () => {
    expect(workbookSheets(workbook('swollen.xlsx'))?.[0]).toEqual({ name: 'Sales & costs', columns: ['bomb'], rows: null });
  });

  it('is nothing where it is no workbook, and what could be read where it is damaged', () => {
    const whole = workbook('sales.xlsx');
    expect(tableFacts('a.xlsx', '', Buffer.from('month,sold\n'))).toBeNull();
    expect(tableFacts('a.xlsx', '', Buffer.alloc(0))).toBeNull();
    for (let size = 0; size < whole.length; size += 397) expect(() => workbookSheets(whole.subarray(0, size))).not.toThrow();
    for (let at = 0; at < whole.length; at += 261) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      expect(() => workbookSheets(damaged)).not.toThrow();
    }
  });
});

describe('what is said of JSON lines', () => {
  it('is the first record’s keys and the number of records', () => {
    expect(tableFacts('log.jsonl', '', Buffer.from('{"at":1,"what":"a"}\n{"at":2}\n'))).toEqual({
      columns: ['at', 'what'],
      rows: 2,
      sheets: [],
    });
    expect(tableFacts('log.ndjson', '', Buffer.from('[1]\n'))).toBeNull();
    expect(tableFacts('log.ndjson', '', Buffer.from('no json\n'))).toBeNull();
  });
});
