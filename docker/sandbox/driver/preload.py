"""Heavy libraries, imported by the child while nobody waits for an answer.

One module at a time in a thread of the lowest priority: a run that arrives meanwhile waits for that module only.
"""
import importlib
import io
import os
import sys
import threading

_FONT_CACHE = '/opt/hektor/matplotlib'
_SCRATCH = '/tmp/.matplotlib'
# What the heavy ones need, as steps of their own.
_STEPS = {
    'numpy': ['asyncio', 'numpy'],
    'pandas': ['dateutil.tz', 'pytz', 'pandas'],
    'matplotlib': ['PIL.Image', 'matplotlib', 'matplotlib.font_manager', 'matplotlib.pyplot', 'hektor_driver.figures'],
}


def prepare_matplotlib():
    """matplotlib wants a writable folder for its font cache; it gets a copy of the one built into the image."""
    try:
        os.mkdir(_SCRATCH)
        for name in os.listdir(_FONT_CACHE):
            with open(os.path.join(_FONT_CACHE, name), 'rb') as source, open(os.path.join(_SCRATCH, name), 'wb') as target:
                target.write(source.read())
    except FileExistsError:
        pass
    except OSError:
        return
    os.environ['MPLCONFIGDIR'] = _SCRATCH


def steps(names):
    return [step for name in names for step in _STEPS.get(name, [name])] + (['first plot'] if 'matplotlib' in names else [])


def run_step(step):
    """Imports one module; a missing or broken one is no reason not to serve."""
    thread = threading.Thread(target=_at_lowest_priority, args=(step,))
    thread.start()
    thread.join()


def _at_lowest_priority(step):
    try:
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), 19)
        if step == 'first plot':
            _draw_once()
        else:
            importlib.import_module(step)
    except Exception as error:
        print('preload of %s failed: %r' % (step, error), file=sys.stderr)


def _draw_once():
    """The first drawing loads fonts and renderers; later ones are five times faster."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    figure = Figure()
    FigureCanvasAgg(figure)
    figure.add_subplot().plot([0, 1], label='x')
    figure.savefig(io.BytesIO(), format='png')
