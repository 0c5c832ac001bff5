"""Bounds that do not come with a run. Each can be set by the container's environment."""
import os


def _number(name, default):
    value = os.environ.get(name, '')
    return int(value) if value.isdigit() else default


WORKSPACE = os.environ.get('HEKTOR_WORKSPACE', '/workspace')
STATE_BYTES = _number('HEKTOR_STATE_MB', 128) << 20            # all names of a session together, pickled
NAME_SECONDS = _number('HEKTOR_NAME_SECONDS', 5)               # one name
FILES = _number('HEKTOR_FILES', 1000)
FILE_BYTES = _number('HEKTOR_FILES_MB', 64) << 20              # all files together
PICTURE_PIXELS = _number('HEKTOR_PICTURE_PIXELS', 4_000_000)
PRELOAD = [name for name in os.environ.get('HEKTOR_PRELOAD', '').split(',') if name]
ECHO_CHARS = 20_000
ERROR_CHARS = 8_000
SOURCE_BYTES = 256 << 10                                       # source lines kept of earlier cells
REPORT_BYTES = 256 << 20                                       # everything the child may report in one run
