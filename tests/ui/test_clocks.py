#!/usr/bin/python3
"""tests/ui/test_clocks.py: the guiding particle with friction (paper 001, Example 4) played by both clocks: what stands and what turns while time is
frozen, the regions of the phase plane, Fig. 5 as a file, a pull at the time of a reading."""
import csv
import os
import shutil
import tempfile

from test_sketch import place_of

from gui import ROOT, SHOTS, only_long, run_tests, sh, start, until

SCENE = os.path.join(ROOT, 'examples', 'time-freezing', 'guiding-particle.stickslip.json')
IMPACT, JUMP_END = 0.451523640985728, 0.903047281971456  # by the numerical clock: a_n = g
X = 0.8  # at t = 0.6 s: the fall ends with 7 IMPACT m/s, of which friction leaves 0.5 m/s


def seek(app, t):
    if app.status()['playing']:
        app.act('play')
    app.act('seek', 'd', t)
    app.wait(lambda s: abs(s['time'] - t) < 1e-9 and not s['playing'])


def simulated(env=None):
    app = start(SCENE, env=env)
    app.wait(lambda s: s['scenario'] == 'guiding-particle')
    app.act('methods', 's', 'time-freezing')
    app.act('page', 's', 'run')
    app.act('run')
    return app, app.ended()['runs'][0]


def look_around(app, shot):
    """By the numerical clock, within the jump."""
    app.click('push button', 'Clock: Numerical Time')
    app.wait(lambda s: abs(s['duration'] - 3.5) < 1e-9)
    app.act('plot', 's', 'phase')
    plot = app.find('image', 'Phase plane')
    until(lambda: 'ground.gap_rate [m/s]' in plot.description, what='for the first plane')
    seek(app, 0.7)
    app.shot(shot)
    return plot


def test_both_clocks():
    app, run = simulated()
    seek(app, 1)
    app.find('label', 'τ 2.0000 s')
    look_around(app, 'clocks1-jump')
    app.find('label', 't 0.4515 s, stands')
    # the picture stands, the velocity turns: it is drawn by this clock alone
    app.act('plot', 's', 'modes')
    seek(app, 1.5)
    app.find('label', 't 0.7500 s')
    app.shot('clocks2-contact')
    # Fig. 5, as a picture to look at and as numbers
    for suffix in '.png', '.csv':
        path = os.path.join(os.environ['HOME'], 'fig5' + suffix)
        app.act('export-to', '(sss)', ('clocks:180' if suffix == '.png' else 'clocks', run['id'], path))
        until(lambda path=path: os.path.exists(path), what='for ' + path)
    if SHOTS:
        shutil.copy(os.path.join(os.environ['HOME'], 'fig5.png'), os.path.join(SHOTS, 'clocks3-fig5.png'))
    with open(path) as file:
        rows = [r for r in csv.DictReader(file) if r['quantity'] == 'speed']
    assert all(float(r['y']) == 0 for r in rows if IMPACT + 1e-6 < float(r['x']) < JUMP_END - 1e-6)
    assert abs(float(next(r['y'] for r in rows if float(r['x']) > JUMP_END + 1e-6)) - 0.5) < 1e-9
    app.kill()


def test_pulled_by_the_second_clock():
    """Where the sketch's motion is told by the numerical clock, a body and an event are pulled at the time of its reading."""
    app = start(shutil.copy(SCENE, tempfile.mkdtemp()))
    app.wait(lambda s: s['scenario'] == 'guiding-particle')
    app.act('methods', 's', 'time-freezing')
    app.act('page', 's', 'sketch')
    app.wait(lambda s: s['page'] == 'sketch' and s['live']['whole'])
    app.click('push button', 'Clock: Numerical Time')
    app.wait(lambda s: abs(s['duration'] - 3.5) < 1e-9)
    plots = app.find('image', 'Live plots')
    seek(app, 1.2)
    until(lambda: plots.description.startswith('1.2000 s') and 'energy (J): now 0.2234' in plots.description, what='for curves by that clock')
    app.act('select', 's', 'particle')  # its forces, at the state and by the clock that are shown
    app.find('label', 'τ = 1.200 s')
    app.act('zoom-fit')
    sheet = app.find('image', 'Canvas')
    app.settled(sheet)
    at = place_of(app)
    (x, y), (x1, _) = at(X, 0.05), at(1.3, 0.05)
    app.act('pull')
    app.drag(sheet, x, y, x1, y, release=False)
    until(lambda: any('particle at 0.600 s pulled' in (n.name or '') for n in app.nodes()), what='for the pull')
    app.shot('clocks5-pulled', leave=False)
    sh('xdotool', 'mouseup', '1')
    app.wait(lambda s: s['undo'] == 'Pull particle at 0.600 s' and s['live']['whole'])
    app.find('label', 't 0.6000 s')  # the clock stays there
    app.kill()


@only_long
def test_in_the_dark():
    if not SHOTS:
        return  # to be looked at
    app, _ = simulated({'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    look_around(app, 'clocks4-dark')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
