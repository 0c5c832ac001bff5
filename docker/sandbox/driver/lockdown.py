"""What the child does to itself before the first byte of a person's code is looked at.

The seccomp filter is stacked on the container's own and is a deny list: allow lists break libraries at random. It leaves
only AF_UNIX sockets, because Docker's default profile lets a container open families that no network namespace confines.
"""
import ctypes
import errno
import os
import platform
import signal
import struct

_PR_SET_DUMPABLE, _PR_SET_SECCOMP, _PR_SET_NO_NEW_PRIVS = 4, 22, 38
_SECCOMP_MODE_FILTER = 2
_AF_UNIX = 1
_LOAD, _JUMP_EQUAL, _JUMP_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06
_ALLOW, _KILL_PROCESS, _FAIL_WITH = 0x7FFF0000, 0x80000000, 0x00050000

# The numbers from 424 on are the same on every architecture.
_COMMON = dict(io_uring_setup=425, io_uring_enter=426, io_uring_register=427, open_tree=428, move_mount=429, fsopen=430, fsconfig=431,
               fsmount=432, fspick=433, pidfd_getfd=438, mount_setattr=442)
_SYSCALLS = {
    'x86_64': (0xC000003E, dict(
        socket=41, ptrace=101, process_vm_readv=310, process_vm_writev=311, userfaultfd=323, add_key=248, request_key=249, keyctl=250,
        bpf=321, perf_event_open=298, unshare=272, setns=308, mount=165, umount2=166, pivot_root=155, name_to_handle_at=303,
        open_by_handle_at=304, kcmp=312, **_COMMON)),
    'aarch64': (0xC00000B7, dict(
        socket=198, ptrace=117, process_vm_readv=270, process_vm_writev=271, userfaultfd=282, add_key=217, request_key=218, keyctl=219,
        bpf=280, perf_event_open=241, unshare=97, setns=268, mount=40, umount2=39, pivot_root=41, name_to_handle_at=264,
        open_by_handle_at=265, kcmp=272, **_COMMON)),
}
_X32_BIT = 0x40000000


def _statement(code, value, if_true=0, if_false=0):
    return struct.pack('HBBI', code, if_true, if_false, value)


def _filter():
    arch, numbers = _SYSCALLS[platform.machine()]
    denied = _FAIL_WITH | errno.EPERM
    program = [_statement(_LOAD, 4), _statement(_JUMP_EQUAL, arch, 1, 0), _statement(_RETURN, _KILL_PROCESS), _statement(_LOAD, 0)]
    if arch == _SYSCALLS['x86_64'][0]:
        program += [_statement(_JUMP_AT_LEAST, _X32_BIT, 0, 1), _statement(_RETURN, _FAIL_WITH | errno.ENOSYS)]
    for name, number in numbers.items():
        if name != 'socket':
            answer = _FAIL_WITH | errno.ENOSYS if name.startswith('io_uring') else denied
            program += [_statement(_JUMP_EQUAL, number, 0, 1), _statement(_RETURN, answer)]
    program += [_statement(_JUMP_EQUAL, numbers['socket'], 0, 3), _statement(_LOAD, 16), _statement(_JUMP_EQUAL, _AF_UNIX, 1, 0),
                _statement(_RETURN, denied), _statement(_RETURN, _ALLOW)]
    return b''.join(program), len(program)


class _Program(ctypes.Structure):
    _fields_ = [('length', ctypes.c_ushort), ('filter', ctypes.c_void_p)]


_libc = ctypes.CDLL(None, use_errno=True)
_FILTER, _FILTER_LENGTH = _filter()        # built before the fork: the child then has only two system calls to make


def set_dumpable(dumpable):
    """An undumpable process keeps others of its user out of its /proc entry."""
    _libc.prctl(_PR_SET_DUMPABLE, int(dumpable), 0, 0, 0)


def lock_down():
    os.setsid()
    set_dumpable(True)                     # inherited as undumpable, which would forbid the next line
    with open('/proc/self/oom_score_adj', 'w') as file:
        file.write('1000')                 # the supervisor must survive to say that memory ran out
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    code = ctypes.create_string_buffer(_FILTER, len(_FILTER))
    program = _Program(_FILTER_LENGTH, ctypes.addressof(code))
    if _libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, ctypes.byref(program), 0, 0):
        raise OSError(ctypes.get_errno(), 'the seccomp filter could not be set')


def give_memory_back():
    """What the imports used and freed again: a container may stand idle for long."""
    trim = getattr(_libc, 'malloc_trim', None)      # only glibc has it
    if trim is not None:
        trim(0)
