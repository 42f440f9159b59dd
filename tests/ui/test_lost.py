#!/usr/bin/python3
"""tests/ui/test_lost.py: a project whose file goes while it is written: the window asks where to save what it has, and does not close without a word."""
import os
import sqlite3
import tempfile

from gui import LASTING, SHOTS, run_tests, sh, start, time, until

ASKS = 'Save the Runs Elsewhere?'


def query(path, sql):
    with sqlite3.connect(path) as db:
        return db.execute(sql).fetchone()[0]


def picture(name):
    """The whole screen: the dialog is a window of its own."""
    if SHOTS:
        time.sleep(0.5)
        sh('import', '-window', 'root', os.path.join(SHOTS, name + '.png'))


def type_path(app, title, path):
    """A path typed into GTK's file chooser."""
    window = until(lambda: sh('xdotool', 'search', '--onlyvisible', '--name', title).split(), what='for the dialog')[-1]
    sh('xdotool', 'windowactivate', '--sync', window)
    entry = until(lambda: next((n for n in app.nodes(False) if n.role == 'text' and
                                n.has_state('focused')), None), what='for the focus of the entry')
    app.key('ctrl+a')
    sh('xdotool', 'type', '--delay', '5', '--', path)
    until(lambda: entry.text() == path, what='for the path in the entry')

    def taken():
        if app.is_alone():
            return True
        app.key('Return')
        return None
    until(taken, step=0.5)


def lose_while_running(app):
    """Deletes the project of a run that goes on; the run whose answer has no file, and its project."""
    app.act('open-example', 's', 'push-box')
    app.act('set-field', '(ss)', ('parameters.N.value', LASTING))
    app.act('save-scenario', 's', os.path.join(tempfile.mkdtemp(), 'long.stickslip.json'))
    app.act('page', 's', 'run')
    app.act('methods', 's', 'ipopt')
    app.act('run')
    app.wait(lambda s: any(r['running'] for r in s['runs']), 30)
    project = app.status()['project']
    os.unlink(project)
    app.act('cancel')
    return app.ended()['runs'][0]['id'], project


def put_off(app):
    """Not now; also where the end of a run tells the loss once more."""
    app.find('push button', 'Not Now')

    def gone():
        if app.is_alone():
            return True
        app.click('push button', 'Not Now')
        return None
    until(gone, step=0.5)


def ended_with(path, run):
    return query(path, 'PRAGMA integrity_check') == 'ok' and \
        query(path, "SELECT outcome FROM run WHERE id = '%s'" % run) == 'cancelled'


def test_saved_elsewhere():
    app = start(env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-light'})
    run, project = lose_while_running(app)
    app.find('label', ASKS)
    assert app.find('label', project), project  # which file it was
    picture('lost-light')
    app.click('push button', 'Save Elsewhere')
    saved = os.path.join(tempfile.mkdtemp(), 'saved.stickslip')
    type_path(app, '^Save Project Elsewhere$', saved)
    app.wait(lambda s: s['project'] == saved)
    app.alone()
    # It goes on there, and closes without a question.
    app.act('open-example', 's', 'falling-box')
    app.act('simulate')
    second = app.ended()['runs'][0]['id']
    app.quit()
    assert os.listdir(os.path.dirname(saved)) == ['saved.stickslip']
    assert ended_with(saved, run)
    assert query(saved, "SELECT outcome FROM run WHERE id = '%s'" % second) == 'completed'
    assert not [f for f in os.listdir(os.path.dirname(project)) if f.startswith(os.path.basename(project))]


def test_closing_asks():
    app = start(env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    run, _ = lose_while_running(app)
    put_off(app)
    # Nothing new begins without a file, and closing asks again.
    app.act('run')
    put_off(app)
    app.act('close')
    app.find('push button', 'Discard')
    picture('lost-dark')
    app.answer('Cancel')
    assert app.status()['runs'][0]['id'] == run
    app.act('close')
    app.click('push button', 'Discard')
    assert app.exited() == 0


def test_saved_while_running():
    """Save Project As in the middle of a run: its end goes into the new file."""
    app = start()
    app.act('open-example', 's', 'push-box')
    app.act('set-field', '(ss)', ('parameters.N.value', LASTING))
    app.act('save-scenario', 's', os.path.join(tempfile.mkdtemp(), 'long.stickslip.json'))
    app.act('page', 's', 'run')
    app.act('methods', 's', 'ipopt')
    app.act('run')
    run = app.wait(lambda s: any(r['running'] for r in s['runs']), 30)['runs'][0]['id']
    project, named = app.status()['project'], os.path.join(tempfile.mkdtemp(), 'named.stickslip')
    app.act('save-project', 's', named)
    app.wait(lambda s: s['project'] == named)
    assert not os.path.exists(project)
    app.act('cancel')
    app.ended()
    app.quit()
    assert ended_with(named, run)


if __name__ == '__main__':
    run_tests(globals())
