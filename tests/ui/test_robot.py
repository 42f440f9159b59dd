#!/usr/bin/python3
"""tests/ui/test_robot.py: a robot of MJCF is opened as a scene; what is left out or changed is shown, and what would move otherwise is left out only when asked."""
import os
import tempfile

from gui import run_tests, start
from test_lost import picture

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def test_open_robot():
    app = start(env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-light'})
    app.act('open', 's', os.path.join(ROOT, 'examples/robots/hopper.xml'))
    app.wait(lambda s: s['bodies'] == 4)
    app.find('label', '“hopper.xml” Is a Scene Now')
    assert app.find('label', "Line 23: joint 'knee': armature is left out")
    picture('robot-told')
    app.click('push button', 'Close')
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
    app.click('push button', 'Leave Out')
    app.wait(lambda s: s['bodies'] == 1)
    app.quit()


if __name__ == '__main__':
    run_tests(globals())
