#!/usr/bin/python3
"""tests/ui/test_sandbox.py: a scene live in a real window: it runs, is dragged and thrown, changed, paused, stepped, rewound, kept as a run."""
import json
import os
import tempfile

from gui import ROOT, run_tests, sh, start, time, until


def canvas(app):
    return app.find('image', 'Canvas')


def live(example='falling-box'):
    app = start()
    app.act('open-example', 's', example)
    app.wait(lambda s: s['page'] == 'sketch' and s['bodies'] > 0)
    app.settled(canvas(app))
    return app


def box_on_screen(app, sheet):
    """Where the box is, found with the pointer: pressing on it selects it."""
    width, height = app.size(sheet)
    return app.hit(sheet, 'box', [(x, y) for y in range(int(height * 0.85), int(height * 0.15), -20)
                                  for x in range(int(width * 0.3), int(width * 0.9), 30)])


def at_rest(app):
    """Waits until the clock stands and returns the status: the frame that was being computed at a pause may still arrive."""
    app.wait(lambda s: not s['playing'])
    seen = [app.status()]

    def still():
        time.sleep(0.3)
        seen.append(app.status())
        return len(seen) > 3 and seen[-1]['time'] == seen[-2]['time'] == seen[-3]['time']
    until(still)
    return seen[-1]


def test_play_drag_pause_step_rewind_keep():
    app = live()
    sheet = canvas(app)
    width, height = app.size(sheet)
    assert not app.describe('sandbox-step')[0]
    app.click('push button', 'Play in Sandbox')
    until(lambda: app.describe('sandbox')[1][0] is True)
    first = app.wait(lambda s: s['time'] > 0.2 and s['playing'])
    app.wait(lambda s: s['time'] > first['time'] + 0.2)
    app.wait(lambda s: s['time'] > 1.8)  # beyond it, the box lies still

    x, y = box_on_screen(app, sheet)
    app.drag(sheet, x, y, x - 60, int(height * 0.3), steps=20, release=False)
    begun = app.status()['time']
    app.wait(lambda s: s['time'] > begun + 0.5)
    app.shot('sandbox-1-pulled', leave=False)
    sh('xdotool', 'mouseup', '1')
    assert not app.status()['dirty']  # the sketch stays what it was

    app.act('sandbox-pause')
    paused = at_rest(app)
    app.act('sandbox-step')
    stepped = app.wait(lambda s: s['time'] > paused['time'])
    assert abs(stepped['time'] - paused['time'] - 1 / 120) < 1e-9, (paused, stepped)  # dt 0.01 is half a frame here
    app.act('seek', 'd', 0.5)
    rewound = app.wait(lambda s: abs(s['time'] - 0.5) < 0.01)
    assert abs(rewound['duration'] - stepped['time']) < 1e-9 and not rewound['playing']
    app.shot('sandbox-2-rewound')
    app.act('seek', 'd', stepped['time'])
    app.wait(lambda s: s['time'] == stepped['time'])

    app.act('sandbox-keep')
    kept = app.wait(lambda s: s['project'])
    assert not kept['runs'], kept  # it is in the project, not on show
    app.act('sandbox')
    app.wait(lambda s: s['sandbox'] is None and s['time'] == 0)
    until(lambda: app.describe('sandbox')[1][0] is False)
    app.act('page', 's', 'project')
    app.find_any('Stewart–Trinkle', 'Stewart-Trinkle')
    app.find_any('Completed', 'completed')
    app.shot('sandbox-3-kept')
    app.act('open-run', 's', 'last')
    shown = app.wait(lambda s: len(s['runs']) == 1)
    assert shown['runs'][0]['method'] == 'stewart-trinkle' and shown['runs'][0]['outcome'] == 'completed', shown
    assert shown['runs'][0]['motion']
    app.quit()


def test_change_while_it_runs():
    app = live()
    app.act('sandbox')
    app.wait(lambda s: s['time'] > 0.1)
    app.act('set-field', '(ss)', ('parameters.mu.value', '0'))
    app.act('set-field', '(ss)', ('scene.bodies[1].mass', '5'))
    before = app.wait(lambda s: s['undo'] is not None)
    app.wait(lambda s: s['time'] > before['time'] + 0.1 and s['playing'])
    assert app.describe('sandbox')[1][0] is True
    app.set_state('sandbox-slow', 'b', True)
    app.wait(lambda s: s['playing'])
    # Another body is another scene: the sandbox ends and says so.
    app.act('add', 's', 'disc')
    app.wait(lambda s: s['bodies'] == 3)
    until(lambda: app.describe('sandbox')[1][0] is False)
    # A simulation takes the clock from a live scene.
    app.act('sandbox')
    app.wait(lambda s: s['time'] > 0.1)
    app.act('simulate')
    app.ended()
    until(lambda: app.describe('sandbox')[1][0] is False)
    # Closing while it is live is quick and clean.
    app.act('undo')
    app.act('undo')
    app.act('undo')
    app.wait(lambda s: not s['dirty'])
    app.act('sandbox')
    app.wait(lambda s: s['time'] > 0.1)
    app.quit()


def test_integrator_and_frames():
    """The bar says which integrator runs and why, another can be chosen, frames are counted."""
    app = live()
    assert app.status()['sandbox'] is None
    app.act('sandbox')
    first = app.wait(lambda s: s['sandbox'] and s['sandbox']['frames'] > 3)
    assert first['sandbox']['method'] == 'stewart-trinkle', first
    app.wait(lambda s: s['sandbox']['frames'] > first['sandbox']['frames'] + 5)
    # The live plots are of its own motion: they follow it, a rewind, and what is chosen while it is paused.
    assert app.find('label', 'last 10 s of the sandbox')
    app.act('sandbox-pause')
    plots, paused = app.find('image', 'Live plots'), at_rest(app)['time']
    until(lambda: plots.description.startswith('%.4f s: ' % paused) and 'Velocity' not in plots.description, what=lambda: plots.description)
    app.act('seek', 'd', 0)
    until(lambda: plots.description.startswith('0.0000 s: Position y (box, m): now 1;'), what=lambda: plots.description)
    app.act('add-channel', '(si)', ('box.vx', -1))
    until(lambda: 'Velocity x (box, m/s): now 0.5' in plots.description, what=lambda: plots.description)
    app.shot('sandbox-5-plots')
    app.act('remove-channel', 's', 'box.vx')
    app.act('sandbox-step')
    stepped = app.wait(lambda s: s['time'] > 0)['time']
    until(lambda: plots.description.startswith('%.4f s: ' % stepped), what=lambda: plots.description)
    app.act('sandbox-method', 's', 'moreau-jean')
    app.wait(lambda s: s['sandbox'] and s['sandbox']['method'] == 'moreau-jean' and s['time'] > 0.05)
    app.act('sandbox')
    app.wait(lambda s: s['sandbox'] is None)
    app.find('label', 'now, and pale before')
    until(lambda: app.find('image', 'Live plots').description.startswith('0.0000 s: Position y (box, m): now 1;'))
    # Hidden while it is live and shown when it has ended, they are those of the sketch.
    app.act('sandbox')
    app.wait(lambda s: s['time'] > 0.05)
    app.act('live-plots')
    until(lambda: not app.has('image', 'Live plots'), what='for no live plots')
    app.act('sandbox')
    app.wait(lambda s: s['sandbox'] is None)
    app.act('live-plots')
    app.find('label', 'now, and pale before')
    until(lambda: app.find('image', 'Live plots').description.startswith('0.0000 s: Position y (box, m): now 1;'))
    app.act('seek', 'd', 2)
    until(lambda: app.find('image', 'Live plots').description.startswith('2.0000 s: Position y (box, m): now 0.25;'))
    app.shot('sandbox-6-hidden-meanwhile')
    app.act('sandbox-method', 's', '')
    # Of methods that are chosen for simulations the first one.
    app.act('methods', 's', 'anitescu-potra,moreau-jean')
    app.act('sandbox')
    app.wait(lambda s: s['sandbox'] and s['sandbox']['method'] == 'moreau-jean')
    app.act('sandbox')
    app.wait(lambda s: s['sandbox'] is None)
    # More than 20 boxes: the relaxation, and the reason.
    app.act('open-example', 's', 'box-pyramid')
    app.act('set-field', '(ss)', ('parameters.n.value', '7'))
    app.wait(lambda s: s['bodies'] == 29)
    app.act('sandbox')
    app.wait(lambda s: s['sandbox'] and s['sandbox']['method'] == 'convex-time-stepping')
    until(lambda: 'More than 20 bodies' in app.find('push button', 'Integrator of the sandbox').description)
    app.wait(lambda s: s['sandbox']['frame_rate'] > 0)
    app.shot('sandbox-4-convex')
    app.kill()


CROWD = {'format': 1, 'name': 'crowd', 'scene': {'gravity': [0, 0], 'contacts': [], 'bodies': [
    {'name': 'wheel', 'mass': 1, 'position': [0, -1], 'shape': {'type': 'box', 'width': 1, 'height': 1}, 'velocity': [0.1, 0], 'angular_velocity': 1}] + [
    {'name': 'p%d' % i, 'fixed': True, 'position': [i % 50, i // 50], 'shape': {'type': 'circle', 'radius': 0.4}} for i in range(600)]}}


def test_slow_frames_hold_nothing_up():
    """Frames that take longer than the screen shows them leave no time for what is done when nothing else is: commands are told all the same."""
    path = os.path.join(tempfile.mkdtemp(), 'crowd.stickslip.json')
    with open(path, 'w') as file:
        json.dump(CROWD, file, indent=1)
    app = start(path)
    app.wait(lambda s: s['bodies'] == 601)
    app.act('sandbox')
    app.wait(lambda s: s['sandbox'] and s['time'] > 0.5)
    assert not app.describe('delete')[0]
    app.act('select', 's', 'wheel')
    until(lambda: app.describe('delete')[0])  # without a question for the status, which would bring it about
    app.kill()


def test_another_page_pauses():
    app = live()
    app.act('sandbox')
    app.wait(lambda s: s['time'] > 0.1)
    app.act('page', 's', 'run')
    app.wait(lambda s: s['page'] == 'run')
    app.act('page', 's', 'sketch')
    app.wait(lambda s: s['page'] == 'sketch' and not s['playing'] and s['time'] > 0.1)
    app.act('play')
    app.wait(lambda s: s['playing'])
    app.quit()


def colours_of_rows(app, pane):
    """How many colours the pane shows, sixty pixels of its height at a time: a row of text has many, an empty one a few."""
    (x, y), (width, height) = app.origin(pane), app.size(pane)
    picture = ['import', '-window', app.window, '-crop']
    return [int(sh(*picture, '%dx60+%d+%d' % (width - 40, x + 20, top), '-format', '%k', 'info:')) for top in range(y + 5, y + height - 65, 60)]


def test_rows_out_of_sight_come_when_they_are_seen():
    """Rows of the outline that are out of sight draw nothing; turned to, and found by the filter, they are there."""
    app = start(os.path.join(ROOT, 'data', 'bench', 'pile.stickslip.json'))
    app.wait(lambda s: s['page'] == 'sketch' and s['bodies'] > 0)
    app.act('set-field', '(ss)', ('parameters.n.value', '150'))
    app.wait(lambda s: s['bodies'] == 153)
    pane = app.find('list', 'Outline').parent
    while pane.role != 'scroll pane':
        pane = pane.parent
    app.settled(pane)
    app.move(pane, app.size(pane)[0] / 2, app.size(pane)[1] / 2)
    for notches in (4, 30, 10):
        sh('xdotool', 'click', '--repeat', str(notches), '--delay', '10', '5')
        until(lambda: min(colours_of_rows(app, pane)) > 8)
    entry = app.find('entry', 'Filter outline')
    app.press(entry, app.size(entry)[0] / 2, app.size(entry)[1] / 2)
    sh('xdotool', 'type', 'box149')
    until(lambda: colours_of_rows(app, pane)[0] > 8 and colours_of_rows(app, pane)[-1] < 4)
    app.key('ctrl+a', 'Delete')
    until(lambda: min(colours_of_rows(app, pane)) > 8)
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
