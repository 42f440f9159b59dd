#!/usr/bin/python3
"""tests/ui/test_forces.py: the inspector tells the forces on the selected body, or of the selected joint, at the time that is shown."""
import json
import os
import tempfile

from gui import run_tests, start, until, walk

SCENE = {"format": 1, "name": "rest", "scene": {"gravity": [0, -9.81], "friction": 0.5, "contacts": "all", "bodies": [
    {"name": "floor", "fixed": True, "shape": {"type": "half-plane", "normal": [0, 1]}},
    {"name": "box", "mass": 2, "position": [0, 0.5], "shape": {"type": "box", "width": 1, "height": 1}},
    {"name": "bob", "mass": 1, "position": [3, 2], "shape": {"type": "circle", "radius": 0.2}}],
    "joints": [{"name": "hinge", "type": "pin", "bodies": ["world", "bob"], "anchor": [3, 3]}]}, "task": {"t_end": 0.5, "dt": 0.01}}


def told(app):
    """{what: words} of the group."""
    group = app.find('list', 'Forces Now')
    return {n.name: n.description for n in walk(group) if n.role == 'list item' and n.name}


def test_forces_of_what_is_selected():
    path = os.path.join(tempfile.mkdtemp(), 'rest.stickslip.json')
    json.dump(SCENE, open(path, 'w'))
    app = start(path)
    app.act('select', 's', 'box')
    until(lambda: 'normal 19.62 N' in told(app).get('floor-box', ''), what='for the weight of the box')
    assert 'sticks' in told(app)['floor-box'] and 'not unique' not in told(app)['floor-box'], told(app)
    app.shot('forces-0-box')
    app.act('select-item', 's', 'scene.joints[0]')
    until(lambda: told(app).get('hinge', '').startswith('9.81 N'), what='for the force of the hinge')
    app.shot('forces-1-hinge')
    app.quit()


if __name__ == '__main__':
    run_tests(globals())
