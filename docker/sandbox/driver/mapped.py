"""Files that are written through a memory mapping: their times do not tell, so once a session maps any, all are read again."""
import sys

used = False


def watched():
    """Whether every mapping made so far would have been noticed. The watch begins with the first call after mmap was imported."""
    module = sys.modules.get('mmap')
    if module is None or getattr(module.mmap, 'hektor_watched', False):
        return True

    class Watched(module.mmap):
        hektor_watched = True

        def __new__(cls, *args, **kwargs):
            global used
            used = True
            return super().__new__(cls, *args, **kwargs)

    Watched.__name__ = Watched.__qualname__ = 'mmap'
    Watched.__module__ = 'mmap'
    module.mmap = Watched
    return False
