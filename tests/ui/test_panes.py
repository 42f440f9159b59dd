#!/usr/bin/python3
"""tests/ui/test_panes.py: pages with eight runs hold in 1280 x 800 and 800 x 600, nothing is empty or there twice, and borders stay where they were put."""
import os

from gui import ROOT, run_tests, sh, start, until

EIGHT = 'moreau-jean,stewart-trinkle,anitescu-potra,convex-time-stepping,constraint-solver,semi-implicit-euler,implicit-euler,explicit-euler'


def extents(node):
    return node.extents()


def shown(app):
    """Widgets on show with their places; wide lists and what scrolls sideways by design (the chosen methods) are left out."""
    for node in app.nodes(False):
        if node.role in ('image', 'push button', 'label', 'table', 'combo box', 'check box', 'toggle button'):
            box = extents(node)
            if box.width > 0 and box.height > 0 and not (node.name or '').startswith('Remove '):
                yield node, box


def holds(app, width):
    """Asserts that no widget ends right of the window, whose shadow is part of the coordinates."""
    frame = extents(app.frame)
    wide = [(n.role, n.name, b.x, b.width) for n, b in shown(app) if b.x + b.width > frame.x + frame.width + 1]
    assert frame.width <= width + 60 and not wide, wide[:4]
    return True


def checked(app, width):
    """Waits for it; a look at the end tells what is too wide."""
    try:
        until(lambda: holds(app, width), 5)
    except AssertionError:
        holds(app, width)


def resize(app, width, height):
    sh('xdotool', 'windowsize', '--sync', app.window, str(width), str(height))


def test_eight_runs_hold():
    app = start(os.path.join(ROOT, 'examples', 'impacts', 'box-wall.stickslip.json'))
    app.act('methods', 's', EIGHT)
    app.act('page', 's', 'run')
    app.act('run')
    ids = [run['id'] for run in app.ended()['runs']]
    assert len(ids) == 8
    if app.status()['playing']:
        app.act('play')
    plots = app.find('image', 'Channel plots')
    until(lambda: plots.description.count('Explicit Euler') == 3, what='for a curve of each run')
    checked(app, 1280)
    app.shot('panes-8-wide')
    # nothing twice: the cards have no strips of what the plots show; nothing empty: events in the place of the log
    names = [node.name or '' for node, _ in shown(app)]
    assert not any(name.startswith('Strips of') for name in names)
    assert 'Live Log' not in names, names
    app.find('push button', 'Copy events')
    # events are beside the motions, over the plots; in a narrow window below the plots
    top = lambda name: next(extents(node).y for node in app.nodes(False) if node.name == name)
    assert top('Copy events') < top('Channel plots')
    resize(app, 800, 600)
    checked(app, 800)
    until(lambda: top('Copy events') > top('Channel plots'), 2, what='for the events below the plots')
    app.shot('panes-8-narrow')
    resize(app, 1280, 800)
    app.act('compare', 's', ','.join(ids))
    app.wait(lambda s: s['page'] == 'compare')
    checked(app, 1280)
    app.act('plot', 's', 'motion')
    # a border that was put somewhere stays there, also after another size of the window
    plot = app.find('image', 'Motion plot')
    app.settled(plot)
    before = extents(plot).width
    app.act('pane', '(sd)', ('compare', 0.42))
    until(lambda: extents(plot).width > before + 50, 3, what='for the border to move')
    app.settled(plot)
    moved = extents(plot).width
    resize(app, 800, 600)
    checked(app, 800)
    app.shot('panes-8-compare-narrow')
    resize(app, 1280, 800)
    until(lambda: abs(extents(plot).width - moved) < 3, 3, what='for the border to be back')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
