#!/usr/bin/python3
"""tests/ui/test_certainty.py: a run that looked how sure its steps are tells it on its card; from there the motion goes on with both solutions, as a fan, with
the options that the run had."""
import os
import shutil
import tempfile

from gui import only_long, run_tests, start, until

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


def write_scene():
    path = os.path.join(tempfile.mkdtemp(dir=os.environ['HOME']), 'sliding-rod.stickslip.json')
    shutil.copy(os.path.join(ROOT, 'examples', 'fesd-j', 'sliding-rod.stickslip.json'), path)
    return path


def simulate(app):
    app.act('methods', 's', 'stewart-trinkle')
    app.act('option', '(sss)', ('stewart-trinkle', 'certainty', 'count'))
    app.act('option', '(sss)', ('stewart-trinkle', 'swept', 'off'))
    app.act('simulate')
    run = app.ended(60)['runs'][0]
    app.act('page', 's', 'run')
    return run


def test_a_step_with_two_solutions_is_told_and_branched():
    app = start(write_scene())
    app.wait(lambda s: s['scenario'] == 'sliding-rod')
    run = simulate(app)
    assert run['method'] == 'stewart-trinkle' and run['outcome'] == 'completed', run
    label = app.find('label', 'Steps: 119 unique in velocities, 1 several (first from 0.135 s on, at ground), 0 undecided')
    assert 'Go On With Both' in label.name, label.name
    app.shot('certainty1-counted')
    app.act('branch-steps', 's', run['id'])
    branched = app.wait(lambda s: s['runs'] and s['runs'][0]['id'] != run['id'] and s['runs'][0]['outcome'] == 'completed', 60)['runs'][0]
    assert branched['method'] == 'stewart-trinkle', branched
    app.find('label', '2 branches: rod')
    until(lambda: 'in 2 branches' in (app.find('image', 'Motion of').description or ''), what='for two branches in the picture')
    again = app.find('label', 'unique in velocities')
    assert 'Go On With Both' not in again.name, again.name
    app.act('seek', 'd', 0.3)
    app.wait(lambda s: abs(s['time'] - 0.3) < 1e-9)
    app.shot('certainty2-branches')
    app.kill()


@only_long
def test_it_is_told_in_the_dark():
    app = start(write_scene(), env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    app.wait(lambda s: s['scenario'] == 'sliding-rod')
    simulate(app)
    app.find('label', 'Go On With Both')
    app.shot('certainty3-dark')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
