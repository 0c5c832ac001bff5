/** Code that reaches for what is not its own: the host, the network, the driver, the state; and what must come of it. */
import { expect } from 'vitest';
import { lines, valueIs, raises, forge, everyDescriptor, loses } from './hostile-cell.ts';
import type { HostileCell } from './hostile-cell.ts';

export const reachCells: { readonly [name: string]: HostileCell } = {
  // what it may see
  "the supervisor's environment": { code: "open('/proc/1/environ').read()", ends: ['raised'], see: raises(/Permission|FileNotFound/) },
  "the supervisor's memory": { code: "open('/proc/1/mem', 'rb')", ends: ['raised'], see: raises(/Permission|FileNotFound/) },
  "the supervisor's descriptors": { code: "import os\nos.listdir('/proc/1/fd')", ends: ['raised'], see: raises(/Permission|FileNotFound/) },
  'U116: its own environment': {
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
