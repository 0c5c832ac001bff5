"""Watching one run from outside: time, output, memory, and the only trustworthy word on how it ended."""
import os
import select
import signal
import time

from .frames import read_header, write_frame
from .process import end_orphans, kill_everything
from .report import Garbled, Report

_GRACE_SECONDS = 1.0            # between the interrupt a person's code can see and the end of everything
_TICK_SECONDS = 0.2             # where the kernel cannot wake us at the child's death
_READ = 1 << 20
_OOM_COUNTERS = ('/sys/fs/cgroup/memory.events', '/sys/fs/cgroup/memory/memory.oom_control')


def oom_kills():
    """How often the kernel killed for memory in this container, from cgroup v2 or v1."""
    for path in _OOM_COUNTERS:
        try:
            with open(path) as file:
                for line in file:
                    name, _, count = line.partition(' ')
                    if name == 'oom_kill':
                        return int(count)
        except OSError:
            pass
    return 0


class Watch:
    """The state of one run. `stage`: running, interrupted (SIGINT sent), saving, killed."""

    def __init__(self, child, request, worker_in, worker_out):
        self.child, self.worker_in, self.worker_out = child, worker_in, worker_out
        self.n = request['n']
        self.report = Report(request['figures'])
        self.save_seconds = request['saveMs'] / 1000
        self.started = time.monotonic()
        self.deadline = self.started + request['timeoutMs'] / 1000
        self.stage = 'running'
        self.timed_out = self.interrupted = False
        self.refused = None
        self.room = request['outputBytes']          # both streams share it
        self.dropped = {'O': 0, 'E': 0}
        self.open = {child.out: 'O', child.err: 'E'}
        self.oom_before = oom_kills()
        self.cpu_before = child.cpu_seconds()
        child.reset_peak()

    def run(self):
        child, poll = self.child, select.poll()
        for fd in (child.out, child.err, child.report):
            poll.register(fd, select.POLLIN)
        try:
            death = os.pidfd_open(child.pid)
            poll.register(death, select.POLLIN)
        except OSError:
            death = None
        try:
            while not self.report.ended:
                child.pump(self.worker_in, poll)
                ready = [fd for fd, _ in poll.poll(self._wait())]
                self._enforce_time()
                if self.worker_in in ready and not child.passing:
                    self._from_worker()
                for fd in (child.out, child.err):
                    if fd in ready and fd in self.open:
                        self._drain(fd, 1)
                        if fd not in self.open:
                            poll.unregister(fd)
                if child.report in ready and not self._from_child():
                    poll.unregister(child.report)
                child.reap()
                if child.status is not None:
                    break
        finally:
            if death is not None:
                os.close(death)
        if not self.report.ended or child.status is not None:
            self._bury()
        self._drain_all()
        return self._ending()

    def _wait(self):
        return max(0.0, min(self.deadline - time.monotonic(), _TICK_SECONDS)) * 1000

    def _enforce_time(self):
        now = time.monotonic()
        if now < self.deadline:
            return
        if self.stage == 'running':
            self.timed_out = True
            self._interrupt()
        else:
            if self.stage == 'saving':
                self._refuse('saving the state took longer than %g s' % self.save_seconds)
            self.stage = 'killed'
            self.deadline = now + _GRACE_SECONDS
            kill_everything(self.child)

    def _interrupt(self):
        self.stage = 'interrupted'
        self.deadline = time.monotonic() + _GRACE_SECONDS
        try:
            os.kill(self.child.pid, signal.SIGINT)
        except ProcessLookupError:
            pass

    def _refuse(self, why):
        self.refused = self.refused or why

    def _from_worker(self):
        kind, size = read_header(self.worker_in)
        if kind == 'B':
            self.child.pass_blob(size)
        elif kind == 'I':
            if self.stage == 'running':
                self.interrupted = True
                self._interrupt()
        else:
            raise EOFError              # a second run while one is running: the worker is not in its senses

    def _from_child(self):
        """False when the pipe is closed."""
        try:
            data = os.read(self.child.report, _READ)
        except BlockingIOError:
            return True
        if not data:
            return False
        try:
            for kind, payload in self.report.feed(data):
                if kind in 'DP':
                    self._drain_all()   # what was printed before comes before
                if kind == 'D':
                    self.stage = 'saving'
                    self.deadline = time.monotonic() + self.save_seconds
                if kind != 'Z':
                    write_frame(self.worker_out, kind, payload)
        except Garbled as error:
            self._refuse(str(error))
            kill_everything(self.child)
            return False
        return True

    def _drain(self, fd, reads):
        """Passes output on while the run has room for it, and counts the rest."""
        kind = self.open[fd]
        for _ in range(reads):
            try:
                data = os.read(fd, _READ)
            except BlockingIOError:
                return
            if not data:
                del self.open[fd]
                return
            passed = data[:self.room]
            if passed:
                write_frame(self.worker_out, kind, passed)
                self.room -= len(passed)
            self.dropped[kind] += len(data) - len(passed)

    def _drain_all(self):
        for fd in list(self.open):
            self._drain(fd, 64)

    def _bury(self):
        """The child is dead or must be: nothing it started survives."""
        while self.child.status is None:
            kill_everything(self.child)
            self.child.reap()
            time.sleep(0.002)
        kill_everything(self.child)

    def _ending(self):
        child, status = self.child, self.child.status
        alive = status is None
        return {
            'n': self.n, 'exit': os.WEXITSTATUS(status) if not alive and os.WIFEXITED(status) else None,
            'signal': signal.Signals(os.WTERMSIG(status)).name if not alive and os.WIFSIGNALED(status) else None,
            'timedOut': self.timed_out, 'interrupted': self.interrupted, 'oom': oom_kills() > self.oom_before,
            'done': self.report.answered, 'refused': self.refused,
            'dropped': {'stdout': self.dropped['O'], 'stderr': self.dropped['E']},
            'cpuMs': round((child.cpu_seconds() - self.cpu_before) * 1000), 'peakKb': child.peak_kb(),
            'wallMs': round((time.monotonic() - self.started) * 1000), 'alive': alive,
        }


def watch(child, request, worker_in, worker_out):
    """Runs until the child has saved or is dead; the payload of `X`."""
    ending = Watch(child, request, worker_in, worker_out).run()
    if ending['alive']:
        end_orphans(child)
    return ending
