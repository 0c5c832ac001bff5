"""Frames: u32 length, u8 type, payload. The same on the worker's streams and on the pipes between supervisor and child."""
import json
import os
import struct

HEADER = struct.Struct('>IB')
MAX_FRAME = 256 << 20
ID_LENGTH = 32
_CHUNK = 1 << 20
# Bound here: a person's code may replace the module's attributes, and this module must go on working.
_write, _readv, _dumps = os.write, os.readv, json.dumps


def write_all(fd, data):
    view = memoryview(data).cast('B')
    while view:
        view = view[_write(fd, view[:_CHUNK]):]


def write_frame(fd, kind, payload=b''):
    head = HEADER.pack(len(payload), ord(kind))
    if len(payload) < 1 << 16:
        write_all(fd, head + bytes(payload))
    else:
        write_all(fd, head)
        write_all(fd, payload)


def write_json(fd, kind, value):
    write_frame(fd, kind, _dumps(value).encode())


def write_blob(fd, blob_id, data):
    write_all(fd, HEADER.pack(len(data) + ID_LENGTH, ord('B')) + blob_id.encode())
    write_all(fd, data)


def split_blob(payload):
    """(id, bytes) of a `B` payload; the bytes are a view, not a copy."""
    view = memoryview(payload)
    return bytes(view[:ID_LENGTH]).decode('ascii', 'replace'), view[ID_LENGTH:]


def read_exactly(fd, size):
    data = bytearray(size)
    view = memoryview(data)
    while view:
        got = _readv(fd, [view[:_CHUNK]])
        if got == 0:
            raise EOFError
        view = view[got:]
    return data


def read_header(fd):
    """(type, size of the payload); EOFError when the other side is gone."""
    size, kind = HEADER.unpack(read_exactly(fd, HEADER.size))
    if size > MAX_FRAME:
        raise ValueError('frame too large')
    return chr(kind), size


def read_frame(fd):
    """(type, payload); EOFError when the other side is gone."""
    kind, size = read_header(fd)
    return kind, read_exactly(fd, size)
