"""From live names to blobs: names that share an object with identity are one group, saved as one blob."""
import hashlib
import types

from . import rebuild
from .names import code_names
from .pickler import SessionPickler, Sink

_sha256 = hashlib.sha256
# Values without identity that a program could rely on: sharing them binds nothing together.
_ATOMS = frozenset((str, bytes, int, float, complex, bool, type(None), types.CodeType, types.ModuleType, range, slice, type(Ellipsis)))
_PLAIN = frozenset((dict, list, set, bytearray))
_LIKE_ATOMS = ('pandas.core.dtypes', 'pandas._libs.tslibs', 'zoneinfo', '_cython', 'pytz', 'dateutil.tz')
# Exact types that can never change: the same object means the same bytes.
IMMUTABLE = frozenset((str, bytes, int, float, complex, bool, type(None)))


def blob_id(data):
    return _sha256(data).hexdigest()[:32]


class Dump:
    """One pickled set of names. `memo`: the objects met, by id, each kept alive until the dump is dropped."""

    def __init__(self, values, roots):
        self._sink = Sink()
        pickler = SessionPickler(self._sink, roots)
        pickler.dump(values)
        self.size = self._sink.size
        self.memo = pickler.memo
        self.risky = pickler.risky
        self.refs = set()
        for code in pickler.codes:
            code_names(code, self.refs)

    def settle(self, known):
        """(id, bytes), the bytes None when the id is one of `known`: an array that did not change is hashed and never copied."""
        digest = _sha256()
        for piece in self._sink.pieces:
            digest.update(piece)
        key = digest.hexdigest()[:32]
        if key in known:
            return key, None
        data = self.data()
        # Of live memory the copy counts: another thread may be writing to it.
        return (key if all(type(piece) is bytes for piece in self._sink.pieces) else blob_id(data)), data

    def data(self):
        return self._sink.data()


def _has_identity(value):
    kind = type(value)
    if kind in _PLAIN:
        return True
    if kind in _ATOMS:
        return False
    if isinstance(value, type):
        return value.__module__ == '__main__'
    if kind is types.FunctionType:
        return value.__globals__ is rebuild.namespace
    if kind is types.BuiltinFunctionType:
        return not isinstance(value.__self__, (types.ModuleType, type, type(None)))
    module = str(kind.__module__)
    if module.startswith('numpy') and 'dtype' in kind.__name__.lower() or module == 'datetime' or module.startswith(_LIKE_ATOMS):
        return False
    return kind is not tuple or bool(value)


def _identities(memo):
    return {key for key, (_, value) in memo.items() if _has_identity(value)}


def group_units(dumps):
    """Keys of `dumps` (unit of names -> Dump) as lists, one per group; order is that of `dumps`."""
    parent = {unit: unit for unit in dumps}

    def find(unit):
        while parent[unit] != unit:
            parent[unit] = parent[parent[unit]]
            unit = parent[unit]
        return unit

    memos = {unit: dump.memo.copy() for unit, dump in dumps.items()}
    by_size = sorted(memos, key=lambda unit: len(memos[unit]))
    owner = {}
    for unit in by_size[:-1]:
        identities = _identities(memos[unit])
        for key in identities:
            other = owner.setdefault(key, unit)
            if other is not unit:
                parent[find(unit)] = find(other)
        # The largest memo is only looked into, never filtered: it may hold a million objects.
        if not memos[by_size[-1]].keys().isdisjoint(identities):
            parent[find(unit)] = find(by_size[-1])
    together = {}
    for unit in dumps:
        together.setdefault(find(unit), []).append(unit)
    return list(together.values())
