#!/usr/bin/python3
"""tests/ui/test_impact.py: the Impact page: a configuration opens, its set streams in, an outcome is chosen by pointer and by keyboard, a brush is the same in
all parts, parameters change the set, it is stored and exported, and a drawn scene is simulated from an outcome."""
import json
import os
import sqlite3
import tempfile

from gui import ROOT, only_long, run_tests, start, until

BLOCK = os.path.join(ROOT, 'tests', 'data', 'set-valued', 'rocking-block.json')
SCENE = {
    'format': 1, 'name': 'dropped-block', 'title': 'Dropped Block',
    'scene': {'friction': 0.2, 'bodies': [
        {'name': 'floor', 'fixed': True, 'shape': {'type': 'half-plane', 'normal': [0, 1]}},
        {'name': 'block', 'shape': {'type': 'box', 'width': 1, 'height': 2}, 'mass': 1, 'position': [0, 1],
         'velocity': [0.03, -0.44], 'color': 'blue'}]},
    'task': {'t_end': 0.2, 'dt': 0.005}}


def impact(app, test=lambda i: i['samples'] == i['wanted'] > 0, timeout=15):
    """The set's part of the status, once all samples are there."""
    return app.wait(lambda s: s['impact'] and test(s['impact']), timeout)['impact']


def open_block(app, path=BLOCK):
    app.act('page', 's', 'impact')
    app.act('impact-source', 's', path)
    return impact(app, lambda i: i['samples'] == i['wanted'] > 0 and i['modes'] > 0)


def words(node):
    return node.description or ''


def test_a_set_is_explored():
    app = start()
    seen = open_block(app)
    assert seen['name'] == 'rocking-block' and seen['samples'] == 8192 and seen['chosen'] == -1 and seen['unfinished'] == 0, seen
    assert seen['modes'] == 3, seen  # with friction 1: A lifts, B lifts, rest
    plane = app.find('image', 'Plane 1')
    until(lambda: '8192 samples' in words(plane))
    until(lambda: 'outer bound from 0 to 0, from 0 to 0.093' in words(plane))  # .0930: one corner after the other
    app.act('impact-layer', '(ib)', (512, False))
    until(lambda: 'outer bound' not in words(plane))
    app.act('impact-layer', '(ib)', (512, True))
    app.find_any('33.3 %', '33.2 %', '33.4 %', '33.5 %', '33.6 %', '33.7 %')
    # pointer: the middle of the plane is nearest to some outcome
    app.settled(plane)
    width, height = app.size(plane)
    app.press(plane, width * 0.6, height * 0.5)
    seen = impact(app, lambda i: i['chosen'] >= 0)
    assert seen['steps'] >= 1, seen
    until(lambda: 'step 1' in words(app.find('image', 'Impulse sequence')))
    app.act('impact-step', 'i', 1)
    impact(app, lambda i: i['step'] == 0)
    app.shot('page10-impact-light')
    # keyboard: rows of the table are modes, and each mode's samples follow each other
    app.act('impact-mode', 'i', 1)
    first = impact(app, lambda i: i['step'] == -1)['chosen']
    app.act('impact-next', 'i', 1)
    assert impact(app, lambda i: i['chosen'] != first)['chosen'] > first
    # a brush by dragging in a plane reaches table and histogram
    app.drag(plane, width * 0.3, height * 0.2, width * 0.95, height * 0.55)
    seen = impact(app, lambda i: 0 < i['brushed'] < 8192)
    app.find('label', 'brushed')
    app.shot('page10-impact-brush')
    app.act('impact-clear-brush')
    impact(app, lambda i: i['brushed'] == -1)
    # a slider: fewer samples at once, all again when it rests
    app.act('impact-parameter', '(ss)', ('mu', '0.2'))
    seen = impact(app, lambda i: i['mu'] == 0.2 and i['samples'] == 8192 and i['modes'] > 3)
    app.act('impact-layer', '(ib)', (16, True))
    app.act('impact-layer', '(ib)', (32, True))
    app.act('impact-parameter', '(ss)', ('samples', '65536'))
    impact(app, lambda i: i['samples'] == 65536)
    app.act('impact-mode', 'i', 2)
    impact(app, lambda i: i['chosen'] >= 0)
    app.shot('page10-impact-many')
    app.quit()


def test_a_set_is_kept_and_exported():
    folder = tempfile.mkdtemp()
    app = start()
    open_block(app)
    app.act('impact-mode', 'i', 0)
    app.act('impact-parameter', '(ss)', ('seed', '7'))
    # at once, while samples are still coming: what is kept are all of them
    for kind, name in (('figure', 'a.pdf'), ('figure', 'a.png'), ('csv', 'a.csv'), ('table', 'a.tex'), ('configuration', 'a.json')):
        app.act('impact-export', '(ss)', (kind, os.path.join(folder, name)))
        until(lambda: os.path.exists(os.path.join(folder, name)))
    lines = open(os.path.join(folder, 'a.csv')).read().splitlines()
    assert lines[0] == 'sample,vn_A,vn_B,vt_A,vt_B,energy_kept,mode' and len(lines) == 8193, (lines[0], len(lines))
    assert '\\begin{tabular}' in open(os.path.join(folder, 'a.tex')).read()
    assert json.load(open(os.path.join(folder, 'a.json')))['mu'] == [1, 1]
    app.act('impact-store')
    project = app.wait(lambda s: s['project'])['project']
    app.quit()
    with sqlite3.connect(project) as db:
        rows = db.execute('SELECT run_id, n, type FROM sample').fetchall()
        assert len(rows) == 1 and rows[0][1] == 8192, rows
        method, seed = db.execute('SELECT method, seed FROM run').fetchone()
        assert (method, seed) == ('set-valued', 7), (method, seed)


def test_a_drawn_scene_is_simulated_from_an_outcome():
    path = os.path.join(tempfile.mkdtemp(), 'dropped.stickslip.json')
    with open(path, 'w') as file:
        json.dump(SCENE, file)
    app = start(path, env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    app.wait(lambda s: s['bodies'] == 2)
    app.act('page', 's', 'impact')
    seen = impact(app)
    assert seen['name'] == 'Dropped Block', seen
    app.act('impact-nearest', '(idd)', (0, 0.02, 0.03))
    impact(app, lambda i: i['chosen'] >= 0)
    until(lambda: 'rad/s' in words(app.find('image', 'Chosen outcome')))
    app.shot('page10-impact-dark')
    app.act('impact-simulate')
    status = app.wait(lambda s: s['page'] == 'run' and s['runs'] and not s['runs'][0]['running'], 20)
    assert status['runs'][0]['outcome'] == 'completed', status['runs']
    # a configuration from a file has no bodies
    app.act('page', 's', 'impact')
    app.act('impact-source', 's', BLOCK)
    impact(app, lambda i: i['name'] == 'rocking-block' and i['samples'] == i['wanted'])
    app.act('impact-mode', 'i', 0)
    until(lambda: app.act('impact-simulate') or app.has('label', 'no bodies'))  # a toast goes again while a slow machine looks for it
    # all that differ, as one comparison, which the Compare page opens by its name
    app.act('impact-source', 's', 'sketch')
    impact(app, lambda i: i['name'] == 'Dropped Block' and i['samples'] == i['wanted'] > 0)
    app.act('impact-simulate-all')
    status = app.wait(lambda s: s['page'] == 'run' and len(s['runs']) == 32 and not any(r['running'] for r in s['runs']), 60)
    assert all(r['outcome'] == 'completed' for r in status['runs']), status['runs']
    with sqlite3.connect(status['project']) as db:
        rows = db.execute('SELECT id, title, count(*) FROM comparison JOIN comparison_run ON comparison = number GROUP BY number').fetchall()
    assert len(rows) == 1 and rows[0][2] == 32 and 'Dropped Block' in rows[0][1], rows
    app.act('open-comparison', 's', rows[0][0])

    def shown():  # in one walk: the tree is large
        names = [n.name or '' for n in app.nodes(False)]
        return 'Stored comparisons' in names and '32 runs' in names and any(n.startswith('Outcome 1, ') for n in names)
    until(shown, what='for the comparison')
    app.quit()


ROCKING = os.path.join(ROOT, 'examples', 'impacts', 'rocking-block.stickslip.json')


@only_long
def test_a_scene_is_varied_and_compared():
    """Parameters of the scene, contacts that give way, other steps, and the kept set of another configuration."""
    app = start(ROCKING)
    app.wait(lambda s: s['bodies'] == 2)
    app.act('page', 's', 'impact')
    seen = impact(app)
    assert seen['parameters']['width'] == 1 and 'inertia' in seen['parameters'], seen
    # the slider of a parameter: what depends on it follows
    app.act('impact-keep')
    impact(app, lambda i: i['kept'] and 'Rocking Block' in i['kept'])
    slider = app.find('slider', 'Parameter width, slider')
    slider.value = 1.5
    seen = impact(app, lambda i: abs(i['parameters']['width'] - 1.5) < 1e-9 and i['samples'] == i['wanted'])
    assert abs(seen['parameters']['inertia'] - (1.5 ** 2 + 4) / 12) < 1e-9, seen
    app.act('impact-parameter', '(ss)', ('scene.mu', '0.3'))
    impact(app, lambda i: i['parameters']['mu'] == 0.3 and i['mu'] is None and i['samples'] == i['wanted'] > 0 and i['modes'] > 3)
    until(lambda: app.find('spin button', 'Friction').value == 0.3)
    # contacts that give way
    app.act('impact-layer', '(ib)', (64, True))
    impact(app, lambda i: i['compliant'] == {'done': 51, 'cases': 51, 'running': False})
    app.find('label', '51 cases')
    app.act('impact-sweep', 's', 'angle')
    impact(app, lambda i: i['compliant']['running'] or i['compliant']['done'] == 51)
    impact(app, lambda i: i['compliant'] == {'done': 51, 'cases': 51, 'running': False})
    app.shot('page10-impact-kept')
    # other steps
    app.act('impact-lower', 's', 'growth')
    impact(app, lambda i: i['convergence'] == 6)
    until(lambda: 'not finished' in words(app.find('image', 'Convergence plot')))
    app.shot('page10-impact-convergence')
    # a kept set stays with another configuration
    app.act('impact-source', 's', BLOCK)
    seen = impact(app, lambda i: i['name'] == 'rocking-block' and i['samples'] == i['wanted'] > 0)
    assert seen['kept'] and seen['parameters'] == {}, seen
    until(lambda: 'drawn scene' in app.find('label', 'drawn scene').name)
    app.quit()


@only_long
def test_energy_is_brushed():
    """A range of the histogram selects in planes and table, by pointer and by keys."""
    app = start()
    open_block(app)
    app.act('impact-parameter', '(ss)', ('mu', '0.2'))
    impact(app, lambda i: i['mu'] == 0.2 and i['samples'] == 8192 and i['modes'] > 3)
    app.act('impact-lower', 's', 'energy')
    plot = app.find('image', 'Energy histogram')
    app.settled(plot)
    width, height = app.size(plot)
    app.drag(plot, width * 0.5, height * 0.3, width * 0.8, height * 0.5)
    seen = impact(app, lambda i: i['brushed_energy'] and 0 < i['brushed'] < 8192)
    low, high = seen['brushed_energy']
    assert 0 < low < high, seen
    app.find('label', 'brushed')
    until(lambda: 'brushed from' in words(app.find('image', 'Energy histogram')))
    app.shot('page10-impact-energy')
    # a click takes it away and gives the plot the keys
    app.press(plot, width * 0.5, height * 0.5)
    impact(app, lambda i: i['brushed'] == -1)
    app.key('Right')
    impact(app, lambda i: i['brushed_energy'] and i['brushed_energy'][0] == 0)
    app.key('shift+Right', 'shift+Right', 'Right')
    seen = impact(app, lambda i: i['brushed_energy'] and i['brushed_energy'][0] > 0)
    low, high = seen['brushed_energy']
    assert abs((high - low) / low - 3) < 1e-6, seen  # three bins wide, one bin from the left
    app.key('Escape')
    impact(app, lambda i: i['brushed'] == -1)
    app.quit()


if __name__ == '__main__':
    run_tests(dict(globals()))
