"""Names the driver relies on, in modules a person's code can reach: put back after every run, and told."""
import builtins
import hashlib
import io
import json
import json.encoder
import linecache
import os
import pickle
import signal
import struct
import sys
import time
import traceback

import cloudpickle

_WATCHED = (builtins, os, json, json.encoder, pickle, struct, hashlib, signal, io, traceback, linecache, time, cloudpickle)
_MOST_TOLD = 20


class Guard:
    def __init__(self):
        self._before = [(module, dict(module.__dict__)) for module in _WATCHED]
        self._streams = sys.stdin, sys.stdout, sys.stderr, sys.excepthook, sys.displayhook

    def put_back(self):
        """-> the dotted names that had been replaced or deleted."""
        told = []
        for module, before in self._before:
            now = module.__dict__
            for name, value in before.items():
                if now.get(name, self) is not value:
                    now[name] = value
                    if not (module is linecache and name == 'cache'):
                        told.append('%s.%s' % (module.__name__, name))
        streams = sys.stdin, sys.stdout, sys.stderr, sys.excepthook, sys.displayhook
        if any(now is not before for now, before in zip(streams, self._streams)):
            sys.stdin, sys.stdout, sys.stderr, sys.excepthook, sys.displayhook = self._streams
            told.append('a stream or hook of sys')
        sys.settrace(None)
        sys.setprofile(None)
        return told[:_MOST_TOLD]
