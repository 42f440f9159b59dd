#!/usr/bin/python3
"""tests/ui/test_compare.py: many runs: found, sorted, tagged, ticked by keys; compared as tables, motions over each other, differences and figures."""
import os
import subprocess
import sys
import tempfile

from gui import PROGRAM, ROOT, key_names, run_tests, sh, start, until, walk

sys.path.insert(0, os.path.join(ROOT, 'tests', 'bench'))
many_runs = __import__('many-runs')
CLI = os.path.join(os.path.dirname(PROGRAM), 'stickslip-cli')
SCENE = os.path.join(ROOT, 'examples', 'crisp', 'push-box.stickslip.json')


def make_project(folder, n):
    few, many = (os.path.join(folder, name + '.stickslip') for name in ('few', 'study'))
    for method, j in (('crisp', 3), ('scholtes', 3), ('crisp', 9)):
        subprocess.run([CLI, 'optimise', SCENE, '--set', 'N=10', '--set', 'j=%d' % j, '--method', method, '--project', few, '--quiet'], stdout=subprocess.DEVNULL)
    many_runs.make(few, many, n)
    return many


def rows_of(app):
    """Names of the rows of the table of runs that are seen."""
    table = app.find('table', 'Stored runs')
    return [row.name for row in table if row and row.role == 'table row']


def shown(app, n):
    until(lambda: app.find('label', '%d of 60 runs' % n, 0.5), what='for %d runs' % n)


def titles_of(app):
    """Titles of the table of the chosen runs."""
    head = app.find('tree table', 'Chosen runs')[0]
    return [node.name for node in walk(head) if node.role == 'label']


def test_many_runs():
    with tempfile.TemporaryDirectory() as folder:
        project = make_project(folder, 60)
        app = start(project)
        app.wait(lambda s: s['project'] and s['page'] == 'project')
        # search and order; a mistake is told and changes nothing
        app.act('search-runs', 's', 'method:crisp objective>0')
        shown(app, 40)
        app.act('search-runs', 's', 'objective<many')
        app.find('label', '“objective” is compared with a number, not “many”')
        app.act('search-runs', 's', '')
        app.act('sort-runs', '(sb)', ('objective', True))
        first = rows_of(app)[0]
        largest = many_runs.sqlite3.connect(project).execute('SELECT run.scenario_name FROM metric JOIN run ON run.number = metric.run '
                                                             'WHERE name = "objective" ORDER BY value DESC').fetchone()[0]
        assert 'Scenario %s,' % largest in first, (first, largest)
        # the keyboard: the cursor, a tick, all of them
        app.press(app.find('table', 'Stored runs'), 300, 60)
        until(lambda: ('table', 'Stored runs') in key_names(app), what='for the focus of the table')
        app.key('Home', 'Down', 'space')
        app.find('label', '1 of 60 chosen')
        app.key('ctrl+a')
        app.find('label', '60 of 60 chosen')
        # tags of what is chosen, by the dialog
        ids = subprocess.run([CLI, 'list', project, '--ids'], capture_output=True, text=True).stdout.split()
        app.act('choose-runs', 's', ','.join(ids[-3:]))
        app.find('label', '3 of 60 chosen')
        app.act('tags-dialog', 's', ','.join(ids[-3:]))
        app.focused_elsewhere()
        app.key('ctrl+a')
        sh('xdotool', 'type', '--delay', '5', '--', 'paper, first')
        app.key('Return')
        app.alone()
        app.act('choose-runs', 's', 'none')
        app.act('search-runs', 's', 'tag=first')
        shown(app, 3)
        app.shot('compare-project')
        # compared: three runs, what differs, motions over each other, differences
        app.act('compare', 's', ','.join(ids[-3:]))
        app.wait(lambda s: s['page'] == 'compare')
        app.find('label', '3 runs')
        assert titles_of(app) == ['Method', 'j', 'Objective', 'Violation', 'Tracking error', 'Iterations', 'CPU time [s]'], titles_of(app)
        app.act('only-differing', 'b', False)
        until(lambda: titles_of(app)[:5] == ['Method', 'Scenario', 'Outcome', 'j', 'N'], what='for all parameters')
        app.act('only-differing', 'b', True)
        app.act('copy-table', 's', 'tex')
        app.told('Table copied')
        app.shot('compare-runs')
        app.act('over-time', 'b', True)
        app.act('overlaid', 'b', True)
        app.find('image', 'Motions over each other')
        app.act('plot', 's', 'channels')
        app.act('difference', 'b', True)
        app.shot('compare-overlaid')
        # all of them: by method, as figures
        app.act('search-runs', 's', '')
        app.act('choose-runs', 's', 'all')
        app.find('label', '60 runs, by method')
        app.find('label', 'Plots and motions are of the first 8 of 60 runs, figures of all.')
        app.act('compare-view', 's', 'figures')
        path = os.path.join(folder, 'profile.pdf')
        app.act('compare-export', '(ss)', ('profile', path))
        app.wait(lambda s: s['exports'] == 1)
        assert open(path, 'rb').read(4) == b'%PDF'
        app.shot('compare-figures')
        app.quit()


if __name__ == '__main__':
    run_tests(globals())
