#!/usr/bin/python3
"""tests/ui/test_log.py: two methods raced on a sketch: the log with the columns of both, filtered; the list of violations, where a click and Enter select the
contact and go to the time; the race as one comparison of the project."""
import sqlite3

from gui import run_tests, sh, start, until


def test_race_log_and_violations():
    app = start()
    app.act('open-example', 's', 'push-box-with-disc')
    app.wait(lambda s: s['bodies'] == 3)
    app.act('page', 's', 'run')
    app.act('methods', 's', 'crisp,ipopt')
    app.act('option', '(sss)', ('crisp', 'max-iterations', '4'))
    app.act('option', '(sss)', ('ipopt', 'max_iter', '4'))
    app.act('run')
    status = app.ended()
    assert len(status['runs']) == 2, status
    app.find('label', 'Race on shared cores, not a timing')
    # every column that one of them has
    until(lambda: {'Merit', 'Dual Infeas.'} <= {n.name for n in app.nodes() if n.name})
    app.act('log-filter', '(ss)', ('iteration>=3', 'Ipopt'))
    until(lambda: app.has('label', '2 of 10 rows'))
    app.shot('log-1-filter')
    app.act('log-filter', '(ss)', ('', 'nobody'))  # it says so
    # from the reasons in words to the rows
    app.act('log-view', 's', 'violations')
    until(lambda: app.has('label', 'violated rows'))
    app.act('seek', 'd', 0.0)
    cell = until(lambda: next(n for n in app.nodes() if n.role == 'label' and n.name.endswith(('(box)', '(disc)')) and app.size(n)[0] > 0))
    app.settled(cell)
    app.press(cell, 20, 8)
    picked = app.wait(lambda s: not s['playing'] and s['time'] > 0 and s['selection'])
    assert picked['selection'][0].startswith('scene.contacts{'), picked
    app.shot('log-2-violation')
    app.act('seek', 'd', 0.0)
    app.wait(lambda s: s['time'] == 0)
    app.key('Down', 'Return')
    app.wait(lambda s: s['time'] > 0)
    app.act('go-to-violation', 'i', 1000)  # there is none: it says so
    sh('xdotool', 'windowsize', '--sync', app.window, '800', '600')
    app.shot('log-3-small')
    with sqlite3.connect(status['project']) as project:
        titles = project.execute('SELECT title, COUNT(*) FROM comparison JOIN comparison_run ON number = comparison GROUP BY number').fetchall()
    assert titles == [('Push a Box with a Disc: CRISP, Ipopt', 2)], titles
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
