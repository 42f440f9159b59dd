#!/usr/bin/python3
"""tests/ui/test_ways_on.py: a plan that fails: what would make it solvable, applied by a button, undone; the sandbox with the best motion. Find the Time."""
import json
import os

from gui import ROOT, only_long, run_tests, start

PUSH = os.path.join(ROOT, 'examples', 'plans', 'push-box-with-disc.stickslip.json')


def short_push(folder):
    """The example with too little time."""
    with open(PUSH, encoding='utf-8') as f:
        scene = json.load(f)
    scene['task'].update(horizon=0.3, t_end=0.3, steps=15)
    path = os.path.join(folder, 'short.stickslip.json')
    with open(path, 'w', encoding='utf-8') as f:
        json.dump(scene, f)
    return path


@only_long
def test_apply_and_by_hand():
    """The row says what was tried, its button changes the sketch in one step. The sandbox opens live, held by the best motion. In the dark."""
    app = start(short_push(os.environ.get('TMPDIR', '/tmp')), env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    app.wait(lambda s: s['scenario'] == 'push-box-with-disc')
    app.act('page', 's', 'run')
    app.act('methods', 's', 'auto')
    app.act('option', '(sss)', ('auto', 'member', 'steady'))
    app.act('run')
    run = app.ended(120)['runs'][0]
    assert run['outcome'] != 'solved', run
    app.find('label', 'Solvable with 0.9 s and 45 steps instead of 0.3 s and 15')
    app.find('push button', 'Play It by Hand')
    app.shot('ways-1-dark')
    app.click('push button', 'Apply More Time')
    app.wait(lambda s: s['page'] == 'sketch')
    app.wait(lambda s: s['undo'] == 'Apply More Time')
    app.shot('ways-2-applied')
    app.act('undo')
    app.wait(lambda s: s['undo'] != 'Apply More Time')
    app.act('page', 's', 'run')
    app.wait(lambda s: s['page'] == 'run')
    app.act('play-by-hand', 's', run['id'])
    app.wait(lambda s: s['page'] == 'sketch' and s['sandbox'])
    app.shot('ways-3-by-hand')
    app.kill()


def test_find_the_time():
    """A button finds horizon and steps, one undo takes them back; pressed again it stops and changes nothing."""
    app = start(short_push(os.environ.get('TMPDIR', '/tmp')))
    app.wait(lambda s: s['scenario'] == 'push-box-with-disc')
    app.shot('ways-4-find-time')
    app.click('push button', 'Find the Time')
    app.wait(lambda s: s['undo'] == 'Find the time', 60)
    app.find('label', 'The plan takes')
    app.find('push button', 'Find the Time')
    app.shot('ways-5-time-found')
    app.act('undo')
    app.wait(lambda s: s['undo'] is None)
    # 400 m away, which no horizon that is tried reaches: the search goes on until it is stopped
    app.act('set-field', '(ss)', ('task.targets[0].position[0]', '400'))
    far = app.wait(lambda s: s['undo'] is not None)['undo']
    app.click('push button', 'Find the Time')
    app.find('push button', 'Stop')
    app.shot('ways-6-searching')
    app.click('push button', 'Stop')
    app.find('push button', 'Find the Time', 30)
    assert app.status()['undo'] == far, app.status()['undo']
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
