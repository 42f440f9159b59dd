#!/usr/bin/python3
"""tests/ui/test_provenance.py: the sheet of what a run depends on, its command line in the clipboard, which a shell runs, and making it once more: from
the keyboard, a card's context menu and the Project page."""
import os
import sqlite3
import subprocess
import tempfile
import urllib.parse

from gui import ROOT, run_tests, start, until, walk

CLI = os.path.join(ROOT, 'build', 'app', 'stickslip-cli')


def texts(app):
    return [n.name for n in app.nodes(into_tables=False)]


def items(app):
    return [n.name for n in app.nodes() if n.role == 'menu item']


def typed(app):
    return app.find('entry', 'Search runs').text()


def test_provenance():
    project = os.path.join(tempfile.mkdtemp(), "a ball's.stickslip")
    app = start(os.path.join(ROOT, 'examples', 'classics', 'bouncing-ball.stickslip.json'))
    app.wait(lambda s: s['scenario'] == 'bouncing-ball')
    app.act('provenance', 's', '')  # nothing is there yet: says so
    app.act('save-project', 's', project)
    app.act('methods', 's', 'moreau-jean')
    app.act('page', 's', 'run')
    app.act('run')
    app.ended()

    # the sheet, by keys: what was asked for, libraries, machine
    app.key('ctrl+shift+p')
    app.find('push button', 'Reproduce')
    shown = until(lambda: [t for t in texts(app) if t], what='for the sheet')
    for text in ('Scenario', 'Options', 'Program', 'Machine', 'Times', 'Library ipopt', 'moreau-jean' and 'SHA-256'):
        assert text in shown, text
    app.screen('60-provenance')
    app.key('Escape')
    until(lambda: not app.has('push button', 'Copy the sheet as text') and app.is_alone(), what='for the sheet to close')

    # the command line, pasted into the search of the Project page; a shell runs it, and the motion is the same
    app.key('ctrl+shift+c')
    app.act('page', 's', 'project')
    app.act('find')
    app.key('ctrl+v')
    command = until(lambda: typed(app), what='for the command')
    assert command.startswith('stickslip-cli simulate ') and 'bouncing-ball' in command, command
    before = subprocess.run([CLI, 'list', project, '--ids'], text=True, capture_output=True).stdout.split()
    done = subprocess.run(command.replace('stickslip-cli', CLI, 1) + ' --quiet', shell=True, text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    after = subprocess.run([CLI, 'list', project, '--ids'], text=True, capture_output=True).stdout.split()
    [again] = set(after) - set(before)
    with sqlite3.connect('file:' + urllib.parse.quote(project) + '?mode=ro', uri=True) as database:
        first, second = [database.execute("SELECT data FROM motion WHERE run_id = ? AND role = 'answer'", (run,)).fetchone()[0]
                         for run in (before[0], again)]
    assert first == second and len(first) > 5000  # packed
    app.key('ctrl+a', 'BackSpace')

    # the menu of a row has what applies: two runs are not made once more
    row = until(lambda: next((n for n in app.nodes() if n.role == 'table row' and 'Moreau' in n.name), None), what='for the row')
    app.settled(row)
    app.move(row, 60, 8)
    subprocess.run(['xdotool', 'click', '3'], check=True)
    of_one = ['Open', 'Compare', 'Edit Note…', 'Edit Tags…', 'Keep Less of Motions…', 'Provenance', 'Reproduce', 'Copy as Command', 'Choose All Shown', 'Choose None', 'Delete']
    until(lambda: items(app) == of_one, what='for the menu of one run')
    app.key('Escape')
    until(lambda: not items(app), what='for the menu to close')
    app.key('ctrl+a', 'shift+F10')
    until(lambda: items(app) == [name for name in of_one if name != 'Reproduce'], what='for the menu of two runs')
    app.key('Escape')
    until(lambda: not items(app), what='for the menu to close')

    # once more, by the context menu of the run's card
    app.act('page', 's', 'run')
    card = until(lambda: next((n for n in app.nodes() if n.name.startswith('Motion of Moreau')), None), what='for the card')
    width, height = app.size(card)
    app.move(card, width / 2, height / 2)
    subprocess.run(['xdotool', 'click', '3'], check=True)
    app.screen('61-run-menu')
    app.click('menu item', 'Reproduce')
    until(lambda: any('The Run Came Out Equal' in t for t in texts(app)), what='for the answer')
    assert any('bit by bit' in t for t in texts(app))
    app.screen('62-reproduced')
    app.answer('Keep Run')
    until(lambda: subprocess.run([CLI, 'list', project, '--ids'], text=True, capture_output=True).stdout.count('\n') == 3, what='for the kept run')
    app.quit()


if __name__ == '__main__':
    run_tests(globals())
