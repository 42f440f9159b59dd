#!/usr/bin/python3
"""tests/ui/test_motion.py: the motion view of the Run page zooms, pans, follows and fits; layers; events as marks and as a table; the player's typed time,
speeds and range."""
import json
import os
import re
import tempfile

from gui import run_tests, sh, start, until, walk

SCENE = {
    'format': 1, 'name': 'thrown-box', 'title': 'Thrown Box',
    'scene': {'gravity': [0, -9.81], 'friction': 0.2, 'restitution': 0.1, 'bodies': [
        {'name': 'floor', 'fixed': True, 'shape': {'type': 'half-plane', 'normal': [0, 1]}},
        {'name': 'wall', 'fixed': True, 'shape': {'type': 'box', 'width': 0.2, 'height': 0.5}, 'position': [1.3, 0.25]},
        {'name': 'box', 'shape': {'type': 'box', 'width': 0.5, 'height': 0.3}, 'mass': 1.5, 'position': [0, 0.6], 'angle': 0.4,
         'velocity': [2, 1], 'angular_velocity': -3},
        {'name': 'ball', 'shape': {'type': 'circle', 'radius': 0.05}, 'mass': 0.1, 'position': [-0.5, 0.3], 'velocity': [-900, 900]}]},
    'task': {'t_end': 1, 'dt': 0.001}}


def opened(scene, methods, **env):
    path = os.path.join(tempfile.mkdtemp(), scene['name'] + '.stickslip.json')
    json.dump(scene, open(path, 'w'))
    app = start(path, env=env or None)
    app.wait(lambda s: s['scenario'] == scene['name'])
    app.act('methods', 's', methods)
    app.act('page', 's', 'run')
    app.act('run')
    app.ended()
    if app.status()['playing']:
        app.act('play')
    return app


def exported(app, name):
    """A picture of the motion as the page shows it, as text."""
    path = os.path.join(tempfile.mkdtemp(), name + '.svg')
    app.act('export-to', '(sss)', ('picture', '', path))
    until(lambda: os.path.exists(path), what='for ' + path)
    return re.sub(r'(id="|#)[\w-]+', '', open(path).read())  # Cairo numbers them through


def test_motion_and_events():
    app = opened(SCENE, 'moreau-jean,stewart-trinkle')
    app.act('seek', 'd', 0)
    # events: a table of both methods, filtered by kind, whose rows go there; keys from event to event
    table = until(lambda: next((n for n in app.nodes() if n.name == 'Event table'), None), what='for the table')
    until(lambda: {'Impact', '0.3780'} <= {n.name for n in walk(table)}, what='for the events')
    app.act('step-event', 'i', 1)
    first = app.wait(lambda s: s['time'] > 0)['time']
    app.act('step-event', 'i', 1)
    app.wait(lambda s: s['time'] > first)
    app.act('step-event', 'i', -1)
    app.wait(lambda s: s['time'] == first)
    # a typed time, with its unit
    app.type_into('Go to time', '542 ms')
    app.key('Return')
    app.wait(lambda s: abs(s['time'] - 0.542) < 1e-9)
    app.shot('20-motion-fit')
    # every layer, in the window and in what is exported
    plain = exported(app, 'plain')
    app.act('layers', 's', 'onion,traces,contacts,normals,forces,impulses,cones,velocities,centres,energies')
    drawn = exported(app, 'layers')
    assert 'Kinetic' in drawn and 'm/s' in drawn and 'Kinetic' not in plain, len(drawn)
    app.shot('20-motion-layers', leave=False)
    # the wheel zooms at the pointer, dragging pans, 0 shows all again; the export shows the same region
    view = app.find('image', 'Motion of Moreau–Jean')
    app.settled(view)
    width, height = app.size(view)
    app.move(view, width / 2, height / 2)
    for _ in range(4):
        sh('xdotool', 'click', '4')
    zoomed = until(lambda: (lambda t: t if t != drawn else None)(exported(app, 'zoomed')), what='for the zoom')
    app.drag(view, width / 2, height / 2, width / 3, height / 2)
    until(lambda: exported(app, 'panned') not in (zoomed, drawn), what='for the pan')
    app.act('follow-body', 's', 'box')
    app.act('seek', 'd', 0.5)
    app.shot('20-motion-follow', leave=False)
    app.press(view, width / 2, height / 2)
    app.key('0')
    until(lambda: exported(app, 'fit') == drawn, what='for everything again')
    # a range is played over and over, slowly
    app.act('play-range', '(dd)', (0.3, 0.4))
    app.act('speed', 'd', 0.25)
    app.act('play')
    app.wait(lambda s: 0.3 <= s['time'] <= 0.4)
    seen = []

    def begins_anew():
        seen.append(app.status())
        return len(seen) > 1 and seen[-1]['time'] < seen[-2]['time']
    until(begins_anew)
    assert all(0.3 <= s['time'] <= 0.4 and s['playing'] for s in seen), seen
    app.act('play')
    app.shot('20-motion-range', leave=False)
    # layers of the sheet
    app.act('page', 's', 'sketch')
    app.act('seek', 'd', 0.5)
    app.act('layers', 's', 'onion,traces,forces,velocities,energies')
    app.shot('20-motion-sketch')
    app.kill()


def test_iterates():
    """An optimiser's kept iterates on a slider; solving again from one of them."""
    app = start()
    app.act('open-example', 's', 'push-box')
    app.wait(lambda s: s['scenario'] == 'push-box')
    app.act('methods', 's', 'crisp')
    app.act('page', 's', 'run')
    app.act('run')
    run = app.ended()['runs'][0]
    app.find('slider', 'Iteration')
    answer = exported(app, 'answer')
    app.act('iterate', 'i', 10)
    until(lambda: exported(app, 'tenth') != answer, what='for the iterate')
    app.shot('20-motion-iterate')
    app.act('start-from-iterate', '(si)', (run['id'], 10))
    app.wait(lambda s: s['runs'] and s['runs'][0]['id'] != run['id'], 20)
    app.ended()
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
