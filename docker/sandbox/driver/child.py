"""The forked process: one session, one cell after another, until the supervisor is gone."""
import builtins
import gc
import io
import json
import linecache
import sys
import threading
import time
import traceback

from . import lockdown, mapped, pictures, preload
from .cell import Cell, Runner
from .channel import Channel
from .errors import describe_error
from .guard import Guard
from .limits import PRELOAD, WORKSPACE
from .save import save
from .session import Session
from .settings import mark_baseline
from .show import echo

_clock = time.perf_counter


def run_child(packages, report, ask):
    channel = Channel(report, ask)
    _open_streams()
    builtins.input, builtins.display = _no_input, _display
    sys.path.insert(0, WORKSPACE)
    threading.stack_size(8 << 20)           # of a person's threads; the container's own limit is far larger
    preload.prepare_matplotlib()
    _ripen(channel)
    mark_baseline()
    pictures.run.emit = channel.picture
    session = Session(packages, channel)
    runner = Runner(session.namespace)
    request = channel.next_run()
    session.open(request['manifest'])
    while True:
        _serve(session, runner, channel, request)
        request = channel.next_run()


def _ripen(channel):
    """What would slow the first run down, done while nobody waits: a rehearsal at once, and when the worker says so, HEKTOR_PRELOAD."""
    asked = channel.waiting()
    if asked and not channel.wait_for_ripening():
        return
    _rehearse()
    todo = preload.steps(PRELOAD)
    if todo and not asked and not channel.wait_for_ripening():
        return
    for step in [*todo, *([_rehearse] if todo else [])]:
        if channel.waiting():
            return
        step() if callable(step) else preload.run_step(step)
    mapped.watched()                        # begins to watch, before anything of a person is there to be mapped
    gc.collect()
    lockdown.give_memory_back()
    gc.freeze()
    channel.ripe()


class _Nowhere:
    """A channel for rehearsals."""

    def fetch(self, blob_ids):
        list(blob_ids)

    def forget_blobs(self):
        pass

    def answer(self, value):
        json.dumps(value)

    def state(self, value, blobs):
        json.dumps(value)


def _rehearse():
    """Runs cells of no consequence, so that the code and memory of every stage are warm."""
    mark_baseline()
    session = Session({}, _Nowhere())
    runner = Runner(session.namespace)
    for n, code in enumerate(('class C: pass\nx = [C(), lambda: 1, "a"]', '1 + 1', '1 / 0')):
        _serve(session, runner, session.channel, {'n': n, 'code': code, 'figures': 0, 'files': [], 'echo': True, 'saveMs': 5000})
    linecache.clearcache()


def _open_streams():
    def text(fd, mode):
        raw = io.FileIO(fd, mode, closefd=False)
        buffer = io.BufferedWriter(raw) if mode == 'w' else io.BufferedReader(raw)
        return io.TextIOWrapper(buffer, encoding='utf-8', errors='backslashreplace', line_buffering=mode == 'w')
    sys.stdin, sys.stdout, sys.stderr = text(0, 'r'), text(1, 'w'), text(2, 'w')
    sys.__stdin__, sys.__stdout__, sys.__stderr__ = sys.stdin, sys.stdout, sys.stderr


def _no_input(prompt=''):
    raise EOFError('input() has nobody to answer it here: put the value into the code')


def _display(*values):
    """As in a notebook: shows values in the middle of a cell."""
    for value in values:
        pictures.send_value(value, again=True)
        print(echo(value))


def _serve(session, runner, channel, request):
    started = _clock()
    n, source = request['n'], request['code']
    pictures.run.begin_run(request['figures'])
    session.notes += session.workspace.put(request['files'], channel)
    guard, streams = Guard(), (sys.stdout, sys.stderr)
    cell = error = value = None
    put_back = {}

    def settle():
        put_back.update(dict.fromkeys(guard.put_back()))
    runner.arm()
    figures = sys.modules.get('hektor_driver.figures')
    if figures is not None:
        figures.begin_run()
    try:
        cell = Cell(n, source, session.flags)
        session.prepare(cell)
        value = runner.run(cell, request['echo'], settle)
    except SystemExit as exit_:
        if exit_.code not in (None, 0):
            error = {'type': 'SystemExit', 'value': str(exit_.code)[:2000], 'traceback': '', 'line': None}
    except BaseException as raised:
        error = describe_error(raised, session.missing())
        if isinstance(raised, NameError) and raised.name:
            session.load_name(raised.name)
        raised.__traceback__ = None             # or it would keep every value of the failed cell alive
        del raised
    if cell is not None:
        session.flags = cell.flags
    runner.arm()
    if put_back:
        session.notes.append('put back after the run, because the session itself needs them: ' + ', '.join(put_back))
    _collect_figures(session)
    for stream in streams:
        try:
            stream.flush()
        except Exception:
            pass
    channel.answer({'n': n, 'ok': error is None, 'error': error, 'value': value,
                    'notes': [note[:1000].encode('utf-8', 'replace').decode() for note in session.take_notes()[:50]],
                    'ms': round((_clock() - started) * 1000, 2)})
    channel.forget_blobs()
    state, blobs = save(session, n, request['saveMs'] / 1000, cell, source)
    channel.state(state, blobs)


def _collect_figures(session):
    figures = sys.modules.get('hektor_driver.figures')
    if figures is not None:
        try:
            figures.collect()
        except BaseException as error:
            session.notes.append('a figure could not be drawn: %s' % traceback.format_exception_only(error)[-1].strip()[:300])
    session.notes += pictures.run.notes()
