"""tests/ui/gui.py: drives the window of Stickslip: actions over D-Bus, the accessible tree, pointer and keys, screenshots.

Run inside gui-run.sh with the distribution's Python (GObject's bindings). STICKSLIP names the program, SHOTS a folder for pictures.
"""
import json
import os
import re
import resource
import signal
import subprocess
import sys
import time

from gi.repository import Gio, GLib

import pointer
import tree

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
PROGRAM = os.environ.get('STICKSLIP', os.path.join(ROOT, 'build', 'app', 'stickslip'))
SHOTS = os.environ.get('SHOTS')
APP_ID = 'org.stickslip.Stickslip'
PATH = '/org/stickslip/Stickslip'


# Every limit below is that of a machine with nothing else to do; a test that passes waits no longer for it, one on a machine that builds and
# tests other things at the same time gets this many times as long: minutes, since nobody knows how busy a stranger's machine is.
PATIENCE = 30


# What a busy program may take for an answer [ms].
ANSWER = 20000 * PATIENCE

# Points of a push box problem that no machine solves while a test looks away.
LASTING = '10000'


def sh(*command):
    tree.changed()
    return subprocess.run(command, check=True, text=True, capture_output=True).stdout


def until(look, timeout=10.0, step=0.02, what=''):
    """Waits for a true value: replies lag the program, so tests poll and never sleep a fixed time. Looking takes at most half of the time, and comes
    more rarely the longer it has been waited: the wait is a fifth longer than what is waited for, at most. Limits under a second are meant as
    they are. `what` may be a function: it is asked when the time is over."""
    start = time.time()
    end = start + timeout * (PATIENCE if timeout >= 1 else 1)
    while True:
        began = time.time()
        tree.changed()
        try:
            value = look()
            if value:
                return value
        except Exception:  # the tree changes under us: look again
            pass
        finally:
            tree.changed()
        if time.time() > end or any(app.has_crashed() for app in LIVE):
            raise AssertionError('timed out after %g s %s' % (timeout, what() if callable(what) else what))
        asked = time.time()
        time.sleep(max(step, min(asked - began, 0.5), min((asked - start) / 5, 0.3)))


PAGES = {'start': 'SsuiStartPage', 'sketch': 'SsuiSketchPage', 'run': 'SsuiRunPage', 'compare': 'SsuiComparePage', 'impact': 'SsuiImpactPage', 'study': 'SsuiStudyPage',
         'project': 'SsuiProjectPage'}


def walk(node, into_tables=True, without=()):
    """Every node below; a full log has thousands of cells, a millisecond or two each. Buttons say all there is to say about what is in them.
    What is below a node with one of the names `without` (pages that are not on show) is left out."""
    yield node
    role = node.role
    if role in ('push button', 'page tab') or (not into_tables and role == 'table row') or (without and role == 'filler' and node.name in without):
        return
    for child in node:
        yield from walk(child, into_tables, without)


class App:
    def __init__(self, *arguments, env=None):
        environment = dict(os.environ, G_DEBUG='fatal-criticals', **(env or {}))
        schemas = os.path.join(os.path.dirname(os.path.dirname(PROGRAM)), 'data')
        environment['GSETTINGS_SCHEMA_DIR'] = schemas
        self.log = open(os.path.join(os.environ['HOME'], 'app.log'), 'w+')
        started = time.time()
        self.process = subprocess.Popen([PROGRAM, *arguments], stdout=self.log, stderr=subprocess.STDOUT, env=environment)
        self.bus = Gio.bus_get_sync(Gio.BusType.SESSION)
        self.number = until(self.first_window, 20, what='for the window: ' + self.output())
        self.accessible = until(tree.Program(self.bus, 'stickslip', ANSWER).root, 20)
        self.frame = until(lambda: next(n for n in self.accessible if n.role == 'frame'))
        self.window = until(lambda: sh('xdotool', 'search', '--onlyvisible', '--name', 'Stickslip$').split(), what='for the window on the display')[-1]
        sh('xdotool', 'windowactivate', '--sync', self.window)
        self.start_seconds = time.time() - started

    def first_window(self):
        xml = self.bus.call_sync(APP_ID, PATH + '/window', 'org.freedesktop.DBus.Introspectable', 'Introspect', None, None, 0,
                                 1000, None).unpack()[0]
        return int(re.findall(r'node name="(\d+)"', xml)[0])

    def cpu_seconds(self):
        """What the program has spent so far."""
        with open('/proc/%d/stat' % self.process.pid) as stat:
            fields = stat.read().rsplit(')', 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf('SC_CLK_TCK')

    def output(self):
        self.log.flush()
        with open(self.log.name) as log:
            return log.read()

    # ---- actions and state
    def call(self, path, method, arguments):
        tree.changed()
        self.take_events()
        return self.bus.call_sync(APP_ID, path, 'org.gtk.Actions', method, arguments, None, 0, ANSWER, None)

    def take_events(self):
        """Keys and the pointer come to the window by the display, questions by the bus, which may be sooner. The window takes one event a turn
        of its loop, and answers at most one question: as many questions as events, and it has had them."""
        count, pointer.sent[:] = len(pointer.sent), []
        for _ in range(min(count, 64)):
            self.bus.call_sync(APP_ID, PATH, 'org.gtk.Actions', 'Describe', GLib.Variant('(s)', ('quit',)), None, 0, ANSWER, None)

    def window_path(self):
        return '%s/window/%d' % (PATH, self.number)

    def act(self, name, signature=None, value=None):
        parameters = [GLib.Variant(signature, value)] if signature else []
        self.call(self.window_path(), 'Activate', GLib.Variant('(sava{sv})', (name, parameters, {})))

    def app_act(self, name):
        self.call(PATH, 'Activate', GLib.Variant('(sava{sv})', (name, [], {})))

    def set_state(self, name, signature, value):
        self.call(self.window_path(), 'SetState', GLib.Variant('(sva{sv})', (name, GLib.Variant(signature, value), {})))

    def actions(self):
        """Names of all actions of the window."""
        return self.call(self.window_path(), 'List', None).unpack()[0]

    def describe(self, name):
        enabled, _, state = self.call(self.window_path(), 'Describe', GLib.Variant('(s)', (name,))).unpack()[0]
        return enabled, state

    def status(self):
        """What is, at the moment of the question."""
        return json.loads(self.describe('status')[1][0])

    def wait(self, test, timeout=10.0):
        """Waits until test(status) is true and returns the status."""
        found = []

        def look():
            found[:] = [self.status()]
            return test(found[0])
        try:
            until(look, timeout)
        except AssertionError:
            raise AssertionError('timed out after %g s at %s\n%s' % (timeout, found, self.output()[-2000:])) from None
        return found[0]

    def exited(self):
        """Waits for the end of the process and returns its status."""
        return self.process.wait(10 * PATIENCE)

    def told(self, text):
        """Waits until the window tells this: its messages go after some seconds, sooner than a busy machine may look."""
        return self.wait(lambda s: text in (s['told'] or ''))

    def ended(self, timeout=60.0):
        return self.wait(lambda s: s['runs'] and not any(r['running'] for r in s['runs']), timeout)

    # ---- accessible tree
    def nodes(self, into_tables=True):
        """Every node but those of other pages, which are most of the tree, and which the page on show hides."""
        page = self.status()['page']
        return walk(self.accessible, into_tables, [name for key, name in PAGES.items() if key != page])

    def caught_up(self):
        """Waits until the pointer and keys sent so far were handled: a key sent after them chooses a tool, and is seen to have done so."""
        self.act('tool', 's', 'select')
        self.take_tool('b', 'box')
        self.act('tool', 's', 'select')

    def hit(self, node, name, points):
        """The first of the points at which a press on the canvas selects that body, or the item of that path."""
        for x, y in points:
            self.act('select', 's', '')
            self.press(node, x, y)
            self.caught_up()
            if name in (self.status()['selected'], self.status()['item']):
                return x, y
        raise AssertionError('%s is nowhere under the pointer' % name)

    def state(self):
        code = self.process.poll()
        return 'runs' if code is None else 'ended with status %d' % code

    def n_windows(self):
        """Without asking for them: a dialog that is just closing has no path that GTK 4.8 could tell, which is a critical warning."""
        return self.accessible.n_children()

    def is_alone(self):
        return self.n_windows() == 1

    def alone(self):
        """Waits until every dialog is gone and the window has the focus again."""
        try:
            until(self.is_alone, what='for the dialog to close')
        except AssertionError as error:
            if self.process.poll() is not None:
                raise AssertionError('the program has ended: ' + self.output()[-2000:]) from None
            left = [(n.role, n.name, self.texts_of(n)) for n in self.frames()[1:]]
            raise AssertionError('%s; still there: %s' % (error, left)) from None

    def texts_of(self, node):
        return [n.name for n in walk(node) if n.role in ('label', 'push button') and n.name][:8]

    def answer(self, text):
        """Presses a button of a dialog and waits until it is gone. Presses again what came to nothing: a busy machine lays a dialog out late."""
        for _ in range(6):
            self.click('push button', text)
            try:
                return until(self.is_alone, 0.99, what='for the dialog to close')
            except AssertionError:
                if not self.has('push button', text):
                    break
        return self.alone()

    def focused_elsewhere(self):
        """Waits until another window than the first gets the keys."""
        until(lambda: sh('xdotool', 'getactivewindow').strip() != self.window, what='for the focus of a window')

    def frames(self):
        return [n for n in self.accessible if n.role in ('frame', 'dialog', 'window', 'alert')]

    def find(self, role, text, timeout=6):
        """The name CONTAINS text and the node has a size."""
        def look():
            for node in self.nodes(role in ('check box', 'table cell')):
                if node.role == role and text in (node.name or '') and \
                        node.extents().width > 0:
                    return node
            return None
        return until(look, timeout, what='for %s "%s"' % (role, text))

    def find_any(self, *texts):
        """A label anywhere, cells of tables too, that is one of the texts; or a row of runs that says one of them."""
        def says(node):
            role = node.role
            return role == 'label' and node.name in texts or role == 'table row' and any(text in (node.name or '') for text in texts)
        return until(lambda: next((n for n in self.nodes() if says(n)), None), 20, what='for ' + ' or '.join(texts))

    def has(self, role, text):
        try:
            return self.find(role, text, 0.3) is not None
        except AssertionError:
            return False

    def click(self, role, text):
        self.find(role, text).do()

    def press_in_toast(self, toast, button):
        """Presses, with the pointer, the button of the toast that says this."""
        def look():
            node = self.find('label', toast)
            for _ in range(4):
                node = node.parent
                for below in walk(node):
                    if below.role == 'push button' and button in (below.name or ''):
                        return below
            return None
        node = until(look, what='for the button of the toast')
        self.settled(node)
        width, height = self.size(node)
        self.press(node, width / 2, height / 2)

    def set_text(self, label, text):
        entry = self.find('text', label)
        entry.set_text(text)
        until(lambda: entry.text() == text)
        return entry

    def origin(self, node):
        """Top left of a widget in X window coordinates."""
        tree.changed()
        width, height = pointer.size(self.window)
        outer = self.frame.extents()
        inner = node.extents()
        return (width - outer.width) // 2 + inner.x, (height - outer.height) // 2 + inner.y

    def size(self, node):
        extents = node.extents()
        return extents.width, extents.height

    def settled(self, node):
        """Waits until the layout of a page that was just shown no longer changes."""
        seen = []

        def look():
            seen.append((self.origin(node), self.size(node)))
            return len(seen) > 3 and seen[-1] == seen[-2] == seen[-3] and seen[-1][1][0] > 0
        until(look, step=0.05)

    # ---- pointer, keys, pictures
    def move(self, node, x, y):
        ox, oy = self.origin(node)
        tree.changed()
        pointer.move(self.window, int(ox + x), int(oy + y))

    def drag(self, node, x0, y0, x1, y1, steps=8, release=True):
        self.move(node, x0, y0)
        pointer.button(1, True)
        for i in range(1, steps + 1):
            self.move(node, x0 + (x1 - x0) * i // steps, y0 + (y1 - y0) * i // steps)
            time.sleep(0.01)
        if release:
            pointer.button(1, False)
        tree.changed()

    def press(self, node, x, y):
        self.move(node, x, y)
        time.sleep(0.02)
        pointer.click(1)
        tree.changed()

    def key(self, *keys):
        tree.changed()
        for key in keys:
            if not pointer.key(key):
                sh('xdotool', 'key', key)

    def take_tool(self, key, tool):
        """Takes a drawing tool by its key: what is pressed on the sheet before the tool is there would go to the one before."""
        self.key(key)
        until(lambda: self.describe('tool')[1][0] == tool, what='for the tool ' + tool)

    def into_view(self, node):
        """Turns the wheel over each pane that holds the node until all of it is to be seen there."""
        pane = node.parent
        while pane.role not in ('frame', 'application'):
            if pane.role == 'scroll pane':
                self.turn_to(pane, node)
            pane = pane.parent

    def turn_to(self, pane, node):
        for _ in range(60):
            seen, at = pane.extents(), node.extents()
            if at.height > seen.height or (at.y >= seen.y and at.y + at.height <= seen.y + seen.height):
                return
            self.move(pane, seen.width / 2, seen.height / 2)
            pointer.click(5 if at.y > seen.y else 4)
            tree.changed()
            try:
                until(lambda: node.extents().y != at.y, timeout=0.9)
            except AssertionError:  # it turns no farther
                return

    def type_into(self, label, text):
        """Click, select all, type, Return: as a person does."""
        entry = self.find('text', label)
        self.into_view(entry)
        width, height = self.size(entry)
        self.press(entry, width / 2, height / 2)
        until(lambda: entry.has_state('focused') or any(
            n.has_state('focused') for n in walk(entry)), what='for the focus of ' + label)
        self.key('ctrl+a')
        sh('xdotool', 'type', '--delay', '5', '--', text)
        self.key('Return')

    def shot(self, name, leave=True):
        """A picture of the window; the pointer goes out of the way first (tooltips), unless it holds a button."""
        if not SHOTS:
            return
        if leave:
            sh('xdotool', 'mousemove', '1399', '899')
        time.sleep(0.3)
        sh('import', '-window', self.window, os.path.join(SHOTS, name + '.png'))

    def screen(self, name):
        """A picture of all that is on the display: the window and its dialogs."""
        if SHOTS:
            time.sleep(0.3)
            sh('import', '-window', 'root', os.path.join(SHOTS, name + '.png'))

    # ---- end
    def quit(self):
        self.app_act('quit')
        code = self.exited()
        text = self.output()
        assert code == 0, (code, text[-2000:])
        return text

    def has_crashed(self):
        process = getattr(self, 'process', None)
        return process is not None and process.poll() in (-signal.SIGTRAP, -signal.SIGABRT, -signal.SIGSEGV)

    def kill(self):
        if getattr(self, 'process', None) is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()


def key_names(app):
    """Role and name of what has the keyboard focus; of a button with a menu it is the button inside."""
    inside = (n for button in app.nodes() if button.role == 'push button' for n in button)
    return ([(n.role, n.name) for n in app.nodes() if n.has_state('focused')] or
            [(n.role, n.name) for n in inside if n.has_state('focused')])


def new_home():
    """An empty place for projects, so that tests do not see each other's."""
    import tempfile
    os.environ['XDG_DATA_HOME'] = tempfile.mkdtemp(dir=os.environ['HOME'])


def only_long(function):
    """Marks a test that takes long: tests/run.sh --all runs it."""
    function.is_long = True
    return function


def spent():
    """Seconds of the processor so far: this process, the programs that it started and that ended."""
    own, others = resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN)
    return own.ru_utime + own.ru_stime, others.ru_utime + others.ru_stime


# Faults of GTK 4.8 in code that none of ours calls; its complaint ends the program, as criticals are fatal here: a table that a popover and the
# accessibility bus change at once, about once in a hundred starts; a tooltip's clock that goes on when the popover under the pointer is closed.
TOOLKIT_FAULTS = ('iter_remove_or_steal: assertion', 'gdk_surface_get_device_position: assertion')


def again_if_toolkit(function):
    """Runs a test, and up to three times more if the toolkit's known fault ended the program."""
    for _ in range(3):
        try:
            function()
            return
        except Exception:
            faults = [fault for fault in TOOLKIT_FAULTS for app in LIVE if fault in app.output()]
            if not faults:
                raise
        print('%s: once more, as GTK ended the program (%s)' % (function.__name__, faults[0]), flush=True)
        for app in list(LIVE):
            app.kill()
            LIVE.remove(app)
        release()
        new_home()
    function()


def release():
    """What a test that failed has left pressed."""
    subprocess.run(['xdotool', 'mouseup', '1', 'keyup', 'shift', 'keyup', 'ctrl', 'keyup', 'alt'], check=False)


def run_tests(names):
    """Calls every function test_* of a module's globals(); the last line is "N passed, N failed"."""
    has_long = os.environ.get('STICKSLIP_TEST_ALL') == '1'
    passed = failed = 0
    wanted = sys.argv[1:]
    for name, function in list(names.items()):
        if not name.startswith('test_') or (wanted and name not in wanted):
            continue
        if getattr(function, 'is_long', False) and not has_long and not wanted:
            continue
        started, own, others = time.time(), *spent()
        new_home()
        try:
            again_if_toolkit(function)
            passed += 1
            for app in LIVE:
                app.kill()
            now = spent()
            print('ok %s (%.1f s; of the processor %.1f s here, %.1f s in programs)' % (name, time.time() - started, now[0] - own, now[1] - others),
                  flush=True)
        except Exception as error:
            failed += 1
            if SHOTS:
                subprocess.run(['import', '-window', 'root', os.path.join(SHOTS, 'failed-%s.png' % name)])
            import traceback
            traceback.print_exc()
            for app in LIVE:
                print('the program: %s\n%s' % (app.state(), app.output()[-2000:]))
            print('not ok %s: %s' % (name, error), flush=True)
            release()
        finally:
            for app in list(LIVE):
                app.kill()
                LIVE.remove(app)
    print('%d passed, %d failed' % (passed, failed), flush=True)
    sys.exit(1 if failed else 0)


LIVE = []


def start(*arguments, env=None):
    app = App.__new__(App)
    LIVE.append(app)
    app.__init__(*arguments, env=env)
    return app
