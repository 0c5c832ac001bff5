"""A worker for the driver's own tests: speaks PROTOCOL.md with a real supervisor over pipes."""
import hashlib
import json
import os
import shutil
import struct
import subprocess
import sys
import tempfile
import threading
from collections import namedtuple

from hektor_driver.frames import read_frame, split_blob, write_blob, write_frame, write_json

Picture = namedtuple('Picture', 'about data')
_PACKAGE_PARENT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Result:
    def __init__(self):
        self.out = self.err = ''
        self.pictures, self.blobs = [], {}
        self.asked = []
        self.answer = self.state = self.end = None

    @property
    def value(self):
        return self.answer and self.answer['value'] and self.answer['value']['text']

    @property
    def error(self):
        return self.answer and self.answer['error']

    @property
    def lost(self):
        return {entry['name']: entry for entry in self.state['lost']} if self.state else {}

    @property
    def saved(self):
        return self.state is not None and self.end['exit'] is None and self.end['alive']


class Lease:
    """One supervisor, as one container would hold it."""

    def __init__(self, preload='', folder=None, **environment):
        self.folder = folder or os.path.realpath(tempfile.mkdtemp())
        env = {'PATH': os.environ['PATH'], 'LANG': 'C.UTF-8', 'HOME': self.folder, 'PYTHONHASHSEED': '0', 'HEKTOR_WORKSPACE': self.folder,
               'MPLBACKEND': 'module://hektor_driver.figures', 'HEKTOR_PRELOAD': preload, 'PYTHONDONTWRITEBYTECODE': '1',
               'MALLOC_MMAP_THRESHOLD_': '33554432', 'MALLOC_TRIM_THRESHOLD_': '134217728', **environment}
        if 'hektor_driver' in os.listdir(_PACKAGE_PARENT):
            env['PYTHONPATH'] = _PACKAGE_PARENT
        self.process = subprocess.Popen([sys.executable, '-s', '-P', '-m', 'hektor_driver'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        env=env, bufsize=0)
        self.stdin, self.stdout = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.used = False
        self.hello = json.loads(self._expect('H'))

    def _expect(self, wanted):
        kind, payload = read_frame(self.stdout)
        assert kind == wanted, (kind, bytes(payload[:200]))
        return payload

    def start_ripening(self):
        write_frame(self.stdin, 'K')

    def ripen(self):
        self.start_ripening()
        return json.loads(self._expect('K'))

    def send_run(self, n, code, manifest, files=(), timeout=120.0, save=120.0, output=1 << 20, figures=10, echo=True):
        write_json(self.stdin, 'R', {'n': n, 'code': code, 'manifest': manifest, 'files': list(files), 'timeoutMs': timeout * 1000,
                                     'saveMs': save * 1000, 'outputBytes': output, 'figures': figures, 'echo': echo})

    def run(self, n, code, manifest, blobs, interrupt_after=None, **options):
        self.send_run(n, code, manifest, **options)
        if interrupt_after is not None:
            threading.Timer(interrupt_after, os.write, (self.stdin, struct.pack('>IB', 0, ord('I')))).start()
        result = Result()
        out, err = bytearray(), bytearray()
        while result.end is None:
            kind, payload = read_frame(self.stdout)
            if kind == 'K':
                continue
            if kind == 'O':
                out += payload
            elif kind == 'E':
                err += payload
            elif kind == 'P':
                size, = struct.unpack_from('>I', payload)
                result.pictures.append(Picture(json.loads(payload[4:4 + size]), bytes(payload[4 + size:])))
            elif kind == 'N':
                for key in json.loads(payload):
                    result.asked.append(key)
                    write_blob(self.stdin, key, blobs.get(key, b''))
            elif kind == 'D':
                result.answer = json.loads(payload)
            elif kind == 'S':
                result.state = json.loads(payload)
            elif kind == 'B':
                key, data = split_blob(payload)
                result.blobs[key] = bytes(data)
            elif kind == 'X':
                result.end = json.loads(payload)
        result.out, result.err = out.decode('utf-8', 'replace'), err.decode('utf-8', 'replace')
        return result

    def close(self):
        self.process.stdin.close()
        self.process.wait(120)
        self.process.stdout.close()
        shutil.rmtree(self.folder, ignore_errors=True)


class Conversation:
    """What a worker keeps of a session: the last accepted manifest and the blobs. `fresh` is the next container."""

    def __init__(self, **lease_options):
        self.lease_options = lease_options
        self.manifest, self.blobs, self.n = None, {}, 0
        self.lease = None
        self.folder = os.path.realpath(tempfile.mkdtemp())      # every container has its workspace at the same place

    def run(self, code, **options):
        if self.lease is None:
            os.makedirs(self.folder, exist_ok=True)
            self.lease = Lease(folder=self.folder, **self.lease_options)
        self.n += 1
        result = self.lease.run(self.n, code, None if self.lease.used else self.manifest, self.blobs, **options)
        self.lease.used = True
        if result.saved:
            for key in result.state['new']:
                assert hashlib.sha256(result.blobs[key]).hexdigest()[:32] == key
            self.blobs.update(result.blobs)
            self.manifest = result.state['manifest']
        if not result.end['alive']:
            self.fresh()
        return result

    def upload(self, path, data):
        """A `files` entry; the bytes travel when the driver asks for them."""
        key = hashlib.sha256(data).hexdigest()[:32]
        self.blobs[key] = data
        return {'path': path, 'id': key, 'mode': 0o644}

    def fresh(self):
        if self.lease is not None:
            self.lease.close()
            self.lease = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.fresh()
        shutil.rmtree(self.folder, ignore_errors=True)
