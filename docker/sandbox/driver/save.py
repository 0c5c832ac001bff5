"""Saving the session after a run: names, settings, files, and an exact list of what cannot be kept."""
import gc
import os
import resource
import signal
import sys
import time

from .groups import blob_id
from .limits import SOURCE_BYTES, WORKSPACE
from .pickler import SessionPickler, Sink
from .save_names import NameSaver

_clock = time.perf_counter
_MOST_LOST = 100
_STACK_PER_LEVEL = 5000
_SHARE_OF_NAMES = 0.8           # of the time to save; the rest is for files and for sending


def save(session, n, seconds, cell, source):
    """-> (payload of `S`, [(id, bytes)] that the worker does not have). The result becomes the session's manifest."""
    started, old = _clock(), session.manifest
    names = NameSaver(session, started + seconds * _SHARE_OF_NAMES)
    _with_room_for_pickling(names.run)
    settings, blobs = _settings(session, cell, source)
    files, changed, removed, file_blobs, lost_files = session.workspace.scan(old['files'])
    blobs = {**names.blobs, **blobs, **file_blobs}
    told, remembered = _tell_lost(session, n, names, lost_files)
    manifest = {
        'v': 1, 'n': n, 'python': sys.version.split()[0], 'packages': session.packages, **_folder(),
        'groups': names.groups, 'names': names.names, 'modules': _modules(session, names.modules), 'settings': settings, 'files': files,
        'lost': remembered,
    }
    known = {group['id'] for group in old['groups']} | {entry['id'] for entry in old['files'] if 'id' in entry} | {old['settings']}
    new = [(key, data) for key, data in blobs.items() if key not in known]
    session.manifest = manifest
    return {'n': n, 'manifest': manifest, 'lost': told, 'changed': changed, 'removed': removed, 'new': [key for key, _ in new],
            'ms': round((_clock() - started) * 1000, 2)}, new


def _with_room_for_pickling(call):
    """Deep values are allowed, as far as the stack goes; the collector only slows pickling down."""
    limit, collecting = sys.getrecursionlimit(), gc.isenabled()
    handlers = {number: signal.getsignal(number) for number in (signal.SIGALRM, signal.SIGPROF)}
    soft, _ = resource.getrlimit(resource.RLIMIT_STACK)
    deepest = 50_000 if soft == resource.RLIM_INFINITY else max(1000, min(50_000, soft // _STACK_PER_LEVEL))
    sys.setrecursionlimit(max(limit, deepest))
    gc.disable()
    try:
        call()
    finally:
        sys.setrecursionlimit(limit)
        for number, handler in handlers.items():
            signal.signal(number, handler or signal.SIG_DFL)
        if collecting:
            gc.enable()


def _settings(session, cell, source):
    """(id or None, {id: bytes}) of what a session changes beside its names."""
    if cell is not None and cell.defines and len(source) < SOURCE_BYTES // 4:
        session.sources[cell.filename] = source
        while sum(map(len, session.sources.values())) > SOURCE_BYTES:
            session.sources.pop(next(iter(session.sources)))
    kept = {'values': session.settings.changed(), 'flags': session.flags, 'sources': session.sources}
    folder = _here()
    if folder != WORKSPACE:
        kept['folder'] = folder
    if not any(kept.values()):
        return None, {}
    data = _pickled(kept)
    if data is None:
        kept['values'] = {name: value for name, value in kept['values'].items() if _pickled(value) is not None}
        data = _pickled(kept)
    return blob_id(data), {blob_id(data): data}


def _pickled(value):
    sink = Sink()
    try:
        SessionPickler(sink).dump(value)
    except Exception:
        return None
    return sink.data()


def _here():
    return os.getcwd() if os.path.isdir('.') else WORKSPACE


def _folder():
    here = _here()
    return {'cwd': os.path.relpath(here, WORKSPACE)} if here.startswith(WORKSPACE + '/') else {}


def _modules(session, live):
    waiting = {name: module for name, module in session.manifest['modules'].items()
               if name not in session.namespace and name not in session.imported}
    session.imported |= live.keys()
    return {**waiting, **live}


def _tell_lost(session, n, names, lost_files):
    """(what is new to say, everything to remember): a name that stays lost for the same reason is told once, unless the cell names it."""
    earlier = {(entry['name'], entry['why']): entry for entry in session.manifest['lost']}
    lost = names.lost + lost_files
    told, remembered = [], []
    for entry in lost:
        key = entry['name'], entry['why']
        if entry['name'] in session.mentioned or key not in earlier and key not in session.told_lost:
            told.append(entry)
            earlier.pop(key, None)
        remembered.append(earlier.get(key) or {**entry, 'n': n})
    session.told_lost = {(entry['name'], entry['why']) for entry in lost}
    now = {entry['name'] for entry in lost}
    gone = names.names.keys() | names.modules.keys() | now | session.lost_live
    remembered += [entry for entry in session.manifest['lost'] if entry['name'] not in gone]
    session.lost_live = now
    return _bounded(told, session.mentioned), remembered[:_MOST_LOST]


def _bounded(told, mentioned):
    """What the cell names comes first; the rest of a flood is only counted."""
    if len(told) <= _MOST_LOST:
        return told
    first = sorted(told, key=lambda entry: entry['name'] not in mentioned)[:_MOST_LOST - 1]
    more = len(told) - len(first)
    return [*first, {'name': '(%d more)' % more, 'type': '', 'why': 'there are too many to list', 'path': ''}]
