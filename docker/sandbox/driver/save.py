"""Saving the session after a run: names in groups, settings, files, and an exact list of what cannot be kept."""
import gc
import os
import pickle
import resource
import signal
import sys
import time
import types

from .culprit import TooSlow, path_to_culprit, reason, within
from .groups import IMMUTABLE, Dump, blob_id, group_names
from .limits import NAME_SECONDS, SOURCE_BYTES, STATE_BYTES, WORKSPACE
from .pickler import CappedBuffer, Lost, SessionPickler
from .show import describe, type_name
from .verify import unreadable

_clock, _dumps = time.perf_counter, pickle.dumps
_HIDDEN = frozenset('''__name__ __doc__ __package__ __loader__ __spec__ __builtins__ __annotations__ __warningregistry__ __file__
    __cached__ __main__'''.split())
_MOST_LOST = 100
_STACK_PER_LEVEL = 5000
_KEPT_BACK = 0.8                # share of the time to save that names may use


def _deepest():
    """How deep pickling may go without overrunning the stack."""
    soft, _ = resource.getrlimit(resource.RLIMIT_STACK)
    return 50_000 if soft == resource.RLIM_INFINITY else max(1000, min(50_000, soft // _STACK_PER_LEVEL))


class Save:
    """One save. Its result replaces the session's manifest; `blobs` are those the worker does not have."""

    def __init__(self, session, n, seconds):
        self.session, self.n = session, n
        self.deadline = _clock() + seconds * _KEPT_BACK
        self.lost, self.blobs, self.modules = [], {}, {}
        self.names, self.groups = {}, []

    def run(self, cell, source):
        """-> (payload of `S`, [(id, bytes)])."""
        started, session, old = _clock(), self.session, self.session.manifest
        limit, collecting, alarm = sys.getrecursionlimit(), gc.isenabled(), signal.getsignal(signal.SIGALRM)
        sys.setrecursionlimit(max(limit, _deepest()))
        gc.disable()
        try:
            dumps = self._dump_names()
            self._group(dumps)
            sys.setrecursionlimit(limit)            # before the settings are read: it is one of them
            settings = self._settings(cell, source)
        finally:
            sys.setrecursionlimit(limit)
            signal.signal(signal.SIGALRM, alarm or signal.SIG_DFL)
            if collecting:
                gc.enable()
        files, changed, removed, file_blobs, lost_files = session.workspace.scan(old['files'])
        self.blobs.update(file_blobs)
        self.lost += lost_files
        told, remembered = self._tell_lost()
        manifest = {
            'v': 1, 'n': self.n, 'python': sys.version.split()[0], 'packages': session.packages, **_folder(),
            'groups': self.groups, 'names': self.names, 'modules': self._all_modules(), 'settings': settings, 'files': files,
            'lost': remembered,
        }
        known = {group['id'] for group in old['groups']} | {entry['id'] for entry in old['files'] if 'id' in entry} | {old['settings']}
        new = [(key, data) for key, data in self.blobs.items() if key not in known]
        session.manifest = manifest
        session.loaded = {group['id'] for group in self.groups if group['id'] not in self._waiting_ids}
        return {'n': self.n, 'manifest': manifest, 'lost': told, 'changed': changed, 'removed': removed,
                'new': [key for key, _ in new], 'ms': round((_clock() - started) * 1000, 2)}, new

    # -- names

    def _dump_names(self):
        """name -> Dump for every live name that can be kept and is not known to be unchanged."""
        session = self.session
        live = [name for name in session.namespace if name not in _HIDDEN and type(name) is str]
        self._keep_waiting(set(live))
        values = {}
        for name in live:
            value = session.namespace[name]
            if isinstance(value, types.ModuleType) and sys.modules.get(value.__name__) is value and value is not session.main:
                self.modules[name] = value.__name__
            else:
                values[name] = value
        roots = frozenset(map(id, values.values()))
        dumps, fixed = {}, {}
        for name, value in values.items():
            if type(value) in IMMUTABLE:
                kept = session.fixed.get(name)
                fixed[name] = kept if kept is not None and kept[0] is value else self._dump_immutable(name, value)
                self._room -= fixed[name][1]['size'] if fixed[name] else 0
            else:
                dump = self._dump_one(name, value, roots)
                if dump is not None:
                    dumps[name] = dump
        session.fixed = {name: kept for name, kept in fixed.items() if kept}
        for name, (_, group, about) in session.fixed.items():
            self.groups.append(group)
            self.names[name] = about
        self._values, self._roots = values, roots
        return self._within_total(dumps)

    def _keep_waiting(self, live):
        """Groups that were not read back stay as they are, without the names that the cell bound anew."""
        session = self.session
        for group in session.manifest['groups']:
            if group['id'] in session.loaded:
                continue
            names = [name for name in group['names'] if name not in live]
            if names:
                self.groups.append({**group, 'names': names})
                self.names.update((name, session.manifest['names'][name]) for name in names if name in session.manifest['names'])
        self._waiting_ids = {group['id'] for group in self.groups}
        self._room = STATE_BYTES - sum(group['size'] for group in self.groups)

    def _dump_immutable(self, name, value):
        """These never change and share nothing: the same object again costs nothing."""
        try:
            data = _dumps({name: value}, 5)
        except Exception as error:
            return self._lose(name, value, reason(error, 0))
        if len(data) > self._room:
            return self._lose(name, value, _too_large(len(data)))
        key = blob_id(data)
        self.blobs[key] = data
        return value, {'id': key, 'names': [name], 'size': len(data), 'refs': []}, {**describe(value), 'size': len(data)}

    def _dump_one(self, name, value, roots):
        given_up = self.session.given_up.get(name)
        if given_up is not None and given_up[0] is value and name not in self.session.touched:
            return self._lose(name, value, given_up[1], '')         # it would only cost the same time again
        self.session.given_up.pop(name, None)
        seconds = min(NAME_SECONDS, self.deadline - _clock())
        if seconds <= 0:
            return self._lose(name, value, 'there was no time left to save it')
        try:
            return within(seconds, Dump, {name: value}, roots)
        except MemoryError:
            return self._lose(name, value, 'memory ran out while saving it')
        except BaseException as error:
            why = reason(error, seconds)
            if isinstance(error, TooSlow):
                self.session.given_up[name] = (value, why)
                return self._lose(name, value, why)
            path = '' if isinstance(error, Lost) and (error.value is value or error.value is None) else path_to_culprit(value)
            return self._lose(name, value, why, path and name + path)

    def _lose(self, name, value, why, path=''):
        if name != '_':                 # the last value is a convenience, nobody bound it
            self.lost.append({'name': name, 'type': type_name(value)[:200], 'why': why, 'path': path})

    def _within_total(self, dumps):
        kept = {}
        for name, dump in sorted(dumps.items(), key=lambda item: item[1].size):
            if dump.size > self._room:
                self.session.given_up[name] = (self._values[name], _too_large(dump.size))
                self._lose(name, self._values[name], _too_large(dump.size))
            else:
                self._room -= dump.size
                kept[name] = dump
        return {name: kept[name] for name in dumps if name in kept}

    # -- groups

    def _group(self, dumps):
        known = {group['id'] for group in self.session.manifest['groups']}
        pending, trials = [], []
        for names in group_names(dumps):
            made = self._dump_group(names, dumps)
            if made is not None:
                pending.append(made)
                if made[1].risky and made[2] not in known:
                    trials.append((made[2], made[1].data))
        bad = unreadable(trials, self.session.main.__dict__) if trials else {}
        for names, dump, key in pending:
            if key in bad:
                self._salvage(names, dumps, bad[key])
            else:
                self._add(names, dump, key, dumps)

    def _dump_group(self, names, dumps):
        try:
            dump = dumps[names[0]] if len(names) == 1 else Dump({name: self._values[name] for name in names}, self._roots)
        except Exception as error:
            for name in names:
                self._lose(name, self._values[name], reason(error, 0))
            return None
        return names, dump, blob_id(dump.data)

    def _salvage(self, names, dumps, why):
        """One bad name must not take the others of its group along."""
        bad = {names[0]: why}
        if len(names) > 1:
            bad = unreadable([(name, dumps[name].data) for name in names], self.session.main.__dict__)
            good = [name for name in names if name not in bad]
            rest = self._dump_group(good, dumps) if good and bad else None
            if rest is not None and not unreadable([(rest[2], rest[1].data)], self.session.main.__dict__):
                self._add(*rest, dumps)
            else:
                bad = {name: bad.get(name, why) for name in names}
        for name, text in bad.items():
            self._lose(name, self._values[name], text)

    def _add(self, names, dump, key, dumps):
        self.groups.append({'id': key, 'names': names, 'size': dump.size, 'refs': sorted(dump.refs)})
        self.blobs[key] = dump.data
        for name in names:
            self.names[name] = {**describe(self._values[name]), 'size': dumps[name].size}

    # -- beside names

    def _settings(self, cell, source):
        session = self.session
        if cell is not None and cell.defines and len(source) < SOURCE_BYTES // 4:
            session.sources[cell.filename] = source
            while sum(map(len, session.sources.values())) > SOURCE_BYTES:
                session.sources.pop(next(iter(session.sources)))
        kept = {'values': session.settings.changed(), 'flags': session.flags, 'sources': session.sources}
        folder = os.getcwd() if os.path.isdir('.') else WORKSPACE
        if folder != WORKSPACE:
            kept['folder'] = folder
        if not any(kept.values()):
            return None
        data = self._dump_settings(kept)
        key = blob_id(data)
        self.blobs[key] = data
        return key

    def _dump_settings(self, kept):
        def dump():
            buffer = CappedBuffer()
            SessionPickler(buffer).dump(kept)
            return buffer.getvalue()
        try:
            return dump()
        except Exception:
            kept['values'] = {name: value for name, value in kept['values'].items() if _picklable(value)}
            return dump()

    def _all_modules(self):
        session = self.session
        waiting = {name: module for name, module in session.manifest['modules'].items()
                   if name not in session.namespace and name not in session.imported}
        session.imported |= self.modules.keys()
        return {**waiting, **self.modules}

    def _tell_lost(self):
        """(what is new to say, everything to remember): a name that stays lost is not told again after every run."""
        session = self.session
        earlier = {(entry['name'], entry['why']): entry for entry in session.manifest['lost']}
        told, remembered = [], []
        for entry in self.lost:
            before = earlier.get((entry['name'], entry['why']))
            if before is None or entry['name'] in session.mentioned:
                told.append(entry)
                before = {**entry, 'n': self.n}
            remembered.append(before)
        gone = set(self.names) | set(self.modules) | {entry['name'] for entry in self.lost} | session.lost_live
        remembered += [entry for entry in session.manifest['lost'] if entry['name'] not in gone]
        session.lost_live = {entry['name'] for entry in self.lost}
        return told[:_MOST_LOST], remembered[:_MOST_LOST]


def _folder():
    here = os.getcwd() if os.path.isdir('.') else WORKSPACE
    inside = os.path.relpath(here, WORKSPACE) if here.startswith(WORKSPACE + '/') else ''
    return {'cwd': inside} if inside else {}


def _picklable(value):
    try:
        SessionPickler(CappedBuffer()).dump(value)
        return True
    except Exception:
        return False


def _too_large(size):
    return 'the session would be larger than %d MB (this name takes %.1f MB)' % (STATE_BYTES >> 20, size / (1 << 20))
