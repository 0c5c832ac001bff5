"""Reading the child's report pipe: everything on it may have been written by a person's code, so each frame is bounded and in order."""
from .frames import HEADER, MAX_FRAME
from .limits import REPORT_BYTES

_LIMITS = {'D': 1 << 20, 'P': 16 << 20, 'N': 256 << 10, 'S': 4 << 20, 'B': MAX_FRAME, 'Z': 0, 'K': 0}


class Garbled(Exception):
    """The child broke the rules of the report; its text says which."""


class Report:
    """One run's frames. Order: P and N at any time before D, D once, then S once, B only after S, and Z ends it."""

    def __init__(self, pictures):
        self._buffer = bytearray()
        self._total = 0
        self._pictures = pictures
        self.answered = self.saved = self.ended = False

    def feed(self, data):
        """Yields (type, payload) for every complete frame."""
        self._buffer += data
        self._total += len(data)
        if self._total > REPORT_BYTES:
            raise Garbled('the state is larger than %d MB' % (REPORT_BYTES >> 20))
        while len(self._buffer) >= HEADER.size:
            size, code = HEADER.unpack_from(self._buffer)
            kind = chr(code)
            if size > _LIMITS.get(kind, -1):
                raise Garbled('the report is garbled')
            end = HEADER.size + size
            if len(self._buffer) < end:
                return
            self._check_order(kind)
            with memoryview(self._buffer) as view:
                payload = bytes(view[HEADER.size:end])
            del self._buffer[:end]
            if kind != 'K':             # ripe just as the run came: too late to be of interest
                yield kind, payload

    def _check_order(self, kind):
        wrong = self.ended
        if kind == 'P':
            self._pictures -= 1
            wrong |= self._pictures < 0
        elif kind == 'D':
            wrong |= self.answered
            self.answered = True
        elif kind == 'S':
            wrong |= self.saved or not self.answered
            self.saved = True
        elif kind == 'B':
            wrong |= not self.saved
        elif kind == 'Z':
            wrong |= not self.saved
            self.ended = True
        if wrong:
            raise Garbled('the report is out of order')
