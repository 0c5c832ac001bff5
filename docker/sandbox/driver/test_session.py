"""The live session between runs of one lease, and what is sent of it."""
import unittest

from hektor_driver.test_support import Conversation, Lease


class LiveSession(unittest.TestCase):
    def test_a_change_through_an_alias_a_method_or_a_view_is_never_missed(self):
        changes = [
            ('a = [1]; b = a', 'b.append(2)', 'a', '[1, 2]'),
            ('d = {"k": [1]}; inner = d["k"]', 'inner.append(2)', 'd', "{'k': [1, 2]}"),
            ('class C:\n  def __init__(s): s.l = []\n  def add(s): s.l.append(1)\nc = C(); add = c.add', 'add()', 'c.l', '[1]'),
            ('import numpy as np\narr = np.zeros(4); view = arr[1:]', 'view += 1', 'arr', 'array([0., 1., 1., 1.])'),
            ('import collections\nq = collections.deque(); f = q.append', 'f(1)', 'q', 'deque([1])'),
            ('hidden = []\ndef put(x, to=hidden): to.append(x)', 'put(1)', 'hidden', '[1]'),
            ('import sys\nsecret = []; sys.stash = secret', 'sys.stash.append(1)', 'secret', '[1]'),
            ('by_gc = ["mark"]', 'import gc\n[o for o in gc.get_objects() if type(o) is list and o[:1] == ["ma" + "rk"]][0].append(1)', 'by_gc', "['mark', 1]"),
        ]
        with Conversation() as conversation:
            for setup, _, _, _ in changes:
                self.assertIsNone(conversation.run(setup).error)
            for _, change, _, _ in changes:
                self.assertIsNone(conversation.run(change).error)
            conversation.fresh()
            for _, _, name, expected in changes:
                self.assertEqual(conversation.run(name).value, expected)

    def test_unchanged_groups_are_not_sent_again(self):
        with Conversation() as conversation:
            conversation.run('big = list(range(1000)); n = 1; t = "x" * 1000')
            self.assertEqual(conversation.run('n + 1; m = 2').state['new'][1:], [])
            self.assertEqual(conversation.run('len(big);').state['new'], [])
            self.assertEqual(len(conversation.run('big.append(1)').state['new']), 1)

    def test_a_name_that_is_not_touched_is_not_asked_for(self):
        with Conversation() as conversation:
            conversation.run('big = list(range(10000)); small = [1]\ndef uses(): return len(big)')
            conversation.fresh()
            asked = conversation.run('small.append(2); small;').asked
            big = [group['id'] for group in conversation.manifest['groups'] if 'big' in group['names']]
            self.assertNotIn(big[0], asked)
            self.assertEqual(conversation.run('uses()').value, '10000')
            conversation.fresh()
            self.assertEqual(conversation.run('sorted(n for n in globals() if n[0] != "_")').value, "['big', 'small', 'uses']")
            conversation.fresh()
            self.assertEqual(conversation.run('len(eval("b" + "ig"))').value, '10000')
            conversation.fresh()
            self.assertEqual(conversation.run('import sys as s\nlen(getattr(s.modules["__main__"], "bi" + "g"))').value, '10000')

    def test_untouched_names_stay_in_the_manifest_and_deleted_ones_go(self):
        with Conversation() as conversation:
            conversation.run('a = [1]; b = a; c = [3]\nimport math as m, json')
            conversation.fresh()
            conversation.run('del b')
            conversation.fresh()
            conversation.run('del m\nc = 4')
            names = conversation.manifest['names']
            self.assertEqual(sorted(names), ['a', 'c'])
            self.assertEqual(conversation.manifest['modules'], {'json': 'json'})
            conversation.fresh()
            self.assertEqual(conversation.run('a, c, json.dumps(1)').value, "([1], 4, '1')")

    def test_names_are_described_without_running_their_code(self):
        code = ('class R:\n  def __repr__(s): raise SystemExit\n  def __len__(s): raise SystemExit\n'
                'r = R(); l = [1, R()]; s = "abc"; n = 5\ndef f(a, *, b): ...\nimport numpy as np, pandas as pd\n'
                'arr = np.zeros((2, 3)); df = pd.DataFrame({"x": [1], "y": [2]})')
        with Conversation() as conversation:
            names = conversation.run(code).state['manifest']['names']
        self.assertEqual((names['r']['type'], names['r']['preview']), ('R', '<R>'))
        self.assertEqual((names['l']['preview'], names['l']['length']), ('[1, <R>]', 2))
        self.assertEqual((names['s']['preview'], names['n']['preview'], names['f']['preview']), ("'abc'", '5', '(a, b)'))
        self.assertEqual((names['arr']['shape'], names['df']['shape'], names['df']['preview']), ([2, 3], [1, 2], 'x, y'))
        self.assertGreater(names['df']['size'], 100)

    def test_names_that_part_or_join_go_on_being_right(self):
        with Conversation() as conversation:
            conversation.run('a = [1]; b = a; c = [3]')
            groups = lambda: sorted(tuple(group['names']) for group in conversation.manifest['groups'])
            self.assertEqual(groups(), [('a', 'b'), ('c',)])
            conversation.run('a.append(c)')
            self.assertEqual(groups(), [('a', 'b', 'c')])
            conversation.run('b = (i for i in a)')
            self.assertEqual(groups(), [('a', 'c')])
            conversation.fresh()
            self.assertEqual(conversation.run('c.append(4); a').value, '[1, [3, 4]]')

    def test_what_is_lost_lives_on_while_the_container_does_and_is_told_once(self):
        with Conversation() as conversation:
            self.assertIn('g', conversation.run('g = (i for i in range(3)); next(g)').lost)
            result = conversation.run('x = 1')
            self.assertEqual((result.lost, result.state['manifest']['lost'][0]['n']), ({}, 1))
            self.assertEqual(conversation.run('next(g)').value, '1')
            self.assertEqual(conversation.run('del g').state['manifest']['lost'], [])

    def test_a_flood_of_lost_names_is_told_once_and_counted(self):
        with Conversation() as conversation:
            first = conversation.run('for i in range(250): globals()["g%d" % i] = (c for c in "x")')
            self.assertEqual(len(first.state['lost']), 100)
            self.assertEqual(first.state['lost'][-1]['name'], '(151 more)')
            self.assertEqual(conversation.run('x = 1').state['lost'], [])
            self.assertEqual([entry['name'] for entry in conversation.run('y = g240').state['lost']], ['g240', 'y'])
            self.assertEqual(conversation.run('x = 2').state['lost'], [])
            changed = conversation.run('import threading\ng3 = [threading.Thread()]').state['lost']
            self.assertEqual([entry['name'] for entry in changed], ['g3'])

    def test_an_open_file_is_known_by_its_place_not_by_its_name(self):
        with Conversation() as conversation:
            conversation.run('import os\nos.mkdir("sub"); f = open("a.txt", "w"); f.write("one"); os.chdir("sub")')
            self.assertEqual(conversation.run('x = 1').lost, {})
            conversation.fresh()
            conversation.run('f.write(" two"); f.close()')
            self.assertEqual(conversation.run('open("../a.txt").read()').value, "'one two'")
            conversation.run('g = open("b.txt", "w"); os.remove("b.txt")')
            self.assertEqual(conversation.run('x, g').lost['g']['why'], 'a file that was deleted')
            self.assertEqual(conversation.run('h = open("/tmp/out", "w")').lost['h']['why'], 'a file outside the workspace')

    def test_large_values_are_read_back_as_they_come(self):
        with Conversation() as conversation:
            conversation.run('import numpy as np\na = np.arange(400_000); f = np.asfortranarray(a.reshape(400, 1000)); b = bytes(300_000) + b"end"\n'
                             'c = bytearray(b"c" * 300_000); t = "\u00e4" * 200_000; l = [{"i": i} for i in range(20_000)]; o = np.array([1, "x"], object)')
            before = {name: group['id'] for group in conversation.manifest['groups'] for name in group['names']}
            conversation.fresh()
            result = conversation.run('(int(a.sum()), int(f[3, 7]), b[-3:], len(c), len(t), l[-1], list(o))')
            self.assertEqual(result.value, "(79999800000, 3007, b'end', 300000, 200000, {'i': 19999}, [1, 'x'])")
            after = {name: group['id'] for group in conversation.manifest['groups'] for name in group['names']}
            self.assertEqual({name: after[name] for name in 'afbcto'}, {name: before[name] for name in 'afbcto'})        # the same bytes: nothing is sent again

    def test_a_large_blob_that_breaks_off_does_not_take_the_next_one_along(self):
        with Conversation() as conversation:
            conversation.run('bad = bytearray(500_000); good = bytearray(b"g" * 500_000)')
            key = next(group['id'] for group in conversation.manifest['groups'] if group['names'] == ['bad'])
            conversation.blobs[key] = b'\x80\x05\x8cX' + conversation.blobs[key][4:]
            conversation.fresh()
            self.assertEqual(conversation.run('for name in (lambda: bad, lambda: good):\n  try: print(len(name()))\n  except NameError: print("gone")').out,
                             'gone\n500000\n')

    def test_what_is_read_back_may_ask_for_more(self):
        with Conversation() as conversation:
            conversation.run('other = bytearray(b"o" * 300_000)\n'
                             'def make(data):\n  import __main__\n  return len(data), len(getattr(__main__, chr(111) + "ther", b""))\n'
                             'class Odd:\n  def __reduce__(self): return make, (bytearray(300_000),)\n'
                             'odd = [Odd(), bytearray(b"z" * 300_000)]')
            conversation.fresh()
            self.assertEqual(conversation.run('odd[0], len(odd[1]), odd[1][-1:]').value, "((300000, 300000), 300000, bytearray(b'z'))")

    def test_a_key_that_is_no_name_is_lost_alone(self):
        with Conversation() as conversation:
            result = conversation.run('globals().update({"unit price": 1, "": 2, 5: 3, "x" * 5000: 4, "\\ud800": 5, "good": 6})')
            self.assertIsNone(result.error)
            lost = {entry['name']: entry['why'] for entry in result.state['lost']}
            self.assertIn("'unit price'", lost)
            self.assertEqual(len(lost), 5)
            self.assertEqual(list(conversation.manifest['names']), ['good'])
            conversation.fresh()
            self.assertEqual(conversation.run('good').value, '6')

    def test_a_file_that_no_manifest_can_name_is_told(self):
        with Conversation() as conversation:
            result = conversation.run('import os; os.mkfifo("pipe"); open(b"\\xff", "w").close(); os.makedirs("/".join(["d" * 200] * 6)); open("kept", "w").close()')
            self.assertIsNone(result.error)
            told = [entry for entry in result.state['lost'] if entry['name'] == 'files']
            self.assertEqual(len(told), 1)
            self.assertIn('pipe', told[0]['path'])
            self.assertIn('kept', [entry['path'] for entry in conversation.manifest['files']])

    def test_one_bad_name_of_a_group_does_not_take_the_others_along(self):
        code = ('shared = []\nclass Bad:\n  def __getstate__(s): return {"l": shared}\n  def __setstate__(s, x): raise ValueError("never")\n'
                'bad = Bad(); other = shared')
        with Conversation() as conversation:
            self.assertEqual(list(conversation.run(code).lost), ['bad'])
            conversation.fresh()
            self.assertEqual(conversation.run('shared.append(1); other').value, '[1]')

    def test_an_error_keeps_what_the_cell_had_changed(self):
        with Conversation() as conversation:
            conversation.run('x = 1')
            conversation.run('x = 2\n1/0')
            conversation.fresh()
            self.assertEqual(conversation.run('x').value, '2')

    def test_files_made_changed_and_removed_are_told(self):
        with Conversation() as conversation:
            made = conversation.run('open("a.txt", "w").write("1"); open("b.txt", "w").write("1");')
            self.assertEqual([entry['path'] for entry in made.state['changed']], ['a.txt', 'b.txt'])
            again = conversation.run('open("a.txt", "w").write("2"); import os; os.unlink("b.txt")')
            self.assertEqual(([entry['path'] for entry in again.state['changed']], again.state['removed']), (['a.txt'], ['b.txt']))
            quiet = conversation.run('1;')
            self.assertEqual((quiet.state['changed'], quiet.state['removed'], quiet.state['new']), ([], [], []))

    def test_a_file_written_through_a_mapping_is_not_missed(self):
        with Conversation() as conversation:
            conversation.run('open("m.bin", "wb").write(b"0" * 10); import time; time.sleep(.2)')
            conversation.run('import numpy as np\nm = np.memmap("m.bin", dtype="u1", mode="r+"); m[0] = 65; del m')
            conversation.run('import mmap\nf = open("m.bin", "r+b"); k = mmap.mmap(f.fileno(), 0); k[1] = 66; k.close(); del k, f')
            conversation.fresh()
            self.assertEqual(conversation.run('open("m.bin", "rb").read(3)').value, "b'AB0'")

    def test_a_blob_that_cannot_be_read_is_told_and_kept(self):
        with Conversation() as conversation:
            conversation.run('a = [1]; b = [2]')
            conversation.fresh()
            key = next(group['id'] for group in conversation.manifest['groups'] if group['names'] == ['a'])
            good, conversation.blobs[key] = conversation.blobs[key], b'nonsense'
            result = conversation.run('b, a')
            self.assertEqual(result.error['type'], 'NameError')
            self.assertIn('could not be read back', result.error['value'])
            conversation.blobs[key] = good
            conversation.fresh()
            self.assertEqual(conversation.run('b, a').value, '([2], [1])')


class Ripening(unittest.TestCase):
    def loaded(self, lease):
        return lease.run(1, 'import sys; "xml.dom.minidom" in sys.modules', None, {}).value

    def test_libraries_are_imported_when_the_worker_says_so_and_not_before(self):
        for ripen, expected in ((False, 'False'), (True, 'True')):
            lease = Lease(preload='xml.dom.minidom')
            try:
                if ripen:
                    self.assertEqual(lease.ripen()['modules'], ['xml.dom.minidom'])
                self.assertEqual(self.loaded(lease), expected)
            finally:
                lease.close()

    def test_a_run_that_comes_while_it_ripens_is_served(self):
        lease = Lease(preload='numpy,pandas,matplotlib')
        try:
            lease.start_ripening()
            self.assertEqual(lease.run(1, '6 * 7', None, {}).value, '42')
        finally:
            lease.close()


class Manners(unittest.TestCase):
    def test_the_last_expression_is_shown(self):
        with Conversation() as conversation:
            run = lambda code, **options: conversation.run(code, **options).value
            self.assertEqual(run('1 + 1'), '2')
            self.assertEqual(run('_ * 10'), '20')
            self.assertIsNone(run('1 + 1;'))
            self.assertIsNone(run('1 + 1;  # quiet'))
            self.assertEqual(run('"a;"'), "'a;'")
            self.assertIsNone(run('None'))
            self.assertIsNone(run('x = 3'))
            self.assertIsNone(run('x', echo=False))
            self.assertEqual(run('for i in range(2):\n  pass\ni + x'), '4')
            self.assertEqual(run(''), None)
            self.assertEqual(run('import asyncio\nasync def f():\n  await asyncio.sleep(0)\n  return 5\nawait f()'), '5')
            self.assertEqual(run('t = asyncio.create_task(f())\nawait t'), '5')
            self.assertEqual(run('[await f() for _ in range(2)]'), '[5, 5]')

    def test_errors_show_only_a_persons_own_frames(self):
        with Conversation() as conversation:
            conversation.run('def f(x):\n  return g(x)\ndef g(x):\n  return json.loads(x)\nimport json')
            error = conversation.run('f("{")').error
            self.assertEqual((error['type'], error['line']), ('JSONDecodeError', 4))
            self.assertIn('    return json.loads(x)', error['traceback'])
            self.assertNotIn('json/decoder', error['traceback'])
            self.assertNotIn('hektor', error['traceback'])
            conversation.fresh()
            self.assertIn('    return json.loads(x)', conversation.run('f("{")').error['traceback'])
            syntax = conversation.run('x = (\n1 +').error
            self.assertEqual(syntax['type'], 'SyntaxError')
            self.assertNotIn('hektor', syntax['traceback'])

    def test_input_fails_with_advice(self):
        with Conversation() as conversation:
            error = conversation.run('input("name? ")').error
            self.assertEqual(error['type'], 'EOFError')
            self.assertIn('put the value into the code', error['value'])

    def test_replaced_builtins_are_put_back_and_told(self):
        code = ('import builtins, sys, os, json, pickle\nbuiltins.len = None; json.dumps = None; os.write = None; sys.stdout = None\n'
                'pickle.dumps = None; os.getpid = None; del builtins.print\n5')
        with Conversation() as conversation:
            result = conversation.run(code)
            self.assertEqual((result.value, result.saved), ('5', True))
            for name in ('builtins.len', 'builtins.print', 'json.dumps', 'os.write', 'os.getpid'):
                self.assertIn(name, result.answer['notes'][0])
            self.assertEqual(conversation.run('print(len([1]))').out, '1\n')

    def test_exit_ends_the_cell_not_the_session(self):
        with Conversation() as conversation:
            self.assertEqual(conversation.run('y = 5\nimport sys\nsys.exit(3)').error['type'], 'SystemExit')
            self.assertEqual(conversation.run('y').value, '5')

    def test_pictures(self):
        with Conversation() as conversation:
            count = lambda code, **options: len(conversation.run(code, **options).pictures)
            self.assertEqual(count('import matplotlib.pyplot as plt\nfig, ax = plt.subplots(); ax.bar([1],[2]); None'), 1)
            self.assertEqual(count('fig'), 1)
            self.assertEqual(count('plt.plot([1]); plt.close()'), 1)
            self.assertEqual(count('plt.plot([1]); plt.savefig("p.png"); plt.close()'), 0)
            self.assertEqual(count('plt.figure()'), 0)
            self.assertEqual(count('from PIL import Image\nImage.new("RGB", (4, 4))'), 1)
            many = conversation.run('for i in range(30): plt.figure(); plt.plot([1])', figures=3)
            self.assertEqual(len(many.pictures), 3)
            self.assertIn('27 more pictures', many.answer['notes'][0])
            huge = conversation.run('plt.figure(figsize=(1000, 1000)); plt.plot([1]);')
            self.assertLess(huge.pictures[0].about['width'] * huge.pictures[0].about['height'], 5_000_000)

    def test_tables_are_shown_in_full_measure_and_bounded(self):
        with Conversation() as conversation:
            value = conversation.run('import pandas as pd\npd.DataFrame({"a": range(1000)})').value
            self.assertIn('[1000 rows x 1 columns]', value)
            self.assertLess(len(value), 2000)
            self.assertLess(len(conversation.run('"x" * 10**7').value), 21_000)
