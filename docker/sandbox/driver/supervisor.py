"""Process 1 of the container: holds the worker's streams, forks the child, hands it runs and says how each ended."""
import fcntl
import gc
import json
import os
import signal
import sys
import time

from . import lockdown
from .frames import write_json
from .limits import PRELOAD, WORKSPACE
from .process import Child
from .watch import watch

PROTOCOL = 2
# High numbers: a library may own descriptor 3 and close it in the child.
_WORKER_IN, _WORKER_OUT, _CHILD_REPORT, _CHILD_ASK = 240, 241, 242, 243
_VERSIONS = '/opt/hektor/packages.json'


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


def fork_child(packages):
    """Before anything heavy is imported: process 1 stays small, and the first run does not wait for a fork."""
    out_read, out_write = os.pipe()
    err_read, err_write = os.pipe()
    report_read, report_write = os.pipe()
    ask_read, ask_write = os.pipe()
    for fd in (report_read, ask_read):
        fcntl.fcntl(fd, fcntl.F_SETPIPE_SZ, 1 << 20)        # states are large, and every filled pipe is a change of process
    gc.freeze()                             # the collector never touches what both processes share
    pid = os.fork()
    if pid == 0:
        status = 70
        try:
            # Fixed numbers for the child's ends; everything of the supervisor is closed before anything else.
            os.dup2(out_write, 1)
            os.dup2(err_write, 2)
            os.dup2(report_write, _CHILD_REPORT, False)
            os.dup2(ask_read, _CHILD_ASK, False)
            os.close(_WORKER_IN)
            os.close(_WORKER_OUT)
            os.closerange(3, _WORKER_IN)
            lockdown.lock_down()
            from .child import run_child    # here, so that process 1 never holds what only the child needs
            run_child(packages, _CHILD_REPORT, _CHILD_ASK)
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


def main(started):
    """`started`: time.perf_counter() when the interpreter was ready."""
    def since_start():
        return round((time.perf_counter() - started) * 1000)

    def tell_ripe():
        write_json(_WORKER_OUT, 'K', {'ripeMs': since_start(), 'modules': PRELOAD})

    take_streams()
    lockdown.set_dumpable(False)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)
    os.chdir(WORKSPACE)
    packages = package_versions()
    child = fork_child(packages)
    try:
        write_json(_WORKER_OUT, 'H', {'protocol': PROTOCOL, 'python': sys.version.split()[0], 'packages': packages, 'readyMs': since_start()})
        alive = True
        while alive:
            request = child.next_request(_WORKER_IN, tell_ripe)
            ending = watch(child, request, _WORKER_IN, _WORKER_OUT)
            write_json(_WORKER_OUT, 'X', ending)
            alive = ending['alive']
    except (EOFError, BrokenPipeError):
        pass                                # the worker is gone, and with it every use of this container
    os._exit(0)
