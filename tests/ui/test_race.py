#!/usr/bin/python3
"""tests/ui/test_race.py: Solve on a sketch with a task: the race, its members, their answers as runs, one of them stopped alone, the best kept."""
import json
import os

from gui import PROGRAM, ROOT, only_long, run_tests, sh, start, until
from test_task import Sheet

PUSH = os.path.join(ROOT, 'examples', 'plans', 'push-box-with-disc.stickslip.json')


def open_push(*options):
    app = start(PUSH)
    app.wait(lambda s: s['scenario'] == 'push-box-with-disc')
    app.act('page', 's', 'run')
    for name, value in options:
        app.act('option', '(sss)', ('auto', name, value))
    return app


def members(status):
    """By name, of the one run on show; none before the race has begun."""
    return {m['name']: m for m in status['runs'][0]['members'] or []} if status['runs'] else {}


def has_best(status):
    return any(m['best'] and m['state'] == 'solved' for m in members(status).values())


def test_solve_is_a_race():
    """The first answer is played while others go on; the winner, its reason, the others' reasons; the same after the project was opened again."""
    app = open_push(('improve', '2'), ('budget', '4'))
    app.shot('race-1-ready')
    app.act('run')
    app.wait(lambda s: any(m['state'] == 'running' for m in members(s).values()), 20)
    app.shot('race-2-running')
    status = app.wait(has_best, 60)
    assert status['runs'][0]['running'], status
    app.wait(lambda s: s['runs'][0]['motion'] and s['duration'] > 0 and s['time'] > 0)  # it plays by itself
    app.shot('race-3-first-answer')
    status = app.ended(90)
    run, said = status['runs'][0], members(status)
    assert run['method'] == 'auto' and run['outcome'] == 'solved', run
    assert len(said) >= 5 and not any(m['state'] in ('running', 'waiting') for m in said.values()), said
    assert all(m['reason'] or m['state'] == 'solved' for m in said.values()), said
    best = [m for m in said.values() if m['best']]
    assert [m['run'] for m in best] == [run['id']] and best[0]['state'] == 'solved', said
    app.find('label', 'First honest answer after')
    marks = [m['marks'] or '' for m in said.values()]
    assert sum('heapest' in m for m in marks) == 1 and sum('teadiest' in m and m != 'Steadiest under feedback' for m in marks) >= 1, marks
    app.find('label', 'none cheaper than')
    rows = [n.name for n in app.find('list', 'Members of the race') if n.role == 'list item']
    assert sum(': best' in name for name in rows) == 1 and len(rows) == len(run['members']), rows
    app.shot('race-4-ended')
    app.act('plot', 's', 'tries')
    app.shot('race-4-tries')
    app.quit()
    app = start(status['project'])
    app.wait(lambda s: s['page'] == 'project')
    for one in [m for m in said.values() if m['run'] not in (None, run['id'])][:1] + best:  # any answer has the same race beside it
        app.act('open-run', 's', one['run'])
        again = app.wait(lambda s: s['page'] == 'run' and s['duration'] > 0 and s['runs'][0]['id'] == one['run'])
        assert members(again) == said, again
    app.shot('race-5-opened-again')
    app.kill()


@only_long
def test_models_have_a_race():
    """One of the six problems: a row a member, what won and why; in the dark, small, and as it was after the project was opened again."""
    app = start(os.path.join(ROOT, 'examples', 'crisp', 'push-box.stickslip.json'), env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    app.wait(lambda s: s['scenario'] == 'push-box')
    app.act('page', 's', 'run')
    app.act('methods', 's', 'auto')
    app.act('run')
    status = app.ended(60)
    run, said = status['runs'][0], members(status)
    assert run['outcome'] == 'solved' and list(said) == ['near', 'interior', 'coarse', 'mended', 'default', 'relaxed', 'around', 'farther', 'scholtes'], run
    assert [m['run'] for m in said.values() if m['best']] == [run['id']], said
    assert all(m['reason'] or m['state'] == 'solved' for m in said.values()), said
    app.find('label', 'First honest answer after')
    app.shot('race-8-models')
    sh('xdotool', 'windowsize', '--sync', app.window, '800', '600')
    app.wait(lambda s: s['page'] == 'run')
    app.shot('race-9-models-small')
    app.quit()
    app = start(status['project'])
    app.wait(lambda s: s['page'] == 'project')
    app.act('open-run', 's', run['id'])
    again = app.wait(lambda s: s['page'] == 'run' and s['duration'] > 0)
    assert members(again) == said, again
    app.kill()


def test_an_answer_and_its_bound():
    """Asked for in the options, a lower bound is looked for after the answer: two curves that meet, the gap in the message and the numbers."""
    app = start(os.path.join(ROOT, 'tests', 'data', 'mpcc', 'ex9_2_3.stickslip.json'))
    app.act('page', 's', 'run')
    app.act('methods', 's', 'crisp')
    app.act('bound', 'd', 20.0)
    app.act('run')
    run = app.ended(60)['runs'][0]
    assert run['outcome'] == 'solved', run
    result = json.loads(sh(os.path.join(os.path.dirname(PROGRAM), 'stickslip-cli'), 'show', run['id'], '--project', app.status()['project'], '--json'))
    metrics, asked = result['result']['metrics'], result['result']['asked']
    assert metrics['lower_bound'] <= metrics['objective'] + 1e-9 and metrics['gap'] < 1e-3, metrics
    assert asked['bound'] == 20, asked
    app.find('label', 'Gap')
    app.shot('race-12-bound')
    app.kill()


def test_members_are_stopped():
    """One member stopped alone, the others go on; Stop keeps what there is."""
    app = open_push(('improve', '1000'))
    app.act('run')
    status = app.wait(lambda s: any(m['state'] == 'waiting' for m in members(s).values()), 20)
    last = [name for name, m in members(status).items() if m['state'] == 'waiting'][-1]  # whose turn is farthest away
    app.act('stop-member', '(ss)', (status['runs'][0]['id'], last))
    status = app.wait(lambda s: members(s)[last]['state'] == 'stopped', 20)
    assert members(status)[last]['reason'] == 'stopped by hand' and status['runs'][0]['running'], status
    app.wait(has_best, 60)
    app.act('cancel')
    run = app.ended(20)['runs'][0]
    assert run['outcome'] == 'solved' and run['motion'] and any(m['best'] and m['run'] == run['id'] for m in run['members']), run
    app.kill()


@only_long
def test_one_member_alone():
    app = open_push(('member', 'sampled'))
    app.act('run')
    assert set(members(app.ended(60))) <= {'sampled', 'steady'}  # the plan it looked for first is an answer of its own
    app.kill()


def play(app):
    """Drags the disc against the box by hand, in the live scene, and holds it there."""
    sheet = Sheet(app)
    app.act('sandbox')
    app.wait(lambda s: s['playing'] and s['time'] > 0.1)
    sheet.drag((-0.5, 0.12), (0.1, 0.12), steps=40, release=False)
    app.shot('race-6-played', leave=False)
    status = app.wait(lambda s: s['time'] > 0.8)
    sh('xdotool', 'mouseup', '1')
    return status


def improved(app):
    """Waits for the race that starts from what was played, and checks it."""
    status = app.wait(lambda s: s['page'] == 'run' and s['runs'] and s['runs'][0]['method'] == 'auto', 20)
    assert status['sandbox'] is None, status
    status = app.ended(90)
    assert 'given' in members(status), status
    return status


@only_long
def test_played_then_improved():
    """What a hand played is a run; the plan starts from it; its goal is the task's."""
    app = open_push(('member', 'given'), ('improve', '0'))
    app.act('page', 's', 'sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    play(app)
    app.click('push button', 'Improve')
    status = improved(app)
    app.shot('race-7-improved')
    assert list(members(status)) == ['given'] and status['runs'][0]['motion'], status
    app.act('page', 's', 'project')
    app.find_any('Stewart–Trinkle', 'Stewart-Trinkle')  # the recording
    app.quit()


@only_long
def test_the_end_as_the_goal():
    """A sketch without a goal: the dialog offers the end of what was played; one undo takes the goal back."""
    app = open_push(('budget', '1'))  # seconds that the race may spend: half a minute without
    app.act('page', 's', 'sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    app.act('select-item', 's', 'task.targets[0]')
    app.wait(lambda s: s['item'] == 'task.targets[0]')
    app.act('delete')
    app.wait(lambda s: s['undo'] == 'Delete goal of box')
    play(app)
    app.act('sandbox-improve')
    app.find('label', 'Take the End as the Goal?')
    app.shot('race-8-goal-asked')
    app.answer('Take as Goal')
    status = improved(app)
    assert status['undo'] == 'Take the end as the goal', status
    app.shot('race-9-goal-taken')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
