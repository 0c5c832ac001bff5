/**
 * Code that means harm, in real containers: each cell ends in a way that is told, the state from before is whole, and the next run of the
 * conversation works. Several run at once, as they would.
 */
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, it } from 'vitest';
import type { RunEnd } from '../../../src/core/run.ts';
import type { RunOutcome } from '../../../src/ports/sandbox.ts';
import { openSandbox, openSession } from '../../support/sandbox.ts';
import { until } from '../../support/until.ts';

type Cell = {
  readonly code: string;
  readonly ends: readonly RunEnd[];
  /** What must be true of the outcome, beyond the end. */
  readonly see?: (outcome: RunOutcome) => unknown;
  /** Whether the state after it is the one before it; undefined where either is right. */
  readonly rolledBack?: boolean;
  /** The run's time limit where it is to be reached; all others have time enough on a busy machine. */
  readonly limitMs?: number;
};

const lines = (...all: readonly string[]): string => all.join('\n');
const valueIs = (value: string) => (outcome: RunOutcome) => expect(outcome.value).toBe(value);
const raises = (type: string | RegExp) => (outcome: RunOutcome) => expect(outcome.error?.type).toMatch(type);
const forge = (type: string, value: string): string => `p=json.dumps(${value}).encode(); frame=struct.pack('>IB',len(p),ord('${type}'))+p`;
const everyDescriptor = lines('for fd in range(3, 300):', '  try: os.write(fd, frame)', '  except OSError: pass');

const cells: { readonly [name: string]: Cell } = {
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
    limitMs: 3_000,
    ends: ['finished', 'timed-out'],
    see: isBounded,
  },
  '1 GB written to the descriptor': {
    code: "import os\ns = b'x' * 1000000\nfor _ in range(1000): os.write(1, s)",
    limitMs: 3_000,
    ends: ['finished', 'timed-out'],
    see: isBounded,
  },
  'a flood on standard error': {
    code: "import sys\nfor _ in range(200): sys.stderr.write('e' * 1000000)",
    limitMs: 3_000,
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
  'an error whose text is 100 MB': {
    code: "raise ValueError('m' * 10**8)",
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

  // what it may see
  "the supervisor's environment": { code: "open('/proc/1/environ').read()", ends: ['raised'], see: raises(/Permission|FileNotFound/) },
  "the supervisor's memory": { code: "open('/proc/1/mem', 'rb')", ends: ['raised'], see: raises(/Permission|FileNotFound/) },
  "the supervisor's descriptors": { code: "import os\nos.listdir('/proc/1/fd')", ends: ['raised'], see: raises(/Permission|FileNotFound/) },
  'its own environment': {
    code: 'import os\nsorted(os.environ)',
    ends: ['finished'],
    see: (outcome) => expect(outcome.value).not.toMatch(/TOKEN|KEY|SECRET|REDIS|OPENAI|DOCKER|PASSWORD/),
  },
  'mounts of the host': {
    code: "[l.split()[2] for l in open('/proc/self/mounts') if l.split()[1] in ('/workspace', '/tmp', '/dev/shm')]",
    ends: ['finished'],
    see: valueIs("['tmpfs', 'tmpfs', 'tmpfs']"),
  },
  'the Docker socket': {
    code: "import glob\nglob.glob('/var/run/*docker*') + glob.glob('/run/*docker*')",
    ends: ['finished'],
    see: valueIs('[]'),
  },
  'set-user-id programs and compilers': {
    code: lines(
      'import os, shutil, stat',
      "found = [p for d in ('/usr/bin', '/usr/sbin', '/usr/lib') for r, _, fs in os.walk(d) for f in fs if (p := os.path.join(r, f)) and not os.path.islink(p) and os.stat(p).st_mode & 0o6000]",
      "(found, [c for c in ('gcc', 'cc', 'perl', 'curl', 'wget') if shutil.which(c)])",
    ),
    ends: ['finished'],
    see: valueIs('([], [])'),
  },

  // privileges
  'capabilities and filters': {
    code: "{l.split(':')[0]: l.split()[1] for l in open('/proc/self/status') if l.startswith(('CapEff', 'CapBnd', 'Seccomp:', 'NoNewPrivs'))}",
    ends: ['finished'],
    see: valueIs("{'CapEff': '0000000000000000', 'CapBnd': '0000000000000000', 'NoNewPrivs': '1', 'Seccomp': '2'}"),
  },
  'writing to the root file system': { code: "open('/etc/x', 'w')", ends: ['raised'], see: raises('OSError') },
  'becoming root': { code: 'import os\nos.setuid(0)', ends: ['raised'], see: raises('PermissionError') },
  'a device node': { code: "import os\nos.mknod('/tmp/d', 0o60600, os.makedev(8, 0))", ends: ['raised'], see: raises('PermissionError') },
  'kernel settings': {
    code: "open('/proc/sys/kernel/hostname', 'w').write('x')",
    ends: ['raised'],
    see: raises(/OSError|PermissionError/),
  },
  'the kernel log': { code: "open('/dev/kmsg').read(10)", ends: ['raised'], see: raises(/FileNotFoundError|PermissionError/) },
  'system calls that lead out': {
    code: lines(
      'import ctypes',
      'libc = ctypes.CDLL(None, use_errno=True)',
      // mount, unshare, setns, ptrace, process_vm_readv, keyctl, bpf, perf_event_open, io_uring_setup, userfaultfd, open_by_handle_at, kcmp, pidfd_getfd
      "calls = dict(zip(('x86_64', 'aarch64'), ((165, 272, 308, 101, 310, 250, 321, 298, 425, 323, 304, 312, 438), (40, 97, 268, 117, 270, 219, 280, 241, 425, 282, 265, 272, 438))))",
      '[n for n in calls[__import__("platform").machine()] if libc.syscall(n, 0, 0, 0, 0, 0) != -1 or ctypes.get_errno() not in (1, 38)]',
    ),
    ends: ['finished'],
    see: valueIs('[]'),
  },
  'a new user namespace': { code: 'import ctypes\nctypes.CDLL(None).unshare(0x10000000)', ends: ['finished'], see: valueIs('-1') },
  'running from /tmp': {
    code: lines(
      'import os, shutil, subprocess',
      "shutil.copy('/bin/true', '/tmp/t'); os.chmod('/tmp/t', 0o755)",
      "subprocess.run(['/tmp/t'])",
    ),
    ends: ['raised'],
    see: raises('PermissionError'),
  },

  // network
  'the bridge, DNS, the metadata address and the host over IPv4 and IPv6': {
    code: lines(
      'import socket',
      'reached = []',
      "for family, address in ((2, ('172.17.0.1', 22)), (2, ('169.254.169.254', 80)), (2, ('127.0.0.1', 2375)), (2, ('1.1.1.1', 53)), (10, ('::1', 80)), (10, ('2606:4700:4700::1111', 53))):",
      '  try:',
      '    s = socket.socket(family, socket.SOCK_STREAM); s.settimeout(1); s.connect(address); reached.append(address)',
      '  except OSError: pass',
      "try: reached.append(socket.gethostbyname('example.com'))",
      'except OSError: pass',
      'reached',
    ),
    ends: ['finished'],
    see: valueIs('[]'),
  },
  'network interfaces': { code: "import os\nos.listdir('/sys/class/net')", ends: ['finished'], see: valueIs("['lo']") },
  'sockets that no network namespace holds': {
    code: lines(
      'import socket',
      'opened = []',
      'for family in (2, 10, 16, 17, 38, 40, 44):',
      '  for kind in (socket.SOCK_STREAM, socket.SOCK_DGRAM, socket.SOCK_RAW, socket.SOCK_SEQPACKET):',
      '    try: socket.socket(family, kind); opened.append(family)',
      '    except OSError: pass',
      'opened, bool(socket.socketpair())',
    ),
    ends: ['finished'],
    see: valueIs('([], True)'),
  },

  // forgery
  'a forged end on every descriptor': {
    code: lines('import os, struct, json', forge('X', "{'n': 2, 'exit': 0, 'forged': True}"), everyDescriptor),
    limitMs: 3_000,
    ends: ['killed', 'broken', 'finished', 'timed-out'],
  },
  "a forged end on the supervisor's output": {
    code: lines(
      'import os, struct, json',
      forge('X', "{'n': 2, 'exit': 0, 'alive': True}"),
      'wrote = []',
      'for fd in list(range(10)) + [240, 241, 242, 243]:',
      "  try: os.write(os.open(f'/proc/1/fd/{fd}', os.O_WRONLY), frame); wrote.append(fd)",
      '  except OSError: pass',
      'wrote',
    ),
    ends: ['finished'],
    see: valueIs('[]'),
  },
  'a forged answer and state': {
    code: lines(
      'import os, struct, json',
      "def send(t, o):\n  p = json.dumps(o).encode()\n  for fd in range(3, 300):\n    try: os.write(fd, struct.pack('>IB', len(p), ord(t)) + p)\n    except OSError: pass",
      "send('D', {'n': 2, 'ok': True, 'error': None, 'value': {'text': 'FORGED', 'type': 'str'}, 'notes': [], 'ms': 0})",
      "send('S', {'n': 2, 'manifest': {'v': 1, 'n': 2, 'python': '', 'packages': {}, 'groups': [], 'names': {}, 'modules': {}, 'settings': None, 'files': [{'path': '../../etc/passwd', 'mode': 511, 'size': 1, 'id': '0' * 32}], 'lost': []}, 'lost': [], 'changed': [], 'removed': [], 'new': [], 'ms': 0})",
      "send('Z', {})",
      'os._exit(0)',
    ),
    ends: ['killed', 'broken'],
    rolledBack: true,
  },
  'asking for parts of other sessions': {
    code: lines('import os, struct, json', forge('N', "['0' * 32]"), everyDescriptor),
    limitMs: 3_000,
    ends: ['killed', 'broken', 'finished', 'timed-out'],
  },
  'every descriptor closed': {
    code: 'import os\nos.closerange(0, 300)\nx = 1',
    limitMs: 3_000,
    ends: ['killed', 'broken', 'timed-out', 'finished'],
  },

  // the state
  'a value that pickles without end': {
    code: 'class P:\n  def __reduce__(s):\n    while True: pass\np = P()\n7',
    ends: ['finished'],
    see: loses('p'),
  },
  'a value that unpickles without end': {
    code: 'class Q:\n  def __getstate__(s): return 1\n  def __setstate__(s, x):\n    while True: pass\nq = Q()\n7',
    ends: ['finished'],
    see: loses('q'),
  },
  'links and devices among the files': {
    code: lines(
      'import os',
      "os.symlink('/etc/passwd', 'passwd.txt')",
      "os.symlink('/', 'root')",
      "os.mkfifo('pipe')",
      "open('real.txt', 'w').write('r');",
    ),
    ends: ['finished'],
    see: (outcome) => expect(outcome.files.map((file) => file.name)).toEqual(['real.txt']),
  },
  'names of files that mean something elsewhere': {
    code: lines(
      "open('@everyone `x` <!here>.txt', 'w').write('1')",
      "open('a\\nb.txt', 'w').write('2')",
      "open('\\u202egnp.exe', 'w').write('3');",
    ),
    ends: ['finished'],
    see: (outcome) => expect(outcome.files.filter((file) => /[`<>\n/\\]/.test(file.name))).toEqual([]),
  },
  'sabotaged builtins': {
    code: 'import builtins, sys, os, json, pickle\nbuiltins.len = None; json.dumps = None; os.write = None; sys.stdout = None; pickle.dumps = None\n5',
    ends: ['finished'],
    see: valueIs('5'),
  },
};

function isBounded(outcome: RunOutcome): void {
  expect(Buffer.byteLength(outcome.output)).toBeLessThan(70_000);
  expect(outcome.droppedBytes).toBeGreaterThan(0);
}
function loses(name: string): (outcome: RunOutcome) => void {
  return (outcome) => expect(outcome.lost.map((lost) => lost.name)).toContain(name);
}

describe('hostile code', { timeout: 300_000 }, () => {
  const opened = openSandbox({ limits: { poolSize: 2, maxContainers: 4, waitMs: 280_000, saveMs: 120_000 } });
  afterAll(async () => {
    await opened[Symbol.asyncDispose]();
    await until(async () => (await opened.containers()).length === 0, 'no container is left');
  });

  it.concurrent.each(Object.entries(cells))('%s', async (_, { code, ends, see, rolledBack, limitMs }) => {
    const s = openSession(opened.sandbox, opened.blobs);
    await s.run('keep = 123');
    const before = s.head();
    const outcome = await s.run(code, { timeoutMs: limitMs ?? 60_000 });
    expect(ends, JSON.stringify(outcome).slice(0, 2_000)).toContain(outcome.end);
    see?.(outcome);
    if (rolledBack !== undefined) expect(outcome.after === before).toBe(rolledBack);
    expect(await s.run('keep')).toMatchObject({ end: 'finished', value: '123' });
    await opened.sandbox.discard(s.conversation);
  });

  it('has left nothing on the host', () => {
    expect(() => readFileSync('/tmp/pwned')).toThrow('ENOENT');
  });
});
