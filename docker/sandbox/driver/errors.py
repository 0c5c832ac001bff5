"""Errors as a person wants to see them: only their own frames, with the lines of the cells they typed."""
import traceback

from .limits import ERROR_CHARS, WORKSPACE
from .show import shorten

CELL_PREFIX = '<cell '
_VALUE_CHARS = 2000
_FRAMES = 50


def _own(filename):
    return filename.startswith((CELL_PREFIX, WORKSPACE + '/'))


def _message(error):
    try:
        return str(error.msg) if isinstance(error, SyntaxError) else str(error)
    except Exception:
        return '<its message could not be shown>'


def _only_own(exception, seen):
    """Leaves the frames of cells and of modules in the workspace, here and in causes and contexts."""
    if exception is None or id(exception) in seen:
        return
    seen.add(id(exception))
    exception.stack = traceback.StackSummary.from_list([frame for frame in exception.stack if _own(frame.filename)])
    for part in (exception.__cause__, exception.__context__, *(getattr(exception, 'exceptions', None) or ())):
        _only_own(part, seen)


def _text(error, tb):
    try:
        exception = traceback.TracebackException(type(error), error, tb, limit=None if isinstance(error, RecursionError) else _FRAMES, compact=True)
        _only_own(exception, set())
        return ''.join(exception.format())
    except Exception:
        return '%s: its message could not be shown\n' % type(error).__name__


def describe_error(error, missing):
    """{type, value, traceback, line}. `missing`: name -> a sentence on why it is not there, told to whoever misses it."""
    tb = error.__traceback__
    while tb is not None and not _own(tb.tb_frame.f_code.co_filename):
        tb = tb.tb_next
    text = shorten(_text(error, tb), ERROR_CHARS)
    value = _message(error)[:_VALUE_CHARS]
    name = getattr(error, 'name', None) if isinstance(error, NameError) else None
    if name in missing:
        note = 'note: ' + missing[name]
        text += note + '\n'
        value += ' (%s)' % note
    line = error.lineno if isinstance(error, SyntaxError) and _own(str(error.filename)) else None
    while tb is not None:
        if tb.tb_frame.f_code.co_filename.startswith(CELL_PREFIX):
            line = tb.tb_lineno
        tb = tb.tb_next
    return {'type': type(error).__name__[:200], 'value': value.encode('utf-8', 'replace').decode(),
            'traceback': text.encode('utf-8', 'replace').decode(), 'line': line}
