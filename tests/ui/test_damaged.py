#!/usr/bin/python3
"""tests/ui/test_damaged.py: a project that is not as it was stored: what is not ours is refused, with a copy of what can be read; a run that does not match its checksum is marked."""
import os
import sqlite3
import tempfile

from gui import run_tests, start
from test_lost import picture, type_path


def make_project(app):
    """A project with one run, in a file of its own; its path and the run's id."""
    app.act('open-example', 's', 'falling-box')
    app.wait(lambda s: s['bodies'] == 2)
    app.act('simulate')
    run = app.ended()['runs'][0]['id']
    path = os.path.join(tempfile.mkdtemp(), 'mine.stickslip')
    app.act('save-project', 's', path)
    app.wait(lambda s: s['project'] == path)
    return path, run


def change(path, sql):
    db = sqlite3.connect(path)
    db.executescript(sql)
    db.commit()
    db.close()


def test_foreign_project():
    app = start(env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-light'})
    path, run = make_project(app)
    app.quit()
    change(path, 'CREATE TRIGGER evil AFTER INSERT ON metric BEGIN UPDATE metric SET value = 42; END')
    app = start()
    app.act('open', 's', path)
    app.find('label', 'The Project Cannot Be Opened')
    picture('damaged-foreign')
    app.click('push button', 'Save Readable Copy…')
    saved = os.path.join(tempfile.mkdtemp(), 'copy.stickslip')
    type_path(app, '^Save Readable Copy$', saved)
    app.wait(lambda s: s['project'] == saved)
    app.quit()
    db = sqlite3.connect(saved)
    assert db.execute("SELECT count(*) FROM sqlite_schema WHERE type = 'trigger'").fetchone()[0] == 0
    assert db.execute('SELECT id FROM run').fetchone()[0] == run
    db.close()


def test_damaged_run():
    app = start(env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    path, _ = make_project(app)
    app.quit()
    change(path, "UPDATE metric SET value = 42 WHERE name = 'energy_final'")
    app = start()
    app.act('open', 's', path)
    app.wait(lambda s: s['project'] == path)
    assert app.find_any('Damaged')
    picture('damaged-run')
    app.quit()


if __name__ == '__main__':
    run_tests(globals())
