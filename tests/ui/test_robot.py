#!/usr/bin/python3
"""tests/ui/test_robot.py: a robot of MJCF is opened as a scene; what is left out or changed is shown, and what would move otherwise is left out only when asked."""
import os
import tempfile

from gui import run_tests, start, until, walk
from test_lost import picture

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def answer(app, heading, button):
    """Presses that button of the dialog with that heading, and waits until the dialog is gone."""
    node = app.find('label', heading)
    while node.role not in ('frame', 'dialog', 'window', 'alert'):
        node = node.parent
    next(n for n in walk(node) if n.role == 'push button' and button in (n.name or '')).do()
    until(lambda: not app.has('label', heading), what='for the dialog to go')


def test_open_robot():
    app = start(env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-light'})
    app.act('open', 's', os.path.join(ROOT, 'examples/robots/hopper.xml'))
    app.wait(lambda s: s['bodies'] == 4)
    app.find('label', '“hopper.xml” Is a Scene Now')
    assert app.find('label', "Line 23: joint 'knee': armature is left out")
    picture('robot-told')
    answer(app, '“hopper.xml” Is a Scene Now', 'Close')  # the window's own button is called so, too
    app.act('simulate')
    assert app.ended()['runs'][0]['outcome'] == 'completed'
    app.quit()


def test_robot_out_of_plane():
    path = os.path.join(tempfile.mkdtemp(), 'ball.xml')
    with open(path, 'w') as file:
        file.write('<mujoco>\n<worldbody>\n<body name="b">\n<joint name="s" type="ball"/><geom size="1"/></body></worldbody></mujoco>')
    app = start(env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    app.act('open', 's', path)
    app.find('label', '“ball.xml” Is No Planar Scene')
    picture('robot-refused')
    answer(app, '“ball.xml” Is No Planar Scene', 'Leave Out')
    app.wait(lambda s: s['bodies'] == 1)
    app.quit()


if __name__ == '__main__':
    run_tests(globals())
