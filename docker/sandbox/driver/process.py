"""The forked process as the supervisor sees it: its pipes, its clock, its end."""
import errno
import json
import os
import select
import signal
import time
from collections import deque

from .frames import HEADER, read_exactly, read_header

_READ = 1 << 20
_SPLICE_MOVE, _SPLICE_NONBLOCK = 1, 2


def kill_everything(child):
    """Ends every process but process 1. Anywhere but in a container only the child's own session may be hit."""
    try:
        if os.getpid() == 1:
            os.kill(-1, signal.SIGKILL)
        else:
            os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass


def end_orphans(child):
    """Ends processes that nobody in the session holds any more (daemons that were handed to process 1)."""
    if os.getpid() != 1:
        return
    for entry in os.listdir('/proc'):
        if not entry.isdigit() or int(entry) in (1, child.pid):
            continue
        try:
            with open('/proc/%s/stat' % entry, 'rb') as file:
                parent = int(file.read().rpartition(b')')[2].split()[1])
            if parent == 1:
                os.kill(int(entry), signal.SIGKILL)
        except (OSError, ValueError, IndexError):
            pass


def _readable(fd):
    poll = select.poll()
    poll.register(fd, select.POLLIN)
    return bool(poll.poll(0))


def _wait_for(poll, fd, events):
    """Registers only what is waited for: a closed pipe wakes whoever has it registered, again and again."""
    if events:
        poll.register(fd, events)
        return
    try:
        poll.unregister(fd)
    except KeyError:
        pass


class Child:
    """The forked process and the supervisor's ends of its pipes."""

    def __init__(self, pid, out, err, report, ask):
        self.pid, self.out, self.err, self.report, self.ask = pid, out, err, report, ask
        self.status = self.usage = None
        self.ripening = True                # until the child says it is ripe, or a run came first
        self.queue = deque()                # bytes for the child; it may refuse to read, so nothing here may block
        self.passing = 0                    # bytes of a blob that are still to come from the worker and go to the child
        for fd in (out, err, report, ask):
            os.set_blocking(fd, False)

    def send(self, kind, payload):
        self.queue.append(memoryview(HEADER.pack(len(payload), ord(kind)) + payload))

    def pass_blob(self, size):
        """The next `size` bytes from the worker are a blob for the child: they go from pipe to pipe, never through this process."""
        self.queue.append(memoryview(HEADER.pack(size, ord('B'))))
        self.passing = size

    def pump(self, worker_in, poll):
        """Moves on what is meant for the child, as far as it goes without waiting, and has `poll` wait for what goes on next."""
        full = not self.flush() or not self._pass(worker_in)
        _wait_for(poll, self.ask, select.POLLOUT if full else 0)
        # While a blob waits for room at the child, nothing behind it can be read.
        _wait_for(poll, worker_in, 0 if full and self.passing else select.POLLIN)

    def _pass(self, worker_in):
        """False when the pipe to the child is full."""
        while self.passing:
            try:
                moved = os.splice(worker_in, self.ask, self.passing, flags=_SPLICE_MOVE | _SPLICE_NONBLOCK)
            except BlockingIOError:
                return not _readable(worker_in)
            except OSError as error:
                if error.errno != errno.EINVAL:     # the child is gone; the run's end will tell
                    return True
                if not _readable(worker_in):        # a stream that is no pipe
                    return True
                data = os.read(worker_in, min(self.passing, 1 << 16))
                moved = len(data)
                self.queue.append(memoryview(data))
            if moved == 0:
                raise EOFError
            self.passing -= moved
            if not self.flush():
                return False
        return True

    def flush(self):
        """Writes what the pipe takes. True when nothing is left."""
        while self.queue:
            try:
                written = os.write(self.ask, self.queue[0][:_READ])
            except BlockingIOError:
                return False
            except OSError:
                self.queue.clear()
                return True
            rest = self.queue[0][written:]
            if rest:
                self.queue[0] = rest
            else:
                self.queue.popleft()
        return True

    def reap(self):
        """Collects ended processes, also those that a run left behind."""
        try:
            while self.status is None:
                pid, status, usage = os.wait4(-1, os.WNOHANG)
                if pid == 0:
                    return
                if pid == self.pid:
                    self.status, self.usage = status, usage
        except ChildProcessError:
            pass

    def cpu_seconds(self):
        if self.usage is not None:
            return self.usage.ru_utime + self.usage.ru_stime
        try:
            return time.clock_gettime(((~self.pid) << 3) | 2)       # the processor clock of another process
        except OSError:
            return 0.0

    def peak_kb(self):
        if self.usage is not None:
            return self.usage.ru_maxrss
        try:
            with open('/proc/%d/status' % self.pid) as file:
                return next((int(line.split()[1]) for line in file if line.startswith('VmHWM')), 0)
        except OSError:
            return 0

    def reset_peak(self):
        try:
            with open('/proc/%d/clear_refs' % self.pid, 'w') as file:
                file.write('5')
        except OSError:
            pass

    def discard_output(self):
        """What arrives between two runs belongs to neither."""
        for fd in (self.out, self.err):
            for _ in range(64):
                try:
                    if not os.read(fd, _READ):
                        break
                except OSError:
                    break

    def next_request(self, worker_in, tell_ripe):
        """The next run, already on its way to the child, as are blobs that came before it."""
        poll = select.poll()
        poll.register(self.report, select.POLLIN if self.ripening else 0)
        while True:
            self.pump(worker_in, poll)
            ready = [fd for fd, _ in poll.poll()]
            if self.report in ready:
                poll.unregister(self.report)        # ripe, or dead: the next run will tell
                self._hear_ripe(tell_ripe)
            if worker_in in ready and not self.passing:
                kind, size = read_header(worker_in)
                if kind == 'B':
                    self.pass_blob(size)
                elif kind == 'R':
                    payload = read_exactly(worker_in, size)
                    self.ripening = False
                    self.discard_output()
                    self.send('R', payload)
                    return json.loads(payload)
                elif kind == 'K':
                    self.send('K', b'')
                elif kind != 'I':
                    raise EOFError

    def _hear_ripe(self, tell_ripe):
        """No code of a person has run yet, so the word can be trusted; it carries nothing else."""
        if self.ripening and os.read(self.report, HEADER.size) == HEADER.pack(0, ord('K')):
            self.ripening = False
            tell_ripe()
