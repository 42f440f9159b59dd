#!/usr/bin/python3
"""tests/ui/test_fan.py: a fan from the Impact page: its branches are drawn, told in words and exported, and a stored one is shown again; the player's switch
between the clocks."""
import csv
import json
import os
import tempfile

from gui import only_long, run_tests, start, until

# Weak gravity and a fast fall: some outcomes of the first impact tip the tower over.
SCENE = {
    'format': 1, 'name': 'dropped-tower', 'title': 'Dropped Tower',
    'scene': {'friction': 1, 'gravity': [0, -1], 'bodies': [
        {'name': 'floor', 'fixed': True, 'shape': {'type': 'half-plane', 'normal': [0, 1]}},
        {'name': 'tower', 'shape': {'type': 'box', 'width': 0.5, 'height': 2}, 'mass': 1, 'position': [0, 1],
         'velocity': [0, -5], 'color': 'brown'}]},
    'task': {'t_end': 4, 'dt': 0.01}}


def write_scene():
    path = os.path.join(tempfile.mkdtemp(dir=os.environ['HOME']), 'dropped-tower.stickslip.json')
    with open(path, 'w') as file:
        json.dump(SCENE, file)
    return path


def described(app, role, name, *words):
    until(lambda: all(word in (app.find(role, name).description or '') for word in words), what='for %s of %s' % (words, name))


def seek(app, t):
    if app.status()['playing']:
        app.act('play')
    app.act('seek', 'd', t)
    app.wait(lambda s: abs(s['time'] - t) < 1e-9 and not s['playing'])


def simulate_fan(app):
    app.act('page', 's', 'impact')
    app.act('impact-source', 's', 'sketch')
    app.wait(lambda s: s['impact'] and s['impact']['samples'] == s['impact']['wanted'] > 0, 20)
    app.click('push button', 'Simulate as a fan')
    run = app.ended(60)['runs'][0]
    assert run['method'] == 'event-driven' and run['outcome'] == 'completed' and run['motion'], run
    assert app.status()['page'] == 'run'
    return run


def test_a_fan_from_the_impact_page():
    app = start(write_scene())
    app.wait(lambda s: s['scenario'] == 'dropped-tower')
    run = simulate_fan(app)
    # The shares in words, and how many branches the picture and the plot have.
    label = app.find('label', 'branches: tower at rest')
    text = label.name
    count = int(text.split()[0])
    assert 5 < count <= 32 and 'tipped 0 %' not in text, text
    described(app, 'image', 'Motion of Fan', 'in %d branches' % count)
    app.act('plot', 's', 'motion')
    described(app, 'image', 'Motion plot', '%d branches' % (count - 1))
    seek(app, 2.5)
    app.shot('fan1-run')
    # By the second clock the same instant has another reading, and an impact lasts as long as its impulse of 5 N s.
    duration = app.status()['duration']
    app.click('push button', 'Clock: Impulse Time')
    told = app.wait(lambda s: s['duration'] > duration + 4)
    assert told['time'] > 2.5 + 4, told
    app.find('label', 't 2.5000 s')
    app.shot('fan2-second-clock')
    seek(app, 1)  # within the first impact
    app.find('label', 't 0.0000 s')
    app.shot('fan3-in-the-impact')
    app.click('push button', 'Clock: Time')
    app.wait(lambda s: abs(s['duration'] - duration) < 1e-9)
    # The table has all branches, with shares that sum to 1.
    table = os.path.join(os.environ['HOME'], 'branches.csv')
    app.act('export-to', '(sss)', ('trajectory', run['id'], table))
    until(lambda: os.path.exists(table))
    with open(table) as file:
        rows = list(csv.DictReader(file))
    shares = {row['branch']: float(row['share']) for row in rows}
    assert len(shares) == count and abs(sum(shares.values()) - 1) < 1e-12, shares
    # Kept: opened from the project it is the same fan.
    app.act('open-run', 's', run['id'])
    described(app, 'image', 'Motion of', 'in %d branches' % count)
    app.find('label', text)
    app.kill()


@only_long
def test_a_fan_in_the_dark():
    app = start(write_scene(), env={'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'})
    app.wait(lambda s: s['scenario'] == 'dropped-tower')
    simulate_fan(app)
    seek(app, 2.5)
    app.find('label', 'branches: tower at rest')
    app.shot('fan4-dark')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
