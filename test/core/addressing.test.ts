import { describe, expect, it } from 'vitest';
import { asPrompted, codeIn, readIntent } from '../../src/core/addressing.ts';
import type { Intent } from '../../src/core/addressing.ts';

const commands = new Set(['help', 'py', 'ask', 'vars', 'undo', 'reset', 'stop', 'export']);
const read = (text: string): Intent | string => {
  const intent = readIntent(text, commands);
  return intent.ok ? intent.value : intent.failure.code;
};
const run = (code: string): Intent => ({ kind: 'run', code });
const ask = (text: string): Intent => ({ kind: 'ask', text });
const command = (name: string, args = ''): Intent => ({ kind: 'command', name, args });

type Row = readonly [message: string, intent: Intent | string];

describe('an empty message is told as such (U133)', () => {
  it.each<Row>([
    ['', 'message-empty'],
    [' \t\r\n ', 'message-empty'],
    ['\u200b\ufeff\u2060 \u00a0', 'message-empty'],
    ['>>>', 'message-empty'],
    ['>>> ', 'message-empty'],
    ['>>>\n\n  \n', 'message-empty'],
    ['```python\n\n```', 'message-empty'],
    ['>>> \n>>> \n', 'message-empty'],
  ])('%j', (message, intent) => expect(read(message)).toEqual(intent));
});

describe('`>>>` runs code', () => {
  it.each<Row>([
    ['>>> 1 + 1', run('1 + 1')],
    ['>>>1 + 1', run('1 + 1')],
    ['  >>> x', run('x')],
    ['\u200b>>> x', run('x')],
    ['\ufeff\n\n>>> x\n\n', run('x')],
    ['>>>\u00a0x', run('x')],
    ['>>>  x', run(' x')],
    ['>>> "名前 🎅"', run('"名前 🎅"')],
    ['>>> print("Hello, ")\r\nprint("World!")\r\n', run('print("Hello, ")\nprint("World!")')],
    ['>>> for i in range(2):\n    print(i)', run('for i in range(2):\n    print(i)')],
    ['>>> x = 1\n...\n', run('x = 1\n')],
    ['>>>> not code', ask('>>>> not code')],
    ['>>>>>>> main', ask('>>>>>>> main')],
    ['what does >>> mean', ask('what does >>> mean')],
    ['is this right?\n>>> 1 + 1\n3', ask('is this right?\n>>> 1 + 1\n3')],
  ])('%j', (message, intent) => expect(read(message)).toEqual(intent));
});

describe('`>>>` alone takes what follows as it stands (sandbox row 23: never re-indented)', () => {
  it.each<Row>([
    ['>>>\ns = """line1\n\n  # x\nline2"""', run('s = """line1\n\n  # x\nline2"""')],
    ['>>>\n    indented = 1', run('    indented = 1')],
    ['>>> \n\n\tif x:\n\t\ty\n', run('\n\tif x:\n\t\ty')],
    ['>>>\ns = """\n>>> not a prompt\n"""', run('s = """\n>>> not a prompt\n"""')],
    ['>>>\n```python\nx = 1\n```', run('x = 1')],
    ['>>>\ndef f():\n    """\n    >>> f()\n    1\n    """', run('def f():\n    """\n    >>> f()\n    1\n    """')],
  ])('%j', (message, intent) => expect(read(message)).toEqual(intent));
});

describe('a pasted session loses its prompts and its output, as with doctest', () => {
  it.each<Row>([
    ['>>> x = 41\n>>> x + 1\n42', run('x = 41\nx + 1')],
    ['>>> 1 + 1\n2\n>>> 2 + 2\n4', run('1 + 1\n2 + 2')],
    ['>>> for i in range(2):\n...     print(i)\n... \n0\n1\n>>> i', run('for i in range(2):\n    print(i)\n\ni')],
    ['>>> def f():\n...   return 1\n...\n>>> f()', run('def f():\n  return 1\n\nf()')],
    ['>>> \n>>> x = 1', run('\nx = 1')],
    ['>>>\n\n>>> x = 1\n>>> x\n1', run('\nx = 1\nx')],
    ['    >>> a = 1\n    >>> a\n    1', run('a = 1\na')],
    ['>>> 1/0\nTraceback (most recent call last):\n  ...\nZeroDivisionError: division by zero\n>>> 2', run('1/0\n2')],
    ['>>> s = """a\n... b"""\n>>> s', run('s = """a\nb"""\ns')],
    ['>>> def f():\n    """\n    >>> f()\n    1\n    """', run('def f():\n    """\n    >>> f()\n    1\n    """')],
    ['```python\n>>> x = 1\n>>> x\n1\n```', run('x = 1\nx')],
  ])('%j', (message, intent) => expect(read(message)).toEqual(intent));
});

describe('one fenced block marked as Python is a run', () => {
  it.each<Row>([
    ['```python\nx = 1\nx\n```', run('x = 1\nx')],
    ['```py\nx = 1\n```', run('x = 1')],
    ['\r\n```Python\r\nx = 1\r\n```\r\n', run('x = 1')],
    ['```py\nx = 1```', run('x = 1')],
    ['~~~python\nx\n~~~', run('x')],
    ['````python\ns = """\n```\n"""\n````', run('s = """\n```\n"""')],
    ['  ```python\n  if x:\n      y\n  ```', run('if x:\n    y')],
    ['```python\n    x = 1\n```', run('    x = 1')],
    ['```\nx = 1\n```', ask('```\nx = 1\n```')],
    ['```js\nx = 1\n```', ask('```js\nx = 1\n```')],
    ['what is this?\n```python\nx\n```', ask('what is this?\n```python\nx\n```')],
    ['```python\nx\n```\nwhy?', ask('```python\nx\n```\nwhy?')],
    ['```python\nx\n```\n```python\ny\n```', ask('```python\nx\n```\n```python\ny\n```')],
    ['```python\nx = 1', ask('```python\nx = 1')],
    ['```python x```', ask('```python x```')],
  ])('%j', (message, intent) => expect(read(message)).toEqual(intent));
});

describe('`!py` runs code', () => {
  it.each<Row>([
    ['!py 1 + 1', run('1 + 1')],
    ['!PY 1', run('1')],
    ['！py 1', run('1')],
    ['!py for i in x:\n    i', run('for i in x:\n    i')],
    ['!py\n  x', run('  x')],
    ['!py\n```python\nx\n```', run('x')],
    ['!py ```x = 1```', run('```x = 1```')],
    ['!py `x + 1`', run('x + 1')],
    ['!py', command('py')],
    ['!python x', ask('!python x')],
  ])('%j', (message, intent) => expect(read(message)).toEqual(intent));
});

describe('known commands, and no others', () => {
  it.each<Row>([
    ['!help', command('help')],
    ['!undo 3', command('undo', '3')],
    ['!undo\n3 ', command('undo', '3')],
    ['/undo 3', command('undo', '3')],
    ['/reset', command('reset')],
    ['/reset does nothing in my app', ask('/reset does nothing in my app')],
    ['/usr/bin/python is what?', ask('/usr/bin/python is what?')],
    ['!important: read this', ask('!important: read this')],
    ['!', ask('!')],
    ['! help', ask('! help')],
    ['!helpme', ask('!helpme')],
    ['!ask >>> 1', ask('>>> 1')],
    ['!ask', command('ask')],
  ])('%j', (message, intent) => expect(read(message)).toEqual(intent));
});

describe('stop is exact (U137) and never a message for the model (U139)', () => {
  it.each<Row>([
    ['stop', command('stop')],
    [' Stop\u200b\n', command('stop')],
    ['STOP', command('stop')],
    ['!stop', command('stop')],
    ['/stop', command('stop')],
    ['stop the deploy', ask('stop the deploy')],
    ['stop.', ask('stop.')],
    ['"stop"', ask('"stop"')],
    ['don’t stop', ask('don’t stop')],
  ])('%j', (message, intent) => expect(read(message)).toEqual(intent));
});

describe('a question keeps its words', () => {
  it.each<Row>([
    ['  What is\r\n\r\n  this?  ', ask('What is\n\n  this?')],
    ['👩‍👩‍👧', ask('👩‍👩‍👧')],
    ['❤️', ask('❤️')],
    ['مرحبا', ask('مرحبا')],
  ])('%j', (message, intent) => expect(read(message)).toEqual(intent));
});

describe('the code of a py command', () => {
  it.each([
    ['1 + 1', '1 + 1'],
    ['>>> 1', '1'],
    ['`x`', 'x'],
    ['```\nx\n```', 'x'],
    ['```sql\nx\n```', '```sql\nx\n```'],
    ['  \u200b', ''],
    ['if x:\r\n  y', 'if x:\n  y'],
  ])('%j', (args, code) => expect(codeIn(args)).toBe(code));
});

it.each(['1', ' x = 1', 'if x:\n  y', 's = """\n>>> a\n"""', 'x = 1\n... ', '>>>x'.slice(3)])(
  'code written as a message reads as the same code: %j',
  (code) => expect(read(asPrompted(code))).toEqual(run(code.replace(/\s+$/, ''))),
);

it('takes time in proportion to a message’s length (a message of 1 MB)', () => {
  const wide = ' '.repeat(1_000_000);
  expect(read(`${wide}x`)).toEqual(ask('x'));
  expect(read(`a${wide}b`)).toEqual(ask(`a${wide}b`));
  expect(read(wide)).toBe('message-empty');
  expect(read(`>>> ${'`'.repeat(1_000_000)}`)).toEqual(run('`'.repeat(1_000_000)));
  expect(read(`\`\`\`py\n${'```x\n'.repeat(100_000)}\`\`\``)).toMatchObject({ kind: 'run' });
});
