"""Process 1 of the container: holds the worker's streams, waits for runs, forks the child at the first, and says how each ended."""
import gc
import json
import os
import select
import signal
import sys
import threading
import time

from . import lockdown, preload
from .child import run_child
from .frames import read_frame, split_blob, write_json
from .limits import PRELOAD, WORKSPACE
from .settings import mark_baseline
from .process import Child
from .watch import watch

PROTOCOL = 1
_STARTED = time.perf_counter()
# High numbers: a library may own descriptor 3 and close it in the child.
_WORKER_IN, _WORKER_OUT, _CHILD_REPORT, _CHILD_ASK = 240, 241, 242, 243
_VERSIONS = '/opt/hektor/packages.json'


def _milliseconds_since(start):
    return round((time.perf_counter() - start) * 1000)


def take_streams():
    """Moves the worker's streams away from 0 and 1, where a stray print or a library would meet them."""
    os.dup2(0, _WORKER_IN, False)
    os.dup2(1, _WORKER_OUT, False)
    null = os.open('/dev/null', os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(null, 1)
    if null > 2:
        os.close(null)


def package_versions():
    """Versions of the libraries in the image, written when it was built."""
    try:
        with open(_VERSIONS) as file:
            return json.load(file)
    except OSError:
        return {}


class Inbox:
    """Frames from the worker before the first run: blobs are kept for the child, a run ends the waiting."""

    def __init__(self):
        self.blobs = {}
        self._poll = select.poll()
        self._poll.register(_WORKER_IN, select.POLLIN)

    def waiting(self):
        return bool(self._poll.poll(0))

    def first_run(self):
        while True:
            kind, payload = read_frame(_WORKER_IN)
            if kind == 'R':
                return json.loads(payload)
            if kind == 'B':
                blob_id, data = split_blob(payload)
                self.blobs[blob_id] = data
            elif kind != 'I':
                raise ValueError('unknown frame')


def ripen(inbox):
    """Imports until a frame arrives; tells the worker when everything is there."""
    todo = preload.steps(PRELOAD)
    if not todo:
        return
    for step in todo:
        if inbox.waiting():
            return
        preload.run_step(step).join()
    gc.collect()
    write_json(_WORKER_OUT, 'K', {'ripeMs': _milliseconds_since(_STARTED), 'modules': [name for name in PRELOAD if name in sys.modules]})


def fork_child(request, blobs, packages):
    """The child's end of the pipes gets fixed numbers; everything of the supervisor is closed there before anything else."""
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    report_read, report_write = os.pipe()
    ask_read, ask_write = os.pipe()
    gc.freeze()                             # the collector never touches what both processes share
    pid = os.fork()
    if pid == 0:
        status = 70
        try:
            os.dup2(out_write, 1)
            os.dup2(err_write, 2)
            os.dup2(report_write, _CHILD_REPORT, False)
            os.dup2(ask_read, _CHILD_ASK, False)
            os.close(_WORKER_IN)
            os.close(_WORKER_OUT)
            os.closerange(3, _WORKER_IN)
            lockdown.lock_down()
            run_child(request, blobs, packages, _CHILD_REPORT, _CHILD_ASK)
            status = 0
        except EOFError:
            status = 0                      # the supervisor is gone
        except BaseException:
            import traceback
            os.write(2, traceback.format_exc()[-2000:].encode('utf-8', 'replace'))
        finally:
            os._exit(status)
    for fd in (out_write, err_write, report_write, ask_read):
        os.close(fd)
    return Child(pid, out_read, err_read, report_read, ask_write)


def main():
    take_streams()
    lockdown.set_dumpable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    os.chdir(WORKSPACE)
    preload.prepare_matplotlib()
    packages = package_versions()
    write_json(_WORKER_OUT, 'H', {'protocol': PROTOCOL, 'python': sys.version.split()[0], 'packages': packages,
                                  'readyMs': _milliseconds_since(_STARTED)})
    inbox = Inbox()
    try:
        ripen(inbox)
        request = inbox.first_run()
        mark_baseline()
        threading.stack_size(8 << 20)       # user threads; the container's own stack limit is far larger
        child = fork_child(request, inbox.blobs, packages)
        inbox.blobs.clear()
        while request is not None:
            ending = watch(child, request, _WORKER_IN, _WORKER_OUT)
            write_json(_WORKER_OUT, 'X', ending)
            request = child.next_request(_WORKER_IN) if ending['alive'] else None
    except (EOFError, BrokenPipeError):
        pass                                # the worker is gone, and with it every use of this container
    os._exit(0)
