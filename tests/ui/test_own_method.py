#!/usr/bin/python3
"""tests/ui/test_own_method.py: the window starts with the method that a file names, and says what a law ignores; a program of the user's own is a
method like any other."""
import os
import pathlib

from gui import run_tests, start, until


def chosen(app, example):
    app.act('open-example', 's', example)
    app.wait(lambda s: s['scenario'] == example)
    app.act('page', 's', 'run')
    app.act('run')
    return [r['method'] for r in app.ended()['runs']]


def test_files_start_with_their_own_method():
    app = start()
    assert chosen(app, 'foundation') == ['constraint-solver']
    app.shot('81-foundation')
    assert chosen(app, 'skew-box') == ['fesd-j']
    assert chosen(app, 'guiding-particle') == ['time-freezing']
    assert chosen(app, 'falling-box') == ['stewart-trinkle']
    app.kill()


def test_what_a_law_ignores_is_on_its_card():
    app = start()
    app.act('open-example', 's', 'foundation')
    app.wait(lambda s: s['scenario'] == 'foundation')
    app.act('page', 's', 'run')
    app.act('methods', 's', 'stewart-trinkle')
    app.act('run')
    app.ended()
    until(lambda: app.find('label', 'does not use stiffness: the 1e+07 N/m of contact springs is ignored'))
    app.shot('82-ignored')
    app.kill()


def test_a_program_is_a_method():
    os.environ['STICKSLIP_METHODS'] = str(pathlib.Path(__file__).resolve().parents[2] / 'examples' / 'methods')
    os.environ['PATH'] = os.confstr('CS_PATH') + ':' + os.environ['PATH']  # the distribution's Python has numpy
    app = start()
    app.act('open-example', 's', 'bouncing-ball')
    app.wait(lambda s: s['scenario'] == 'bouncing-ball')
    app.act('page', 's', 'run')
    app.act('methods', 's', 'spring-euler,stewart-trinkle')
    app.act('run')
    runs = app.ended()['runs']
    assert [(r['method'], r['outcome']) for r in runs] == [('stewart-trinkle', 'completed'), ('spring-euler', 'completed')], runs
    until(lambda: app.find('label', 'Symplectic Euler (Python)'))
    app.shot('83-program')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
