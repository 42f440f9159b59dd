#!/usr/bin/python3
"""tests/ui/test_sketches.py: several sketches in a project, on the Project page; the equations; the source view."""
import json
import os
import subprocess
import tempfile

from gui import PROGRAM, run_tests, sh, start, until

CLI = os.path.join(os.path.dirname(PROGRAM), 'stickslip-cli')


def sketches(project):
    return json.loads(subprocess.check_output([CLI, 'list', project, '--sketches', '--json'], text=True))


def names(project):
    return sorted(s['title'] for s in sketches(project))


def test_kept_always():
    """An edit is kept in a project of its own, nobody asks; versions are gone back to; undo reaches over pages."""
    app = start()
    app.act('new-sketch')
    app.act('add', 's', 'box')
    project = app.wait(lambda s: s['project'] and s['sketch'] and not s['dirty'])['project']
    app.act('set-field', '(ss)', ('scene.bodies[0].shape.width', '2'))
    until(lambda: len(json.loads(subprocess.check_output([CLI, 'list', project, '--versions', 'sketch', '--json']))) == 2)
    app.act('add', 's', 'disc')
    app.act('select', 's', 'box')
    app.shot('kept-inspector')
    app.act('versions')
    until(lambda: app.n_windows() == 2, what='for the versions')
    app.screen('kept-versions')
    sh('xdotool', 'key', 'Tab', 'End', 'Return')  # the oldest one
    app.wait(lambda s: s['undo'] == 'Go back to version 1' and s['bodies'] == 1)
    app.act('page', 's', 'project')
    app.act('undo')
    app.wait(lambda s: s['bodies'] == 2)
    app.told('Undone in the sketch: Go back to version 1')
    app.shot('kept-undone')
    app.quit()
    app = start()
    until(lambda: app.has('list item', 'Untitled Sketch'), what='for the recent project by its sketch')
    app.shot('kept-recent')
    app.act('open', 's', project)
    app.wait(lambda s: s['bodies'] == 2 and s['sketch'])
    # A file that was edited and not saved says so when it is opened again, and shows the edits.
    file = os.path.join(tempfile.mkdtemp(), 'drawn.stickslip.json')
    app.act('save-scenario', 's', file)
    app.act('add', 's', 'disc')
    app.wait(lambda s: s['bodies'] == 3)
    app.act('open', 's', file)
    app.wait(lambda s: s['bodies'] == 2)
    app.find('label', 'were not saved in this file')
    app.shot('kept-beside-a-file')
    app.press_in_toast('were not saved in this file', 'Show Them')
    app.wait(lambda s: s['bodies'] == 3 and s['sketch'])
    app.kill()


def test_several_sketches():
    folder = tempfile.mkdtemp()
    project = os.path.join(folder, 'study.stickslip')
    app = start()
    app.act('open-example', 's', 'falling-box')
    app.wait(lambda s: s['bodies'] == 2)
    app.act('save-project', 's', project)
    app.act('page', 's', 'project')
    app.click('push button', 'New sketch in this project')
    app.wait(lambda s: s['bodies'] == 0 and s['page'] == 'sketch' and not s['sketch'])  # what is empty is not kept
    app.act('add', 's', 'disc')
    first = app.wait(lambda s: s['bodies'] == 1 and s['sketch'])
    # An example is none of the project's until it is edited.
    app.act('open-example', 's', 'falling-box')
    app.wait(lambda s: s['bodies'] == 2 and not s['sketch'])
    app.act('add', 's', 'box')
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
    # A card that shows what it showed stays while another sketch is kept: nobody loses a press on it, or the focus.
    card = app.find('push button', 'Sketch Falling Box')
    app.act('rename-sketch', '(ss)', (first['sketch'], 'One body'))
    app.find('push button', 'Sketch One body')
    card.do()
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


def text_of(node):
    return node.text()


def test_equations_and_source():
    app = start()
    app.act('open-example', 's', 'falling-box')
    app.wait(lambda s: s['bodies'] == 2)
    app.act('equations')
    view = app.find('text', 'Equations of the scenario')
    until(lambda: 'M_box = diag(' in text_of(view) and 'What Stewart–Trinkle solves' in text_of(view), what='for the equations')
    app.shot('3-equations')
    app.act('equations-method', 's', 'moreau-jean')
    until(lambda: 'What Moreau–Jean solves' in text_of(view))
    app.click('push button', 'Copy LaTeX')
    # The source: a fault is marked and cannot be applied, what is mended can, as one step.
    app.key('ctrl+u')
    source = app.find('text', 'Source of the scenario')
    before = text_of(source)
    app.press(source, 200, 60)
    assert source.set_text(before.replace('"bodies"', '"bodies" 1'))
    until(lambda: any(n.name.startswith('Line ') for n in app.nodes()), what='for the problem')
    app.shot('4-source-with-a-fault')
    app.key('ctrl+Return')
    assert app.status()['undo'] is None
    changed = before.replace('Falling Box', 'Another Box')
    source.set_text(changed)
    until(lambda: app.find('push button', 'Apply source').has_state('sensitive'))
    app.press(source, 200, 60)
    app.key('ctrl+Return')
    app.wait(lambda s: s['undo'] == 'Edit source')
    app.key('ctrl+f')
    app.find('entry', 'Find in the source')
    app.shot('5-source-applied')
    app.act('undo')
    app.wait(lambda s: s['undo'] is None)
    until(lambda: text_of(source) == before)
    # A model is edited here too; what is not applied waits with its sketch.
    app.act('open-example', 's', 'push-box')
    app.wait(lambda s: s['bodies'] == -1)
    until(lambda: '"model"' in text_of(source))
    model = text_of(source)
    source.set_text(model.replace('Push Box', 'Push a Crate'))
    app.act('open-example', 's', 'falling-box')
    until(lambda: text_of(source) == before)
    app.act('open-example', 's', 'push-box')
    until(lambda: 'Push a Crate' in text_of(source))
    app.shot('6-source-of-a-model')
    app.act('apply-source')
    app.wait(lambda s: s['undo'] == 'Edit source')
    app.act('equations')
    until(lambda: 'Complementarities' in text_of(view))
    # The system is that of the method with the options of the window.
    app.act('option', '(sss)', ('crisp', 'preset', 'paper'))
    app.act('equations-method', 's', 'crisp')
    until(lambda: 'With preset=paper' in text_of(view) and 'paper equations crisp' in text_of(view), what='for the option')
    app.shot('7-equations-of-a-model')
    app.act('close-text')
    app.act('undo')
    app.quit()


if __name__ == '__main__':
    run_tests(globals())
