"""Saving the names of a session: in groups, each name under its own limits, with an exact list of what cannot be kept."""
import pickle
import sys
import time
import types

from .culprit import TooSlow, path_to_culprit, reason, within
from .groups import IMMUTABLE, Dump, blob_id, group_units
from .limits import NAME_SECONDS, STATE_BYTES
from .pickler import Lost
from .show import describe, type_name
from .verify import unreadable

_clock, _dumps = time.perf_counter, pickle.dumps
_HIDDEN = frozenset('''__name__ __doc__ __package__ __loader__ __spec__ __builtins__ __annotations__ __warningregistry__ __file__
    __cached__ __main__'''.split())
_LONGEST_NAME = 200


def _is_name(name):
    """Whether code could say it: `globals()` takes anything for a key."""
    return type(name) is str and len(name) <= _LONGEST_NAME and name.isidentifier()


class NameSaver:
    """After `run`: `groups`, `names` and `modules` of the manifest, `blobs`, and `lost`."""

    def __init__(self, session, deadline):
        self._session, self._deadline = session, deadline
        self.groups, self.names, self.modules = [], {}, {}
        self.blobs, self.lost = {}, []
        self._known = {group['id'] for group in session.manifest['groups']}

    def run(self):
        session = self._session
        live = [name for name in session.namespace if name not in _HIDDEN and _is_name(name)]
        self.lost += [{'name': ascii(name)[:100], 'type': type_name(value)[:200], 'why': 'what it is bound to is not a Python name', 'path': ''}
                      for name, value in session.namespace.items() if not _is_name(name)]
        self._keep_waiting(set(live))
        waiting = {group['id'] for group in self.groups}
        values = self._values = {}
        for name in live:
            value = session.namespace[name]
            if isinstance(value, types.ModuleType) and sys.modules.get(value.__name__) is value and value is not session.main:
                self.modules[name] = value.__name__
            else:
                values[name] = value
        self._roots = frozenset(map(id, values.values()))
        self._save_immutable()
        self._group(self._within_total(self._dump_units()))
        session.loaded = {group['id'] for group in self.groups} - waiting

    def _keep_waiting(self, live):
        """Groups that were not read back stay as they are, without the names that the cell bound anew."""
        manifest = self._session.manifest
        for group in manifest['groups']:
            if group['id'] in self._session.loaded:
                continue
            names = [name for name in group['names'] if name not in live]
            if names:
                self.groups.append({**group, 'names': names})
                self.names.update((name, manifest['names'][name]) for name in names if name in manifest['names'])
        self._room = STATE_BYTES - sum(group['size'] for group in self.groups)

    def _lose(self, name, why, path=''):
        if name != '_':                 # the last value is a convenience, nobody bound it
            self.lost.append({'name': name, 'type': type_name(self._values[name])[:200], 'why': why, 'path': path})

    # -- values that never change and share nothing: the same object again costs nothing

    def _save_immutable(self):
        fixed = {}
        for name, value in self._values.items():
            if type(value) in IMMUTABLE:
                kept = self._session.fixed.get(name)
                kept = kept if kept is not None and kept[0] is value else self._dump_immutable(name, value)
                if kept is not None:
                    fixed[name] = kept
                    self._room -= kept[1]['size']
                    self.groups.append(kept[1])
                    self.names[name] = kept[2]
        self._session.fixed = fixed

    def _dump_immutable(self, name, value):
        try:
            data = _dumps({name: value}, 5)
        except Exception as error:
            return self._lose(name, reason(error, 0))
        if len(data) > self._room:
            return self._lose(name, _too_large(len(data)))
        key = blob_id(data)
        self.blobs[key] = data
        return value, {'id': key, 'names': [name], 'size': len(data), 'refs': []}, {**describe(value), 'size': len(data)}

    # -- all other values

    def _dump_units(self):
        """tuple of names -> Dump. Names that were a group before are tried as one at once; all others, and those, one by one."""
        todo = [name for name, value in self._values.items() if type(value) not in IMMUTABLE]
        left, dumps = dict.fromkeys(todo), {}
        for group in self._session.manifest['groups']:
            names = tuple(group['names'])
            if len(names) > 1 and group['id'] in self._session.loaded and all(name in left for name in names):
                dump = self._try_together(names)
                if dump is not None:
                    dumps[names] = dump
                    for name in names:
                        del left[name]
        for name in left:
            dump = self._dump_one(name)
            if dump is not None:
                dumps[name,] = dump
        return dumps

    def _try_together(self, names):
        left = self._deadline - _clock()
        try:
            return within(NAME_SECONDS, left, self._dump, names) if left > 0 else None
        except BaseException:
            return None                 # one by one it will show which is to blame

    def _dump(self, names):
        return Dump({name: self._values[name] for name in names}, self._roots)

    def _dump_one(self, name):
        session, value = self._session, self._values[name]
        given_up = session.given_up.get(name)
        if given_up is not None and given_up[0] is value and name not in session.touched:
            return self._lose(name, given_up[1])        # it would only cost the same time again
        session.given_up.pop(name, None)
        left = self._deadline - _clock()
        if left <= 0:
            return self._lose(name, 'there was no time left to save it')
        try:
            return within(NAME_SECONDS, left / 2, self._dump, [name])      # one name that waits must leave time for the others
        except MemoryError:
            return self._lose(name, 'memory ran out while saving it')
        except BaseException as error:
            why = reason(error, NAME_SECONDS)
            if isinstance(error, TooSlow):
                session.given_up[name] = value, why
                return self._lose(name, why)
            path = '' if isinstance(error, Lost) and (error.value is value or error.value is None) else path_to_culprit(value)
            return self._lose(name, why, path and name + path)

    def _within_total(self, dumps):
        kept = set()
        for names, dump in sorted(dumps.items(), key=lambda item: item[1].size):
            if dump.size <= self._room:
                self._room -= dump.size
                kept.add(names)
                continue
            for name in names:
                self._session.given_up[name] = self._values[name], _too_large(dump.size)
                self._lose(name, _too_large(dump.size))
        return {names: dump for names, dump in dumps.items() if names in kept}

    # -- groups

    def _group(self, dumps):
        pending, trials = [], []
        for units in group_units(dumps):
            names = [name for unit in units for name in unit]
            made = self._dump_group(names, dumps[units[0]] if len(units) == 1 else None)
            if made is not None:
                pending.append(made)
                _, dump, key, data = made
                if dump.risky and data is not None:
                    trials.append((key, data))
        bad = self._unreadable(trials) if trials else {}
        for names, dump, key, data in pending:
            if key in bad:
                self._salvage(names, bad[key])
            else:
                self._add(names, dump, key, data, dumps)

    def _dump_group(self, names, dump=None):
        try:
            dump = dump or self._dump(names)
        except Exception as error:
            for name in names:
                self._lose(name, reason(error, 0))
            return None
        return names, dump, *dump.settle(self._known)

    def _unreadable(self, blobs):
        return unreadable(blobs, self._session.main.__dict__, self._deadline)

    def _salvage(self, names, why):
        """One bad name must not take the others of its group along."""
        bad = {names[0]: why}
        if len(names) > 1:
            bad = self._unreadable([(name, self._dump([name]).data()) for name in names])
            good = [name for name in names if name not in bad]
            rest = self._dump_group(good) if good and bad else None
            if rest is not None and (rest[3] is None or not self._unreadable([(rest[2], rest[3])])):
                self._add(*rest, {})
            else:
                bad = {name: bad.get(name, why) for name in names}
        for name, text in bad.items():
            self._lose(name, text)

    def _add(self, names, dump, key, data, dumps):
        self.groups.append({'id': key, 'names': names, 'size': dump.size, 'refs': sorted(dump.refs)})
        if data is not None:
            self.blobs[key] = data
        for name in names:
            alone, before = dumps.get((name,)), self._session.manifest['names'].get(name)
            size = alone.size if alone is not None else before['size'] if before is not None else dump.size // len(names)
            self.names[name] = {**describe(self._values[name]), 'size': size}


def _too_large(size):
    return 'the session would be larger than %d MB (this name takes %.1f MB)' % (STATE_BYTES >> 20, size / (1 << 20))
