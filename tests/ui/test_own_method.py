#!/usr/bin/python3
"""tests/ui/test_own_method.py: the window starts with the method that a file names, and says what a law ignores; a program of the user's own is a
method like any other."""
import json
import os
import pathlib
import tempfile

from gui import only_long, run_tests, start, until
from test_lost import picture
from test_robot import answer


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


@only_long
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


def given(folder):
    """A scenario with a method beside it that no folder of the user's has; the program says what it is told."""
    (folder / 'line.stickslip.json').write_text(json.dumps({
        'format': 1, 'name': 'line', 'model': {'points': 1, 'states': ['x'], 'cost': [{'name': 'objective', 'points': 0, 'cost': 'x^2'}]}}))
    (folder / 'given.py').write_text('import json\njob = json.loads(input())\n'
                                     'print(json.dumps({"type": "result", "outcome": "solved", "x": [0.0]}), flush=True)\n')
    (folder / 'given.stickslip-method.json').write_text(json.dumps({
        'format': 1, 'name': 'given', 'kind': 'optimise', 'title': 'Given by Somebody', 'summary': 'a test', 'command': ['python3', 'given.py']}))
    return str(folder / 'line.stickslip.json')


def test_a_method_beside_a_scenario_is_asked_for():
    os.environ['STICKSLIP_METHODS'] = ''
    with tempfile.TemporaryDirectory() as folder:
        scenario, heading = given(pathlib.Path(folder)), 'Allow “Given by Somebody” to Run?'
        app = start(env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
        app.act('open', 's', scenario)
        app.find('label', heading)
        assert app.find('label', 'Command: python3 ').name.count('sha256:') == 2
        picture('84-allow-dark')
        answer(app, heading, 'Not Now')
        app.wait(lambda s: s['scenario'] == 'line')
        app.act('open-example', 's', 'bouncing-ball')
        app.wait(lambda s: s['scenario'] == 'bouncing-ball')
        app.act('open', 's', scenario)  # not again before the next start
        app.wait(lambda s: s['scenario'] == 'line')
        app.kill()
        app = start(env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-light'})
        app.act('open', 's', scenario)
        app.find('label', heading)
        picture('84-allow-light')
        answer(app, heading, 'Allow')
        app.wait(lambda s: s['scenario'] == 'line')
        app.act('page', 's', 'run')
        app.act('methods', 's', 'given')
        app.act('run')
        runs = app.ended()['runs']
        assert [(r['method'], r['outcome']) for r in runs] == [('given', 'solved')], runs
        app.act('keep-method', 's', 'given')
        app.find('label', '“Given by Somebody” is kept in the project, with its files')
        project = app.status()['project']
        app.kill()
        os.environ['XDG_DATA_HOME'] = folder + '/another'  # and on another machine
        app = start(env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-light'})
        app.act('open', 's', project)
        app.find('label', '“given.stickslip-method.json” is kept in this project')
        picture('84-allow-kept')
        assert not os.path.exists(folder + '/another/stickslip/methods/of-projects')
        answer(app, heading, 'Allow')
        app.act('open', 's', scenario)  # the file beside it is that very method
        app.wait(lambda s: s['scenario'] == 'line')
        app.act('page', 's', 'run')
        app.act('methods', 's', 'given')
        app.act('run')
        runs = app.ended()['runs']
        assert [(r['method'], r['outcome']) for r in runs] == [('given', 'solved')], runs
        app.kill()


if __name__ == '__main__':
    run_tests(globals())
