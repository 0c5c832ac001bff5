"""Showing values: the last expression of a cell in full measure, and names of the session in a line."""
import reprlib
import sys

from .limits import ECHO_CHARS

_MAX_ROWS, _MAX_COLUMNS = 30, 20
_PREVIEW = 80


def shorten(text, limit):
    if len(text) <= limit:
        return text
    half = limit // 2
    return '%s\n[... %d characters left out ...]\n%s' % (text[:half], len(text) - 2 * half, text[-half:])


def type_name(value):
    kind = type(value)
    module = kind.__module__
    return kind.__qualname__ if module in ('builtins', '__main__') else '%s.%s' % (str(module).partition('.')[0], kind.__qualname__)


def echo(value):
    """The text of a cell's value. May run the value's own code, under the run's time limit."""
    pandas = sys.modules.get('pandas')
    try:
        if pandas is not None and hasattr(pandas, 'DataFrame') and isinstance(value, (pandas.DataFrame, pandas.Series)):
            text = _table(value, pandas)
        else:
            text = repr(value)
    except Exception as error:
        text = '<%s: its repr() failed with %s>' % (type(value).__name__, type(error).__name__)
    return shorten(text, ECHO_CHARS)


def _table(value, pandas):
    rows = pandas.get_option('display.max_rows')
    rows = _MAX_ROWS if rows is None or rows == 60 else rows
    if isinstance(value, pandas.DataFrame):
        return value.to_string(max_rows=rows, max_cols=_MAX_COLUMNS, show_dimensions=len(value) > rows)
    return value.to_string(max_rows=rows, dtype=True, name=True, length=len(value) > rows)


class _Safe(reprlib.Repr):
    """Short texts of values of exact built-in types; nothing else has its code run."""

    def __init__(self):
        super().__init__()
        self.maxlevel, self.maxstring, self.maxother, self.maxdict, self.maxlist, self.maxtuple, self.maxset = 3, 60, 40, 4, 6, 6, 6

    def repr1(self, value, level):
        kind = type(value)
        if kind in (bool, float, complex, type(None), range):
            return repr(value)
        if kind is int and value.bit_length() > 1000:
            return '<int of %d bits>' % value.bit_length()
        if kind in (bytes, bytearray):
            return repr(bytes(value[:40]))
        if kind in (str, int, list, tuple, dict, set, frozenset):
            return getattr(self, 'repr_' + kind.__name__)(value, level)
        return '<%s>' % type_name(value)

    def repr_set(self, value, level):
        return self._repr_iterable(list(value)[:8], level, '{', '}', self.maxset) if len(value) < 1000 else '<set>'

    def repr_frozenset(self, value, level):
        return 'frozenset(%s)' % self.repr_set(value, level)

    def repr_dict(self, value, level):
        if level <= 0:
            return '{...}'
        shown = ['%s: %s' % (self.repr1(key, level - 1), self.repr1(part, level - 1)) for key, part in list(value.items())[:self.maxdict]]
        return '{%s}' % ', '.join(shown + (['...'] if len(value) > self.maxdict else []))


_safe = _Safe()


def describe(value):
    """{type, preview} and, where it has one, shape or length, without running the value's own code."""
    kind = type(value)
    module = str(kind.__module__)
    about = {'type': type_name(value)[:200]}
    try:
        if module.startswith(('numpy', 'pandas')):
            preview = _scientific(value, about)
        elif callable(value):
            preview = _signature(value)
        else:
            if kind in (str, bytes, bytearray, list, tuple, dict, set, frozenset):
                about['length'] = len(value)
            preview = _safe.repr1(value, 3)
    except Exception:
        preview = ''
    about['preview'] = preview.replace('\n', ' ')[:_PREVIEW].encode('utf-8', 'replace').decode()
    return about


def _scientific(value, about):
    name = type(value).__name__
    if name == 'ndarray':
        about['shape'] = list(value.shape)
        return str(value.dtype) if value.dtype.hasobject or value.size > 8 else '%s %s' % (value.dtype, value.tolist())
    if name == 'DataFrame':
        about['shape'] = list(value.shape)
        return ', '.join(str(column) if type(column) is str else _safe.repr1(column, 1) for column in list(value.columns[:12]))
    if name in ('Series', 'Index', 'RangeIndex', 'DatetimeIndex', 'MultiIndex'):
        about['length'] = len(value)
        return str(value.dtype)
    if type(value).__module__ == 'numpy' and hasattr(value, 'item') and not hasattr(value, '__len__'):
        return _safe.repr1(value.item(), 1)
    return ''


def _signature(value):
    kind = type(value)
    if kind.__name__ == 'function' and kind.__module__ == 'builtins':
        code = value.__code__
        names = list(code.co_varnames[:code.co_argcount + code.co_kwonlyargcount])
        return '(%s)' % ', '.join(names)
    return ''
