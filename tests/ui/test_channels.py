#!/usr/bin/python3
"""tests/ui/test_channels.py: channels of runs: chosen by search, plotted under the timeline, zoomed, hovered, moved, subtracted, exported."""
import csv
import math
import os
import tempfile

from gui import ROOT, run_tests, sh, start, until


def shown(app, plots, *texts):
    until(lambda: all(text in plots.description for text in texts), what='for %s, not %s' % (texts, plots.description))


def every(node):
    yield node
    for child in node:
        if child:
            yield from every(child)


def below(button, role, name):
    """In what the button has opened."""
    return until(lambda: next((n for n in every(button) if n.role == role and n.name == name), None), what='for ' + name)


def test_channels_are_plotted():
    app = start(os.path.join(ROOT, 'examples', 'impacts', 'box-wall.stickslip.json'))
    app.act('methods', 's', 'moreau-jean,stewart-trinkle')
    app.act('page', 's', 'run')
    app.act('run')
    app.ended()
    if app.status()['playing']:
        app.act('play')
    plots = app.find('image', 'Channel plots')
    app.act('seek', 'd', 0.5)
    # the usual ones: the body that moves, a gap, the energy; values at the cursor for each method
    shown(app, plots, '0.5000 s: Position y (box, m): Moreau–Jean 0.5', 'Stewart–Trinkle 0.5', 'Total energy (J)')
    # the chooser by keyboard: search, check, and the plot is there
    app.act('channels')
    chooser = app.find('push button', 'Channels')
    search = below(chooser, 'entry', 'Search channels')
    until(lambda: any(n.has_state('focused') for n in every(search)), what='for the focus')
    sh('xdotool', 'type', 'box rad/s')
    until(lambda: not any(n.name == 'Body box, Angle, rad' for n in every(chooser)), what='for the search')
    check = below(chooser, 'check box', 'Body box, Angular velocity, rad/s')
    for words, choice in ('Into', 'Into which plot'), ('Band of 1 % of', 'Band of 1 % of'):
        text, box = (below(chooser, role, name).extents() for role, name in (('label', words), ('combo box', choice)))
        assert box.x >= text.x + text.width and box.y <= text.y and text.y + text.height <= box.y + box.height, (words, 'is beside its choice')
    app.key('Tab', 'space')
    until(lambda: check.has_state('checked'), what='for the check')
    shown(app, plots, 'Angular velocity (box, rad/s)')
    app.key('Escape')
    # commands: another order, a logarithmic axis, one plot less
    app.act('show-channels', 's', 'box.vy,box.omega;A.lambda_n')
    shown(app, plots, ': Velocity y, Angular velocity (several units): box Velocity y, Moreau–Jean', '; Normal force (A, N)')
    app.act('move-plot', '(ii)', (0, 1))
    shown(app, plots, ' s: Normal force (A, N)', '; Velocity y')
    app.act('remove-plot', 'i', 1)
    until(lambda: 'Velocity' not in plots.description)
    app.act('plot-log', '(ib)', (0, True))
    app.act('add-channel', '(si)', ('box.nothing', -1))  # told, and nothing is lost
    until(lambda: any('box.nothing' in (n.name or '') for n in app.nodes()), what='for the message')
    shown(app, plots, 'Normal force (A, N)')
    path = os.path.join(tempfile.mkdtemp(), 'plots.csv')
    app.act('export-to', '(sss)', ('plots', '', path))
    until(lambda: os.path.exists(path) and os.path.getsize(path) > 60, what='for the exported plots')
    assert {row['quantity'] for row in csv.DictReader(open(path))} == {'A.lambda_n'}
    # the second minus the first
    app.act('show-channels', 's', 'energy.total;box.y')
    app.act('difference', 'b', True)
    shown(app, plots, 'Difference of Total energy (J): Stewart–Trinkle − Moreau–Jean')
    app.act('difference', 'b', False)
    # a click puts the cursor; nearer by the wheel, so that the same place is another time
    app.settled(plots)
    width, height = app.size(plots)
    app.press(plots, width * 0.75, height * 0.3)
    later = app.wait(lambda s: s['time'] > 0.55)['time']
    app.move(plots, width * 0.3, height * 0.3)
    for _ in range(6):
        sh('xdotool', 'click', '4')
    app.press(plots, width * 0.75, height * 0.3)
    app.wait(lambda s: s['time'] < later - 0.1)
    app.key('0')
    app.press(plots, width * 0.75, height * 0.3)
    app.wait(lambda s: abs(s['time'] - later) < 0.01)
    # what lies between two cursors
    app.act('cursors', '(dd)', (0.1, 0.4))
    until(lambda: any(n.name == 'Between both cursors' for n in app.nodes()), what='for the popover')
    until(lambda: any((n.name or '').startswith('A 0.1 s, B 0.4 s: Δt 0.3 s') for n in app.nodes()), what='for both times')
    until(lambda: any((n.name or '').startswith('energy.total\nMoreau') for n in app.nodes()), what='for the sum of two channels')
    app.shot('channels-cursors')
    app.key('Escape')
    app.act('cursors', '(dd)', (math.nan, math.nan))
    until(lambda: not any(n.name == 'Between both cursors' for n in app.nodes()), what='for the popover to go')
    # plots by keys: chosen, moved, removed
    shown(app, plots, ' s: Total energy')
    app.key('Down')
    app.key('Up')
    app.key('alt+Down')
    shown(app, plots, ' s: Position y (box, m)', '; Total energy')
    app.key('Delete')
    until(lambda: 'Total energy' not in plots.description, what='for the plot to go')
    app.shot('channels')
    # the cone of a contact
    app.act('cone', 's', 'A')
    until(lambda: 'Tangential force of A [N]' in app.find('image', 'Friction cone').description)
    app.shot('channels-cone')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
