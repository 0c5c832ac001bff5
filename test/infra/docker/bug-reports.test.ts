/**
 * Faults that were reported against other code interpreters, each with a cell that shows it. The symptom of the report is the name;
 * the cells are our own. Between two cells of a row everything is thrown away but what was saved.
 */
import { existsSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunOutcome } from '../../../src/ports/sandbox.ts';
import { createMemoryBlobs } from '../../support/memory-blobs.ts';
import { openSandbox, openSession } from '../../support/sandbox.ts';
import type { Session } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

const limits = { memoryMb: 256, poolSize: 2, maxContainers: 4, waitMs: 280_000, saveMs: 120_000 };
const opened = openSandbox({ limits });

type Row = {
  readonly report: string;
  readonly cells: readonly string[];
  readonly limitMs?: number;
  readonly value?: string;
  readonly see?: (last: RunOutcome) => unknown;
};

const rows: { readonly [symptom: string]: Row } = {
  'the second analysis fails, all variables gone': {
    report: 'https://github.com/open-webui/open-webui/issues/9469',
    cells: ['x = 41', 'x + 1'],
    value: '42',
  },
  'the tool promises a state that is not there': {
    report: 'https://github.com/LibreChat-AI/agents/pull/313',
    cells: ['import math; x = 42.5', 'math.floor(x)'],
    value: '42',
  },
  'a second file of the same name breaks the session': {
    report: 'https://github.com/danny-avila/LibreChat/issues/15443',
    cells: ["open('image.png','wb').write(b'1')", "open('image.png','wb').write(b'22')", "len(open('image.png','rb').read())"],
    value: '2',
  },
  'files of one call are missing in the next': {
    report: 'https://github.com/danny-avila/LibreChat/issues/15659',
    cells: ["open('/workspace/r.csv','w').write('a,b\\n')", "open('/workspace/r.csv').read()"],
    value: "'a,b\\n'",
  },
  'of several files only the first is there later': {
    report: 'https://github.com/usnavy13/LibreCodeInterpreter/issues/86',
    cells: ["for i in (1,2,3): open(f'file{i}.csv','w').write(str(i))", "open('file1.csv').read()", 'import os; sorted(os.listdir())'],
    value: "['file1.csv', 'file2.csv', 'file3.csv']",
  },
  'what takes long fails, and its names are lost': {
    report: 'https://github.com/open-webui/open-webui/issues/10346',
    cells: ['kept = 2; import time; time.sleep(60)', 'kept'],
    limitMs: 2_000,
    value: '2',
  },
  'after a time-out the code runs on': {
    report: 'https://github.com/datalayer/jupyter-mcp-server/issues/317',
    cells: ['import time\nn=0\nwhile True:\n  n+=1; time.sleep(.01)', 'a=n; time.sleep(.3); a==n'],
    limitMs: 2_000,
    value: 'True',
  },
  'a plot of an earlier run comes again': {
    report: 'https://github.com/vndee/llm-sandbox/issues/104',
    cells: ['import matplotlib.pyplot as plt\nplt.plot([1,2]); plt.show()', "print('hello')"],
    see: (last) => expect(last).toMatchObject({ output: 'hello\n', files: [] }),
  },
  'only the last of several figures comes out': {
    report: 'https://github.com/jkitchin/pycse/issues/8',
    cells: ['import matplotlib.pyplot as plt\nplt.figure(1); plt.plot([1]); plt.figure(2); plt.plot([2]); plt.show()'],
    see: (last) => expect(last.files.map((file) => file.picture)).toEqual([true, true]),
  },
  'the output before an error is dropped': {
    report: 'https://github.com/microsoft/autogen/pull/6572',
    cells: ["print('step 1 ok'); 1/0"],
    see: (last) => expect(last).toMatchObject({ output: 'step 1 ok\n', error: { type: 'ZeroDivisionError' } }),
  },
  'imports and threads die with "operation not permitted"': {
    report: 'https://github.com/langgenius/dify-sandbox/issues/104',
    cells: [
      "import json, pandas, concurrent.futures as cf\nwith cf.ThreadPoolExecutor(4) as pool: total = sum(pool.map(int, '1234'))\ntotal",
    ],
    value: '10',
  },
  'no usable temporary directory': {
    report: 'https://github.com/langgenius/dify/issues/18678',
    cells: ["import tempfile; tempfile.TemporaryFile().write(b'x')"],
    value: '1',
  },
  'something of the request runs before the lock-down': {
    report: 'https://github.com/langgenius/dify-sandbox/issues/27',
    cells: ["import os; os.system('touch /zz') != 0 and not os.path.exists('/zz')"],
    value: 'True',
  },
  'a hog starves the control channel, and only "timeout" is seen': {
    report: 'https://github.com/e2b-dev/E2B/issues/412',
    cells: ['k = 1', 'x = bytearray(3*10**9)', 'k'],
    value: '1',
  },
  'a restored function keeps a copy of its globals': {
    report: 'https://github.com/cloudpipe/cloudpickle/issues/275',
    cells: ['rate=1\ndef f(): return rate', 'rate=5; f()'],
    value: '5',
  },
  'sockets that no network namespace holds': {
    report: 'https://github.com/moby/moby/pull/52494',
    cells: [
      'import socket\ndef opens(f):\n  try: return bool(socket.socket(f, socket.SOCK_STREAM))\n  except OSError: return False\n[f for f in (38, 40, 2, 16) if opens(f)]',
    ],
    value: '[]',
  },
  'lines of a string are stripped or indented': {
    report: 'https://github.com/mcp-use/mcp-use/pull/2588',
    cells: ['s = """line1\n\n  # x\nline2"""\ns'],
    value: String.raw`'line1\n\n  # x\nline2'`,
  },
  'emoji and surrogates break the way in or out': {
    report: 'https://github.com/Significant-Gravitas/AutoGPT/pull/13576',
    cells: ["v = '🎅🏻'\nw = '\\ud83c'\nprint(v)\nprint(w)", '(len(v), len(w), v.encode())'],
    value: String.raw`(2, 1, b'\xf0\x9f\x8e\x85\xf0\x9f\x8f\xbb')`,
  },
  'newlines and quotes break the code': {
    report: 'https://github.com/crewAIInc/crewAI-tools/issues/158',
    cells: ['print("Hello, ")\nprint(\'Wor"ld$(id)`!\')'],
    see: (last) => expect(last.output).toBe('Hello, \nWor"ld$(id)`!\n'),
  },
  'commands are injected by a policy that is never enforced': {
    report: 'https://github.com/vndee/llm-sandbox/issues/147',
    cells: [
      "import os, subprocess\n(os.getuid() > 10000, subprocess.run(['id', '-u'], capture_output=True, text=True).stdout.strip() == str(os.getuid()))",
    ],
    value: '(True, True)',
  },
  'a reset is undone when the first cell after it fails': {
    report: 'https://github.com/strands-agents/harness-sdk/pull/4384',
    cells: ['stale=1', '#reset', "raise ValueError('boom')", 'stale'],
    see: (last) => expect(last.error?.type).toBe('NameError'),
  },
  'a value unpickles on the host': {
    report: 'https://github.com/huggingface/smolagents/pull/1637',
    cells: ["class P:\n  def __reduce__(self): return (__import__('os').system, ('touch /tmp/pwned',))\np = P()", '1', 'p'],
    see: () => expect(existsSync('/tmp/pwned')).toBe(false),
  },
};

const runRow = async (s: Session, { cells, limitMs }: Row): Promise<RunOutcome> => {
  let last: RunOutcome | undefined;
  for (const cell of cells) {
    await opened.sandbox.discard(s.conversation);
    if (cell === '#reset') s.setHead(null);
    else last = await s.run(cell, { timeoutMs: limitMs ?? 200_000 });
  }
  return last!;
};

describe('faults of others', { timeout: 300_000 }, () => {
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await until(async () => (await opened.containers()).length === 0, 'no container is left');
  });

  it.concurrent.each(Object.entries(rows))('%s', async (_, row) => {
    const last = await runRow(openSession(opened.sandbox, opened.blobs), row);
    if (row.value !== undefined) expect(last.value, `${row.report} ${JSON.stringify(last).slice(0, 1_000)}`).toBe(row.value);
    row.see?.(last);
  });

  it.concurrent('a file that was attached a day ago cannot be reached (https://github.com/danny-avila/LibreChat/issues/7329)', async () => {
    const s = openSession(opened.sandbox, opened.blobs);
    await s.run("open('a.pptx','wb').write(b'z'*10); v={'a':1}");
    const elsewhere = createMemoryBlobs();
    for (const bytes of opened.blobs.all(s.conversation).values()) await elsewhere.put(s.conversation, bytes);
    await using other = openSandbox({ blobs: elsewhere, limits: { poolSize: 0 } });
    const later = openSession(other.sandbox, elsewhere, s.conversation);
    later.setHead(s.head());
    expect((await later.run("(len(open('a.pptx','rb').read()), v)")).value).toBe("(10, {'a': 1})");
  });

  it.concurrent('variables are said to be kept when they are not (https://github.com/code-yeongyu/senpi/pull/375)', async () => {
    const s = openSession(opened.sandbox, opened.blobs);
    await s.run('y = 1');
    const killed = await s.run('y = 2; sum(range(10**13))', { timeoutMs: 1_000 });
    expect(killed.notes.join()).toContain('the state is as it was before this run');
    const soft = await s.run('y = 3\nimport time; time.sleep(60)', { timeoutMs: 1_000 });
    expect(soft.notes.join()).toContain('is kept');
    expect((await s.run('y')).value).toBe('3');
  });

  it.concurrent('two instances share one container (https://github.com/openclaw/openclaw/issues/51363)', async () => {
    const [a, b] = [openSession(opened.sandbox, opened.blobs), openSession(opened.sandbox, opened.blobs)];
    const [, seen] = await Promise.all([
      a.run("secret='A'; import time; time.sleep(.5)"),
      b.run("import time; time.sleep(.3); 'secret' in globals()"),
    ]);
    expect(seen.value).toBe('False');
  });

  it.concurrent('a caller that goes away leaves the code running, and blocks the next (https://github.com/e2b-dev/code-interpreter/pull/278)', async () => {
    const s = openSession(opened.sandbox, opened.blobs);
    const gone = new AbortController();
    const cut = s.run('print("go", flush=True)\nwhile True: pass', { signal: gone.signal, onOutput: () => gone.abort() });
    expect((await cut).end).toBe('stopped');
    expect((await s.run('1 + 1')).value).toBe('2');
  });
});
