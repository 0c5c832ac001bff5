"""The child's side of its two pipes: reports go out, runs and blobs come in."""
import json
import os
import pickle
import select
import struct

from .frames import ID_LENGTH, read_exactly, read_header, write_blob, write_frame, write_json

_loads, _dumps, _pack = json.loads, json.dumps, struct.pack
_unpickle, _Unpickler, _readv = pickle.loads, pickle.Unpickler, os.readv
_CHUNK = 1 << 20
_AHEAD = 64 << 10


class _Arriving:
    """A blob of which bytes are still in the pipe, as the file that an unpickler reads: an array goes straight into its own memory."""

    def __init__(self, fd, size):
        self._fd, self._left = fd, size             # `_left`: bytes that are still in the pipe
        self._ahead = memoryview(b'')               # bytes that were read and not asked for yet

    def read(self, size=-1):
        held = len(self._ahead)
        if size < 0 or size > held + self._left:
            size = held + self._left
        if size > held:
            more = bytearray(max(size, min(held + self._left, _AHEAD)))
            more[:held] = self._ahead
            self._fill(memoryview(more)[held:])
            self._ahead = memoryview(more)
        data, self._ahead = self._ahead[:size], self._ahead[size:]
        return bytes(data)

    def readinto(self, buffer):
        target = memoryview(buffer).cast('B')
        held = min(len(target), len(self._ahead))
        target[:held] = self._ahead[:held]
        self._ahead = self._ahead[held:]
        size = min(len(target), held + self._left)
        self._fill(target[held:size])
        return size

    def readline(self):
        """For pickles of the oldest protocol inside a blob."""
        line = bytearray()
        while not line.endswith(b'\n') and (sign := self.read(1)):
            line += sign
        return bytes(line)

    def gather(self):
        """Takes the rest out of the pipe, because something else is wanted of it."""
        rest = bytearray(len(self._ahead) + self._left)
        self.readinto(rest)
        self._ahead = memoryview(rest)

    def skip(self):
        """Drops what nobody read."""
        self._ahead = memoryview(b'')
        if self._left:
            scrap = bytearray(min(self._left, _CHUNK))
            while self._left:
                self._fill(memoryview(scrap)[:self._left])

    def _fill(self, view):
        while view:
            got = _readv(self._fd, [view[:_CHUNK]])
            if got == 0:
                raise EOFError
            self._left -= got
            view = view[got:]


class Channel:
    def __init__(self, report, ask):
        self._report, self._ask = report, ask
        self._blobs, self._asked = {}, set()
        self._arriving = None
        self._first = None                  # a header that was read to see what comes first
        self._poll = select.poll()
        self._poll.register(ask, select.POLLIN)

    def waiting(self):
        """Whether something has come in."""
        return bool(self._poll.poll(0))

    def wait_for_ripening(self):
        """Waits for the first word of the worker. False when it is a run, or belongs to one."""
        self._first = read_header(self._ask)
        if self._first[0] != 'K':
            return False
        self._first = None
        return True

    def ripe(self):
        write_frame(self._report, 'K')

    def fetch(self, blob_ids):
        """Asks for blobs of the manifest that did not come along. It does not wait; several asked for at once travel together."""
        missing = [blob_id for blob_id in dict.fromkeys(blob_ids) if blob_id not in self._blobs and blob_id not in self._asked]
        self._asked.update(missing)
        for start in range(0, len(missing), 1000):
            write_json(self._report, 'N', missing[start:start + 1000])

    def blob(self, blob_id):
        """The bytes of a blob."""
        self.fetch([blob_id])
        while blob_id not in self._blobs:
            self._receive()
        return self._blobs[blob_id]

    def unpickle(self, blob_id):
        """What a blob holds. One that has not come yet is read as it comes; raises what unpickling raises."""
        self.fetch([blob_id])
        while blob_id not in self._blobs:
            kind, size = self._next_header()
            coming = self._begin(size) if kind == 'B' else None
            if coming == blob_id:
                arriving = self._arriving = _Arriving(self._ask, size - ID_LENGTH)
                try:
                    return _Unpickler(arriving).load()
                finally:
                    arriving.skip()
                    if self._arriving is arriving:
                        self._arriving = None
            self._keep(coming, size)
        return _unpickle(self._blobs[blob_id])

    def _next_header(self):
        if self._first is not None:
            first, self._first = self._first, None
            return first
        if self._arriving is not None:      # what is being unpickled asks for something itself
            self._arriving.gather()
            self._arriving = None
        return read_header(self._ask)

    def _begin(self, size):
        """The id of a blob of which the header was read."""
        if size < ID_LENGTH:
            raise EOFError                  # never from the supervisor
        blob_id = bytes(read_exactly(self._ask, ID_LENGTH)).decode('ascii', 'replace')
        self._asked.discard(blob_id)
        return blob_id

    def _keep(self, blob_id, size):
        self._blobs[blob_id] = read_exactly(self._ask, size - ID_LENGTH)

    def _receive(self):
        """(type, payload) of the next frame; a blob is put aside."""
        kind, size = self._next_header()
        if kind != 'B':
            return kind, read_exactly(self._ask, size)
        self._keep(self._begin(size), size)
        return kind, None

    def next_run(self):
        """Waits for the next run; EOFError when the supervisor is gone."""
        while True:
            kind, payload = self._receive()
            if kind == 'R':
                return _loads(payload)

    def forget_blobs(self):
        self._blobs.clear()

    def picture(self, about, data):
        head = _dumps(about).encode()
        write_frame(self._report, 'P', _pack('>I', len(head)) + head + data)

    def answer(self, value):
        write_json(self._report, 'D', value)

    def state(self, value, blobs):
        """`blobs`: [(id, bytes)] that the worker does not have."""
        write_json(self._report, 'S', value)
        for blob_id, data in blobs:
            write_blob(self._report, blob_id, data)
        write_frame(self._report, 'Z')
