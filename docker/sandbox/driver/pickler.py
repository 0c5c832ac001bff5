"""cloudpickle, extended by what a session holds and it would lose, change silently or refuse without a reason."""
import gc
import io
import os
import pickle
import re
import sys
import threading
import types
import typing
import weakref
import _thread
import contextvars
import functools

from cloudpickle import CloudPickler

from . import rebuild
from .limits import STATE_BYTES, WORKSPACE

# Packages whose objects are known to come back as they went; groups with anything else are read back for trial when saved.
_TRUSTED = frozenset('''builtins numpy pandas datetime decimal fractions collections functools types uuid pathlib re random itertools
    io _io array scipy matplotlib dateutil pytz zoneinfo hektor_driver pickle _pickle dataclasses'''.split())
_WORKERS = {'Popen': 'a running process', 'socket': 'a socket', 'Task': 'an asyncio task', 'Future': 'a future (its work ends with the container)'}
_WORKER_MODULES = ('subprocess', 'socket', '_socket', 'asyncio', '_asyncio', 'concurrent', 'multiprocessing')
_NAMED_TUPLE_OWN = frozenset('''__module__ __doc__ __slots__ _fields _field_defaults __new__ _make _replace __repr__ _asdict __getnewargs__
    __match_args__ __annotations__ __orig_bases__ __dict__ __weakref__'''.split())


class Lost(pickle.PicklingError):
    """Cannot be kept; the message is the reason, in words for a person. `value`: the culprit itself."""

    def __init__(self, reason, value=None):
        super().__init__(reason)
        self.value = value


class Sink:
    """Takes what a pickler writes. What is large (an array's memory) is not copied: `pieces` refer to the live values."""

    def __init__(self):
        self.pieces, self.size = [], 0

    def write(self, data):
        if type(data) is pickle.PickleBuffer:
            data = data.raw()
        size = memoryview(data).nbytes
        self.size += size
        if self.size > STATE_BYTES:
            raise Lost('larger than %d MB' % (STATE_BYTES >> 20))
        self.pieces.append(data)
        return size

    def data(self):
        """A copy as it is now, which nobody changes any more."""
        return self.pieces[0] if len(self.pieces) == 1 and type(self.pieces[0]) is bytes else b''.join(self.pieces)


class SessionPickler(CloudPickler):
    """`roots`: ids of the values that names of the session hold; a view keeps its base only when that has a name.

    After a dump, `codes` are the code objects met (what they name must be restored with them), and `risky` says that
    something in it should be read back for trial.
    """

    def __init__(self, file, roots=()):
        super().__init__(file, protocol=5)
        self.roots = roots
        self.codes = []
        self.risky = False
        self._types = set()

    def reducer_override(self, value):
        kind = type(value)
        if kind not in self._types:
            self._types.add(kind)
            package = str(getattr(kind, '__module__', '')).partition('.')[0]
            self.risky |= package not in _TRUSTED and not package.startswith('_cython')
        if kind is types.FunctionType:
            return self._function(value)
        reducer = _REDUCERS.get(kind)
        if reducer is not None:
            reduced = reducer(self, value)
            return super().reducer_override(value) if reduced is None else reduced
        if isinstance(value, type):
            return self._class(value)
        if isinstance(value, BaseException):
            return rebuild.exception, (kind, value.args, dict(value.__dict__), value.__cause__, value.__context__, value.__suppress_context__)
        if isinstance(value, types.ModuleType):
            return (rebuild.main_module, ()) if value is sys.modules.get('__main__') else super().reducer_override(value)
        if isinstance(value, io.IOBase) and not isinstance(value, (io.StringIO, io.BytesIO)):
            return _stream(value)
        if isinstance(value, threading.Thread):
            raise Lost('a thread (threads end with the container)', value)
        return self._by_module(value, kind)

    def _by_module(self, value, kind):
        module = str(kind.__module__)
        package = module.partition('.')[0]
        if package in _WORKER_MODULES:
            if kind.__name__.endswith(('Executor', 'Pool')):
                raise Lost('a pool of workers', value)
            if kind.__name__ in _WORKERS:
                raise Lost(_WORKERS[kind.__name__], value)
        elif package == 'numpy' and kind.__name__ in ('ndarray', 'memmap'):
            if kind.__name__ == 'memmap':
                raise Lost('an array mapped to a file (map it again, or keep a copy)', value)
            return self._array(value)
        elif package == 'mmap':
            raise Lost('a mapped file (map it again)', value)
        elif module == 'sqlite3':
            if kind.__name__ == 'Connection':
                return _database(value)
            raise Lost('a database cursor (keep the rows instead)', value)
        elif module == '_csv' and kind.__name__ in ('reader', 'writer'):
            raise Lost('a csv %s (keep the file or the rows instead)' % kind.__name__, value)
        elif module == 'dataclasses':
            return _dataclass_marker(value) or super().reducer_override(value)
        return super().reducer_override(value)

    def _function(self, made):
        if made.__globals__ is not rebuild.namespace:
            return super().reducer_override(made)
        self.codes.append(made.__code__)
        slots = {'__defaults__': made.__defaults__, '__kwdefaults__': made.__kwdefaults__, '__annotations__': made.__annotations__,
                 '__doc__': made.__doc__, '__module__': made.__module__}
        return (rebuild.function, (made.__code__, made.__name__, made.__closure__, made.__qualname__),
                (dict(made.__dict__), slots), None, None, rebuild.set_function)

    def _class(self, kind):
        if kind.__module__ != '__main__':
            return super().reducer_override(kind)
        self.risky = True
        own = kind.__dict__
        if kind.__bases__ == (tuple,) and '__orig_bases__' in own and hasattr(kind, '_fields') and not own.get('__parameters__'):
            fields = [(name, kind.__annotations__.get(name)) for name in kind._fields]
            defaults = tuple(kind._field_defaults[name] for name in kind._fields if name in kind._field_defaults)
            extra = {key: value for key, value in own.items() if key not in _NAMED_TUPLE_OWN and key not in kind._fields}
            return rebuild.named_tuple, (kind.__name__, fields, defaults, kind.__doc__, extra)
        return super().reducer_override(kind)

    def _array(self, array):
        """A view of an array that has a name of its own goes on sharing its memory."""
        numpy = sys.modules['numpy']
        base = array
        while isinstance(base.base, numpy.ndarray):
            base = base.base
        if (base is array or id(base) not in self.roots or type(array) is not numpy.ndarray or base.base is not None or base.dtype.hasobject
                or not base.flags.writeable or not (base.flags.c_contiguous or base.flags.f_contiguous)):
            return super().reducer_override(array)
        offset = array.__array_interface__['data'][0] - base.__array_interface__['data'][0]
        return rebuild.array_view, (base, array.shape, array.dtype, offset, array.strides)


def _refuse(reason):
    def reducer(_, value):
        raise Lost(reason, value)
    return reducer


def _path_of(file, name):
    """Where an open file really is: its name may be relative to a folder that the session has left."""
    try:
        return os.readlink('/proc/self/fd/%d' % file.fileno())
    except (OSError, ValueError):
        return os.path.abspath(name)


def _stream(file):
    name = getattr(file, 'name', None)
    if not isinstance(name, str):
        raise Lost('a stream without a file name', file)
    if file.closed:
        return rebuild.file, (name, 'r', None, None, 0, True)
    path = _path_of(file, name)
    if not path.startswith(WORKSPACE + '/'):
        raise Lost('a file outside the workspace', file)
    if not os.path.exists(path):
        raise Lost('a file that was deleted', file)
    if file.writable():
        file.flush()
    try:
        position = file.tell()
    except OSError as error:
        raise Lost('a file that is being iterated over', file) from error
    return rebuild.file, (path, file.mode, getattr(file, 'encoding', None), getattr(file, 'errors', None), position, False)


def _database(connection):
    databases = connection.execute('PRAGMA database_list').fetchall()
    if any(name not in ('main', 'temp') for _, name, _ in databases):
        raise Lost('a database connection with attached databases', connection)
    path = databases[0][2]
    if path and connection.in_transaction:
        raise Lost('a database connection with an open transaction (commit it first)', connection)
    if path and not path.startswith(WORKSPACE + '/'):
        raise Lost('a database outside the workspace', connection)
    image = None if path else connection.serialize()
    return rebuild.database, (path or ':memory:', image, connection.isolation_level, connection.row_factory, connection.text_factory)


def _dataclass_marker(value):
    import dataclasses
    for name in ('MISSING', 'KW_ONLY', '_FIELD', '_FIELD_CLASSVAR', '_FIELD_INITVAR'):
        if getattr(dataclasses, name, None) is value:
            return rebuild.dataclass_marker, (name,)
    return None


def _cell(_, value):
    try:
        contents = (value.cell_contents,)
    except ValueError:
        return rebuild.cell, ()
    return rebuild.cell, (), contents, None, None, rebuild.set_cell


def _cached(_, value):
    wrapped = getattr(value, '__wrapped__', None)
    if isinstance(wrapped, types.FunctionType) and wrapped.__globals__ is rebuild.namespace:
        return rebuild.cached_function, (wrapped, value.cache_parameters())
    return None


def _context_variable(_, value):
    missing = object()
    held = value.get(missing)
    return rebuild.context_variable, (value.name, held is not missing, None if held is missing else held)


def _viewed(value):
    """The very dictionary behind a view, so that the view goes on following it."""
    return gc.get_referents(value)[0]


def _dict_view(kind):
    return lambda _, value: (rebuild.dict_view, (kind, _viewed(value)))


def _weak_dict(kind):
    return lambda _, value: (rebuild.weak_dict, (kind, list(value.items())))


def _new_type(_, value):
    return (rebuild.new_type, (value.__name__, value.__supertype__)) if value.__module__ == '__main__' else None


def _memory_view(_, value):
    return rebuild.memory_view, (bytes(value) if value.readonly else bytearray(value), value.readonly)


_REDUCERS = {
    types.GeneratorType: _refuse('a paused generator'),
    types.CoroutineType: _refuse('a coroutine'),
    types.AsyncGeneratorType: _refuse('an async generator'),
    types.FrameType: _refuse('a stack frame'),
    types.TracebackType: _refuse('a traceback'),
    re.Match: _refuse('a regex match object (keep m.group() instead)'),
    typing.NewType: _new_type,
    functools._lru_cache_wrapper: _cached,
    types.CellType: _cell,
    _thread.LockType: lambda _, value: (rebuild.lock, ()),
    _thread.RLock: lambda _, value: (rebuild.reentrant_lock, ()),
    contextvars.ContextVar: _context_variable,
    type({}.keys()): _dict_view('keys'),
    type({}.values()): _dict_view('values'),
    type({}.items()): _dict_view('items'),
    types.MappingProxyType: lambda _, value: (rebuild.mapping_proxy, (_viewed(value),)),
    memoryview: _memory_view,
    weakref.ref: lambda _, value: (rebuild.weak_reference, (value(),)),
    weakref.WeakKeyDictionary: _weak_dict('WeakKeyDictionary'),
    weakref.WeakValueDictionary: _weak_dict('WeakValueDictionary'),
}
