#!/usr/bin/python3
"""tests/ui/test_drives.py: the inspector's rows of a joint's friction and motor, each a step that undo takes back."""
import json
import os
import tempfile

from gui import run_tests, start
from test_edit import saved
from test_task import Sheet

SCENE = {'format': 1, 'name': 'hinge', 'scene': {
    'gravity': [0, -9.81],
    'bodies': [{'name': 'bob', 'mass': 1, 'inertia': 0.1, 'position': [0.6, 0], 'shape': {'type': 'circle', 'radius': 0.2}}],
    'joints': [{'name': 'hinge', 'type': 'pin', 'bodies': ['world', 'bob'], 'anchor': [0, 0]}]},
    'task': {'t_end': 1, 'dt': 0.01}}
ROWS = (('Friction', 'friction', 0.5), ('Motor speed', 'motor_speed', 2), ('Motor limit', 'motor_limit', 8))


def test_drives():
    path = os.path.join(tempfile.mkdtemp(), 'hinge.stickslip.json')
    with open(path, 'w') as file:
        json.dump(SCENE, file)
    app = start()
    app.act('open', 's', path)
    app.wait(lambda s: s['scenario'] == 'hinge')
    app.act('page', 's', 'sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    Sheet(app).press((0, 0))
    app.wait(lambda s: s['item'] == 'scene.joints[0]')
    # A speed alone is no motor: its limit comes first.
    for title, key, number in (ROWS[0], ROWS[2], ROWS[1]):
        app.type_into(title, str(number))
        app.wait(lambda s: s['undo'] == 'Set ' + key)
    joint = saved(app)['scene']['joints'][0]
    assert {key: joint.get(key) for _, key, _ in ROWS} == {key: number for _, key, number in ROWS}, joint
    app.shot('drives-1-rows')
    for _ in ROWS:
        app.act('undo')
    app.wait(lambda s: s['undo'] is None)
    joint = saved(app)['scene']['joints'][0]
    assert not any(key in joint for _, key, _ in ROWS), joint
    app.quit()


if __name__ == '__main__':
    run_tests(globals())
