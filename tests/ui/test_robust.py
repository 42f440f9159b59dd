#!/usr/bin/python3
"""tests/ui/test_robust.py: changes that no project can keep, closing while a run goes on, two windows, a dead worker, dark and narrow windows, names."""
import os
import signal
import tempfile

from gui import LASTING, LIVE, only_long, run_tests, sh, start, subprocess, time, until


def long_run(app):
    app.act('open-example', 's', 'push-box')
    app.act('set-field', '(ss)', ('parameters.N.value', LASTING))
    app.act('save-scenario', 's', os.path.join(tempfile.mkdtemp(), 'long.stickslip.json'))
    app.act('page', 's', 'run')
    app.act('methods', 's', 'ipopt')
    app.act('run')
    app.wait(lambda s: any(r['running'] for r in s['runs']), 30)


def test_changes_that_cannot_be_kept_are_asked_about():
    """A file lies where the folder of projects should be; where one can be made, nobody is asked (test_sketches.py)."""
    open(os.path.join(os.environ['XDG_DATA_HOME'], 'stickslip'), 'w').close()
    app = start()
    app.act('open-example', 's', 'falling-box')
    app.act('set-field', '(ss)', ('scene.bodies[1].mass', '7'))
    app.wait(lambda s: s['dirty'])
    app.act('close')
    app.find('push button', 'Discard')
    app.answer('Cancel')
    assert app.status()['dirty']
    app.act('new-sketch')
    app.answer('Discard')
    app.wait(lambda s: s['bodies'] == 0 and not s['dirty'])
    # Save goes on with what was asked once the file is there.
    path = os.path.join(tempfile.mkdtemp(), 'a.stickslip.json')
    app.act('add', 's', 'box')
    app.act('save-scenario', 's', path)
    app.act('add', 's', 'disc')
    app.wait(lambda s: s['dirty'])
    app.act('open-example', 's', 'push-box')
    app.answer('Save')
    app.wait(lambda s: s['scenario'] == 'push-box')
    assert 'disc' in open(path).read()
    app.act('close')
    assert app.exited() == 0


def test_closing_while_running():
    app = start()
    long_run(app)
    project = app.status()['project']
    app.act('close')
    app.find('push button', 'Stop and Close')
    app.answer('Cancel')
    assert any(r['running'] for r in app.status()['runs'])
    app.act('close')
    began = time.time()
    app.click('push button', 'Stop and Close')
    assert app.exited() == 0
    print('closed after %.2f s' % (time.time() - began))
    assert os.listdir(os.path.dirname(project)) == [os.path.basename(project)]
    app = start(project)
    app.wait(lambda s: s['page'] == 'project')
    app.find_any('Cancelled', 'Interrupted')
    app.quit()


def test_worker_dies():
    app = start()
    long_run(app)
    workers = sh('pgrep', '-P', str(app.process.pid)).split()
    assert workers
    for worker in workers:
        os.kill(int(worker), signal.SIGKILL)
    status = app.ended(10)
    assert status['runs'][0]['outcome'] == 'interrupted', status
    app.act('set-field', '(ss)', ('parameters.N.value', '60'))
    app.act('methods', 's', 'crisp')
    app.act('run')
    assert app.ended()['runs'][0]['outcome'] == 'solved'
    app.kill()


def test_window_dies_worker_too():
    app = start()
    long_run(app)
    workers = [int(w) for w in sh('pgrep', '-P', str(app.process.pid)).split()]
    project = app.status()['project']
    app.process.kill()
    app.process.wait()

    def gone(pid):
        try:
            return open('/proc/%d/stat' % pid).read().rsplit(')', 1)[1].split()[0] == 'Z'
        except FileNotFoundError:
            return True
    until(lambda: all(gone(w) for w in workers), 5)
    app = start(project)
    app.wait(lambda s: s['page'] == 'project')
    app.find_any('Interrupted')
    app.quit()


def test_two_windows():
    app = start()
    app.act('open-example', 's', 'falling-box')
    app.app_act('new-window')

    def windows():
        import re
        xml = app.bus.call_sync('org.stickslip.Stickslip', '/org/stickslip/Stickslip/window', 'org.freedesktop.DBus.Introspectable',
                                'Introspect', None, None, 0, 1000, None).unpack()[0]
        return re.findall(r'node name="(\d+)"', xml)
    numbers = until(lambda: len(windows()) == 2 and windows())
    first = app.number
    app.number = next(int(n) for n in numbers if int(n) != first)
    app.act('open-example', 's', 'push-box')
    app.wait(lambda s: s['scenario'] == 'push-box')
    app.act('methods', 's', 'crisp')
    app.act('run')
    app.ended()
    app.act('close')
    until(lambda: len(windows()) == 1)
    app.number = first
    status = app.status()
    assert status['scenario'] == 'falling-box' and status['bodies'] == 2 and not status['runs']
    app.act('simulate')
    app.ended()
    app.quit()


def test_everything_has_a_name():
    app = start()
    nameless = []

    def look(page):
        """The tree of a page that was just shown may still change under us: then look again."""
        nameless[:] = [found for found in nameless if found[0] != page]
        for node in app.nodes():
            role = node.role
            if role not in ('push button', 'toggle button', 'check box', 'text', 'slider', 'spin button', 'combo box', 'image'):
                continue
            extents = node.extents()
            if extents.width <= 0:
                continue
            # Pictures inside buttons and chips are decoration: their parent speaks.
            if role == 'image' and extents.width <= 40:
                continue
            if not (node.name or '').strip() or node.name.startswith(('Gtk', 'Adw')):
                nameless.append((page, role, node.name, extents.x, extents.y))
        return True
    until(lambda: look('start'))
    app.act('open-example', 's', 'falling-box')
    app.act('select', 's', 'box')
    app.find('text', 'Mass')
    until(lambda: look('sketch'))
    app.act('simulate')
    app.ended()
    for page in ('run', 'compare', 'impact', 'study', 'project'):
        app.act(*(('study-new',) if page == 'study' else ('page', 's', page)))
        app.wait(lambda s: s['page'] == page)
        nodes = []

        def still():
            nodes.append(sum(1 for _ in app.nodes()))
            return len(nodes) > 1 and nodes[-1] == nodes[-2]
        until(still, step=0.1)
        until(lambda: look(page))
    assert not nameless, nameless
    app.kill()


def test_keys_reach_everything():
    """F6 goes round the regions and back, F9 folds the outline, Ctrl+? and About open their windows, Escape closes them."""
    from gui import key_names
    app = start()
    app.act('open-example', 's', 'falling-box')
    app.wait(lambda s: s['page'] == 'sketch')
    until(lambda: ('image', 'Canvas') in key_names(app))

    def press_f6(key):
        before = key_names(app)
        app.key(key)
        return until(lambda: key_names(app) != before and key_names(app))
    seen = [key_names(app)]
    for _ in range(8):
        seen.append(press_f6('F6'))
        if seen[-1] == seen[0]:
            break
    assert seen[-1] == seen[0] and len(seen) >= 5, seen  # canvas, inspector, tools, player, header bar, outline, canvas
    assert press_f6('shift+F6') == seen[-2], seen
    app.key('F9')
    until(lambda: app.describe('outline')[1][0] is False)
    app.key('F9')
    until(lambda: app.describe('outline')[1][0] is True)
    app.key('ctrl+question')
    until(lambda: app.n_windows() == 2, what='for the shortcuts')
    app.find('label', 'Next region')
    app.focused_elsewhere()
    app.key('Escape')
    app.alone()
    until(lambda: sh('xdotool', 'getactivewindow').strip() == app.window)
    app.app_act('about')
    until(lambda: app.n_windows() == 2)
    app.focused_elsewhere()
    app.key('Escape')
    app.alone()
    app.quit()


@only_long
def test_dark_and_narrow():
    app = start(env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    app.shot('22-dark-start')
    app.act('open-example', 's', 'falling-box')
    app.act('select', 's', 'box')
    app.wait(lambda s: s['selected'] == 'box')
    app.shot('23-dark-sketch')
    app.act('open-example', 's', 'push-box')
    app.act('page', 's', 'run')
    app.act('run')
    app.ended()
    app.wait(lambda s: s['time'] > 0.8)
    app.shot('24-dark-run')
    sh('xdotool', 'windowsize', '--sync', app.window, '760', '780')
    until(lambda: app.size(app.frame)[0] < 800, what='for the narrow window')
    app.find('image', 'Motion of')
    app.shot('25-narrow-run')
    app.act('page', 's', 'sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    app.find('image', 'Canvas')
    app.shot('26-narrow-sketch')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
