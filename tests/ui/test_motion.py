#!/usr/bin/python3
"""tests/ui/test_motion.py: the motion view of the Run page zooms, pans, follows and fits; layers; events as marks and as a table; the player's typed time,
speeds and range."""
import json
import os
import tempfile

from gui import run_tests, start, time, until

SCENE = {
    'format': 1, 'name': 'thrown-box', 'title': 'Thrown Box',
    'scene': {'gravity': [0, -9.81], 'friction': 0.2, 'restitution': 0.1, 'bodies': [
        {'name': 'floor', 'fixed': True, 'shape': {'type': 'half-plane', 'normal': [0, 1]}},
        {'name': 'wall', 'fixed': True, 'shape': {'type': 'box', 'width': 0.2, 'height': 0.5}, 'position': [1.3, 0.25]},
        {'name': 'box', 'shape': {'type': 'box', 'width': 0.5, 'height': 0.3}, 'mass': 1.5, 'position': [0, 0.6], 'angle': 0.4,
         'velocity': [2, 1], 'angular_velocity': -3},
        {'name': 'ball', 'shape': {'type': 'circle', 'radius': 0.05}, 'mass': 0.1, 'position': [-0.5, 0.3], 'velocity': [-900, 900]}]},
    'task': {'t_end': 1, 'dt': 0.001}}


def opened(**env):
    path = os.path.join(tempfile.mkdtemp(), 'thrown-box.stickslip.json')
    json.dump(SCENE, open(path, 'w'))
    app = start(path, env=env or None)
    app.wait(lambda s: s['scenario'] == 'thrown-box')
    app.act('methods', 's', 'moreau-jean,stewart-trinkle')
    app.act('page', 's', 'run')
    app.act('run')
    app.ended()
    if app.status()['playing']:
        app.act('play')
    return app


def test_motion_and_events():
    app = opened()
    app.shot('20-motion-fit')
    app.act('seek', 'd', 0.5)
    app.act('layers', 's', 'onion,traces,contacts,normals,forces,impulses,cones,velocities,centres,energies')
    time.sleep(0.3)
    app.shot('20-motion-layers')
    app.act('follow', 's', 'box')
    time.sleep(0.3)
    app.shot('20-motion-follow')
    app.act('play-range', '(dd)', (0.3, 0.75))
    app.act('speed', 'd', 0.25)
    time.sleep(0.2)
    app.shot('20-motion-range')
    app.act('page', 's', 'sketch')
    time.sleep(0.5)
    app.shot('20-motion-sketch')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
