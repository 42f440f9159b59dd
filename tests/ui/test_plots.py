#!/usr/bin/python3
"""tests/ui/test_plots.py: plots of simulations on the Run and Compare pages: chosen alike, hovered, sought, exported."""
import csv
import os
import tempfile

from gui import ROOT, only_long, run_tests, sh, start, until, walk

PLOTS = (('motion', 'Motion plot', 'Height [m]'), ('steps', 'Step size plot', 'Step size [s]'),
         ('modes', 'Contact mode strips', 'slip + to 1.5 s'), ('phase', 'Phase plane', 'particle.vx [m/s]'))


def chosen(app, plot, name, label, text):
    """Chooses a plot and waits until the view `plot` says what it shows."""
    app.act('plot', 's', name)
    until(lambda: plot.name == label and text in plot.description, what='for ' + text)


def hovered(app, node, x, y):
    """Text of the tooltip at a place of the widget."""
    app.move(node, x - 8, y)
    app.move(node, x, y)
    return until(lambda: next((n.name for top in reversed(list(app.accessible)) for n in walk(top, False)
                               if ' s long' in (n.name or '')), None), 4, what='for a tooltip')  # it is the newest window


def test_plots_on_both_pages():
    app = start(os.path.join(ROOT, 'examples', 'fesd-j', 'particle-push.stickslip.json'))
    app.wait(lambda s: s['scenario'] == 'particle-push')
    app.act('methods', 's', 'fesd-j,stewart-trinkle')
    app.act('page', 's', 'run')
    app.act('run')
    ids = ','.join(run['id'] for run in app.ended()['runs'])
    app.act('plot', 's', 'motion')  # channels come first there
    plot = app.find('image', 'Motion plot')
    for name, label, text in PLOTS:
        chosen(app, plot, name, label, text)
    # other channels, and the time itself
    app.act('phase', '(ss)', ('t', 'particle.y'))
    until(lambda: 'particle.y [m]' in plot.description)
    # a press on the path seeks: near its left end lies the beginning; what plays would go on from there
    if app.status()['playing']:
        app.act('play')
    app.act('phase', '(ss)', ('particle.x', 'particle.vx'))
    app.settled(plot)
    width, height = app.size(plot)
    app.press(plot, width * 0.12, height * 0.3)
    app.wait(lambda s: s['time'] < 0.1)
    app.press(plot, width * 0.97, height * 0.8)
    app.wait(lambda s: s['time'] > 1.3)
    app.act('phase', '(ss)', ('particle.x', 'nothing'))  # leaves what is there
    assert 'particle.vx [m/s]' in plot.description
    # the same plots of the same runs beside each other
    app.act('compare', 's', ids)
    app.wait(lambda s: s['page'] == 'compare')
    app.act('plot', 's', 'motion')  # there too
    plot = app.find('image', 'Motion plot')
    for name, label, text in PLOTS:
        chosen(app, plot, name, label, text)
    app.shot('17-compare-phase')
    app.kill()


def test_hover_tells_steps_and_modes():
    app = start(os.path.join(ROOT, 'examples', 'fesd-j', 'particle-push.stickslip.json'))
    app.wait(lambda s: s['scenario'] == 'particle-push')
    app.act('methods', 's', 'fesd-j')
    app.act('page', 's', 'run')
    app.act('run')
    app.ended()
    if app.status()['playing']:
        app.act('play')
    app.act('plot', 's', 'modes')
    strips = app.find('image', 'Contact mode strips')
    app.settled(strips)
    width, height = app.size(strips)
    told = hovered(app, strips, width * 0.8, height * 0.3)
    assert told.startswith('ground: slip +, 0.4') and 'to 1.5 s' in told, told
    app.shot('17-hover-modes', leave=False)
    app.act('plot', 's', 'steps')
    plot = app.find('image', 'Step size plot')
    app.settled(plot)
    told = hovered(app, plot, width * 0.8, height * 0.5)
    assert told.startswith('FESD-J, step ') and 's long' in told, told
    steps_by_stages(app)
    app.kill()


def steps_by_stages(app):
    """Without rows of stages a run goes row by row and says why; with them stage by stage, and the player tells which."""
    app.act('seek', 'd', 0.2)
    app.act('step-stage', 'i', 1)
    app.wait(lambda s: s['time'] > 0.2)
    until(lambda: 'turn on stage-rows' in (app.status()['told'] or ''), what='for the reason')
    app.act('option', '(sss)', ('fesd-j', 'stage-rows', 'on'))
    app.act('run')
    app.ended()
    if app.status()['playing']:
        app.act('play')
    app.act('plot', 's', 'channels')
    app.act('seek', 'd', 0)
    app.find('label', 'step 0')
    seen = [0]
    for label in ('stage 1 of 3', 'stage 2 of 3', 'stage 3 of 3'):
        app.act('step-stage', 'i', 1)
        seen.append(app.wait(lambda s: s['time'] > seen[-1])['time'])
        app.find('label', 'step 1, element 1 of 2, ' + label)
    app.act('step-row', 'i', 1)  # over the stages of the next element
    app.wait(lambda s: abs(s['time'] - 2 * seen[-1]) < 1e-9)
    app.find('label', 'step 1, element 2 of 2, stage 3 of 3')
    view = app.find('image', 'Motion of FESD-J')
    width, height = app.size(view)
    app.press(view, width / 2, height / 2)
    app.key('ctrl+Left')
    app.find('label', 'step 1, element 2 of 2, stage 2 of 3')
    app.shot('17-stages')


@only_long
def test_plots_are_exported():
    app = start(os.path.join(ROOT, 'examples', 'fesd-j', 'two-balls.stickslip.json'))
    app.wait(lambda s: s['scenario'] == 'two-balls')
    app.act('methods', 's', 'fesd-j')
    app.act('page', 's', 'run')
    app.act('run')
    app.ended()
    app.act('phase', '(ss)', ('ball1.y', 'ball1.vy'))
    folder = tempfile.mkdtemp()
    for kind in ('channels', 'steps', 'modes', 'phase', 'states'):
        for suffix in ('pdf', 'svg', 'png', 'csv'):
            path = os.path.join(folder, '%s.%s' % (kind, suffix))
            app.act('export-to', '(sss)', (kind, '', path))
            until(lambda: os.path.exists(path) and os.path.getsize(path) > 60, what='for ' + path)
    quantities = {row['quantity'] for row in csv.DictReader(open(os.path.join(folder, 'phase.csv')))}
    assert quantities == {'ball1.y [m]', 'ball1.vy [m/s]'}, quantities
    states = {row['quantity'] for row in csv.DictReader(open(os.path.join(folder, 'states.csv')))}
    assert {'ball1.y', 'ball2.vy', 'impact.impulse_n'} <= states, states
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
