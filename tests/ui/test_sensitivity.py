#!/usr/bin/python3
"""tests/ui/test_sensitivity.py: What Moves This?: from the context menu of a run's card and of an event, by its action; bars are those that the command line's
derivatives give, largest first; bands around channels; other methods have none and say why."""
import json
import os
import re
import subprocess
import tempfile

from gui import ROOT, only_long, run_tests, start, until

CLI = os.path.join(ROOT, 'build', 'app', 'stickslip-cli')
SKETCH = os.path.join(ROOT, 'examples', 'sketches', 'falling-box.stickslip.json')


def number(text):
    """Of "mu, 0.5 ± 0.005: −3.1·10⁻⁵ s"."""
    text = text.rsplit(': ', 1)[1].split(' ')[0].replace('−', '-').replace('+', '')
    power = re.search('·10(.*)', text)
    if power is None:
        return float(text)
    return float(text[:power.start()]) * 10 ** int(power.group(1).translate(str.maketrans('⁰¹²³⁴⁵⁶⁷⁸⁹⁻', '0123456789-')))


def bars(app):
    """Names of the rows, once there are some."""
    return until(lambda: [n.name for n in app.nodes() if n.role == 'list item' and ' ± ' in (n.name or '')], 30, what='for the bars')


def simulated(env=None):
    app = start(SKETCH, env=env)
    app.wait(lambda s: s['scenario'] == 'falling-box')
    app.act('page', 's', 'run')
    app.act('methods', 's', 'fesd-j')
    app.act('run')
    app.ended()
    return app


def derivatives(names):
    run = subprocess.run([CLI, 'simulate', SKETCH, '--method', 'fesd-j', '--sensitivity', names, '--json'], text=True, capture_output=True)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


def test_what_moves():
    app = simulated()
    card = until(lambda: next((n for n in app.nodes() if n.name.startswith('Motion of FESD')), None), what='for the card')
    width, height = app.size(card)
    app.move(card, width / 2, height / 2)
    subprocess.run(['xdotool', 'click', '3'], check=True)
    app.click('menu item', 'What Moves This?')
    shown = bars(app)
    app.screen('70-what-moves')
    # where the box comes to rest: 1 % of each number by the derivatives of the command line
    result = derivatives('mu,y0,tilt,box.vx')
    sizes = {'mu': 0.5, 'y0': 1.0, 'tilt': 0.3, 'box.vx': 0.5}
    wanted = {name: 0.01 * size * result['sensitivities'][name]['box.x'] for name, size in sizes.items()}
    for name, value in wanted.items():
        line = next(t for t in shown if t.startswith(name + ','))
        assert abs(number(line) - value) <= 6e-3 * abs(value) + 1e-12, (line, value)  # three digits
    known = [abs(number(t)) for t in shown if 'no derivative' not in t]
    assert known == sorted(known, reverse=True) and len(known) >= 4, shown
    app.key('Escape')
    until(app.is_alone, what='for the window to close')

    # an event by its action: the box falls freely until a corner hits, so that g t = dy0/dt: 1 % of y0 over g t
    impact = next(e for e in result['events'] if e['kind'] == 'impact')
    app.act('what-moves-event', '(sd)', (app.status()['runs'][0]['id'], impact['t']))
    shown = bars(app)
    line = shown[0]
    assert line.startswith('y0,') and not any(t.startswith('box.y,') for t in shown), shown  # the file gives box.y by y0
    assert abs(number(line) - 0.01 / (9.81 * impact['t'])) < 6e-3 * number(line), (shown, impact)
    app.screen('71-what-moves-event')
    app.key('Escape')
    until(app.is_alone, what='for the window to close')

    app.act('methods', 's', 'moreau-jean')
    app.act('run')
    app.ended()
    app.act('what-moves', 's', '')
    until(lambda: any('have derivatives through their events' in (n.name or '') for n in app.nodes()), what='for the reason')
    app.quit()


def banded(app):
    """Its channels with bands of y0, made once more for them; at 0.2 s, in free fall, 1 % of y0 is 1 % of the height."""
    plots = app.find('image', 'Channel plots')
    if app.status()['playing']:
        app.act('play')
    app.act('show-channels', 's', 'box.y;box.vx;energy.total;floor-box.lambda_n')
    app.act('seek', 'd', 0.2)
    app.act('band', 's', 'y0')
    until(lambda: ' ± 0.01;' in plots.description, 30, what='for the band, not ' + plots.description)
    return plots


def painted(app):
    """Areas that let what is below shine through, of the channel plots as a file: bands are."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'plots.svg')
        app.act('export-to', '(sss)', ('plots', '', path))
        with open(path, encoding='utf-8') as f:
            return len(re.findall('fill-opacity:0', f.read()))


@only_long
def test_bands():
    app = simulated()
    plots = banded(app)
    at = plots.description
    assert 'Normal force' in at and '±' not in at[at.index('Normal force'):], at  # a force has none
    assert 'Total energy' in at and ' ± 0.1962' in at[at.index('Total energy'):], at  # m g of 2 kg
    app.screen('73-band')
    app.act('channels')
    app.screen('74-band-choice')
    app.key('Escape')
    with_band = painted(app)
    app.act('band', 's', 'mu')  # of the same derivatives
    until(lambda: ' ± 0;' in plots.description, what='for the other band')
    app.act('band', 's', '')
    until(lambda: '±' not in plots.description, what='for no band')
    assert (with_band, painted(app)) == (3, 0)  # the file has what is on show: a force has no band
    app.act('methods', 's', 'moreau-jean')
    app.act('run')
    app.ended()
    app.act('band', 's', 'mu')
    until(lambda: any('have derivatives through their events' in (n.name or '') for n in app.nodes()), what='for the reason')
    app.quit()


@only_long
def test_in_the_dark():
    app = simulated({'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    app.act('what-moves', 's', '')
    bars(app)
    app.screen('72-what-moves-dark')
    app.key('Escape')
    until(app.is_alone, what='for the window to close')
    banded(app)
    app.screen('75-band-dark')
    app.quit()


if __name__ == '__main__':
    run_tests(globals())
