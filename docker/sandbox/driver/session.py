"""The live session: the namespace, what of the last manifest is not loaded yet, and reading it back on demand."""
import gc
import pickle
import signal
import sys
import types

from . import rebuild
from .names import Needs, code_names
from .settings import Settings, restore_folder
from .workspace import Workspace

_loads, _mask_signals = pickle.loads, signal.pthread_sigmask
EMPTY = {'groups': [], 'names': {}, 'modules': {}, 'settings': None, 'files': [], 'lost': []}


class MainModule(types.ModuleType):
    """__main__: a name that was not read back yet is read when somebody asks the module for it (pickle, import __main__)."""

    def __getattr__(self, name):
        session = MainModule.session
        if session is not None and not name.startswith('__') and session.load_name(name):
            return self.__dict__[name]
        raise AttributeError(name)


MainModule.session = None


class Session:
    def __init__(self, packages, channel):
        self.main = MainModule('__main__')
        self.namespace = rebuild.namespace = self.main.__dict__
        self.namespace['__builtins__'] = sys.modules['builtins']
        sys.modules['__main__'] = self.main
        MainModule.session = self
        self.packages, self.channel = packages, channel
        self.manifest = dict(EMPTY)
        self.loaded = set()             # ids of groups of the manifest whose names live in the namespace
        self._loading = set()           # ids of groups that are being read back right now
        self.imported = set()           # aliases of modules that are or were live in this lease
        self.unreadable = {}            # name -> a sentence on why
        self.told_lost = set()          # (name, why) of those, all of them; the manifest remembers the first hundred
        self.lost_live = set()          # names that could not be saved last time, but are still there
        self.settings, self.workspace = Settings(), Workspace()
        self.flags, self.sources = 0, {}
        self.touched = set()            # names the last cell could reach
        self.mentioned = set()          # names the last cell itself contains
        self.fixed, self.given_up = {}, {}      # see save_names.py
        self.notes = []

    def open(self, manifest):
        """Takes up the state a lease begins with: settings and files at once, names when they are needed."""
        if manifest is None:
            return
        self.manifest = {**EMPTY, **manifest}
        self.notes += self.workspace.restore(self.manifest['files'], self.channel)
        if self.manifest['settings']:
            try:
                kept = _loads(self.channel.blob(self.manifest['settings']))
            except Exception as error:
                self.notes.append('the settings of the session could not be read back: %s' % type(error).__name__)
                kept = {}
            self.flags, self.sources = kept.get('flags', 0), kept.get('sources', {})
            self.notes += self.settings.restore(kept.get('values', {}))
            restore_folder(kept.get('folder', '.'))
        import linecache
        for filename, source in self.sources.items():
            linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
        self.notes += self._version_notes()

    def _version_notes(self):
        now = {'Python': sys.version.split()[0], **self.packages}
        then = {'Python': self.manifest.get('python'), **(self.manifest.get('packages') or {})}
        differ = ['%s %s, now %s' % (name, then[name], now.get(name, 'missing')) for name in then if then[name] and then[name] != now.get(name)]
        return ['the session was saved with other versions: ' + '; '.join(differ[:10])] if differ else []

    def prepare(self, cell):
        """Reads back what the cell can touch."""
        wanted = set()
        for code in cell.codes():
            code_names(code, wanted)
        waiting = [group for group in self.manifest['groups'] if group['id'] not in self.loaded]
        # Code that is live already had its names read back when it was defined or restored.
        needs = Needs(wanted, waiting)
        self.touched, self.mentioned = needs.names, wanted
        for name, module in self.manifest['modules'].items():
            if name not in self.namespace and (needs.everything or name in needs.names):
                self._import(name, module)
        self._load(needs.groups)

    def _import(self, name, module):
        try:
            self.namespace[name] = __import__(module, fromlist=['_']) if '.' in module else __import__(module)
            self.imported.add(name)
        except Exception as error:
            self._cannot_read([name], '%s could not be imported: %s' % (module, error))

    def load_name(self, name):
        """Reads back the group that holds `name`, if there is one. -> whether the name is there now."""
        if name in self.manifest['modules'] and name not in self.namespace:
            self._import(name, self.manifest['modules'][name])
        self._load([group for group in self.manifest['groups'] if name in group['names'] and group['id'] not in self.loaded])
        return name in self.namespace

    def waiting_names(self):
        return {name for group in self.manifest['groups'] if group['id'] not in self.loaded for name in group['names']}

    def _load(self, groups):
        wanted = [group for group in groups if group['id'] not in self.loaded]
        if not wanted:
            return
        # An interrupt in the middle of a blob would leave its rest in the pipe, for the next reader to stumble over.
        mask = _mask_signals(signal.SIG_BLOCK, {signal.SIGINT})
        collecting = gc.isenabled()
        gc.disable()                    # with the collector on, many small objects take three times as long
        try:
            self.channel.fetch(group['id'] for group in wanted)
            for group in wanted:
                self._load_group(group)
        finally:
            if collecting:
                gc.enable()
            _mask_signals(signal.SIG_SETMASK, mask)

    def _load_group(self, group):
        if group['id'] in self.loaded or group['id'] in self._loading:
            return                      # the second: while it is read back, it asks for itself
        self._loading.add(group['id'])
        try:
            values = self.channel.unpickle(group['id'])
        except Exception as error:
            # The group stays in the manifest: another image may be able to read it.
            self._cannot_read(group['names'], '%s: %s' % (type(error).__name__, str(error)[:160]))
            return
        finally:
            self._loading.discard(group['id'])
        self.loaded.add(group['id'])
        for name in group['names']:
            if name in values and name not in self.namespace:
                self.namespace[name] = values[name]

    def _cannot_read(self, names, why):
        for name in names:
            self.unreadable[name] = "'%s' could not be read back (%s). Define it again." % (name, why)
        self.notes.append('%s could not be read back: %s' % (', '.join(names[:5]), why))

    def missing(self):
        """name -> a sentence on why it is not there, for the note on a NameError."""
        lost = {entry['name']: "'%s' was defined in run %s but could not be kept (%s). Define it again."
                % (entry['name'], entry['n'], entry['why']) for entry in self.manifest['lost']}
        waiting = {name: "'%s' is kept but was not read back, because the code does not name it. It is there now: run the code again." % name
                   for name in self.waiting_names()}
        return {**lost, **waiting, **self.unreadable}

    def take_notes(self):
        notes, self.notes = self.notes, []
        return notes

