"""Faults that were reported about other systems, each as the cells that show it. The number is the row of the collected list."""
import json
import os
import subprocess
import unittest

from hektor_driver.test_support import Conversation, Lease


def turns(*cells, **options):
    """Runs each cell in a container of its own; the last result."""
    with Conversation() as conversation:
        for cell in cells:
            conversation.fresh()
            result = conversation.run(cell, **options)
        return result


class Reports(unittest.TestCase):
    def test_01_names_stay(self):
        self.assertEqual(turns('x = 41', 'x + 1').value, '42')

    def test_02_imports_stay(self):
        self.assertEqual(turns('import math; x = 42.5', 'math.floor(x)').value, '42')

    def test_03_a_second_upload_of_a_name_wins(self):
        with Conversation() as conversation:
            conversation.run('1', files=[conversation.upload('image.png', b'1')])
            conversation.run('open("image.png", "rb").read()', files=[conversation.upload('image.png', b'22')])
            conversation.fresh()
            result = conversation.run('len(open("image.png", "rb").read())')
            self.assertEqual(result.value, '2')
            self.assertEqual(conversation.run('1', files=[conversation.upload('image.png', b'333')]).state['changed'][0]['size'], 3)

    def test_04_files_stay(self):
        self.assertEqual(turns("open('r.csv','w').write('a,b\\n');", "open('r.csv').read()").value, repr('a,b\n'))

    def test_05_state_needs_no_live_machine(self):
        with Conversation() as conversation:
            conversation.run("open('a.pptx','wb').write(b'z'*10); v={'a':1}")
            conversation.fresh()
            conversation.manifest = json.loads(json.dumps(conversation.manifest))
            self.assertEqual(conversation.run("(len(open('a.pptx','rb').read()), v)").value, "(10, {'a': 1})")

    def test_06_all_of_several_files(self):
        result = turns("for i in (1,2,3): open(f'file{i}.csv','w').write(str(i))", "open('file1.csv').read()", 'import os; sorted(os.listdir())')
        self.assertEqual(result.value, "['file1.csv', 'file2.csv', 'file3.csv']")

    def test_07_08_11_interrupted_keeps_names_killed_rolls_back_and_says_which(self):
        with Conversation() as conversation:
            soft = conversation.run('n = 0\nimport time\nwhile True:\n  n += 1; time.sleep(.01)', timeout=2)
            self.assertEqual((soft.error['type'], soft.end['timedOut'], soft.saved), ('KeyboardInterrupt', True, True))
            self.assertEqual(conversation.run('a = n; time.sleep(.3); a == n and n > 0').value, 'True')
            conversation.run('y = 1')
            hard = conversation.run('y = 2; sum(range(10**13))', timeout=1)
            self.assertEqual((hard.end['signal'], hard.end['timedOut'], hard.end['alive'], hard.state), ('SIGKILL', True, False, None))
            self.assertEqual(conversation.run('y').value, '1')

    def test_09_the_worker_gone_is_the_end(self):
        lease = Lease()
        lease.send_run(1, 'while True: pass', None)
        lease.close()                       # waits for the supervisor, and fails when it lives on
        self.assertIsNotNone(lease.process.returncode)

    def test_12_a_figure_belongs_to_one_run(self):
        with Conversation() as conversation:
            shown = conversation.run('import matplotlib.pyplot as plt\nplt.plot([1,2]); plt.show()')
            self.assertEqual(len(shown.pictures), 1)
            self.assertEqual(conversation.run("print('hello')").pictures, [])
            conversation.fresh()
            self.assertEqual(conversation.run('plt.gcf() is not None').pictures, [])

    def test_13_all_open_figures(self):
        result = turns('import matplotlib.pyplot as plt\nplt.figure(1); plt.plot([1]); plt.figure(2); plt.plot([2]); plt.title("two"); plt.show()')
        self.assertEqual([picture.data[:4] for picture in result.pictures], [b'\x89PNG'] * 2)
        self.assertEqual(result.pictures[1].about['alt'], 'two')
        self.assertGreater(result.pictures[1].about['width'], 100)

    def test_14_output_before_an_error(self):
        result = turns("print('step 1 ok'); 1/0")
        self.assertEqual((result.out, result.error['type'], result.error['line']), ('step 1 ok\n', 'ZeroDivisionError', 1))

    def test_15_threads_and_pandas_are_allowed(self):
        result = turns("import json, pandas, concurrent.futures as cf\nwith cf.ThreadPoolExecutor(4) as ex: t = sum(ex.map(int,'1234'))\nt")
        self.assertEqual(result.value, '10')

    def test_16_temporary_files(self):
        self.assertEqual(turns("import tempfile\ntempfile.TemporaryFile().write(b'x')").value, '1')

    def test_17_locked_down_before_the_first_byte(self):
        result = turns("[l for l in open('/proc/self/status') if l.startswith(('Seccomp:', 'NoNewPrivs'))]")
        self.assertEqual(result.value, repr(['NoNewPrivs:\t1\n', 'Seccomp:\t2\n']))

    def test_18_two_sessions_share_nothing(self):
        with Conversation() as one, Conversation() as other:
            one.run("secret = 'A'; open('s', 'w').write('A');")
            self.assertEqual(other.run("'secret' in globals(), __import__('os').listdir()").value, '(False, [])')

    def test_19_a_reset_holds_even_if_the_next_cell_fails(self):
        with Conversation() as conversation:
            conversation.run('stale = 1')
            conversation.fresh()
            conversation.manifest = None
            conversation.run("raise ValueError('boom')")
            self.assertEqual(conversation.run('stale').error['type'], 'NameError')

    def test_20_nothing_outside_the_child_unpickles(self):
        code = "class P:\n  def __reduce__(self): return (__import__('os').system, ('echo $PPID >> pwned',))\np = P()"
        with Conversation() as conversation:
            conversation.run(code)
            conversation.fresh()
            conversation.run('p')
            for number in conversation.run("open('pwned').read() if __import__('os').path.exists('pwned') else ''").value.strip("'").split('\\n'):
                self.assertNotIn(number.strip(), (str(os.getpid()), str(conversation.lease.process.pid)))

    def test_21_functions_see_the_live_session(self):
        self.assertEqual(turns('rate=1\ndef f(): return rate', 'rate=5; f()').value, '5')

    def test_22_only_unix_sockets(self):
        code = 'import socket\nr = []\nfor f in (38, 40, 2, 10, 16, 17, 1):\n  try: socket.socket(f, socket.SOCK_STREAM); r.append(f)\n  except OSError: pass\nr'
        self.assertEqual(turns(code).value, '[1]')

    def test_23_source_is_never_rewritten(self):
        self.assertEqual(turns('s = """line1\n\n  # x\nline2"""\ns').value, repr('line1\n\n  # x\nline2'))

    def test_24_emoji_and_surrogates(self):
        result = turns("v = '\U0001f385\U0001f3fb'; w = '\\ud83c'\nprint(v, w)", '(v.encode().decode() == v, len(v), len(w))')
        self.assertEqual(result.value, '(True, 2, 1)')

    def test_25_quotes_and_newlines(self):
        self.assertEqual(turns('print("Hello, ")\nprint(\'Wor"ld$(id)`!\')').out, 'Hello, \nWor"ld$(id)`!\n')

    def test_26_harmless_code_needs_no_policy(self):
        user = subprocess.run(['id', '-u'], capture_output=True, text=True).stdout
        self.assertEqual(turns("import os, subprocess\n(os.getuid(), subprocess.run(['id','-u'],capture_output=True,text=True).stdout)").value,
                         repr((int(user), user)))

    def test_10_memory_is_told_apart_from_a_kill(self):
        """The kernel's own verdict needs a container's limit; here the error a limit of the process gives."""
        with Conversation() as conversation:
            conversation.run('k = 1\nimport resource\nresource.setrlimit(resource.RLIMIT_AS, (1 << 30, 1 << 30))')
            result = conversation.run('x = bytearray(3*10**9)')
            self.assertEqual((result.error['type'], result.end['oom'], result.end['alive']), ('MemoryError', False, True))
            self.assertEqual(conversation.run('k').value, '1')
