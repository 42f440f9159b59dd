#!/usr/bin/python3
"""tests/ui/test_study_outcomes.py: what a study asks of every run, in the window: asked by keyboard before and after the runs, shown in the figures, taken back."""
import csv
import json
import os
import sqlite3
import tempfile

from gui import key_names, run_tests, sh, start, until
from test_compare import rows_of
from test_study import below, click, focused, in_popover, study, type_over

BALL = {
    'format': 1, 'name': 'ball', 'title': 'Ball', 'parameters': {'e': {'value': 0.5, 'minimum': 0, 'maximum': 1}, 'h': 0.5},
    'scene': {'gravity': [0, -10], 'restitution': 'e', 'bodies': [
        {'name': 'floor', 'fixed': True, 'shape': {'type': 'half-plane', 'normal': [0, 1]}},
        {'name': 'ball', 'shape': {'type': 'circle', 'radius': 0.1}, 'mass': 2, 'position': [0, 'h + 0.1']}]},
    'task': {'t_end': 1, 'dt': 0.01}, 'methods': {'moreau-jean': {}}}


# Does the law of impacts matter for where the third box ends?
ROW = {
    'format': 1, 'name': 'row', 'title': 'Three in a Row',
    'scene': {'gravity': [0, 0], 'bodies': [
        {'name': 'box%d' % k, 'shape': {'type': 'box', 'width': 1, 'height': 1}, 'mass': 1, 'lock': ['theta'], 'position': [2 * k, 0.5],
         'velocity': [6 if k == 1 else 0, 0]} for k in (1, 2, 3)],
              'contacts': [{'bodies': ['box1', 'box2'], 'restitution': 0.5}, {'bodies': ['box2', 'box3'], 'restitution': 0.5}]},
    'task': {'t_end': 3, 'dt': 0.01}, 'methods': {'stewart-trinkle': {}}}


def ask(app, name, formula):
    click(app, 'push button', 'Add Outcome')
    focused(app, 'Name of the outcome')
    type_over(app, name)
    app.key('Tab')
    focused(app, 'Formula of the outcome')
    sh('xdotool', 'type', '--delay', '5', '--', formula)


def exported(app, path):
    """The map's table by law, once no run is missing there."""
    n = app.status()['exports']
    app.act('study-export', '(sds)', ('heat', 0.0, path))
    app.wait(lambda s: s['exports'] > n)
    with open(path) as file:
        ends = {row['event-driven.law']: row for row in csv.DictReader(file)}
    return ends if {row['state'] for row in ends.values()} == {'completed'} else None


def test_the_question_takes_five_clicks():
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, 'row.stickslip.json')
    with open(path, 'w') as file:
        json.dump(ROW, file)
    app = start(path)
    app.wait(lambda s: s['page'] == 'sketch')
    click(app, 'page tab', 'Study')
    app.wait(lambda s: s['page'] == 'study')
    click(app, 'push button', 'New Study')
    assert study(app)['choices']['profile'] == 'curves', study(app)  # simulations have no objective: nothing is said to be near the best
    click(app, 'push button', 'Add final(box3.x)')
    study(app, lambda s: s['outcomes'] == {'end': 'final(box3.x)'})
    click(app, 'push button', 'Add event-driven.law')
    seen = study(app, lambda s: s['axes'] and s['axes'][0]['n'] == 4)
    assert [m['label'] for m in seen['methods']] == ['Event-Driven'] and seen['tasks'] == 4, seen
    click(app, 'push button', 'Start the study')
    study(app, lambda s: s['solved'] == s['tasks'] and not s['is_running'] and s['choices']['heat'] == 'end', 60)
    app.shot('study-five-clicks')
    ends = until(lambda: exported(app, os.path.join(folder, 'ends.csv')), what='for the map of all runs')
    # Newton's law gives the next box (1 + e)/2 of 6 m/s after 1 m, and again; without restitution two boxes have 3 m/s, then three 2 m/s
    truth = {'newton': 6 + (3 - 1 / 6 - 1 / 4.5) * 3.375, 'sequential': 6 + (3 - 1 / 6 - 1 / 3) * 2}
    assert all(abs(float(ends[law]['value']) - end) < 1e-6 for law, end in truth.items()), ends  # times of impacts are found to 1e-9 s
    app.quit()


def test_a_study_asks():
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, 'ball.stickslip.json')
    with open(path, 'w') as file:
        json.dump(BALL, file)
    app = start(path)
    app.wait(lambda s: s['page'] == 'sketch')
    app.key('alt+5')
    app.wait(lambda s: s['page'] == 'study')
    click(app, 'push button', 'New Study')
    study(app)
    app.act('study-set-axis', '(ss)', ('e', '0, 0.5, 1'))
    app.act('study-set-axis', '(ss)', ('h', '0.2, 0.4, 0.6'))
    app.act('study-set-outcome', '(ss)', ('', 'rise=final(ball.z)'))  # told, and the window goes on
    app.find('label', 'did you mean ball.x')
    ask(app, 'rise', 'final(ball.z)')
    in_popover(app, 'label', 'did you mean ball.x')
    app.shot('study-outcome-wrong')
    type_over(app, 'final(ball.y)')
    in_popover(app, 'label', 'rise [m]')
    app.shot('study-outcome-popover')
    app.key('Return')
    assert study(app, lambda s: s['outcomes'])['outcomes'] == {'rise': 'final(ball.y)'}
    app.act('study-start')
    study(app, lambda s: s['solved'] == s['tasks'] and not s['is_running'], 30)
    study(app, lambda s: all(s['choices'][part] == wanted for part, wanted in (('heat', 'rise'), ('box', 'rise'), ('profile', 'curves'))))
    app.shot('study-outcomes')
    # runs that are there answer another question at once, and figures show it
    ask(app, 'hits', 'count(impact)')
    in_popover(app, 'label', 'hits, a number')
    app.key('Return')
    seen = study(app, lambda s: len(s['outcomes']) == 2 and s['choices']['heat'] == 'hits')
    app.shot('study-outcomes-later')
    app.act('study-show-outcome', 's', 'rise')
    study(app, lambda s: s['choices']['heat'] == 'rise')
    app.act('study-export', '(sds)', ('runs', 0.0, os.path.join(folder, 'runs.csv')))
    app.wait(lambda s: s['exports'] == 1)
    head = open(os.path.join(folder, 'runs.csv')).readline()
    assert 'rise' in head and 'hits' in head, head
    # the Project page has the study's runs with what varies in it
    app.key('alt+6')
    app.wait(lambda s: s['page'] == 'project')
    # as one line that unfolds by keys, and is chosen as a whole
    until(lambda: len(rows_of(app)) == 1 and '9 runs, folded' in rows_of(app)[0], what=lambda: 'for a line for the study: %s' % rows_of(app))
    app.shot('study-folded')
    app.press(app.find('table', 'Stored runs'), 300, 45)
    until(lambda: ('table', 'Stored runs') in key_names(app), what='for the focus of the table')
    app.key('Home', 'Right')
    until(lambda: len(rows_of(app)) == 10 and 'unfolded' in rows_of(app)[0], what=lambda: 'for the runs: %s' % rows_of(app))
    assert all(' e 0' in row or ' e 1' in row or ' e 0.5' in row for row in rows_of(app)[1:]), rows_of(app)
    app.shot('study-unfolded')
    app.act('sort-runs', '(sb)', ('h', True))
    until(lambda: 'h 0.6' in rows_of(app)[1], what=lambda: 'for the largest first: %s' % rows_of(app))
    app.act('search-runs', 's', 'h<0.3')
    until(lambda: '3 runs' in rows_of(app)[0] and app.find('label', '3 of 9 runs', 0.5), what=lambda: 'for what is found: %s' % rows_of(app))
    app.act('search-runs', 's', '')
    app.key('Home', 'Down', 'Left', 'space')
    until(lambda: '9 runs, folded' in rows_of(app)[0] and app.find('label', '9 of 9 chosen', 0.5), what=lambda: 'for all runs to be chosen: %s' % rows_of(app))
    app.act('choose-runs', 's', 'none')
    choose = app.find('combo box', 'Runs of which study')
    app.settled(choose)
    app.press(choose, 10, 10)
    until(lambda: any(n.role == 'list item' and app.size(n)[0] > 0 for n in below(choose)), what='for the list of studies')
    app.key('Down', 'Return')
    until(lambda: not any(n.role == 'list item' and app.size(n)[0] > 0 for n in below(choose)), what='for the list to close')
    app.shot('study-on-project-page-chosen')
    app.act('page', 's', 'study')
    app.wait(lambda s: s['page'] == 'study')
    app.act('study-undo')
    assert study(app, lambda s: len(s['outcomes']) == 1)['outcomes'] == {'rise': 'final(ball.y)'}
    app.quit()


def motions(project):
    """Roles of the motions that the project keeps."""
    with sqlite3.connect('file:%s?mode=ro' % project, uri=True) as db:
        return {role for role, in db.execute('SELECT DISTINCT role FROM motion JOIN run ON run.id = motion.run_id WHERE run.deleted IS NULL')}


def test_runs_are_made_again_and_less_of_them_is_kept():
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, 'ball.stickslip.json')
    with open(path, 'w') as file:
        json.dump(dict(BALL, task={'t_end': 0.2, 'dt': 1e-5}), file)
    app = start(path)
    app.wait(lambda s: s['page'] == 'sketch')
    app.act('page', 's', 'study')
    app.act('study-new')
    app.act('study-set-axis', '(ss)', ('h', '0.2, 0.4'))
    app.act('study-limit', '(ss)', ('cpu', '0.01'))  # 20,000 steps take longer
    app.act('study-start')
    study(app, lambda s: s['unsolved'] == 2 and not s['is_running'], 60)
    app.act('study-limit', '(ss)', ('cpu', ''))
    click(app, 'push button', 'Run Again')
    item = in_popover(app, 'menu item', 'Limit of Time Reached (2)')
    # What changes beside it leaves an open menu open.
    app.act('study-rename', 's', 'Too short')
    app.find('label', 'Too short')
    assert app.size(item)[0] > 0, 'the menu was closed by what changed beside it'
    app.shot('study-again')
    app.key('Escape')
    app.act('study-limit', '(ss)', ('keep', 'thinned'))
    app.act('study-again', 's', 'time_limit,cpu_limit')
    study(app, lambda s: s['solved'] == 2 and not s['is_running'], 120)
    project = app.status()['project']
    assert motions(project) == {'thinned'}, motions(project)
    # what is kept of them still, of the study as a line on the Project page
    app.key('alt+6')
    app.wait(lambda s: s['page'] == 'project')
    until(lambda: '2 runs, folded' in rows_of(app)[0] and '2 completed' in rows_of(app)[0], what=lambda: 'for the study: %s' % rows_of(app))
    with sqlite3.connect('file:%s?mode=ro' % project, uri=True) as db:
        ids = ','.join(row[0] for row in db.execute('SELECT id FROM run WHERE deleted IS NULL'))
    app.act('shrink-dialog', 's', ids)
    app.find('label', 'Keep Less of 2 Motions?')
    app.screen('shrink-dialog')
    app.answer('Keep Metrics')
    app.told('2 runs keep less of their motions now')
    assert motions(project) == set(), motions(project)
    app.act('make-smaller-dialog')
    app.find('label', 'The motions of 2 deleted runs go for good')  # of those that were made again
    app.answer('Make Smaller')

    def left():
        with sqlite3.connect('file:%s?mode=ro' % project, uri=True) as db:
            return db.execute("SELECT count(*) FROM motion WHERE role <> 'given'").fetchone()[0]
    until(lambda: left() == 0, what=lambda: 'for %d motions to go' % left())
    app.quit()


if __name__ == '__main__':
    run_tests(globals())
