"""Why a value cannot be kept, and where inside it the culprit sits."""
import signal
import types

from .pickler import Lost, SessionPickler, Sink

_setitimer, _signal = signal.setitimer, signal.signal
_DEEPEST, _PROBES, _WIDEST, _PROBE_SECONDS, _PROBE_PATIENCE = 6, 200, 50, 0.5, 2


class TooSlow(BaseException):
    """The time for one value is over. Not an Exception: code that swallows those must not swallow this."""


def _ring(*_):
    raise TooSlow


def within(seconds, patience, call, *args):
    """call(*args), or TooSlow after `seconds` of processor time or `patience` seconds by the clock. Not nestable; main thread only.

    Processor time is what counts on a busy host; the clock catches a value whose own code waits while it is saved.
    """
    _signal(signal.SIGPROF, _ring)
    _signal(signal.SIGALRM, _ring)
    _setitimer(signal.ITIMER_PROF, seconds)
    _setitimer(signal.ITIMER_REAL, max(patience, 0.001))
    try:
        return call(*args)
    finally:
        _setitimer(signal.ITIMER_PROF, 0)
        _setitimer(signal.ITIMER_REAL, 0)


def reason(error, seconds):
    if isinstance(error, TooSlow):
        return 'saving it took longer than %g s' % seconds
    if isinstance(error, RecursionError):
        return 'nested too deeply'
    if isinstance(error, Lost):
        return str(error)
    try:
        text = str(error).split('\n')[0]
    except Exception:
        text = ''
    return ('%s: %s' % (type(error).__name__, text))[:160]


def path_to_culprit(value):
    """The way to the innermost value that cannot be kept, such as ['gen'][0]; '' when it is the value itself or not found."""
    return _search(value, 0, set(), [_PROBES])


def _search(value, depth, seen, probes):
    if depth > _DEEPEST or id(value) in seen:
        return ''
    seen.add(id(value))
    for label, part in _parts(value):
        probes[0] -= 1
        if probes[0] < 0:
            return ''
        try:
            within(_PROBE_SECONDS, _PROBE_PATIENCE, SessionPickler(Sink()).dump, part)
        except TooSlow:
            return label
        except KeyboardInterrupt:
            raise
        except BaseException:
            return label + _search(part, depth + 1, seen, probes)
    return ''


def _parts(value):
    """Labelled parts of a value, without running any code of its own."""
    kind = type(value)
    if isinstance(value, dict):
        return [('[%s]' % _key(key), part) for key, part in list(dict.items(value))[:_WIDEST]]
    if isinstance(value, (list, tuple)):
        return [('[%d]' % index, part) for index, part in enumerate(list(value[:_WIDEST]) if kind in (list, tuple) else [])]
    if isinstance(value, types.FunctionType):
        cells = zip(value.__code__.co_freevars, value.__closure__ or ())
        return [(' (variable %s of its closure)' % name, cell.cell_contents) for name, cell in cells if cell != types.CellType()]
    if isinstance(value, (type, types.ModuleType)):
        return []
    try:
        attributes = object.__getattribute__(value, '__dict__')
    except Exception:
        return []
    return [('.' + str(name), part) for name, part in list(dict.items(attributes))[:_WIDEST]] if isinstance(attributes, dict) else []


def _key(key):
    return repr(key)[:60] if type(key) in (str, int, float, bool, bytes, type(None)) else '<%s>' % type(key).__name__
