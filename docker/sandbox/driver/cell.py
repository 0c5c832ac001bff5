"""One cell: compiled as a REPL would, run in the session's namespace, its last expression shown."""
import ast
import inspect
import linecache
import os
import signal

from .errors import CELL_PREFIX
from .pictures import send_value
from .show import echo, type_name

_getpid, _exit, _signal = os.getpid, os._exit, signal.signal
_FUTURE_FLAGS = 0x1FE0000               # all of `from __future__`; they hold for the rest of the session
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


class Cell:
    """Compiling raises SyntaxError, ValueError (null bytes), RecursionError or MemoryError; nothing of the cell has run then."""

    def __init__(self, n, source, flags):
        self.filename = '%s%d>' % (CELL_PREFIX, n)
        linecache.cache[self.filename] = (len(source), None, source.splitlines(True), self.filename)
        tree = ast.parse(source, self.filename)
        self.defines = any(isinstance(node, _DEFINITIONS) for node in ast.walk(tree))
        options = flags | ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
        self.last = None
        if tree.body and isinstance(tree.body[-1], ast.Expr) and not _silenced(source, tree.body[-1]):
            expression = ast.Expression(tree.body.pop().value)
        else:
            expression = None
        self.body = compile(tree, self.filename, 'exec', options, True)
        self.flags = flags | self.body.co_flags & _FUTURE_FLAGS
        if expression is not None:
            self.last = compile(expression, self.filename, 'eval', options | self.flags, True)

    def codes(self):
        return [code for code in (self.body, self.last) if code is not None]


def _silenced(source, last):
    """A semicolon after the last expression means: do not show it. Comments may follow."""
    lines = source.encode('utf-8', 'surrogatepass').splitlines()
    rest = lines[last.end_lineno - 1][last.end_col_offset:]
    return rest.lstrip(b' \t)').startswith(b';')


class Runner:
    """Runs cells in the main thread; `interruptible` is true only while a person's code runs."""

    def __init__(self, namespace):
        self._namespace = namespace
        self._loop = None
        self._interruptible = False

    def arm(self):
        """An interrupt becomes a KeyboardInterrupt in the cell, and nothing outside of one."""
        _signal(signal.SIGINT, self._on_interrupt)

    def _on_interrupt(self, *_):
        if self._interruptible:
            raise KeyboardInterrupt

    def run(self, cell, show, settle):
        """-> {text, type} or None. Raises what the cell raises. Does not return in processes the cell forked.

        `settle` is called whenever a person's code has had its turn: it puts back what the driver itself needs.
        """
        value = self._guarded(settle, self._evaluate, cell)
        if value is None:
            return None
        self._namespace['_'] = value
        return self._guarded(settle, self._show, value) if show else None

    def _guarded(self, settle, call, argument):
        me = _getpid()
        try:
            self._interruptible = True
            return call(argument)
        finally:
            self._interruptible = False
            if _getpid() != me:
                _exit(0)
            settle()

    def _evaluate(self, cell):
        if not any(code.co_flags & inspect.CO_COROUTINE for code in cell.codes()):
            eval(cell.body, self._namespace)
            return eval(cell.last, self._namespace) if cell.last is not None else None
        import asyncio                  # here, because it takes longer to import than the rest of the driver
        if self._loop is None or self._loop.is_closed():
            self._loop = asyncio.new_event_loop()       # one for the session: tasks go on in the next cell that awaits
        asyncio.set_event_loop(self._loop)
        task = self._loop.create_task(self._evaluate_awaiting(cell))
        try:
            return self._loop.run_until_complete(task)
        finally:
            if not task.done():
                task.cancel()
                try:
                    self._loop.run_until_complete(task)
                except BaseException:
                    pass

    async def _evaluate_awaiting(self, cell):
        value = None
        for code in cell.codes():
            value = eval(code, self._namespace)
            if code.co_flags & inspect.CO_COROUTINE:
                value = await value
        return value if cell.last is not None else None

    def _show(self, value):
        send_value(value)
        return {'text': echo(value).encode('utf-8', 'backslashreplace').decode(), 'type': type_name(value)[:200]}
