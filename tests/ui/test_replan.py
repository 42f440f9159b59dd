#!/usr/bin/python3
"""tests/ui/test_replan.py: a task in a loop in a real window: the box comes to its goal, the goal is dragged and it follows, deadlines are missed and counted, all of
it by keyboard too, and the sandbox lets go."""
from gui import only_long, run_tests, sh, start, until


def canvas(app):
    return app.find('image', 'Canvas')


def live(env=None):
    app = start(env=env)
    app.act('open-example', 's', 'push-box-with-disc')
    app.wait(lambda s: s['page'] == 'sketch' and s['bodies'] == 3)
    app.settled(canvas(app))
    assert not app.describe('replan')[0]
    app.act('sandbox')
    app.wait(lambda s: s['sandbox'] is not None)
    until(lambda: app.describe('replan')[0])
    return app


def loop(s):
    return s['sandbox']['replan']


def test_goal_is_reached_and_followed():
    app = live()
    app.act('replan-deadline', 'd', 0.0)
    app.click('push button', 'Re-Plan')
    app.wait(lambda s: loop(s) is not None)
    app.wait(lambda s: loop(s)['plans'] > 3)
    app.wait(lambda s: loop(s)['plans'] > 30 and loop(s)['miss'] is not None and loop(s)['miss'] < 0.03)
    shown = app.status()
    assert loop(shown)['missed'] == 0 and loop(shown)['median'] > 0, shown
    app.shot('replan-1-at-goal')
    # a goal of another number: the sketch's, and the live scene's
    app.act('set-field', '(ss)', ('parameters.xt.value', '1.1'))
    changed = app.wait(lambda s: s['undo'] is not None)
    # how far it is at first is over soon: it is near after more plans than any that began for the old goal
    app.wait(lambda s: loop(s)['plans'] > loop(changed)['plans'] + 30 and loop(s)['miss'] is not None and loop(s)['miss'] < 0.03)
    app.shot('replan-2-followed')
    app.act('sandbox')
    app.wait(lambda s: s['sandbox'] is None)
    assert not app.describe('replan')[0]
    app.kill()  # quitting would ask: the sketch has another goal


@only_long
def test_goal_is_dragged():
    app = live()
    sheet = canvas(app)
    width, height = app.size(sheet)
    # the goal, while the box is elsewhere
    x, y = app.hit(sheet, 'task.targets[0]', [(x, y) for x in range(int(width * 0.95), int(width * 0.5), -20) for y in (int(height * 0.7), int(height * 0.6))])
    app.act('replan')
    app.wait(lambda s: loop(s) is not None and not loop(s)['looking'])
    app.settled(sheet)
    before = app.status()
    assert not before['dirty'] and app.size(sheet) == (width, height), (before, app.size(sheet))  # and with it what is under a point
    # selected it is held also where the box lies on it
    app.act('select-item', 's', 'task.targets[0]')
    app.drag(sheet, x - 20, y, x + 20, y, steps=10)  # from inside: the first place that was found is on its edge
    dragged = app.wait(lambda s: s['undo'] is not None and s['sandbox'] is not None)
    assert 'goal' in dragged['undo'].lower() and loop(dragged) is not None, dragged
    app.shot('replan-3-dragged')
    app.kill()


@only_long
def test_misses_keys_and_small_window():
    app = live({'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    app.act('replan-deadline', 'd', 1.0)
    app.act('replan')
    app.wait(lambda s: loop(s) is not None and loop(s)['plans'] > 2)
    app.wait(lambda s: loop(s)['missed'] > 0)
    app.find('label', 'missed')
    app.act('replan-every', 'i', 4)  # begins anew
    app.wait(lambda s: loop(s)['plans'] > 1)
    app.act('replan')
    app.wait(lambda s: loop(s) is None)
    sh('xdotool', 'windowsize', '--sync', app.window, '800', '600')
    app.act('replan')
    app.wait(lambda s: loop(s) is not None and loop(s)['plans'] > 1)
    app.shot('replan-4-small')
    app.quit()


if __name__ == '__main__':
    run_tests(globals())
