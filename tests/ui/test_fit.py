#!/usr/bin/python3
"""tests/ui/test_fit.py: the window Fit to Measured Motions: files, columns that are called otherwise, unknowns, the fit in the background, what is found
beside the truth of a closed form, what becomes of it; by actions, by the pointer and by keys."""
import json
import math
import os
import random
import sqlite3
import subprocess
import tempfile

from gui import only_long, run_tests, start, until, walk

G, RADIUS, MU, E = 9.81, 0.05, 0.04, 0.72
SKETCH = {
    'format': 1, 'name': 'bouncing-disc', 'title': 'What Friction Was It?',
    'parameters': {'mu': {'value': 0.4, 'minimum': 0, 'maximum': 1}, 'e': {'value': 0.5, 'minimum': 0, 'maximum': 1}},
    'scene': {'gravity': [0, -G], 'friction': 'mu', 'restitution': 'e', 'contacts': 'all', 'bodies': [
        {'name': 'floor', 'fixed': True, 'shape': {'type': 'half-plane', 'normal': [0, 1]}},
        {'name': 'disc', 'mass': 0.5, 'position': [0, 1], 'velocity': [1, 0], 'shape': {'type': 'circle', 'radius': RADIUS}}]},
    'task': {'t_end': 1.8, 'dt': 0.05}}


def film(path, seed, height, vx, vy, until_time, header='time [s],disc_x [mm],disc_y [mm],frame'):
    """60 Hz, 3 mm of noise, in millimetres: flights between impacts of Newton's restitution and Coulomb's friction, in closed form."""
    noise = random.Random(seed)
    flights = [(0.0, 0.0, height, vx, vy, 0.0)]
    while flights[-1][0] < until_time:
        t, x, y, vx, vy, omega = flights[-1]
        last = (vy + math.sqrt(vy * vy + 2 * G * (y - RADIUS))) / G
        x, vy = x + vx * last, vy - G * last
        normal = -(1 + E) * vy
        tangent = max(-MU * normal, min(MU * normal, -(vx + omega * RADIUS) / 3))
        flights.append((t + last, x, RADIUS, vx + tangent, -E * vy, omega + 2 * tangent / RADIUS))
    with open(path, 'w') as out:
        print(header, file=out)
        for k in range(int(until_time * 60) + 1):
            t = k / 60
            begin, x, y, vx, vy, _ = [f for f in flights if f[0] <= t][-1]
            s = t - begin
            print('%.6f,%.5g,%.5g,%d' % (t, 1e3 * (x + vx * s) + noise.gauss(0, 3), 1e3 * (y + vy * s - G * s * s / 2) + noise.gauss(0, 3), k), file=out)


def made():
    folder = tempfile.mkdtemp()
    sketch = os.path.join(folder, 'disc.stickslip.json')
    with open(sketch, 'w') as out:
        json.dump(SKETCH, out)
    films = [os.path.join(folder, name) for name in ('one.csv', 'two.csv', 'three.csv')]
    for i, path in enumerate(films):
        film(path, i, 1 - 0.1 * (i == 1), 1.4 - 0.3 * i, 0.2 * i, 1.8 - 0.2 * i)
    return folder, sketch, films


def opened(env=None):
    folder, sketch, films = made()
    app = start(sketch, env=env)
    app.wait(lambda s: s['scenario'] == 'bouncing-disc')
    return app, folder, films


def window(app):
    return until(lambda: next((n for n in app.frames() if n.name == 'Fit to Measured Motions'), None), what='for the window')


def texts(app):
    return [n.name for n in walk(window(app)) if n.name]


def said(app, part, timeout=20):
    return until(lambda: next((t for t in texts(app) if part in t), None), timeout, what=lambda: 'for "%s" among %s' % (part, texts(app)[:60]))


def ended(app):
    until(lambda: any(t.startswith(('Good fit', 'Doubtful fit', 'Poor fit', 'Ended early')) for t in texts(app)), 60, what='for the end of the fit')


def estimate(app, name):
    """Value and half of the interval of a row "mu: 0.0401 ± 0.0008"."""
    row = next(t for t in texts(app) if t.startswith(name + ': ') and ' ± ' in t)
    numbers = row.split(': ')[1].replace('−', '-').split(' ± ')
    return float(numbers[0]), float(numbers[1].split(' ')[0])


def test_a_bouncing_disc():
    app, folder, films = opened()
    app.act('fit')
    window(app)
    app.screen('80-fit-empty')
    for path in films:
        app.act('fit-add', 's', path)
    # columns by their names, in millimetres; one is none
    said(app, 'guessed from its name')
    app.act('fit-free', 's', 'mu,e,start,disc.mass')
    app.screen('81-fit-asked')
    app.act('fit-run')
    ended(app)
    app.screen('82-fit-good')
    assert any(t.startswith('Good fit') for t in texts(app)), texts(app)
    # the truth lies within three times half the interval, which is 6 standard errors: once in 1e8
    for name, truth in (('mu', MU), ('e', E)):
        value, half = estimate(app, name)
        assert 0 < half < 0.1 * truth and abs(value - truth) < 3 * half, (name, value, half)
    assert any(t.startswith('disc.mass: these data do not depend on it') for t in texts(app)), texts(app)
    said(app, 'correlation')
    app.act('fit-trial', 'i', 1)
    app.screen('83-fit-trial')
    next(n for n in walk(window(app)) if n.role == 'push button' and n.name == 'Channels').do()
    app.screen('87-fit-channels')
    # every plot of the table is a file, as the command line writes it
    for plot in ('fitted', 'paths', 'residuals', 'estimates', 'ellipse', 'descent'):
        app.act('fit-save', '(ss)', (plot, os.path.join(folder, plot + '.svg')))
    app.act('fit-save', '(ss)', ('residuals', os.path.join(folder, 'residuals.csv')))
    app.wait(lambda s: s['exports'] == 7)
    rows = open(os.path.join(folder, 'residuals.csv')).read().split('\n')
    assert len([r for r in rows if r.startswith('trial 1,')]) == 2 * 109, len(rows)
    # into the sketch: one step, which is undone by one
    app.act('fit-use')
    app.wait(lambda s: s['undo'] == 'Use fitted values')
    app.act('save-scenario', 's', os.path.join(folder, 'fitted.stickslip.json'))
    until(lambda: os.path.exists(os.path.join(folder, 'fitted.stickslip.json')))
    used = json.load(open(os.path.join(folder, 'fitted.stickslip.json')))
    assert abs(used['parameters']['mu']['value'] - MU) < 0.1 * MU, used['parameters']
    assert used['scene']['bodies'][1]['mass'] == 0.5
    app.act('undo')
    app.wait(lambda s: s['undo'] is None)
    # into the project: measured and fitted, a pair a trial
    app.act('fit-keep')
    app.wait(lambda s: sorted(r['method'] for r in s['runs']) == 3 * ['event-driven'] + 3 * ['imported'])
    app.kill()  # the sketch was saved elsewhere, and would be asked for


@only_long
def test_by_pointer_and_keys():
    app, folder, films = opened()
    app.act('import', 's', films[0])  # no whole motion: the angle was not measured, and columns are called otherwise
    frame = window(app)
    said(app, 'disc_x [mm]')
    app.focused_elsewhere()
    for name in ('mu', 'e', 'Start of each trial'):
        check = until(lambda: next((n for n in walk(frame) if n.role == 'check box' and n.name == name), None), what='for ' + name)
        app.into_view(check)
        width, height = app.size(check)
        app.press(check, width / 2, height / 2)
        until(lambda: check.has_state('checked'), what='for the tick of ' + name)
    app.key('ctrl+Return')
    ended(app)
    said(app, 'Good fit')
    # another column is what disc.x is read from: two are one channel, which is said with both names
    app.act('fit-map', 's', 'frame=disc.x')
    app.key('ctrl+Return')
    said(app, 'is measured by two columns')
    app.act('fit-map', 's', 'frame=')
    app.act('fit-map', 's', 'nothing=disc.x')
    said(app, 'no table has a column “nothing”')
    # bad files: told with file and line, and what there was stays
    bad = os.path.join(folder, 'bad.csv')
    open(bad, 'w').write('t,disc.x\n0,1\n0.1,2\n0.2,three\n')
    app.act('fit-add', 's', bad)
    said(app, 'bad.csv:4: column 2 (disc.x)')
    app.act('fit-add', 's', os.path.join(folder, 'nowhere.csv'))
    said(app, 'nowhere.csv')
    assert any(t.startswith('mu: ') for t in texts(app)) and 'one.csv' in texts(app), texts(app)
    app.key('F9')
    until(lambda: next(n for n in walk(frame) if n.name == 'What is asked for').has_state('checked') is False, what='for the side to go')
    app.key('Escape')
    until(app.is_alone, what='for the window to close')
    app.quit()


def test_stopped_and_edited():
    app, folder, films = opened()
    for path in films:
        app.act('fit-add', 's', path)
    app.act('fit-free', 's', 'mu,e,start,time_offset,scale')
    app.act('fit-run')
    said(app, 'CPU time')  # it goes on, or has ended on a fast machine
    app.screen('84-fit-goes-on')
    # an edit while it goes on changes neither the fit nor what is found; the values go into the sketch as it is then
    app.act('set-field', '(ss)', ('parameters.e.value', '0.6'))
    app.act('fit-stop')
    ended(app)
    if any(t.startswith('Ended early') for t in texts(app)):  # on a fast machine it has ended
        assert not any(' ± ' in t for t in texts(app) if t.startswith('mu: ')), texts(app)
    app.act('fit-use')
    app.wait(lambda s: s['undo'] == 'Use fitted values')
    # closing it in the middle of a fit ends that
    app.act('fit-run')
    app.focused_elsewhere()
    app.key('Escape')
    until(app.is_alone, what='for the window to close')
    # a second window has a fit of its own
    app.act('fit')
    assert 'one.csv' not in texts(app)
    app.kill()


@only_long
def test_in_the_dark_and_narrow():
    app, folder, films = opened({'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    for path in films:
        app.act('fit-add', 's', path)
    app.act('fit-free', 's', 'mu,e,start,disc.mass')
    app.act('fit-run')
    ended(app)
    app.screen('85-fit-dark')
    app.focused_elsewhere()
    number = subprocess.run(['xdotool', 'getactivewindow'], text=True, capture_output=True, check=True).stdout.strip()
    subprocess.run(['xdotool', 'windowsize', number, '620', '760'], check=True)
    until(lambda: window(app).extents().width < 760, what='for the narrow window')
    app.screen('86-fit-narrow')
    app.quit()


if __name__ == '__main__':
    run_tests(globals())
