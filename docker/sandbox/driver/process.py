"""The forked process as the supervisor sees it: its pipes, its clock, its end."""
import json
import os
import select
import signal
import time
from collections import deque

from .frames import HEADER, read_frame

_READ = 1 << 20


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


class Child:
    """The forked process and the supervisor's ends of its pipes."""

    def __init__(self, pid, out, err, report, ask):
        self.pid, self.out, self.err, self.report, self.ask = pid, out, err, report, ask
        self.status = self.usage = None
        self.ripening = True                # until the child says it is ripe, or a run came first
        self.queue = deque()                # bytes for the child; it may refuse to read, so nothing here may block
        for fd in (out, err, report, ask):
            os.set_blocking(fd, False)

    def send(self, kind, payload):
        self.queue.append(memoryview(HEADER.pack(len(payload), ord(kind)) + payload))

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
        poll.register(worker_in, select.POLLIN)
        poll.register(self.report, select.POLLIN if self.ripening else 0)
        while True:
            poll.register(self.ask, 0 if self.flush() else select.POLLOUT)
            ready = [fd for fd, _ in poll.poll()]
            if self.report in ready:
                poll.unregister(self.report)        # ripe, or dead: the next run will tell
                self._hear_ripe(tell_ripe)
            if worker_in in ready:
                kind, payload = read_frame(worker_in)
                if kind == 'B':
                    self.send('B', payload)
                elif kind == 'R':
                    self.ripening = False
                    self.discard_output()
                    self.send('R', payload)
                    return json.loads(payload)
                elif kind != 'I':
                    raise EOFError

    def _hear_ripe(self, tell_ripe):
        """No code of a person has run yet, so the word can be trusted; it carries nothing else."""
        if self.ripening and os.read(self.report, HEADER.size) == HEADER.pack(0, ord('K')):
            self.ripening = False
            tell_ripe()
