"""What survives a container and what is told to be lost: one row per kind of value or setting."""
import unittest

from hektor_driver.test_support import Conversation

# name, cell, expression that must be True in the next container (the workspace is {W})
KEPT = [
    ('int, str, list, dict', 'v = {"a": [1, 2]}', 'v == {"a": [1, 2]}'),
    ('float, complex, bytes, None, bool, Ellipsis, range, slice', 'v = [1.5, 1j, b"x", None, True, ..., range(3), slice(1, 2)]', 'v == [1.5, 1j, b"x", None, True, ..., range(3), slice(1, 2)]'),
    ('a very large int', 'v = 10**5000', 'v == 10**5000'),
    ('text with lone surrogates', 'v = "\\ud83c \\U0001f385"', 'len(v) == 3'),
    ('set, frozenset, tuple, bytearray', 'v = ({1}, frozenset({2}), (3,), bytearray(b"4"))', 'v == ({1}, frozenset({2}), (3,), bytearray(b"4"))'),
    ('lambda', 'v = lambda a: a + 1', 'v(1) == 2'),
    ('function with defaults and keyword-only arguments', 'def v(a, b=2, *, c=3): return a + b + c', 'v(1) == 6 and v(1, c=0) == 3'),
    ('function that sees a later change of its global', 'k = 1\ndef v(): return k', 'exec("k = 5", globals()) or v() == 5'),
    ('function whose global is defined later', 'def v(): return later', 'exec("later = 6", globals()) or v() == 6'),
    ('function that writes a global', 'k = 1\ndef v():\n  global k\n  k += 1', '(v(), k)[1] == 2'),
    ('two functions that call each other', 'def a(n): return n and b(n - 1)\ndef b(n): return 7 if not n else a(n - 1)', 'a(3) == 7 or a(2) == 7'),
    ('recursive function', 'def v(n): return 1 if n < 2 else n * v(n - 1)', 'v(5) == 120'),
    ('recursive closure', 'def mk():\n  def g(n): return 1 if n < 2 else n * g(n - 1)\n  return g\nv = mk()', 'v(5) == 120'),
    ('closure with state', 'def mk():\n  c = [0]\n  def inc():\n    c[0] += 1\n    return c[0]\n  return inc\nv = mk()\nv()', 'v() == 2'),
    ('variable shared by two closures', 'def mk():\n  n = 0\n  def inc():\n    nonlocal n\n    n += 1\n    return n\n  def get(): return n\n  return inc, get\ninc, get = mk()\ninc()', '(inc(), get()) == (2, 2)'),
    ('mutable default argument', 'def v(x, acc=[]):\n  acc.append(x)\n  return acc\nv(1)', 'v(2) == [1, 2]'),
    ('attribute of a function', 'def v(): return v.count\nv.count = 3', 'v() == 3'),
    ('annotations of a function', 'def v(a: int) -> str: ...', 'v.__annotations__ == {"a": int, "return": str}'),
    ('class and instance', 'class C:\n  def __init__(s): s.x = 1\n  def m(s): return s.x\nv = C()', 'v.m() == 1 and isinstance(v, C)'),
    ('two instances of one class in two names', 'class C: pass\na = C()\nb = C()', 'type(a) is type(b) is C'),
    ('class attribute changed later', 'class C: n = 0\nv = C()\nC.n = 9', 'v.n == 9 and C.n == 9'),
    ('method that uses a global', 'rate = 3\nclass C:\n  def m(s): return rate\nv = C()', 'exec("rate = 4", globals()) or v.m() == 4'),
    ('bound method', 'class C:\n  def m(s): return s\no = C()\nv = o.m', 'v() is o'),
    ('nested class', 'class A:\n  class B:\n    x = 1\nv = A.B()', 'v.x == 1 and isinstance(v, A.B)'),
    ('dataclass', 'from dataclasses import dataclass, field\n@dataclass\nclass C:\n  x: int\n  y: list = field(default_factory=list)\nv = C(1)', 'v == C(1) and repr(v) == "C(x=1, y=[])"'),
    ('frozen, ordered, slotted dataclass', 'from dataclasses import dataclass\n@dataclass(frozen=True, order=True, slots=True)\nclass C:\n  x: int\nv = C(1)', 'v == C(1) and v < C(2) and hash(v) == hash(C(1))'),
    ('subclass of a restored dataclass', 'from dataclasses import dataclass\n@dataclass\nclass C:\n  x: int\n  y: int = 2\nv = 1', 'exec("@dataclass\\nclass D(C):\\n  z: int = 3", globals()) or (D(1).z, D(1).y) == (3, 2)'),
    ('Enum and Flag', 'import enum\nclass C(enum.Enum):\n  A = 1\nclass F(enum.Flag):\n  X = 1\n  Y = 2\nv = C.A\nw = F.X | F.Y', 'v is C.A and w == F.X | F.Y'),
    ('namedtuple', 'from collections import namedtuple\nC = namedtuple("C", "a b")\nv = C(1, 2)', 'v == C(1, 2) and v.a == 1'),
    ('NamedTuple and Generic', 'import typing\nT = typing.TypeVar("T")\nclass C(typing.Generic[T]): pass\nclass N(typing.NamedTuple):\n  a: int = 1\nv = N()', 'v.a == 1 and N(2).a == 2 and C[int] is not None'),
    ('TypedDict, Protocol, NewType', 'import typing\nclass D(typing.TypedDict):\n  a: int\nclass P(typing.Protocol):\n  def f(s): ...\nU = typing.NewType("U", int)\nv = D(a=1)', 'v["a"] == 1 and U(3) == 3'),
    ('abstract class', 'from abc import ABC, abstractmethod\nclass B(ABC):\n  @abstractmethod\n  def f(s): ...\nclass C(B):\n  def f(s): return 3\nv = C()', 'v.f() == 3 and isinstance(v, B)'),
    ('super() in a method', 'class B:\n  def f(s): return 1\nclass C(B):\n  def f(s): return super().f() + 1\nv = C()', 'v.f() == 2'),
    ('__slots__', 'class C:\n  __slots__ = ("x",)\nv = C()\nv.x = 4', 'v.x == 4'),
    ('property, cached_property, classmethod, staticmethod', 'import functools\nclass C:\n  @functools.cached_property\n  def p(s): return 5\n  @classmethod\n  def q(c): return 6\n  @staticmethod\n  def r(): return 7\n  @property\n  def t(s): return 8\nv = C()\nv.p', '(v.p, v.q(), v.r(), v.t) == (5, 6, 7, 8)'),
    ('metaclass', 'class M(type):\n  def hi(c): return 8\nclass C(metaclass=M): pass\nv = C', 'v.hi() == 8'),
    ('descriptor and __set_name__', 'class D:\n  def __set_name__(s, o, n): s.n = n\n  def __get__(s, o, t): return s.n\nclass C:\n  x = D()\nv = C()', 'v.x == "x"'),
    ('subclass of dict, list, int', 'class D(dict): pass\nclass L(list): pass\nclass I(int): pass\nv = (D(a=1), L([1]), I(3))', 'v[0]["a"] == 1 and v[1] == [1] and type(v[2]) is I'),
    ('decorated function', 'import functools\ndef d(f):\n  @functools.wraps(f)\n  def w(*a): return f(*a) + 1\n  return w\n@d\ndef v(x): return x', 'v(1) == 2'),
    ('cached function', 'import functools\n@functools.lru_cache\ndef v(n): return n if n < 2 else v(n - 1) + v(n - 2)', 'v(30) == 832040'),
    ('singledispatch', 'import functools\n@functools.singledispatch\ndef v(x): return 0\n@v.register(int)\ndef _(x): return 1', 'v(1) == 1 and v("") == 0'),
    ('functools.partial', 'import functools\nv = functools.partial(int, base=2)', 'v("11") == 3'),
    ('context manager function', 'import contextlib\n@contextlib.contextmanager\ndef v():\n  yield 1', 'v().__enter__() == 1'),
    ('generator function and async function', 'def g():\n  yield 1\nasync def c(): return 2', 'list(g()) == [1] and await c() == 2'),
    ('module under an alias', 'import math as v', 'v.pi > 3'),
    ('submodule', 'import os.path as v, xml.etree.ElementTree as E', 'callable(v.join) and callable(E.fromstring)'),
    ('from import', 'from math import sqrt as v', 'v(4) == 2'),
    ('function that uses an imported alias', 'import math as m\ndef v(): return m.floor(2.5)', 'v() == 2'),
    ('one list under two names', 'a = [1]\nb = a', '(a.append(2), b == [1, 2])[1]'),
    ('an object in two containers', 'o = {"n": 1}\na = [o]\nb = {"k": o}', '(a[0].update(n=2), b["k"]["n"] == 2)[1]'),
    ('a function and a name share a list', 'acc = []\ndef mk(l):\n  def add(x): l.append(x)\n  return add\nv = mk(acc)', '(v(1), acc == [1])[1]'),
    ('self-referring list', 'v = []\nv.append(v)', 'v[0] is v'),
    ('self-referring object graph', 'class N: pass\na = N()\nb = N()\na.other = b\nb.other = a', 'a.other.other is a and b.other is a'),
    ('nested 300 deep', 'v = []\nfor _ in range(300): v = [v]', 'isinstance(v[0][0], list)'),
    ('numpy array', 'import numpy as np\nv = np.arange(6).reshape(2, 3)', 'v.shape == (2, 3) and v.sum() == 15'),
    ('numpy view shares memory', 'import numpy as np\na = np.zeros(5)\nb = a[1:3]', '(b.__setitem__(0, 9), a[1] == 9)[1]'),
    ('numpy transposed view', 'import numpy as np\na = np.zeros((2, 3))\nb = a.T', '(b.__setitem__((2, 0), 9), a[0, 2] == 9)[1]'),
    ('numpy structured, string, object, masked', 'import numpy as np\nv = [np.array([(1, "a")], dtype=[("n", "i4"), ("s", "U2")]), np.array(["x"]), np.array([{1}], object), np.ma.array([1, 2], mask=[0, 1])]', 'v[0]["n"][0] == 1 and v[2][0] == {1} and v[3].sum() == 1'),
    ('numpy scalars and dtypes', 'import numpy as np\nv = [np.float32(1.5), np.int64(3), np.dtype("f4"), np.datetime64("2020-01-01")]', 'v[0] == 1.5 and v[2].itemsize == 4'),
    ('numpy Generator', 'import numpy as np\nv = np.random.default_rng(1)\n_ = v.random()', 'abs(v.random() - 0.9504636963259353) < 1e-12'),
    ('numpy.random.seed', 'import numpy as np\nnp.random.seed(3)\nnp.random.rand(3)', 'abs(np.random.rand() - 0.510827605197663) < 1e-9'),
    ('random.seed', 'import random\nrandom.seed(7)\nrandom.random()', 'abs(random.random() - 0.15084917392450192) < 1e-12'),
    ('random.Random', 'import random\nv = random.Random(7)\n_ = v.random()', 'abs(v.random() - 0.15084917392450192) < 1e-12'),
    ('DataFrame', 'import pandas as pd\nv = pd.DataFrame({"a": [1, 2], "d": pd.to_datetime(["2020", "2021"]), "c": pd.Categorical(["x", "y"])})', 'v.a.sum() == 3 and str(v.c.dtype) == "category"'),
    ('Series, Timestamp, MultiIndex, NaT', 'import pandas as pd\nv = [pd.Series([1, None]), pd.Timestamp("2020"), pd.MultiIndex.from_tuples([(1, 2)]), pd.NaT]', 'v[0].isna().sum() == 1 and v[1].year == 2020 and v[3] is pd.NaT'),
    ('groupby', 'import pandas as pd\nv = pd.DataFrame({"a": [1, 1], "b": [2, 3]}).groupby("a")', 'v.b.sum().iloc[0] == 5'),
    ('figure and axes', 'import matplotlib.pyplot as plt\nv, ax = plt.subplots()\nax.plot([1, 2])\nax.set_title("t")', 'len(v.axes[0].lines) == 1 and v.axes[0] is ax and ax.get_title() == "t"'),
    ('PIL image', 'from PIL import Image\nv = Image.new("RGB", (4, 4), "red")', 'v.getpixel((0, 0)) == (255, 0, 0)'),
    ('sympy expression', 'import sympy\nx = sympy.Symbol("x")\nv = x**2', 'v.subs(x, 3) == 9'),
    ('scipy sparse matrix', 'from scipy import sparse\nv = sparse.eye(3)', 'v.sum() == 3'),
    ('openpyxl workbook', 'import openpyxl\nv = openpyxl.Workbook()\nv.active["A1"] = 5', 'v.active["A1"].value == 5'),
    ('exception with its own __init__', 'class E(Exception):\n  def __init__(s, a, b):\n    super().__init__("%s-%s" % (a, b))\n    s.a = a\ntry: raise E(1, 2)\nexcept E as e: v = e', 'v.a == 1 and str(v) == "1-2" and isinstance(v, E)'),
    ('exception with a cause', 'try:\n  try: 1/0\n  except Exception as e: raise KeyError("k") from e\nexcept Exception as e: v = e', 'isinstance(v.__cause__, ZeroDivisionError)'),
    ('list iterator', 'v = iter([1, 2, 3])\n_ = next(v)', 'list(v) == [2, 3]'),
    ('enumerate, zip, map', 'v = enumerate(["a", "b"])\n_ = next(v)\nz = zip([1], [2])\nm = map(abs, [-1])', 'list(v) == [(1, "b")] and list(z) == [(1, 2)] and list(m) == [1]'),
    ('itertools.count, cycle', 'import itertools\nv = itertools.count(5)\n_ = next(v)', 'next(v) == 6'),
    ('file open for reading', 'open("t.txt", "w").write("ab\\ncd\\n")\nv = open("t.txt")\n_ = v.readline()', 'v.read() == "cd\\n"'),
    ('file open for writing', 'v = open("t2.txt", "w")\n_ = v.write("ab")', '(v.write("cd"), v.flush(), open("t2.txt").read() == "abcd")[2]'),
    ('StringIO and BytesIO', 'import io\nv = io.StringIO()\n_ = v.write("q")', 'v.getvalue() == "q"'),
    ('sqlite database in memory, uncommitted', 'import sqlite3\nv = sqlite3.connect(":memory:")\nv.execute("create table t(a)")\nv.execute("insert into t values(5)")', 'v.execute("select a from t").fetchone()[0] == 5'),
    ('sqlite database in a file', 'import sqlite3\nv = sqlite3.connect("{W}/d.db")\nv.execute("create table t(a)")\nv.execute("insert into t values(5)")\nv.commit()', 'v.execute("select a from t").fetchone()[0] == 5'),
    ('lock', 'import threading\nv = threading.Lock()\nw = threading.RLock()', 'v.acquire(False) and w.acquire(False)'),
    ('object that holds a lock', 'import threading\nclass C:\n  def __init__(s):\n    s.l = threading.Lock()\n    s.x = 1\nv = C()', 'v.x == 1 and v.l.acquire(False)'),
    ('re.Pattern', 'import re\nv = re.compile("a+")', 'bool(v.match("aa"))'),
    ('memoryview', 'v = memoryview(b"abc")', 'bytes(v) == b"abc"'),
    ('dict views follow their dict', 'd = {"a": 1}\nv = d.keys()', '(d.update(b=2), list(v) == ["a", "b"])[1]'),
    ('mappingproxy follows its dict', 'import types\nd = {"a": 1}\nv = types.MappingProxyType(d)', '(d.update(b=2), v["b"] == 2)[1]'),
    ('ContextVar', 'import contextvars\nv = contextvars.ContextVar("v")\n_ = v.set(3)', 'v.get() == 3'),
    ('weak reference', 'import weakref\nclass C: pass\no = C()\nv = weakref.ref(o)', 'v() is o'),
    ('WeakValueDictionary', 'import weakref\nclass C: pass\no = C()\nv = weakref.WeakValueDictionary(k=o)', 'v["k"] is o'),
    ('logger and its level', 'import logging\nv = logging.getLogger("x")\nv.setLevel(10)', 'v.name == "x" and v.level == 10'),
    ('datetime, Decimal, Fraction, UUID, Path, ZoneInfo', 'import datetime, decimal, fractions, uuid, pathlib, zoneinfo\nv = [datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone.utc), decimal.Decimal("1.1"), fractions.Fraction(1, 3), uuid.UUID(int=1), pathlib.Path("/x")]', 'v[1] + 1 == decimal.Decimal("2.1") and v[0].year == 2020'),
    ('defaultdict, Counter, deque, OrderedDict, ChainMap', 'import collections as c\nv = [c.defaultdict(lambda: 4), c.Counter("aa"), c.deque([1], 3), c.OrderedDict(a=1), c.ChainMap({"z": 1})]', 'v[0]["q"] == 4 and v[1]["a"] == 2 and v[2].maxlen == 3 and v[4]["z"] == 1'),
    ('heap and array', 'import heapq, array\nv = [3, 1]\nheapq.heapify(v)\nw = array.array("d", [1.5])', 'v[0] == 1 and w[0] == 1.5'),
    ('module made in the session', 'import types\nv = types.ModuleType("m")\nv.x = 1', 'v.x == 1'),
    ('module written by the session', 'open("mym.py", "w").write("q = 12\\n")\nimport mym', 'mym.q == 12'),
    ('environment, folder, sys.path', 'import os, sys\nos.environ["ZZ"] = "1"\nos.makedirs("{W}/sub", exist_ok=True)\nos.chdir("{W}/sub")\nsys.path.append("{W}/sub")', 'os.environ.get("ZZ") == "1" and os.getcwd().endswith("sub") and any(p.endswith("sub") for p in sys.path)'),
    ('pandas and decimal options', 'import pandas as pd, decimal\npd.set_option("display.max_rows", 7)\ndecimal.getcontext().prec = 50', 'pd.get_option("display.max_rows") == 7 and decimal.getcontext().prec == 50'),
    ('numpy options', 'import numpy as np\nnp.set_printoptions(precision=3)\nnp.seterr(divide="raise")', 'np.get_printoptions()["precision"] == 3 and np.geterr()["divide"] == "raise"'),
    ('matplotlib options', 'import matplotlib.pyplot as plt\nplt.rcParams["lines.linewidth"] = 7\nplt.rcParams["font.sans-serif"].insert(0, "Zed")', 'plt.rcParams["lines.linewidth"] == 7 and plt.rcParams["font.sans-serif"][0] == "Zed"'),
    ('recursion limit and warning filters', 'import sys, warnings\nsys.setrecursionlimit(2345)\nwarnings.simplefilter("ignore", DeprecationWarning)', 'sys.getrecursionlimit() == 2345 and warnings.filters[0][2] is DeprecationWarning'),
    ('from __future__', 'from __future__ import annotations', 'exec("def zz(a: undefined_name): pass", globals()) is None or True'),
    ('source of a function', 'import inspect\ndef v(): return 41 + 1', '"41 + 1" in inspect.getsource(v)'),
    ('pickle used by the session on its own class', 'import pickle\nclass C: x = 1\nv = pickle.dumps(C())', 'pickle.loads(v).x == 1'),
    ('await at the top', 'import asyncio\nawait asyncio.sleep(0)\nv = 3', 'v == 3'),
    ('operator tools', 'import operator\nv = operator.itemgetter(1)\nw = operator.methodcaller("upper")', 'v([1, 2]) == 2 and w("a") == "A"'),
    ('SimpleNamespace and property of it', 'import types\nv = types.SimpleNamespace(a=1, f=lambda: 2)', 'v.a == 1 and v.f() == 2'),
    ('annotated names', 'x: int = 3', 'x == 3'),
    ('names in other scripts', 'größe = 4\nπ = 3', 'größe + π == 7'),
    ('star import', 'from math import *', 'floor(2.5) == 2'),
    ('empty folder, hidden file, executable', 'import os\nos.mkdir("e")\nopen(".h", "w").write("1")\nopen("x.sh", "w").close()\nos.chmod("x.sh", 0o755)', 'os.path.isdir("e") and open(".h").read() == "1" and os.access("x.sh", os.X_OK)'),
]

# name, cell, name that is lost, word of the reason, path inside the value; the neighbour `good` must survive
TOLD = [
    ('generator', 'def g():\n  yield 1\nv = g()', 'v', 'generator', ''),
    ('generator expression', 'v = (i for i in range(3))', 'v', 'generator', ''),
    ('generator inside a container', 'v = {"n": 5, "gen": [1, (i for i in "a")]}', 'v', 'generator', "v['gen'][1]"),
    ('generator in an attribute', 'class C: pass\nv = C()\nv.g = (i for i in "a")', 'v', 'generator', 'v.g'),
    ('generator in a closure', 'def mk():\n  g = (i for i in "a")\n  return lambda: g\nv = mk()', 'v', 'generator', 'v (variable g of its closure)'),
    ('coroutine', 'async def f(): return 1\nv = f()', 'v', 'coroutine', ''),
    ('async generator', 'async def f():\n  yield 1\nv = f()', 'v', 'async generator', ''),
    ('csv reader', 'import csv, io\nv = csv.reader(io.StringIO("a,b"))', 'v', 'csv reader', ''),
    ('sqlite cursor', 'import sqlite3\nv = sqlite3.connect(":memory:").cursor()', 'v', 'cursor', ''),
    ('thread', 'import threading\nv = threading.Thread(target=lambda: None)\nv.start()', 'v', 'thread', ''),
    ('pool of threads', 'import concurrent.futures\nv = concurrent.futures.ThreadPoolExecutor(1)', 'v', 'pool', ''),
    ('process', 'import subprocess\nv = subprocess.Popen(["sleep", "1"])', 'v', 'process', ''),
    ('socket', 'import socket\nv = socket.socket(socket.AF_UNIX)', 'v', 'socket', ''),
    ('regex match', 'import re\nv = re.match("a", "a")', 'v', 'match', ''),
    ('frame', 'import sys\nv = sys._getframe()', 'v', 'frame', ''),
    ('traceback', 'try: 1/0\nexcept Exception as e: v = e.__traceback__', 'v', 'traceback', ''),
    ('file outside the workspace', 'v = open("/etc/hostname")', 'v', 'outside', ''),
    ('deleted file', 'import os\nv = open("gone", "w")\nos.unlink("gone")', 'v', 'deleted', ''),
    ('standard output kept in a name', 'import sys\nv = sys.stdout', 'v', 'stream', ''),
    ('__reduce__ that raises', 'class C:\n  def __reduce__(s): raise ValueError("no")\nv = C()', 'v', 'ValueError: no', ''),
    ('__reduce__ that never ends', 'class C:\n  def __reduce__(s):\n    while True: pass\nv = C()', 'v', 'longer than', ''),
    ('__reduce__ that waits', 'import time\nclass C:\n  def __reduce__(s): time.sleep(9999)\nv = C()', 'v', 'longer than', ''),
    ('pickles but cannot be unpickled', 'class C:\n  def __getstate__(s): return 1\n  def __setstate__(s, x): raise ValueError("never")\nv = C()', 'v', 'read back: ValueError', ''),
    ('reading it back never ends', 'class C:\n  def __getstate__(s): return 1\n  def __setstate__(s, x):\n    while True: pass\nv = C()', 'v', 'takes too long', ''),
    ('reading it back ends the process', 'class C:\n  def __getstate__(s): return 1\n  def __setstate__(s, x):\n    import os\n    os._exit(0)\nv = C()', 'v', 'ends the process', ''),
    ('reading it back crashes', 'class C:\n  def __getstate__(s): return 1\n  def __setstate__(s, x):\n    import os\n    os.kill(os.getpid(), 11)\nv = C()', 'v', 'crashes', ''),
    ('larger than a session may be', 'v = bytearray(9 << 20)', 'v', 'larger than 8 MB', ''),
    ('a long text larger than a session may be', 'v = "x" * (9 << 20)', 'v', 'larger than 8 MB', ''),
    ('database with attached ones', 'import sqlite3\nv = sqlite3.connect(":memory:")\nv.execute("attach \':memory:\' as b")', 'v', 'attached', ''),
    ('asyncio task', 'import asyncio\nasync def f(): await asyncio.sleep(99)\nv = asyncio.ensure_future(f())\nawait asyncio.sleep(0)', 'v', 'task', ''),
    ('array mapped to a file', 'import numpy as np\nv = np.memmap("m.bin", dtype="u1", mode="w+", shape=(10,))', 'v', 'mapped to a file', ''),
    ('mapped file', 'import mmap\nv = mmap.mmap(-1, 10)', 'v', 'a mapped file', ''),
    ('ctypes pointer', 'import ctypes\nv = ctypes.pointer(ctypes.c_int(3))', 'v', 'pointers', ''),
]


_CLEAR = 'for _name in [n for n in globals() if n[:2] != "__"]: del globals()[_name]'
_TOGETHER = 12


class Kinds(unittest.TestCase):
    def test_kept(self):
        for start in range(0, len(KEPT), _TOGETHER):
            rows = KEPT[start:start + _TOGETHER]
            with Conversation() as writer:
                states = [self._state_after(writer, name, cell) for name, cell, _ in rows]
            for (name, _, check), (manifest, blobs) in zip(rows, states):
                with self.subTest(name), Conversation() as reader:
                    reader.manifest, reader.blobs, reader.folder = manifest, blobs, writer.folder
                    result = reader.run(check)
                    self.assertIsNone(result.error)
                    self.assertEqual(result.value, "True", result.end)

    def _state_after(self, writer, name, cell):
        """The cells of several rows share a container, one after the other, to save starts; each is read in a container of its own."""
        made = writer.run(cell.replace('{W}', writer.folder))
        with self.subTest(name):
            self.assertIsNone(made.error)
            self.assertEqual(made.lost, {})
        state = writer.manifest, dict(writer.blobs)
        writer.run(_CLEAR)
        return state

    def test_told(self):
        with Conversation(HEKTOR_STATE_MB='8', HEKTOR_NAME_SECONDS='1') as writer:
            for name, cell, lost, why, path in TOLD:
                with self.subTest(name):
                    made = writer.run('good = [1, 2]\n' + cell, save=30)
                    self.assertIsNone(made.error)
                    self.assertEqual(list(made.lost), [lost])
                    self.assertIn(why, made.lost[lost]['why'])
                    self.assertEqual(made.lost[lost]['path'], path)
                    self.assertIn('good', made.state['manifest']['names'])
                    self.assertNotIn(lost, made.state['manifest']['names'])
                writer.run(_CLEAR)

    def test_a_lost_name_is_explained_to_whoever_misses_it(self):
        with Conversation() as conversation:
            conversation.run('good = [1, 2]\nv = {"g": (i for i in "a")}')
            conversation.fresh()
            self.assertEqual(conversation.run('good').value, '[1, 2]')
            error = conversation.run('v').error
            self.assertEqual(error['type'], 'NameError')
            self.assertIn('was defined in run 1 but could not be kept (a paused generator)', error['value'])
