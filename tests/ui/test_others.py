#!/usr/bin/python3
"""tests/ui/test_others.py: what another program writes into the project that the window shows: its runs, its study, a writer that dies."""
import json
import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

from gui import LASTING, PROGRAM, run_tests, start, until

CLI = os.path.join(os.path.dirname(PROGRAM), 'stickslip-cli')
BOX = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', 'examples', 'crisp', 'push-box.stickslip.json')
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', 'bench'))
many_runs = __import__('many-runs')


WRITER = """
import sqlite3, sys, time
db = sqlite3.connect(sys.argv[1], timeout=30, isolation_level=None)
while True:
    db.execute('BEGIN IMMEDIATE')
    db.execute("UPDATE run SET note = note || 'x' WHERE number = 1")
    time.sleep(0.05)
    db.execute('ROLLBACK')
    time.sleep(0.01)
"""


def ask(project, query):
    with sqlite3.connect('file:%s?mode=ro' % project, uri=True) as db:
        return db.execute(query).fetchone()[0]



def test_a_study_of_another_program():
    with tempfile.TemporaryDirectory() as folder:
        project = os.path.join(folder, 'p.stickslip')
        other = subprocess.Popen([CLI, 'sweep', BOX, '--methods', 'crisp', '--vary', 'N=60', '--vary', 'j=0:15:16', '--jobs', '1', '--project', project,
                                  '--quiet'], stdout=subprocess.DEVNULL)
        until(lambda: ask(project, "SELECT count(*) FROM run WHERE outcome = 'solved'") > 0, what='for the first run')
        app = start(project)
        app.wait(lambda s: s['project'] and s['page'] == 'project')
        app.key('alt+5')
        seen = app.wait(lambda s: s['study'] and s['study']['tasks'] == 16)['study']['solved']
        # it goes on in the other program: all of it is seen, nothing runs for ever
        other.wait(120)
        ended = time.time()
        app.wait(lambda s: s['study']['solved'] + s['study']['unsolved'] == 16 and s['study']['running'] == 0)
        print('%d of 16 at first, all seen %.2f s after its end' % (seen, time.time() - ended), flush=True)
        # a writer that dies leaves no run that goes on for ever
        other = subprocess.Popen([CLI, 'optimise', BOX, '--set', 'N=' + LASTING, '--project', project, '--quiet'], stdout=subprocess.DEVNULL)
        until(lambda: ask(project, "SELECT count(*) FROM run WHERE outcome = 'running'") == 1, what='for the run of the other program')
        os.kill(other.pid, signal.SIGKILL)
        other.wait()
        until(lambda: ask(project, "SELECT count(*) FROM run WHERE outcome = 'interrupted'") == 1, 5, what='for the window to close the dead run')
        app.quit()


def test_runs_of_another_program():
    with tempfile.TemporaryDirectory() as folder:
        project = os.path.join(folder, 'p.stickslip')
        one = [CLI, 'optimise', BOX, '--set', 'N=20', '--project', project, '--quiet']
        subprocess.run(one, stdout=subprocess.DEVNULL, check=True)
        app = start(project)
        app.wait(lambda s: s['project'] and s['page'] == 'project')
        app.find('label', '1 run')
        for n in (2, 3, 4):
            subprocess.run(one, stdout=subprocess.DEVNULL, check=True)
            ended = time.time()
            app.find('label', '%d runs' % n)
            print('run %d seen %.2f s after its end' % (n, time.time() - ended), flush=True)
        locked_by_another_program(app, project)
        app.quit()


def locked_by_another_program(app, project):
    """What is drawn while another program has the project locked is told, and kept when the lock is gone; a window that closes meanwhile asks."""
    def boxes():
        text = ask(project, 'SELECT text FROM sketch WHERE deleted IS NULL ORDER BY changed DESC LIMIT 1')
        return len(json.loads(text)['scene']['bodies'])
    app.act('add-sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    app.act('add', 's', 'box')
    until(lambda: boxes() == 1, what='for the first box in the project')
    n = ask(project, 'SELECT count(*) FROM sketch')
    other = sqlite3.connect(project, isolation_level=None)
    other.execute('BEGIN EXCLUSIVE')
    app.act('add', 's', 'box')
    app.told('Another program has it locked')
    app.screen('others-1-locked')
    app.act('close')
    app.find('label', 'Save the Sketch in a File?', 20)
    app.screen('others-2-closing')
    app.answer('Cancel')
    app.act('add', 's', 'box')
    assert boxes() == 1
    other.execute('ROLLBACK')
    app.told('are in the project now')
    until(lambda: boxes() == 3, what='for what was drawn meanwhile')
    assert ask(project, 'SELECT count(*) FROM sketch') == n  # the same sketch, not one more
    # What is discarded stops nothing: the new sketch comes.
    other.execute('BEGIN EXCLUSIVE')
    app.act('add', 's', 'box')
    app.wait(lambda s: s['bodies'] == 4)
    app.key('ctrl+n')
    app.find('label', 'Save the Sketch in a File?', 20)
    app.answer('Discard')
    app.wait(lambda s: s['bodies'] == 0)
    other.execute('ROLLBACK')
    assert boxes() == 3
    app.act('add', 's', 'box')
    until(lambda: boxes() == 1, what='for the box of the new sketch')
    # A program that writes all the time keeps nothing from the project.
    writer = subprocess.Popen([sys.executable, '-c', WRITER, project])
    for k in range(3):
        app.act('add', 's', 'disc')
        until(lambda: boxes() == 2 + k, what='for a disc beside another writer')
    writer.kill()
    writer.wait()
    other.close()


def test_a_long_list_of_another_program():
    """A list of more than 1000 runs, which the window reads in a thread; also what comes while it is being read."""
    with tempfile.TemporaryDirectory() as folder:
        few, many = (os.path.join(folder, name + '.stickslip') for name in ('few', 'many'))
        one = [CLI, 'optimise', BOX, '--set', 'N=20', '--quiet', '--project']
        subprocess.run([*one, few], stdout=subprocess.DEVNULL, check=True)
        many_runs.make(few, many, 1100)
        app = start(many)
        app.wait(lambda s: s['project'] and s['page'] == 'project')
        app.find('label', '1100 runs')
        app.act('search-runs', 's', 'scenario:push-box-3')
        app.find('label', '57 of 1100 runs')
        for _ in range(3):
            subprocess.run([*one, many], stdout=subprocess.DEVNULL, check=True)
        app.find('label', '57 of 1103 runs')
        app.act('search-runs', 's', '')
        app.find('label', '1103 runs')
        app.quit()


if __name__ == '__main__':
    run_tests(globals())
