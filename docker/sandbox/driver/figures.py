"""matplotlib backend: figures leave as PNG when they are shown, closed or the run ends, and belong to one run only."""
import io
import weakref

from matplotlib._pylab_helpers import Gcf
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_agg import FigureCanvasAgg

from . import pictures
from .limits import PICTURE_PIXELS

_DPI, _COARSEST_DPI = 120, 40
_HUGE_INCHES = 400
_saved_to_file = weakref.WeakSet()
_sent = weakref.WeakSet()


class FigureCanvas(FigureCanvasAgg):
    def print_figure(self, filename, *args, **kwargs):
        if isinstance(filename, (str, bytes)) or hasattr(filename, '__fspath__'):
            _saved_to_file.add(self.figure)         # the file itself will be shown
        return super().print_figure(filename, *args, **kwargs)


class FigureManager(FigureManagerBase):
    def destroy(self):
        if self.canvas.figure not in _saved_to_file:
            send_figure(self.canvas.figure)


def show(*_args, **_kwargs):
    """Every open figure is sent and closed, as in a notebook."""
    try:
        for manager in Gcf.get_all_fig_managers():
            send_figure(manager.canvas.figure)
    finally:
        Gcf.destroy_all()


def collect():
    """At the end of a run: figures nobody showed; those already saved to a file are not sent twice."""
    try:
        for manager in Gcf.get_all_fig_managers():
            if manager.canvas.figure not in _saved_to_file:
                send_figure(manager.canvas.figure)
    finally:
        Gcf.destroy_all()


def begin_run():
    _sent.clear()


FigureCanvas.manager_class = FigureManager


def send_figure(figure, again=False):
    """Sends a figure once per run; an empty one never."""
    if (figure in _sent and not again) or not (figure.get_axes() or figure.texts or figure.images):
        return
    _sent.add(figure)
    if type(figure.canvas) is not FigureCanvas:
        FigureCanvas(figure)
    pictures.send(_draw(figure), _title(figure))


def _draw(figure):
    """PNG bytes, bounded in pixels: a large figure is drawn coarser, a huge one smaller, since text needs some resolution."""
    size = figure.get_size_inches().copy()
    area = max(size[0] * size[1], 0.01)
    dpi = min(_DPI, (PICTURE_PIXELS / area) ** 0.5)
    png = io.BytesIO()
    try:
        if dpi < _COARSEST_DPI:
            figure.set_size_inches(size * dpi / _COARSEST_DPI)
            dpi = _COARSEST_DPI
        figure.savefig(png, format='png', dpi=dpi, bbox_inches='tight' if area < _HUGE_INCHES else None)
    finally:
        figure.set_size_inches(size)
    return png.getvalue()


def _title(figure):
    if getattr(figure, '_suptitle', None):
        return figure._suptitle.get_text()
    return next((axes.get_title() for axes in figure.get_axes() if axes.get_title()), '')
