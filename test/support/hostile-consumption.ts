/** Code that uses up time, processes, memory, output or disk, and what must come of it. */
import { expect } from 'vitest';
import { lines, valueIs, raises, isBounded } from './hostile-cell.ts';
import type { HostileCell } from './hostile-cell.ts';

export const consumptionCells: { readonly [name: string]: HostileCell } = {
  // time
  'an endless loop': { code: 'while True: pass', limitMs: 3_000, ends: ['timed-out'], rolledBack: false },
  'a loop that swallows interrupts': {
    code: 'while True:\n  try:\n    while True: pass\n  except BaseException: pass',
    limitMs: 3_000,
    ends: ['timed-out'],
  },
  'a loop in C that never looks at signals': { code: 'sum(range(10**13))', limitMs: 3_000, ends: ['timed-out'], rolledBack: true },
  'ignored signals': {
    code: 'import signal, time\nfor s in (2, 15): signal.signal(s, signal.SIG_IGN)\ntime.sleep(99)',
    limitMs: 3_000,
    ends: ['timed-out'],
    rolledBack: true,
  },
  'a catastrophic regular expression': { code: "import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')", limitMs: 3_000, ends: ['timed-out'] },
  'stopping itself': {
    code: 'import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)',
    limitMs: 3_000,
    ends: ['timed-out'],
    rolledBack: true,
  },

  // processes
  'a fork bomb': {
    code: 'import os\nwhile True:\n  try: os.fork()\n  except OSError: pass',
    limitMs: 3_000,
    ends: ['timed-out', 'killed', 'broken'],
  },
  'a thread bomb': {
    code: 'import threading, time\nfor i in range(10000): threading.Thread(target=time.sleep, args=(99,)).start()',
    limitMs: 3_000,
    ends: ['raised', 'timed-out'],
  },
  'a fork that falls through': {
    code: "import os\npid = os.fork()\nprint('child' if pid == 0 else 'parent')",
    ends: ['finished', 'killed', 'broken'],
  },
  'a process left behind that holds the output': { code: "import subprocess\nsubprocess.Popen(['sleep', '1000'])\n1", ends: ['finished'] },
  'U122: processes that nobody waits for': {
    code: lines(
      'import subprocess, time',
      "for _ in range(100): subprocess.Popen(['sleep', '0'])",
      'time.sleep(1)',
      "subprocess.run(['echo', 'still']).returncode",
    ),
    ends: ['finished'],
    see: valueIs('0'),
  },
  'os._exit': { code: 'import os\nos._exit(0)', ends: ['killed'], rolledBack: true },
  'a segmentation fault': { code: 'import ctypes\nctypes.string_at(0)', ends: ['killed'], rolledBack: true },
  'endless recursion': { code: 'def f(n): return f(n + 1)\nf(0)', ends: ['raised'], see: raises('RecursionError') },
  'killing the supervisor': {
    code: lines('import os, signal', 'for s in (9, 19, 15, 2):', '  try: os.kill(1, s)', '  except OSError: pass', "'here'"),
    ends: ['finished'],
    see: valueIs("'here'"),
  },

  // memory
  'memory at once': { code: 'b = bytearray(2 * 10**9)', ends: ['out-of-memory', 'raised'] },
  'memory bit by bit': {
    code: 'l = []\nwhile True:\n  try: l.append(bytearray(10**7))\n  except MemoryError: break',
    ends: ['out-of-memory'],
    rolledBack: true,
  },
  'memory as files': {
    code: "with open('/dev/shm/x', 'wb') as f:\n  for _ in range(1000): f.write(b'0' * 1000000)",
    ends: ['raised'],
    see: raises('OSError'),
  },
  'a state of 300 MB': { code: 'z = bytearray(300 * 10**6)\nlen(z)', ends: ['finished', 'broken', 'out-of-memory'] },

  // output and disk
  '1 GB printed': {
    code: "s = 'x' * 1000000\nfor _ in range(1000): print(s)",
    limitMs: 30_000,
    ends: ['finished', 'timed-out'],
    see: isBounded,
  },
  '1 GB written to the descriptor': {
    code: "import os\ns = b'x' * 1000000\nfor _ in range(1000): os.write(1, s)",
    limitMs: 30_000,
    ends: ['finished', 'timed-out'],
    see: isBounded,
  },
  'a flood on standard error': {
    code: "import sys\nfor _ in range(200): sys.stderr.write('e' * 1000000)",
    limitMs: 30_000,
    ends: ['finished', 'timed-out'],
    see: isBounded,
  },
  '10 GB to /tmp': {
    code: "with open('/tmp/f', 'wb') as f:\n  for _ in range(10000): f.write(b'0' * 1000000)",
    ends: ['raised'],
    see: raises('OSError'),
  },
  '10 GB to the workspace': {
    code: "with open('/workspace/f', 'wb') as f:\n  for _ in range(10000): f.write(b'0' * 1000000)",
    ends: ['raised', 'broken'],
    see: raises('OSError'),
  },
  '200,000 files': {
    code: "for i in range(200000): open(f'/workspace/{i}', 'w').close()",
    limitMs: 3_000,
    ends: ['raised', 'timed-out', 'broken'],
  },
  'a value whose text is 1 GB': {
    code: "class R:\n  def __repr__(s): return 'r' * 10**9\nR()",
    ends: ['finished', 'raised', 'out-of-memory'],
  },
  'an error whose text is 20 MB': {
    code: "raise ValueError('m' * 2 * 10**7)",
    ends: ['raised'],
    see: (outcome) => expect(outcome.error!.value.length).toBeLessThan(10_000),
  },
  'an error whose text raises': {
    code: 'class E(Exception):\n  def __str__(s): raise ValueError\nraise E',
    ends: ['raised'],
    see: raises('E'),
  },
  'more figures than are sent': {
    code: 'import matplotlib.pyplot as plt\nfor i in range(40): plt.figure(figsize=(1, 1)); plt.plot([1])',
    ends: ['finished'],
    see: (outcome) => expect(outcome.files).toHaveLength(20),
  },
  'a figure of 100,000 pixels': {
    code: 'import matplotlib.pyplot as plt\nplt.figure(figsize=(1000, 1000)); plt.plot([1])',
    limitMs: 3_000,
    ends: ['finished', 'raised', 'timed-out', 'out-of-memory'],
  },
};
