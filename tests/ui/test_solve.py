#!/usr/bin/python3
"""tests/ui/test_solve.py: solving with two optimisers at once, cancelling, the project over a restart, comparing, exporting."""
import csv
import json
import os
import subprocess
import tempfile

from gui import LASTING, only_long, run_tests, sh, start, time, until


def solve_push_box(app, methods='crisp,ipopt', wait=True):
    app.act('open-example', 's', 'push-box')
    app.wait(lambda s: s['scenario'] == 'push-box')
    app.act('page', 's', 'run')
    app.act('methods', 's', methods)
    app.act('run')
    return app.ended() if wait else app.status()


def test_two_methods_at_once():
    app = start()
    app.act('open-example', 's', 'push-box')
    app.wait(lambda s: s['bodies'] == -1)
    app.shot('11-push-box')
    app.act('page', 's', 'run')
    app.wait(lambda s: s['page'] == 'run')
    app.shot('12-ready')
    app.act('run')
    # Both live: a picture in the middle, when the slower one has iterations (a fast machine may have ended it by the time we look).
    app.wait(lambda s: len(s['runs']) == 2 and any(r['iterations'] > 25 for r in s['runs']), 20)
    app.shot('13-race')
    status = app.ended()
    assert [(r['method'], r['outcome']) for r in status['runs']] == [('crisp', 'solved'), ('ipopt', 'solved')], status
    assert all(r['motion'] and r['iterations'] > 5 for r in status['runs'])
    # The motion plays by itself; it is stopped on the way, unless it came to its end before we looked.
    if app.wait(lambda s: s['time'] > 1.0)['playing']:
        app.act('play')
    app.wait(lambda s: not s['playing'])
    app.shot('14-solved')
    # The one clock moves both motions.
    app.act('seek', 'd', 0.75)
    until(lambda: '0.75 s' in app.find('image', 'Motion of CRISP').description and
          '0.75 s' in app.find('image', 'Motion of Ipopt').description)
    # Plot and log have words too.
    until(lambda: all(word in app.find('image', 'Convergence plot').description for word in ('Objective', 'CRISP', 'Ipopt')))
    app.find('label', 'rows')
    app.click('push button', 'Solver Text')
    app.shot('15-solver-text')
    app.click('push button', 'Wall Time')
    app.shot('16-wall-time')
    app.kill()


def test_paused_changed_and_gone_on():
    app = start()
    app.act('open-example', 's', 'push-box')
    app.act('set-field', '(ss)', ('parameters.N.value', LASTING))
    app.act('page', 's', 'run')
    app.act('methods', 's', 'crisp')
    app.act('run')
    first = app.wait(lambda s: any(r['running'] and r['iterations'] > 2 for r in s['runs']), 30)['runs'][0]
    app.act('pause')
    app.wait(lambda s: s['runs'][0]['outcome'] == 'paused' and s['runs'][0]['running'])
    app.find('label', 'Paused')
    app.find('push button', 'Go on')
    app.shot('18-paused')
    # Without a change the same run goes on.
    app.act('pause')
    app.wait(lambda s: s['runs'][0]['outcome'] == 'running' and s['runs'][0]['id'] == first['id'])
    # Changed and undone is no change; another goal is a run of its own, and undo works meanwhile.
    app.act('pause')
    app.wait(lambda s: s['runs'][0]['outcome'] == 'paused')
    app.act('set-field', '(ss)', ('parameters.j.value', '5'))
    app.wait(lambda s: s['undo'])
    app.act('undo')
    app.act('set-field', '(ss)', ('parameters.j.value', '11'))
    app.shot('18-paused-and-changed')
    app.act('pause')
    app.act('pause')  # before the next run has begun: it comes all the same
    app.wait(lambda s: s['runs'] and s['runs'][0]['id'] != first['id'] and s['runs'][0]['iterations'] > 0, 30)
    app.shot('18-gone-on')
    # A simulation is held with its motion so far; it goes on as it began. The window closes while it is paused.
    app.act('cancel')
    app.wait(lambda s: not any(r['running'] for r in s['runs']))
    app.act('open-example', 's', 'falling-box')
    app.act('set-field', '(ss)', ('task.dt', '2e-6'))
    app.act('page', 's', 'run')
    app.act('methods', 's', 'stewart-trinkle')
    app.act('simulate')
    app.wait(lambda s: s['runs'] and s['runs'][0]['running'] and s['duration'] > 0.002, 30)
    app.act('pause')
    app.wait(lambda s: s['runs'][0]['outcome'] == 'paused')
    newest = float(app.find('label', 'motion up to ').name.split()[3])
    assert 0 < newest < 2, newest  # s: below the horizon, however quick the machine is
    until(lambda: 'Position y (box, m)' in app.find('image', 'Channel plots').description)
    app.act('seek', 'd', 0.001)
    app.wait(lambda s: abs(s['time'] - 0.001) < 1e-9)  # there is motion before the newest frame
    app.shot('18-paused-simulation')
    app.find('label', 'Events are told when the run ends')
    app.act('pause')
    app.wait(lambda s: s['runs'][0]['outcome'] == 'running')
    # Changed, it goes on from where it is as another run, whose motion has what was before; bodies stay those of the run.
    app.act('pause')
    held = app.wait(lambda s: s['runs'][0]['outcome'] == 'paused')['runs'][0]
    app.act('set-field', '(ss)', ('scene.bodies[1].name', 'crate'))
    app.act('pause')
    app.find('label', 'a simulation goes on with the bodies that it began with: box is gone')
    assert app.status()['runs'][0]['id'] == held['id'] and app.status()['runs'][0]['outcome'] == 'paused'
    app.click('push button', 'Close')
    app.act('undo')
    app.act('option', '(sss)', ('stewart-trinkle', 'certainty', 'branches'))
    app.act('pause')
    app.find('label', 'a fan begins with its scene: it cannot go on from another motion')
    assert app.status()['runs'][0]['id'] == held['id'] and app.status()['runs'][0]['outcome'] == 'paused'
    app.click('push button', 'Close')
    app.act('option', '(sss)', ('stewart-trinkle', 'certainty', 'off'))
    app.act('set-field', '(ss)', ('parameters.mu.value', '0.9'))
    newest = float(app.find('label', 'motion up to ').name.split()[3])
    app.act('pause')
    app.wait(lambda s: s['runs'] and s['runs'][0]['id'] != held['id'] and s['runs'][0]['running'] and s['duration'] > newest, 60)
    app.act('seek', 'd', 0.001)
    app.wait(lambda s: abs(s['time'] - 0.001) < 1e-9)  # of the run before
    app.shot('18-simulation-gone-on')
    app.act('pause')
    app.wait(lambda s: s['runs'][0]['outcome'] == 'paused')
    app.app_act('quit')
    app.click('push button', 'Stop and Close')
    assert app.exited() == 0


def test_cancel_answers():
    app = start()
    app.act('open-example', 's', 'push-box')
    app.act('set-field', '(ss)', ('parameters.N.value', LASTING))
    app.act('page', 's', 'run')
    app.act('methods', 's', 'crisp,ipopt')
    app.act('run')
    status = app.wait(lambda s: any(r['running'] and r['iterations'] > 0 for r in s['runs']), 30)
    one = next(r for r in status['runs'] if r['running'])
    began = time.time()
    app.act('cancel-run', 's', one['id'])
    app.wait(lambda s: not next(r for r in s['runs'] if r['id'] == one['id'])['running'])
    first = time.time() - began
    began = time.time()
    if app.status()['runs'] and any(r['running'] for r in app.status()['runs']):
        app.act('cancel')
    app.wait(lambda s: not any(r['running'] for r in s['runs']))
    second = time.time() - began
    print('cancel answered after %.3f s and %.3f s' % (first, second))
    # How soon is checked by tests/store/test-job.c, with nothing beside it; here the machine is shared: the wait above is what can fail.
    status = app.status()
    assert any(r['outcome'] == 'cancelled' for r in status['runs']), status
    app.find('label', 'Cancelled')
    app.shot('17-cancelled')
    # The window is well: another run starts at once.
    app.act('set-field', '(ss)', ('parameters.N.value', '100'))
    app.act('methods', 's', 'crisp')
    app.act('run')
    status = app.ended()
    assert status['runs'][0]['outcome'] == 'solved', status
    app.kill()


@only_long
def test_restart_finds_the_runs():
    app = start()
    status = solve_push_box(app)
    ids = [r['id'] for r in status['runs']]
    project = status['project']
    app.quit()
    folder = os.path.dirname(project)
    assert sorted(os.listdir(folder)) == [os.path.basename(project)], os.listdir(folder)  # one file, nothing beside it
    app = start()
    app.find('list item', 'Push Box')
    app.shot('18-start-with-recent')
    app.act('open', 's', project)
    app.wait(lambda s: s['page'] == 'project' and s['project'] == project)
    app.find('check box', 'Choose CRISP on push-box')
    app.find('check box', 'Choose Ipopt on push-box')
    app.shot('19-project')
    app.act('compare', 's', ','.join(ids))
    app.wait(lambda s: s['page'] == 'compare' and s['duration'] > 1.9)
    app.find('image', 'Motion of CRISP')
    app.find('image', 'Motion of Ipopt')
    app.shot('20-compare')
    app.act('open-run', 's', ','.join(ids))
    status = app.wait(lambda s: s['page'] == 'run' and len(s['runs']) == 2 and s['duration'] > 1.9)
    assert [r['iterations'] > 5 for r in status['runs']] == [True, True], status
    assert status['scenario'] == 'push-box', status  # the sketch shows what they were made from
    # Delete, and take it back.
    app.act('page', 's', 'project')
    app.act('delete-runs', 's', ids[0])
    until(lambda: app.has('label', '1 run'))
    app.shot('21-deleted-with-undo')
    app.press_in_toast('Run deleted', 'Undo')
    until(lambda: app.has('label', '2 runs'))
    # Search.
    app.act('find')
    sh('xdotool', 'type', 'ipopt')
    until(lambda: app.has('label', '1 of 2 runs'))
    app.key('ctrl+a')
    sh('xdotool', 'type', 'zzz')
    until(lambda: app.has('label', '0 of 2 runs'))
    app.shot('21b-nothing-found')
    # Under a name of its own, the untitled file goes.
    named = os.path.join(tempfile.mkdtemp(), 'study.stickslip')
    app.act('save-project', 's', named)
    app.wait(lambda s: s['project'] == named)
    assert not os.path.exists(project) and os.path.exists(named)
    app.quit()
    assert os.listdir(os.path.dirname(named)) == ['study.stickslip']


SCENE = {
    'format': 1, 'name': 'cart', 'scene': {
        'friction': 0.3, 'bodies': [
            {'name': 'floor', 'fixed': True, 'shape': {'type': 'half-plane', 'normal': [0, 1]}},
            {'name': 'cart', 'mass': 2, 'shape': {'type': 'box', 'width': 1, 'height': 0.2}, 'position': [0, 0.1]}],
        'actuators': [{'name': 'push', 'type': 'force', 'body': 'cart', 'direction': [1, 0], 'formula': '30*sin(7*t)'}]},
    'task': {'t_end': 1, 'dt': 0.01}}


def test_replay():
    """A run's controls through another integrator: both on show, the plan as a ghost, the distance in the comparison."""
    path = os.path.join(tempfile.mkdtemp(), 'cart.stickslip.json')
    with open(path, 'w') as file:
        json.dump(SCENE, file)
    app = start(path)
    app.wait(lambda s: s['scenario'] == 'cart')
    app.act('methods', 's', 'stewart-trinkle')
    app.act('page', 's', 'run')
    app.act('run')
    plan = app.ended()['runs'][0]
    assert plan['outcome'] == 'completed' and plan['replay_of'] is None, plan
    app.find('push button', 'Reuse Stewart–Trinkle')
    app.act('replay-run', '(ss)', ('moreau-jean', plan['id']))
    status = app.wait(lambda s: len(s['runs']) == 2 and not any(r['running'] for r in s['runs']))
    replay = status['runs'][1]
    assert replay['replay_of'] == plan['id'] and replay['outcome'] == 'completed', status
    until(lambda: 'with its plan as a ghost' in app.find('image', 'Motion of Replay, Moreau–Jean').description)
    app.find('label', 'Distance to plan')
    app.shot('28-replay')
    app.act('compare', 's', '%s,%s' % (plan['id'], replay['id']))
    app.wait(lambda s: s['page'] == 'compare' and s['duration'] > 0.9)
    app.find_any('Distance to plan [m]')
    app.shot('29-replay-compared')
    app.quit()


WALL = {
    'format': 1, 'name': 'shot', 'scene': {
        'gravity': [0, 0], 'friction': 0.3, 'bodies': [
            {'name': 'wall', 'fixed': True, 'shape': {'type': 'box', 'width': 0.02, 'height': 2}},
            {'name': 'ball', 'mass': 0.5, 'position': [-0.4, 0], 'shape': {'type': 'circle', 'radius': 0.05}}],
        'contacts': 'all', 'actuators': [
            {'name': 'fx', 'type': 'force', 'body': 'ball', 'direction': [1, 0], 'lower': -50, 'upper': 50},
            {'name': 'fy', 'type': 'force', 'body': 'ball', 'direction': [0, 1], 'lower': -50, 'upper': 50}]},
    'task': {'horizon': 1, 'steps': 6, 't_end': 1, 'dt': 0.1, 'effort': 0.01, 'targets': [{'body': 'ball', 'position': [0.4, 0]}]}}


def test_a_plan_through_a_wall():
    """It obeys its rows and is no plan: the card says so and why, and what there is of it is kept and can be looked at."""
    path = os.path.join(tempfile.mkdtemp(), 'shot.stickslip.json')
    with open(path, 'w') as file:
        json.dump(WALL, file)
    app = start(path)
    app.wait(lambda s: s['scenario'] == 'shot')
    app.act('methods', 's', 'crisp')
    app.act('page', 's', 'run')
    app.act('run')
    run = app.ended()['runs'][0]
    assert run['outcome'] == 'not_replayable' and run['motion'], run
    app.find('label', 'Not replayable')
    reasons = app.find('label', 'ball passes through wall between t = ')
    app.shot('30-not-replayable')
    # The times are links to the motion at that instant.
    app.act('seek', 'd', 0)
    app.wait(lambda s: s['time'] == 0)
    t = float(reasons.name.split('between t = ')[1].split(' s')[0])
    app.settled(reasons)
    for x in range(150, 260, 15):  # where the first link is depends on the font
        app.press(reasons, x, app.size(reasons)[1] / 2)
        if abs(app.status()['time'] - t) < 1e-3:
            break
    app.wait(lambda s: abs(s['time'] - t) < 1e-3)
    app.act('page', 's', 'project')
    app.wait(lambda s: s['page'] == 'project')
    app.find_any('Not replayable')  # in the table
    app.shot('31-not-replayable-listed')
    app.quit()


def test_export():
    folder = tempfile.mkdtemp()
    app = start()
    solve_push_box(app)
    for kind in ('figure', 'picture', 'plot'):
        for suffix, magic in (('pdf', b'%PDF'), ('svg', b'<?xml'), ('png', b'\x89PNG')):
            path = os.path.join(folder, '%s.%s' % (kind, suffix))
            app.act('export-to', '(sss)', (kind, '', path))
            until(lambda: os.path.exists(path), what='for ' + path)
            assert open(path, 'rb').read(5).startswith(magic), path
            assert os.path.getsize(path) > 2000, (path, os.path.getsize(path))
    film = os.path.join(folder, 'motion.webp')
    app.act('export-to', '(sss)', ('film', '', film))  # on a thread of its own: the window goes on meanwhile
    app.act('seek', 'd', 0.5)
    until(lambda: os.path.exists(film), 60, what='for the film')
    assert open(film, 'rb').read(16)[8:15] == b'WEBPVP8', film
    app.act('export', 's', os.path.join(folder, 'log.csv'))
    app.act('export-to', '(sss)', ('trajectory', '', os.path.join(folder, 'trajectory.csv')))
    for method in ('crisp', 'ipopt'):
        path = os.path.join(folder, 'log-%s.csv' % method)
        until(lambda: os.path.exists(path), what='for ' + path)
        rows = list(csv.DictReader(open(path)))
        assert len(rows) > 5 and float(rows[-1]['objective']) > 0, rows[-1]
        rows = list(csv.DictReader(until(lambda: open(os.path.join(folder, 'trajectory-%s.csv' % method)))))
        assert len(rows) == 100 and set(('t', 'px', 'py', 'th')) <= set(rows[0]), rows[0]
        # The answer ends at target 12: (3 cos 240 deg, 3 sin 240 deg), within the paper's 0.1 m.
        assert abs(float(rows[-1]['px']) + 1.5) < 0.1 and abs(float(rows[-1]['py']) + 2.598) < 0.1, rows[-1]
    # What cannot be written is said, and leaves nothing behind.
    app.act('export', 's', os.path.join(folder, 'no', 'where.pdf'))
    app.act('export', 's', os.path.join(folder, 'figure.xyz'))
    app.find('label', 'figure.xyz')
    app.key('Escape')
    app.alone()
    assert not os.path.exists(os.path.join(folder, 'figure.xyz'))
    if os.environ.get('SHOTS'):
        subprocess.run(['cp', os.path.join(folder, 'figure.png'), os.path.join(os.environ['SHOTS'], 'exported-figure.png')])
    # The sketch itself as a picture.
    app.act('page', 's', 'sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    path = os.path.join(folder, 'sketch.svg')
    app.act('export-to', '(sss)', ('picture', '', path))
    until(lambda: os.path.exists(path))
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
