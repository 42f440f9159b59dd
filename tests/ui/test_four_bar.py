#!/usr/bin/python3
"""tests/ui/test_four_bar.py: a four-bar linkage whose motor flicks a ball off a table, drawn from an empty canvas by pointer and keys alone, simulated, and its
motion checked by what must hold of any such motion."""
import csv
import math
import os
import tempfile

from gui import only_long, run_tests, sh, start, until
from test_task import Sheet, text_of

GRAVITY, STEP = 9.81, 0.002
# Ground pivots A and D, the crank's end B, the rocker's end C: a crank-rocker, since crank + coupler is shorter than the other two together.
A, B, C, D = (-1.0, 1.0), (-1.4, 1.0), (-0.2, 1.6), (0.2, 1.0)
BALL = (0.7, 1.6)


def draw_links(app, sheet):
    """Crank, coupler, rocker as capsules; pins where they meet and at the ground."""
    for count, ends in enumerate(((A, B), (B, C), (C, D))):
        app.take_tool('k', 'capsule')
        sheet.drag(*ends)
        app.wait(lambda s: s['bodies'] == count + 1)
    for count, at in enumerate((A, B, C, D)):
        app.take_tool('i', 'pin')
        sheet.press(at)
        app.wait(lambda s: s['item'] == 'scene.joints[%d]' % count)


def draw_ball_on_a_table(app, sheet):
    app.take_tool('b', 'box')
    sheet.drag((0.6, 1.0), (1.0, 1.4))
    app.wait(lambda s: s['bodies'] == 4 and s['selected'] == 'box')
    button = app.find('push button', 'Fixed')
    app.press(button, *(length / 2 for length in app.size(button)))
    app.wait(lambda s: 'Fix' in (s['undo'] or ''))
    sheet.press((-1.6, 2))  # the keys are the canvas' again
    app.take_tool('d', 'disc')
    sheet.drag((0.8, 1.6), (1.0, 1.6))
    app.wait(lambda s: s['bodies'] == 5 and s['selected'] == 'disc')
    app.type_into('x', str(BALL[0]))
    app.wait(lambda s: s['undo'] == 'Set position[0]')


def rows_of(path):
    with open(path) as file:
        return [{name: float(value) for name, value in row.items() if value not in (None, '')} for row in csv.DictReader(file)]


@only_long
def test_a_four_bar_flicks_a_ball():
    app = start()
    app.key('ctrl+n')
    app.wait(lambda s: s['page'] == 'sketch')
    sheet = Sheet(app)
    sheet.press((0, 2))  # the keys are the canvas' from here on
    draw_links(app, sheet)
    draw_ball_on_a_table(app, sheet)
    # The motor: the pin at A, M, a speed against the clock, enough torque.
    sheet.press(A)
    app.wait(lambda s: s['item'] == 'scene.joints[0]')
    app.key('m')
    app.wait(lambda s: s['undo'] == 'Drive pin1 by a speed')
    app.type_into('Speed', '-12')
    app.wait(lambda s: s['undo'] == 'Set speed_motor')
    app.type_into('Damping d', '20')
    for bound, value in (('At least', '-200'), ('At most', '200')):
        app.type_into(bound, value)
    sheet.press((-1.6, 2))
    app.wait(lambda s: s['item'] is None and s['selected'] is None)
    app.type_into('Time step', str(STEP))
    app.type_into('Horizon', '1')
    app.wait(lambda s: s['undo'] == 'Set t_end')
    app.shot('four-bar-1-drawn')
    file = text_of(app)
    assert [j['type'] for j in file['scene']['joints']] == ['pin'] * 4
    assert [j['bodies'] for j in file['scene']['joints']] == [['world', 'capsule'], ['capsule', 'capsule-2'], ['capsule-2', 'capsule-3'],
                                                             ['world', 'capsule-3']]
    assert file['scene']['actuators'][0]['formula'] == 'd_motor*(speed_motor - capsule.omega)'
    sheet.press((-1.6, 2))
    button = app.find('push button', 'Simulate')
    app.press(button, *(length / 2 for length in app.size(button)))
    run = app.ended()['runs'][0]
    assert run['outcome'] == 'completed', run
    app.wait(lambda s: s['time'] > 0.4)
    app.shot('four-bar-2-flicks')
    path = os.path.join(tempfile.mkdtemp(), 'motion.csv')
    app.act('export-to', '(sss)', ('trajectory', '', path))
    until(lambda: os.path.exists(path) and len(rows_of(path)) > 400, what='for the motion')
    rows = rows_of(path)
    # The loop stays closed: a step leaves open what an arc of its length misses, (speed x step)^2 / crank, and takes back what the step before left.
    drift = max(abs(row['pin%d.drift' % k]) for row in rows for k in range(1, 5))
    crank_length = math.dist(A, B)
    assert drift < (13 * crank_length * STEP) ** 2 / crank_length, drift
    crank = [row['capsule.omega'] for row in rows]
    assert min(crank) < -9, min(crank)
    # The ball leaves with speed, towards the right; the rocker did that.
    last = rows[-1]
    assert last['disc.x'] > BALL[0] + 0.8 and last['disc.vx'] > 1, last
    # In flight: no force but the weight, so v steps by g h. With joints half of a force acts at either end of a step, so that the
    # place is on the parabola through where the flight began.
    flight = [row for row in rows if row['disc.x'] > 1.25 and row['disc.y'] > 0.3]
    assert len(flight) > 20, len(flight)
    first = flight[0]
    for row in flight:
        t = row['t'] - first['t']
        assert abs(row['disc.vx'] - first['disc.vx']) < 1e-9, (row, first)
        assert abs(row['disc.x'] - first['disc.x'] - first['disc.vx'] * t) < 1e-9
        assert abs(row['disc.y'] - first['disc.y'] - first['disc.vy'] * t + GRAVITY * t * t / 2) < 1e-9, (row, first)
    # Angles of links that are pinned follow one another: both pins of the coupler are where crank and rocker have their ends.
    for row in rows[::25]:
        ends = []
        for name, a, b in (('capsule', A, B), ('capsule-2', B, C), ('capsule-3', C, D)):
            half = math.hypot(b[0] - a[0], b[1] - a[1]) / 2
            x, y, theta = row[name + '.x'], row[name + '.y'], row[name + '.theta']
            ends.append([(x + k * half * math.cos(theta), y + k * half * math.sin(theta)) for k in (-1, 1)])
        gaps = [math.dist(ends[0][0], A), math.dist(ends[0][1], ends[1][0]), math.dist(ends[1][1], ends[2][0]), math.dist(ends[2][1], D)]
        assert max(gaps) < 1e-3, gaps
    print('drift %.2g m, crank %.1f rad/s, ball leaves at %.2f m/s, %d rows of flight' % (drift, min(crank), first['disc.vx'], len(flight)))
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
