"""The files of the workspace: put back when a lease begins, and looked through after every run."""
import os
import stat
import time

from . import mapped
from .groups import blob_id
from .limits import FILE_BYTES, FILES, WORKSPACE

_SCAN_ENTRIES = 5_000            # beyond them nothing is looked at: a flood of files must not slow every run down
_LONGEST_PATH = 1024
_CLOCK_STEP_NS = 50_000_000     # file times move in steps of the kernel's timer, not in nanoseconds


def _full(path):
    return os.path.join(WORKSPACE, path)


class Workspace:
    def __init__(self):
        self._known = {}                # path -> (signature, manifest entry)

    def restore(self, entries, channel):
        """Writes the files of a manifest. -> sentences about those that could not be written."""
        failed = []
        channel.fetch(entry['id'] for entry in entries if 'id' in entry)
        for entry in sorted(entries, key=lambda entry: 'link' in entry):     # links last: no file is written through one
            try:
                self._restore_one(entry, channel)
            except OSError as error:
                failed.append('the file %s could not be put back: %s' % (entry['path'], error.strerror))
        return failed

    def _restore_one(self, entry, channel):
        path = _full(entry['path'])
        if entry.get('dir'):
            os.makedirs(path, exist_ok=True)
            os.chmod(path, entry['mode'] | 0o700)
            return
        os.makedirs(os.path.dirname(path), exist_ok=True)
        if 'link' in entry:
            os.symlink(entry['link'], path)
            return
        self._write(path, channel.blob(entry['id']), entry['mode'])
        self._known[entry['path']] = (_signature(os.stat(path)), entry)

    def _write(self, path, data, mode):
        if os.path.islink(path) or os.path.exists(path):
            os.unlink(path)
        with open(path, 'wb') as file:
            file.write(data)
        os.chmod(path, (mode & 0o777) | 0o400)

    def put(self, uploads, channel):
        """Uploads of this run: the newest of a name wins. -> sentences about those that could not be written."""
        failed = []
        channel.fetch(upload['id'] for upload in uploads)
        for upload in uploads:
            path = _full(upload['path'])
            try:
                os.makedirs(os.path.dirname(path), exist_ok=True)
                self._write(path, channel.blob(upload['id']), upload.get('mode', 0o644))
            except OSError as error:
                failed.append('the file %s could not be written: %s' % (upload['path'], error.strerror))
        return failed

    def scan(self, before):
        """(entries, changed, removed, blobs, lost) of the workspace as it is now. `before`: the entries of the last manifest."""
        entries, changed, lost, odd, blobs = [], [], [], [], {}
        room, left, known, started = FILE_BYTES, FILES, {}, time.time_ns()
        if not mapped.watched() or mapped.used:
            self._known = {}
        for path, info in _walk(odd):
            if stat.S_ISDIR(info.st_mode):
                entries.append({'path': path, 'dir': True, 'mode': info.st_mode & 0o777})
                continue
            if stat.S_ISLNK(info.st_mode):
                entries.append({'path': path, 'link': os.readlink(_full(path))[:1000]})
                continue
            left -= 1
            if left < 0 or info.st_size > room:
                lost.append((path, info.st_size))
                continue
            room -= info.st_size
            entry = self._entry(path, info, blobs)
            if entry is None:
                continue
            if started - max(info.st_mtime_ns, info.st_ctime_ns) > _CLOCK_STEP_NS:
                known[path] = (_signature(info), entry)     # a younger file could change again without its time moving on
            entries.append(entry)
        old = {entry['path']: entry.get('id') for entry in before if not entry.get('dir')}
        for entry in entries:
            if 'id' in entry and old.get(entry['path']) != entry['id']:
                changed.append({'path': entry['path'], 'size': entry['size'], 'id': entry['id']})
        present = {entry['path'] for entry in entries} | {path for path, _ in lost}
        removed = sorted(path for path in old if path not in present)
        self._known = known
        return entries, changed, removed, blobs, _told(lost) + _told_odd(odd)

    def _entry(self, path, info, blobs):
        known = self._known.get(path)
        if known and known[0] == _signature(info):
            return known[1]
        try:
            fd = os.open(_full(path), os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
            with open(fd, 'rb') as file:
                data = file.read(info.st_size)
        except OSError:
            return None
        entry = {'path': path, 'size': len(data), 'mode': info.st_mode & 0o777, 'id': blob_id(data)}
        blobs[entry['id']] = data
        return entry


def _signature(info):
    return info.st_mtime_ns, info.st_ctime_ns, info.st_size, info.st_ino, info.st_mode


def _walk(odd):
    """(relative path, lstat) of regular files, links and folders, in a fixed order. `odd` gets what can be kept in no manifest."""
    count = 0
    todo = ['']
    while todo:
        folder = todo.pop()
        try:
            with os.scandir(_full(folder)) as listing:
                found = sorted(listing, key=lambda item: item.name)
        except OSError:
            continue
        for item in found:
            count += 1
            if count > _SCAN_ENTRIES:
                return
            path = folder + '/' + item.name if folder else item.name
            try:
                path.encode('utf-8')
                info = item.stat(follow_symlinks=False)
            except UnicodeEncodeError:
                odd.append(ascii(path)[1:-1])
                continue
            except OSError:
                continue
            if len(path) > _LONGEST_PATH:
                odd.append(path[:60] + '...')
                continue
            if stat.S_ISDIR(info.st_mode):
                if item.name != '__pycache__':
                    todo.append(path)
                    yield path, info
            elif stat.S_ISREG(info.st_mode) or stat.S_ISLNK(info.st_mode):
                yield path, info
            else:
                odd.append(path)


def _told_odd(odd):
    if not odd:
        return []
    named = ', '.join(odd[:3]) + (' ...' if len(odd) > 3 else '')
    return [{'name': 'files', 'type': 'file', 'path': named,
             'why': 'pipes, sockets, devices, names that are not text and paths over %d characters are not kept' % _LONGEST_PATH}]


def _told(lost):
    if not lost:
        return []
    named = ', '.join(path for path, _ in lost[:3]) + (' ...' if len(lost) > 3 else '')
    return [{'name': lost[0][0] if len(lost) == 1 else 'files', 'type': 'file', 'path': named,
             'why': 'only %d files and %d MB of the workspace are kept; not kept: %d files (%s)'
                    % (FILES, FILE_BYTES >> 20, len(lost), named)}]
