import { describe, expect, it } from 'vitest';
import { geplWords, readGepl, toGepl } from '../../src/core/gepl.ts';

describe('the GEPL text protocol', () => {
  it('reads a description and code', () => {
    expect(readGepl('STARTDESC\nAdds one.\nENDDESC\nSTARTCODE\nx + 1\nENDCODE')).toEqual({
      kind: 'code',
      description: 'Adds one.',
      code: 'x + 1',
    });
  });

  it.each([
    ['no end', 'STARTDESC\nAdds.\nENDDESC\nSTARTCODE\nx + 1'],
    ['a fence', 'STARTDESC\nAdds.\nENDDESC\nSTARTCODE\n```python\nx + 1\n```\nENDCODE'],
    ['a fence that is not closed', 'STARTDESC Adds.\nENDDESC\nSTARTCODE\n```python\nx + 1\nENDCODE'],
    ['decorated markers', '**STARTDESC**\nAdds.\n**ENDDESC**\n\n**STARTCODE:**\nx + 1\n**ENDCODE**'],
    ['lower case and CRLF', 'startdesc\r\nAdds.\r\nenddesc\r\nstartcode\r\nx + 1\r\nendcode'],
    ['everything on the marker lines', 'STARTDESC Adds. \nENDDESC\nSTARTCODE x + 1\nENDCODE'],
    ['words around it', 'Adds.\nSTARTCODE\nx + 1\nENDCODE\n'],
  ])('tolerates %s', (_name, reply) => {
    expect(readGepl(reply)).toEqual({ kind: 'code', description: 'Adds.', code: 'x + 1' });
  });

  it('leaves indentation and blank lines inside the code alone', () => {
    const code = 'def f():\n    s = """a\n\n  # b"""\n    return s';
    expect(readGepl(toGepl('Defines f.', code))).toMatchObject({ code });
  });

  it('takes several blocks as one run', () => {
    expect(readGepl('STARTCODE\na = 1\nENDCODE\nand\nSTARTCODE\nb = 2\nENDCODE')).toMatchObject({ kind: 'code', code: 'a = 1\n\nb = 2' });
  });

  it.each([
    'STARTDESC\nThere is no network.\nENDDESC\nSTARTCODE\nENDCODE',
    'STARTDESC\nThere is no network.\nENDDESC\nSTARTCODE\n```python\n```\nENDCODE',
    'There is no network.\nSTARTCODE\n\n',
  ])('reads an empty code block as a refusal with its reason: %j', (reply) => {
    expect(readGepl(reply)).toEqual({ kind: 'refusal', reason: 'There is no network.' });
  });

  it('takes a reply without code for words, also one that speaks of the markers', () => {
    expect(readGepl('It is 42.')).toEqual({ kind: 'words', text: 'It is 42.' });
    expect(readGepl('Write `STARTCODE` before code.')).toMatchObject({ kind: 'words' });
  });

  it('shows no marker and no code while the reply comes in', () => {
    const whole = toGepl('Adds one.', 'x + 1');
    for (let length = 0; length <= whole.length; length += 1) {
      const shown = geplWords(whole.slice(0, length));
      expect(shown).not.toMatch(/START|END(?:C|D)|x \+ 1/);
      expect('Adds one.'.startsWith(shown)).toBe(true);
    }
  });
});
