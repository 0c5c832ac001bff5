"""Functions that saved blobs call while they are read back.

Blobs name them as hektor_driver.rebuild.<name>: never rename one or change what it takes, old snapshots rely on it.
"""
import contextvars
import functools
import os
import sys
import threading
import types
import typing
import weakref

namespace = {}          # the live session; set once by the child, and the globals of every function rebuilt here


def main_module():
    return sys.modules['__main__']


# -- functions: their globals are the live session, so that they see later changes of a name

def function(code, name, closure, qualname):
    made = types.FunctionType(code, namespace, name, None, closure)
    made.__qualname__ = qualname
    return made


def set_function(made, state):
    attributes, slots = state
    made.__dict__.update(attributes)
    for name, value in slots.items():
        setattr(made, name, value)


def cell():
    return types.CellType()


def set_cell(made, contents):
    made.cell_contents = contents[0]


def cached_function(wrapped, parameters):
    return functools.lru_cache(**parameters)(wrapped)


# -- things whose own pickling loses something

def array_view(base, shape, dtype, offset, strides):
    import numpy
    return numpy.ndarray(shape, dtype, buffer=base, offset=offset, strides=strides)


def lock():
    return threading.Lock()


def reentrant_lock():
    return threading.RLock()


def context_variable(name, has_value, value):
    made = contextvars.ContextVar(name)
    if has_value:
        made.set(value)
    return made


def dict_view(kind, mapping):
    return getattr(mapping, kind)()


def mapping_proxy(mapping):
    return types.MappingProxyType(mapping)


def memory_view(data, readonly):
    return memoryview(data).toreadonly() if readonly else memoryview(data)


class _Gone:
    """Stands for the target of a weak reference that was dead when it was saved."""


def weak_reference(target):
    return weakref.ref(_Gone() if target is None else target)


def weak_dict(kind, items):
    made = getattr(weakref, kind)()
    for key, value in items:
        made[key] = value
    return made


def new_type(name, supertype):
    made = typing.NewType(name, supertype)
    made.__module__ = '__main__'
    return made


def named_tuple(name, fields, defaults, doc, extra):
    made = typing.NamedTuple(name, fields)
    made.__new__.__defaults__ = defaults
    with_default = [field for field, _ in fields][len(fields) - len(defaults):]
    made._field_defaults = dict(zip(with_default, defaults))
    made.__module__, made.__doc__ = '__main__', doc
    for key, value in extra.items():
        setattr(made, key, value)
    return made


def exception(kind, args, attributes, cause, context, suppress):
    try:
        made = kind.__new__(kind, *args)
    except Exception:
        made = Exception.__new__(kind)
    made.args = args
    made.__dict__.update(attributes)
    made.__cause__, made.__context__, made.__suppress_context__ = cause, context, suppress
    return made


def dataclass_marker(name):
    import dataclasses
    return getattr(dataclasses, name)


# -- streams

def file(path, mode, encoding, errors, position, closed):
    if closed:
        made = open(os.devnull)
        made.close()
        return made
    mode = mode.replace('x', 'w')
    if 'w' in mode:                     # never truncate again what the session has written
        mode = mode.replace('w', 'r') + ('' if '+' in mode else '+')
    made = open(path, mode, **({} if 'b' in mode else dict(encoding=encoding, errors=errors)))
    if 'a' not in mode:
        made.seek(position)
    return made


def database(path, image, isolation_level, row_factory, text_factory):
    import sqlite3
    made = sqlite3.connect(path)
    if image is not None:
        made.deserialize(image)
    made.isolation_level, made.row_factory, made.text_factory = isolation_level, row_factory, text_factory
    return made
