#!/usr/bin/python3
"""tests/ui/test_arm.py: a mechanism that nobody prepared, from an empty canvas by mouse and keys: a two-link arm pushes a box to a goal. It is solved, and replayed
in worlds whose friction is 20 % off: open loop the box ends far away, held by LQR within 1 cm."""
import sys

from gui import only_long, run_tests, start, time, until
from test_task import Sheet, text_of


def draw_arm(app):
    app.act('new-sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    sheet = Sheet(app)
    app.press(sheet.node, *sheet.at(0, 1.5))

    def shape(key, tool, a, b, n):
        app.take_tool(key, tool)
        sheet.drag(a, b)
        app.wait(lambda s: s['bodies'] == n)

    def pin(at, n):
        app.take_tool('i', 'pin')
        sheet.press(at)
        until(lambda: len(text_of(app)['scene'].get('joints', [])) == n, what='for pin %d' % n)
        app.key('u')  # what was drawn is selected: a motor for it
        until(lambda: len(text_of(app)['scene'].get('actuators', [])) == n, what='for motor %d' % n)

    if app.describe('snap')[1][0]:
        app.act('snap')  # as by its button: ends and edges would take each other's places
    app.take_tool('f', 'ground')
    sheet.press((0, 0))
    app.wait(lambda s: s['bodies'] == 1)
    sheet = Sheet(app)
    shape('b', 'box', (-0.7, 0), (-0.3, 0.4), 2)
    shape('k', 'capsule', (-0.8, 0.85), (-0.8, 0.25), 3)
    shape('k', 'capsule', (-0.8, 0.85), (-0.25, 0.85), 4)
    app.shot('arm-1-bodies')
    pin((-0.25, 0.85), 1)
    pin((-0.8, 0.85), 2)
    app.shot('arm-2-driven')
    sheet.press((-0.42, 0.12))
    app.wait(lambda s: s['selected'] == 'box')
    app.key('g')
    app.wait(lambda s: s['item'] == 'task.targets[0]')
    app.type_into('Goal x', '-0.2')
    until(lambda: text_of(app)['task']['targets'][0]['position'][0] == -0.2)
    app.shot('arm-3-goal')
    return sheet


def held(app, plan, controller, friction):
    """The end of the box from its goal [m]."""
    app.act('replay-held', '(ssd)', (controller, plan, friction))
    sign = 'Friction' if friction != 1 else ''
    word = {'lqr': 'LQR', 'replan': 'Plans', 'predict': 'Prediction', 'none': 'Replay'}[controller]

    def found(s):
        return next((r for r in s['runs'] if r['replay_of'] == plan and word in r['label'] and sign in r['label'] and not r['running'] and
                     ('%+.0f' % (100 * (friction - 1)) in r['label'] or friction == 1) and r['outcome'] is not None), None)
    run = found(app.wait(lambda s: found(s), 60))
    assert run['outcome'] == 'completed', run
    return run['goal_distance']


@only_long
def test_an_arm_pushes_a_box_under_feedback():
    app = start()
    draw_arm(app)
    began = time.time()
    app.click('push button', 'Solve')
    app.wait(lambda s: s['page'] == 'run' and [r['method'] for r in s['runs']] == ['auto'])
    status = app.ended(120)
    plan = status['runs'][0]
    print('  solved after %.0f s: %s' % (time.time() - began, plan['outcome']))
    assert plan['outcome'] == 'solved', plan
    app.act('seek', 'd', 1.0)
    app.shot('arm-4-solved')
    loose = {f: held(app, plan['id'], 'none', f) for f in (0.8, 1.2)}
    tight = {f: held(app, plan['id'], 'lqr', f) for f in (1.0, 0.8, 1.2)}
    print('  open loop %s, LQR %s [m]' % (loose, tight))
    app.act('seek', 'd', 1.9)
    app.shot('arm-5-held')
    assert all(d < 0.01 for d in tight.values()), tight
    assert all(d > 0.03 for d in loose.values()), loose
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
