"""The way out for pictures, bounded per run in number and size."""
import struct

_LARGEST = 8 << 20
_ALT_CHARS = 200
_unpack = struct.unpack


class Pictures:
    def __init__(self):
        self.emit = None                # emit({mime, alt, width, height}, bytes), set by the child
        self.room = 0
        self.left_out = 0
        self.too_large = 0

    def begin_run(self, room):
        self.room, self.left_out, self.too_large = room, 0, 0

    def send(self, png, alt=''):
        if len(png) > _LARGEST:
            self.too_large += 1
        elif self.room <= 0:
            self.left_out += 1
        elif self.emit is not None:
            self.room -= 1
            width, height = _unpack('>II', png[16:24])
            self.emit({'mime': 'image/png', 'alt': str(alt)[:_ALT_CHARS].encode('utf-8', 'replace').decode(), 'width': width, 'height': height}, png)

    def notes(self):
        found = []
        if self.left_out:
            found.append('%d more pictures were left out: a run may show only so many' % self.left_out)
        if self.too_large:
            found.append('%d pictures were larger than %d MB and were left out' % (self.too_large, _LARGEST >> 20))
        return found


run = Pictures()
send = run.send


def send_value(value, again=False):
    """Sends a value that is a picture. `again`: also a figure that was shown in this run."""
    kind = type(value)
    if kind.__module__.startswith('PIL.') and hasattr(value, '_repr_png_'):
        png = value._repr_png_()
        if png:
            send(png)
    elif kind.__module__ == 'matplotlib.figure' and kind.__name__ == 'Figure':
        from . import figures
        figures.send_figure(value, again)
