#!/usr/bin/python3
"""tests/ui/test_race.py: Solve on a sketch with a task: the race, its members, their answers as runs, one of them stopped alone, the best kept."""
import os

from gui import ROOT, run_tests, start, until

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
    app = open_push(('improve', '2'))
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
    rows = [n.name for n in app.find('list', 'Members of the race') if n.getRoleName() == 'list item']
    assert sum(': best' in name for name in rows) == 1 and len(rows) == len(said), rows
    app.shot('race-4-ended')
    app.quit()
    app = start(status['project'])
    app.wait(lambda s: s['page'] == 'project')
    for one in [m for m in said.values() if m['run'] not in (None, run['id'])][:1] + best:  # any answer has the same race beside it
        app.act('open-run', 's', one['run'])
        again = app.wait(lambda s: s['page'] == 'run' and s['duration'] > 0 and s['runs'][0]['id'] == one['run'])
        assert members(again) == said, again
    app.shot('race-5-opened-again')
    app.kill()


def test_members_are_stopped():
    """One member stopped alone, the others go on; Stop keeps what there is."""
    app = open_push(('improve', '1000'))
    app.act('run')
    status = app.wait(lambda s: members(s), 20)
    app.act('stop-member', '(ss)', (status['runs'][0]['id'], 'drawn'))
    status = app.wait(lambda s: members(s)['drawn']['state'] == 'stopped', 20)
    assert members(status)['drawn']['reason'] == 'stopped by hand' and status['runs'][0]['running'], status
    app.wait(has_best, 60)
    app.act('cancel')
    run = app.ended(20)['runs'][0]
    assert run['outcome'] == 'solved' and run['motion'] and any(m['best'] and m['run'] == run['id'] for m in run['members']), run
    app.kill()


def test_one_member_alone():
    app = open_push(('member', 'sampled'))
    app.act('run')
    assert list(members(app.ended(60))) == ['sampled']
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
