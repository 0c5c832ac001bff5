"""Hostile and unlucky cells that need nothing of Docker: the supervisor survives, says what happened, and the state before is kept."""
import time
import unittest

from hektor_driver.report import Garbled, Report
from hektor_driver.frames import HEADER
from hektor_driver.test_support import Conversation

_FORGE = ('import os, struct, json\ndef fr(t, o, fd=242):\n  p = json.dumps(o).encode()\n  os.write(fd, struct.pack(">IB", len(p), ord(t)) + p)\n')


class Hostile(unittest.TestCase):
    def kept_after(self, code, **options):
        """The result of `code`, after which the name from before must still be there."""
        with Conversation() as conversation:
            conversation.run('keep = 123')
            result = conversation.run(code, **options)
            self.assertEqual(conversation.run('keep', timeout=120).value, '123')
            return result

    def dies(self, code, **options):
        result = self.kept_after(code, **options)
        self.assertFalse(result.end['alive'])
        self.assertFalse(result.saved)
        return result

    def test_endless_loops(self):
        self.assertEqual(self.kept_after('while True: pass', timeout=4).error['type'], 'KeyboardInterrupt')
        self.assertEqual(self.dies('while True:\n  try:\n    x = 0\n    while True: x = 1\n  except BaseException: pass', timeout=4).end['signal'], 'SIGKILL')
        self.dies('import signal, time\nfor s in (2, 15): signal.signal(s, signal.SIG_IGN)\ntime.sleep(99)', timeout=4)
        self.dies('sum(range(10**13))', timeout=4)
        self.assertEqual(self.kept_after("import re\nre.match(r'(a+)+$', 'a' * 40 + 'b')", timeout=4).error['type'], 'KeyboardInterrupt')

    def test_a_person_may_interrupt(self):
        result = self.kept_after('import time\ntime.sleep(99)', interrupt_after=1)
        self.assertEqual((result.error['type'], result.end['interrupted'], result.end['timedOut']), ('KeyboardInterrupt', True, False))

    def test_floods_are_cut_and_counted(self):
        for code, stream in (("s = 'x' * 10**6\nfor _ in range(50): print(s)", 'stdout'), ("import os\nfor _ in range(50): os.write(2, b'e' * 10**6)", 'stderr')):
            result = self.kept_after(code, output=10_000)
            self.assertEqual(len(result.out + result.err), 10_000)
            self.assertGreater(result.end['dropped'][stream], 49_000_000)
            self.assertTrue(result.saved)

    def test_forged_frames(self):
        self.assertIsNotNone(self.dies(_FORGE + 'fr("X", {"exit": 0})').end['refused'])
        self.assertIsNotNone(self.dies(_FORGE + 'fr("S", {"n": 2})').end['refused'])
        twice = self.dies(_FORGE + 'fr("D", {"n": 2, "ok": True, "error": None, "value": None, "notes": [], "ms": 0})')
        self.assertIsNotNone(twice.end['refused'])
        self.dies(_FORGE + 'fr("D", {})\nfr("S", {"manifest": {"files": [{"path": "../../etc/passwd"}]}})\nos._exit(0)')
        result = self.kept_after(_FORGE + 'for fd in range(3, 242):\n  try: fr("X", {"forged": True}, fd)\n  except OSError: pass')
        self.assertNotIn('forged', result.end)
        self.dies('import os\nfor _ in range(99): os.write(242, b"z" * 10**6)')

    def test_the_supervisor_is_out_of_reach(self):
        result = self.kept_after('import os\nr = []\nfor f in ("mem", "environ", "maps", "fd/240", "fd/241"):\n'
                                 '  try: open("/proc/%d/%s" % (os.getppid(), f), "rb").read(1); r.append(f)\n  except OSError: pass\nr')
        self.assertEqual(result.value, '[]')

    def test_ends_of_the_process(self):
        self.assertEqual(self.dies('import os\nos._exit(0)').end['exit'], 0)
        self.assertEqual(self.dies('import ctypes\nctypes.string_at(0)').end['signal'], 'SIGSEGV')
        self.assertEqual(self.dies('import os\nos.kill(os.getpid(), 9)').end['signal'], 'SIGKILL')
        self.dies('import os\nos.closerange(0, 300)\nx = 1')
        self.dies('import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)', timeout=4)

    def test_processes_that_fork(self):
        self.assertIn('parent', self.kept_after("import os, time\npid = os.fork()\nprint('child' if pid == 0 else 'parent')\nif pid: os.wait()").out)
        started = time.monotonic()
        self.assertEqual(self.kept_after("import subprocess\nsubprocess.Popen(['sleep', '1000'])\n1").value, '1')
        self.assertLess(time.monotonic() - started, 500)

    def test_bombs_in_values(self):
        self.assertEqual(self.kept_after('def f(n): return f(n + 1)\nf(0)').error['type'], 'RecursionError')
        self.assertIn('characters left out', self.kept_after("class R:\n  def __repr__(s): return 'r' * 10**8\nR()").value)
        self.assertIn('ZeroDivisionError', self.kept_after('class R:\n  def __repr__(s): 1/0\nR()').value)
        self.assertIn('could not be shown', self.kept_after('class E(Exception):\n  def __str__(s): raise ValueError\nraise E').error['value'])
        self.assertLess(len(self.kept_after("raise ValueError('m' * 10**8)").error['traceback']), 10_000)
        self.assertIn('v', self.kept_after('v = []\nfor _ in range(100000): v = [v]').lost)

    def test_saving_has_a_limit_of_its_own(self):
        result = self.dies('class P:\n  def __reduce__(s):\n    while True:\n      try:\n        x = 0\n        while True: x = 1\n      except BaseException: pass\np = P()\n7', save=1)
        self.assertEqual(result.value, '7')
        self.assertIn('saving the state took longer', result.end['refused'])

    def test_denied_system_calls(self):
        code = ('import ctypes\nl = ctypes.CDLL(None, use_errno=True)\n'
                '[(l.syscall(n, 0, 0, 0, 0, 0), ctypes.get_errno()) for n in (425, 323, 250, 310, 101, 321, 272, 165)]')
        import platform
        if platform.machine() == 'x86_64':
            self.assertEqual(self.kept_after(code).value, repr([(-1, 38)] + [(-1, 1)] * 7))

    def test_links_and_odd_files(self):
        code = ('import os\nos.symlink("/etc/passwd", "l"); os.mkfifo("p"); os.mkdir("d"); open("n\\nl", "w").close()\n'
                'open(b"bad\\xff", "w").close(); os.symlink("nowhere", "d/x")')
        with Conversation() as conversation:
            state = conversation.run(code).state
            self.assertEqual(sorted((entry['path'], entry.get('link')) for entry in state['manifest']['files']),
                             [('d', None), ('d/x', 'nowhere'), ('l', '/etc/passwd'), ('n\nl', None)])
            conversation.fresh()
            self.assertEqual(conversation.run('import os; os.readlink("l"), os.readlink("d/x")').value,
                             "('/etc/passwd', 'nowhere')")

    def test_too_many_and_too_large_files(self):
        with Conversation(HEKTOR_FILES='10', HEKTOR_FILES_MB='1') as conversation:
            result = conversation.run('for i in range(20): open(f"f{i:02}", "w").close()\nopen("a", "wb").write(b"x" * 2**21);')
            self.assertEqual(len(result.state['manifest']['files']), 9)
            self.assertIn('not kept: 12 files', result.lost['files']['why'])


class ReportRules(unittest.TestCase):
    def feed(self, *frames, pictures=1):
        report = Report(pictures)
        return [kind for kind, payload in frames for kind, _ in report.feed(HEADER.pack(len(payload), ord(kind)) + payload)]

    def test_order(self):
        self.assertEqual(self.feed(('P', b''), ('N', b''), ('D', b''), ('S', b''), ('B', b'x'), ('Z', b'')), list('PNDSBZ'))
        for wrong in ([('S', b'')], [('B', b'')], [('Z', b'')], [('D', b''), ('D', b'')], [('X', b'')], [('P', b''), ('P', b'')],
                      [('D', b''), ('S', b''), ('S', b'')], [('D', b''), ('S', b''), ('Z', b'x')], [('D', b'x' * (2 << 20))]):
            with self.assertRaises(Garbled):
                self.feed(*wrong)

    def test_frames_arrive_in_pieces(self):
        report, got = Report(0), []
        for byte in HEADER.pack(3, ord('D')) + b'abc':
            got += report.feed(bytes([byte]))
        self.assertEqual(got, [('D', b'abc')])
