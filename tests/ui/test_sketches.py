#!/usr/bin/python3
"""tests/ui/test_sketches.py: several sketches in a project, on the Project page; the equations; the source view."""
import json
import os
import subprocess
import tempfile

from gui import PROGRAM, run_tests, start, until

CLI = os.path.join(os.path.dirname(PROGRAM), 'stickslip-cli')


def sketches(project):
    return json.loads(subprocess.check_output([CLI, 'list', project, '--sketches', '--json'], text=True))


def names(project):
    return sorted(s['title'] for s in sketches(project))


def test_several_sketches():
    folder = tempfile.mkdtemp()
    project = os.path.join(folder, 'study.stickslip')
    app = start()
    app.act('open-example', 's', 'falling-box')
    app.wait(lambda s: s['bodies'] == 2)
    app.act('save-project', 's', project)
    app.act('page', 's', 'project')
    app.click('push button', 'New sketch in this project')
    first = app.wait(lambda s: s['bodies'] == 0 and s['page'] == 'sketch' and s['sketch'])
    app.act('add', 's', 'disc')
    app.wait(lambda s: s['bodies'] == 1)
    # The example was not edited: it is none of the project's until it is kept.
    app.act('open-example', 's', 'falling-box')
    app.wait(lambda s: s['bodies'] == 2 and not s['sketch'])
    app.act('keep-sketch')
    box = app.wait(lambda s: s['sketch'])['sketch']
    app.act('page', 's', 'project')
    app.find('push button', 'Sketch Untitled Sketch')
    app.shot('1-two-sketches')
    # Edits stay with their sketch, whoever is opened in between, and nobody asks.
    app.act('open-sketch', 's', first['sketch'])
    app.wait(lambda s: s['bodies'] == 1)
    app.act('add', 's', 'box')
    app.wait(lambda s: s['bodies'] == 2)
    app.act('page', 's', 'project')
    app.click('push button', 'Sketch Falling Box')
    app.wait(lambda s: s['sketch'] == box)
    app.act('open-sketch', 's', first['sketch'])
    app.wait(lambda s: s['bodies'] == 2 and s['sketch'] == first['sketch'] and not s['dirty'])
    assert app.is_alone()
    # Rename, copy, delete and its undo.
    app.act('rename-sketch', '(ss)', (first['sketch'], 'Two bodies'))
    until(lambda: 'Two bodies' in names(project))
    app.act('copy-sketch', 's', first['sketch'])
    copy = app.wait(lambda s: s['sketch'] not in (first['sketch'], None))['sketch']
    app.act('page', 's', 'project')
    app.act('delete-sketch', 's', copy)
    app.wait(lambda s: s['sketch'] != copy)
    until(lambda: len(sketches(project)) == 2)
    app.shot('2-deleted')
    app.press_in_toast('Sketch deleted, its runs stay', 'Undo')
    app.wait(lambda s: s['sketch'] == copy)
    until(lambda: len(sketches(project)) == 3)
    app.quit()
    assert names(project) == ['Falling Box', 'Two bodies', 'Two bodies (copy)'], names(project)


if __name__ == '__main__':
    run_tests(globals())
