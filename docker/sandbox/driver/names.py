"""Which names of the session a piece of code can touch: decides what is read back before it runs."""
import re
import types

_IDENTIFIER = re.compile(r'[^\W\d]\w*')
_LONGEST_TEXT = 10_000
# Whoever uses one of these may reach any name.
_EVERYTHING = frozenset('''globals locals vars dir eval exec compile __main__ _getframe currentframe inspect modules __dict__ gc
    get_ipython cloudpickle dill'''.split())


def code_names(code, found):
    """Adds every name `code` could look up, also those hidden in text constants (getattr, DataFrame.query, format)."""
    found.update(code.co_names)
    found.update(code.co_freevars)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            code_names(constant, found)
        elif isinstance(constant, str):
            if len(constant) < _LONGEST_TEXT:
                found.update(_IDENTIFIER.findall(constant))
        elif isinstance(constant, (tuple, frozenset)):
            for item in constant:
                if isinstance(item, str) and len(item) < _LONGEST_TEXT:
                    found.update(_IDENTIFIER.findall(item))
    return found


class Needs:
    """What a cell needs of groups that are not loaded. `names` also serves to decide which modules to import."""

    def __init__(self, names, groups):
        self.names = set(names)
        self.everything = bool(self.names & _EVERYTHING)
        self.groups = list(groups)
        if not self.everything:
            self._follow(groups)

    def _follow(self, groups):
        holder = {name: group for group in groups for name in group['names']}
        todo, chosen = list(self.names), {}
        while todo:
            group = holder.get(todo.pop())
            if group is None or id(group) in chosen:
                continue
            chosen[id(group)] = group
            fresh = set(group['refs']) - self.names
            self.names |= fresh
            if fresh & _EVERYTHING:
                self.everything = True
                return
            todo.extend(fresh)
        self.groups = list(chosen.values())
