#!/usr/bin/python3
"""tests/ui/test_compare_outcomes.py: what the runs on the Compare page are asked, by keyboard: a formula is checked while it is typed, answers are columns, kept, changed, taken back."""
import csv
import json
import os
import sqlite3
import subprocess
import tempfile

from gui import PROGRAM, run_tests, sh, start, until
from test_compare import titles_of
from test_study import click, focused, in_popover, type_over
from test_study_outcomes import BALL

CLI = os.path.join(os.path.dirname(PROGRAM), 'stickslip-cli')


def make_project(folder):
    scene, project = os.path.join(folder, 'ball.stickslip.json'), os.path.join(folder, 'balls.stickslip')
    with open(scene, 'w') as file:
        json.dump(BALL, file)
    for h in (0.2, 0.4):
        subprocess.run([CLI, 'simulate', scene, '--set', 'h=%g' % h, '--project', project, '--quiet'], stdout=subprocess.DEVNULL, check=True)
    return project


def answers(project):
    """Outcomes of the project and their values, as another program reads them."""
    with sqlite3.connect('file:%s?mode=ro' % project, uri=True) as db:
        return db.execute("SELECT metric.name, round(value, 6) FROM metric JOIN run ON run.number = metric.run WHERE metric.name LIKE 'outcomes.%' "
                          'ORDER BY run.number').fetchall()


def test_compared_runs_are_asked():
    with tempfile.TemporaryDirectory() as folder:
        project = make_project(folder)
        app = start(project)
        app.wait(lambda s: s['project'] and s['page'] == 'project')
        app.act('choose-runs', 's', 'all')
        app.key('alt+3')
        app.wait(lambda s: s['page'] == 'compare')
        app.act('choose-runs', 's', 'all')
        until(lambda: app.find('label', '2 runs', 0.5), what='for the chosen runs')
        app.act('compare-set-outcome', '(ss)', ('', 'top=max(ball.z)'))  # told, and nothing is asked
        app.find('label', 'did you mean ball.x')
        app.act('compare-undo')
        app.told('There is nothing to take back')
        click(app, 'push button', 'Add Outcome')
        focused(app, 'Name of the outcome', 'SsuiComparePage')
        type_over(app, 'top')
        app.key('Tab')
        focused(app, 'Formula of the outcome', 'SsuiComparePage')
        sh('xdotool', 'type', '--delay', '5', '--', 'max(ball.z)')
        in_popover(app, 'label', 'did you mean ball.x', 'SsuiComparePage')
        type_over(app, 'max(ball.y)')
        in_popover(app, 'label', 'top [m], of each of 2 runs', 'SsuiComparePage')
        app.shot('compare-outcome-popover')
        app.key('Return')
        until(lambda: len(answers(project)) == 2, what='for the answers')
        assert answers(project) == [('outcomes.top [m]', 0.3), ('outcomes.top [m]', 0.5)], answers(project)  # where they were let go
        until(lambda: any('top' in title for title in titles_of(app)), what='for the column')
        app.shot('compare-outcome')
        # its boxes among the figures, whose numbers are the answers
        app.act('compare-view', 's', 'figures')
        app.find('combo box', 'Outcome of the boxes')
        app.shot('compare-outcome-boxes')
        app.act('compare-export', '(ss)', ('outcome', os.path.join(folder, 'boxes.csv')))
        until(lambda: os.path.exists(os.path.join(folder, 'boxes.csv')), what='for the boxes')
        with open(os.path.join(folder, 'boxes.csv')) as file:
            (box,) = csv.DictReader(file)
        assert [round(float(box[name]), 6) for name in ('low', 'median', 'high')] == [0.3, 0.4, 0.5], box
        app.act('compare-view', 's', 'runs')
        # changed by its button, then taken back twice and done again
        click(app, 'push button', 'Outcome top')
        focused(app, 'Name of the outcome', 'SsuiComparePage')
        app.key('Tab')
        focused(app, 'Formula of the outcome', 'SsuiComparePage')
        type_over(app, 'max(ball.y) - min(ball.y)')
        in_popover(app, 'label', 'top [m], of each of 2 runs', 'SsuiComparePage')
        app.key('Return')
        until(lambda: answers(project)[0][1] < 0.25, what='for the other answers')
        assert app.status()['page'] == 'compare'
        app.key('ctrl+z')
        until(lambda: answers(project)[0][1] == 0.3, what='for the former answers')
        app.key('ctrl+z')
        until(lambda: answers(project) == [], what='for no answers')
        until(lambda: not any('top' in title for title in titles_of(app)), what='for the column to go')
        app.key('ctrl+shift+z')
        until(lambda: len(answers(project)) == 2, what='for the answers again')
        click(app, 'push button', 'Outcome top')
        in_popover(app, 'label', 'top [m], of each of 2 runs', 'SsuiComparePage')
        app.key('shift+Tab', 'space')  # the button beside the title
        until(lambda: answers(project) == [], what='for the outcome to be removed')
        app.quit()


if __name__ == '__main__':
    run_tests(globals())
