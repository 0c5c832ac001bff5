"""The child's side of its two pipes: reports go out, runs and blobs come in."""
import json
import select
import struct

from .frames import read_frame, split_blob, write_blob, write_frame, write_json

_loads, _dumps, _pack = json.loads, json.dumps, struct.pack


class Channel:
    def __init__(self, report, ask):
        self._report, self._ask = report, ask
        self._blobs = {}
        self._poll = select.poll()
        self._poll.register(ask, select.POLLIN)

    def waiting(self):
        """Whether something has come in."""
        return bool(self._poll.poll(0))

    def ripe(self):
        write_frame(self._report, 'K')

    def blob(self, blob_id):
        """The bytes of a blob of the manifest; asks the worker for it when it did not come along."""
        if blob_id not in self._blobs:
            write_json(self._report, 'N', [blob_id])
            while blob_id not in self._blobs:
                self._receive()
        return self._blobs[blob_id]

    def fetch(self, blob_ids):
        """Asks for several at once, so that they travel together."""
        missing = [blob_id for blob_id in dict.fromkeys(blob_ids) if blob_id not in self._blobs]
        for start in range(0, len(missing), 1000):
            write_json(self._report, 'N', missing[start:start + 1000])
        while any(blob_id not in self._blobs for blob_id in missing):
            self._receive()

    def _receive(self):
        kind, payload = read_frame(self._ask)
        if kind == 'B':
            blob_id, data = split_blob(payload)
            self._blobs[blob_id] = data
        return kind, payload

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
