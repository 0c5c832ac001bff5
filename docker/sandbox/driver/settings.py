"""What a session changes beside its names: folder, environment, paths, random states, options of libraries."""
import copy
import decimal
import functools
import os
import random
import sys
import warnings

_baseline = {}
_fresh_options = {}         # matplotlib's, when it was imported before the session began


def _numpy(use):
    numpy = sys.modules.get('numpy')
    return use(numpy) if numpy is not None and hasattr(numpy, 'random') else None


def _copied_options(options):
    return {key: copy.copy(value) for key, value in dict.items(options)}


@functools.cache
def _matplotlib_defaults():
    """The options of a fresh matplotlib, as copies: the lists in its own rcParamsDefault are those in rcParams, and change with them."""
    matplotlib = sys.modules['matplotlib']
    if _fresh_options:
        return _fresh_options
    uncomment = lambda line: line[1:] if line.startswith('#') else line
    return matplotlib._rc_params_in_file(matplotlib.cbook._get_data_path('matplotlibrc'), transform=uncomment)


def _matplotlib_options():
    matplotlib = sys.modules.get('matplotlib')
    if matplotlib is None or not hasattr(matplotlib, 'rcParamsDefault'):
        return None
    default = _matplotlib_defaults()
    return {key: copy.copy(value) for key, value in dict.items(matplotlib.rcParams)
            if not key.startswith(('backend', '_internal')) and dict.get(default, key) != value} or None


def _pandas_options():
    config = sys.modules.get('pandas._config.config')
    if config is None:
        return None
    changed = {}
    for name, option in config._registered_options.items():
        value = config._global_config
        for part in name.split('.'):
            value = value[part]
        if value is not option.defval and value != option.defval:
            changed[name] = value
    return changed or None


def _log_levels():
    logging = sys.modules.get('logging')
    if logging is None:
        return None
    levels = {'': logging.root.level}
    for name, logger in logging.root.manager.loggerDict.items():
        if isinstance(logger, logging.Logger) and logger.level:
            levels[name] = logger.level
    return levels


def _set_environment(value):
    os.environ.clear()
    os.environ.update(value)


def _set_warnings(value):
    warnings.filters[:] = value
    warnings._filters_mutated()


def _set_pandas(value):
    import pandas
    for name, option in value.items():
        pandas.set_option(name, option)


def _set_matplotlib(value):
    import matplotlib
    matplotlib.rcParams.update(value)


def _set_numpy_random(value):
    import numpy
    numpy.random.set_state(value)


def _set_numpy_print(value):
    import numpy
    numpy.set_printoptions(**value)


def _set_numpy_errors(value):
    import numpy
    numpy.seterr(**value)


def _set_log_levels(value):
    import logging
    for name, level in value.items():
        logging.getLogger(name or None).setLevel(level)


# name -> (read: a value that compares equal while nothing changed, or None; restore)
_SETTINGS = {
    'environment': (lambda: dict(os.environ), _set_environment),
    'path': (lambda: list(sys.path), lambda value: sys.path.__setitem__(slice(None), value)),
    'recursion': (sys.getrecursionlimit, sys.setrecursionlimit),
    'random': (random.getstate, random.setstate),
    'decimal': (lambda: decimal.getcontext().copy(), decimal.setcontext),
    'warnings': (lambda: list(warnings.filters), _set_warnings),
    'numpy.random': (lambda: _numpy(lambda numpy: numpy.random.get_state()), _set_numpy_random),
    'numpy.print': (lambda: _numpy(lambda numpy: numpy.get_printoptions()), _set_numpy_print),
    'numpy.errors': (lambda: _numpy(lambda numpy: numpy.geterr()), _set_numpy_errors),
    'matplotlib': (_matplotlib_options, _set_matplotlib),
    'pandas': (_pandas_options, _set_pandas),
    'logging': (_log_levels, _set_log_levels),
}
_DEFAULTS = {
    'numpy.errors': {'divide': 'warn', 'over': 'warn', 'under': 'ignore', 'invalid': 'warn'},
    'numpy.print': {'edgeitems': 3, 'threshold': 1000, 'floatmode': 'maxprec', 'precision': 8, 'suppress': False, 'linewidth': 75,
                    'nanstr': 'nan', 'infstr': 'inf', 'sign': '-', 'formatter': None, 'legacy': False},
    'logging': {'': 30},
}


def _comparable(name, value):
    if name == 'numpy.random' and value is not None:
        return value[1].tobytes(), value[2:]
    if name == 'decimal':
        return repr(value)
    return value


def _read():
    return {name: read() for name, (read, _) in _SETTINGS.items()}


def mark_baseline():
    """Remembers the settings of a fresh interpreter; only what differs from them is saved."""
    if hasattr(sys.modules.get('matplotlib'), 'rcParams'):
        _fresh_options.update(_copied_options(sys.modules['matplotlib'].rcParams))
    _baseline.update(_DEFAULTS)
    for name, value in _read().items():
        if value is not None:
            _baseline[name] = _comparable(name, value)


class Settings:
    """`kept`: names of settings the session has changed at some time; those are saved from then on."""

    def __init__(self):
        self.kept = set()

    def changed(self):
        values = {}
        for name, value in _read().items():
            if value is None:
                continue
            if name in self.kept or _comparable(name, value) != _baseline.get(name):
                self.kept.add(name)
                values[name] = value
        return values

    def restore(self, values):
        """-> sentences about settings that could not be restored."""
        failed = []
        for name, value in values.items():
            if name not in _SETTINGS:
                continue
            self.kept.add(name)
            try:
                _SETTINGS[name][1](value)
            except Exception as error:
                failed.append('the setting %s could not be restored: %s' % (name, type(error).__name__))
        return failed


def restore_folder(path):
    try:
        os.chdir(path)
    except OSError:
        pass
