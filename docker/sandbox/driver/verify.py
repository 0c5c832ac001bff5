"""Reading new blobs back for trial, in a forked process: what pickles but does not unpickle is found now, not next week."""
import builtins
import os
import pickle
import signal
import sys
import time

_SECONDS, _BYTES_PER_SECOND, _TRIES = 5, 20e6, 50
_PATIENCE, _LEAST_PATIENCE = 10, 0.2        # by the clock it may take ten times the processor time


def unreadable(groups, session_main, deadline):
    """`groups`: [(key, data)]; `deadline` by time.perf_counter(). -> {key: why} for those that cannot be read back."""
    bad, todo = {}, list(groups)
    while todo and len(bad) < _TRIES:
        answers, status = _trial(todo, session_main, (deadline - time.perf_counter()) / 2)
        for answer in answers:
            key, _ = todo.pop(0)
            if answer != b'ok':
                bad[key] = 'saved, but it cannot be read back: ' + answer.decode('utf-8', 'replace')
        if todo and status != 0:
            key, _ = todo.pop(0)
            slow = os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGALRM, signal.SIGPROF)
            bad[key] = 'reading it back ' + ('takes too long' if slow else 'crashes')
        elif todo and not answers:
            bad.update((key, 'reading it back ends the process') for key, _ in todo)
            break
    return bad


def _trial(todo, session_main, patience):
    """([answer per blob, as far as it came], wait status). None may take longer than `patience` by the clock."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.close(read)
            _read_all(todo, session_main, patience, write)
        finally:
            os._exit(0)
    os.close(write)
    data = bytearray()
    while chunk := os.read(read, 1 << 16):
        data += chunk
    os.close(read)
    _, status = os.waitpid(pid, 0)
    return bytes(data).split(b'\0')[:-1], status


def _read_all(todo, session_main, patience, write):
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 1)
    os.dup2(null, 2)
    # Nothing of the session may be found by name: the next container will not have it either.
    session_main.clear()
    session_main.update({'__name__': '__main__', '__builtins__': builtins})
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    sys.setrecursionlimit(50_000)
    for _, data in todo:
        seconds = _SECONDS + len(data) / _BYTES_PER_SECOND
        signal.setitimer(signal.ITIMER_PROF, seconds)
        signal.setitimer(signal.ITIMER_REAL, max(_LEAST_PATIENCE, min(patience, seconds * _PATIENCE)))
        try:
            pickle.loads(data)
            answer = b'ok'
        except BaseException as error:
            try:
                answer = repr(error)[:120].encode('utf-8', 'replace').replace(b'\0', b'')
            except Exception:
                answer = type(error).__name__.encode()
        os.write(write, answer + b'\0')
