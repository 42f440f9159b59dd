#!/usr/bin/python3
"""tests/ui/test_flush_block.py: a block flush on a 20 degree plane, held by a disc, drawn from an empty canvas by pointer and keys: typed numbers,
Rest On, Flush With, snapping onto two bodies at once, overlaps; its run with two frictions against closed forms."""
import csv
import json
import math
import os
import tempfile

from gui import SHOTS, run_tests, sh, start, until

G, TILT = 9.81, math.radians(20)


def canvas(app):
    return app.find('image', 'Canvas')


def typed(text):
    sh('xdotool', 'type', '--delay', '15', '--', text)


def scenario(app):
    path = os.path.join(tempfile.mkdtemp(), 'block.stickslip.json')
    app.act('save-scenario', 's', path)
    until(lambda: os.path.exists(path) and os.path.getsize(path) > 0)
    with open(path) as file:
        return json.load(file)


def body(app, name):
    return next(b for b in scenario(app)['scene']['bodies'] if b['name'] == name)


def says(app, text):
    """Whether anything on the page is called so."""
    return until(lambda: any(n.name == text for n in app.nodes()), what='for "%s"' % text)


def press(app, role, name):
    node = app.find(role, name) if role else until(lambda: next(n for n in app.nodes() if n.name == name), what='for ' + name)
    app.settled(node)
    width, height = app.size(node)
    app.press(node, width / 2, height / 2)


def set_friction(app, contact, value):
    path = 'scene.contacts{%s}' % contact.replace(' – ', ',')
    for _ in range(5):  # rows are made anew after an edit: a press may come to nothing
        press(app, 'list item', contact)
        try:
            until(lambda: app.status()['item'] == path, 1)
            break
        except AssertionError:
            pass
    app.type_into('Friction µ', value)
    app.wait(lambda s: s['undo'] == 'Set friction')


def simulate(app):
    """Runs it with the button and reads its motion: rows of numbers by channel."""
    press(app, 'push button', 'Simulate')
    app.wait(lambda s: s['runs'] and s['runs'][0]['outcome'] == 'completed')
    app.ended()
    path = os.path.join(tempfile.mkdtemp(), 'motion.csv')
    app.act('export-to', '(sss)', ('trajectory', '', path))
    until(lambda: os.path.exists(path) and os.path.getsize(path) > 0)
    with open(path) as file:
        return [{name: float(value) for name, value in row.items()} for row in csv.DictReader(line for line in file if not line.startswith('#'))]


def camera(app):
    """Device point of a place in the world, from two presses of the pen: none, the canvas says where the pointer is."""
    sheet = canvas(app)
    label = lambda: next(n.name for n in app.nodes() if n.role == 'label' and (n.name or '').startswith('x ') and ' m  y ' in n.name)
    points = []
    width, height = app.size(sheet)
    for x, y in ((width * 0.3, height * 0.3), (width * 0.7, height * 0.7)):
        before = None
        app.move(sheet, x, y)
        app.caught_up()
        words = until(label).split()
        points.append((int(x), int(y), float(words[1]), float(words[4])))
    (x0, y0, wx0, wy0), (x1, y1, wx1, wy1) = points
    return lambda wx, wy: (x0 + (wx - wx0) * (x1 - x0) / (wx1 - wx0), y0 + (wy - wy0) * (y1 - y0) / (wy1 - wy0))


def test_block_held_by_a_disc():
    app = start()
    app.act('new-sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    sheet = canvas(app)
    app.settled(sheet)
    width, height = app.size(sheet)
    app.press(sheet, width * 0.6, height * 0.8)

    # The plane: a click of the pen and its angle in degrees.
    app.take_tool('f', 'ground')
    app.drag(sheet, width * 0.3, height * 0.8, width * 0.4, height * 0.8, release=False)
    typed('20')
    app.shot('flush-1-typed-angle', leave=False)
    app.key('Return')
    sh('xdotool', 'mouseup', '1')
    app.wait(lambda s: s['bodies'] == 1)
    assert abs(body(app, 'floor')['angle'] - TILT) < 1e-15, body(app, 'floor')

    # The block: width and height are typed while it is drawn.
    app.take_tool('b', 'box')
    app.drag(sheet, width * 0.5, height * 0.3, width * 0.62, height * 0.2, release=False)
    typed('50cm')
    app.key('Tab')
    typed('0.2 + 0.1')
    app.shot('flush-2-typed-size', leave=False)
    app.key('Return')
    sh('xdotool', 'mouseup', '1')
    app.wait(lambda s: s['bodies'] == 2)
    assert body(app, 'box')['shape'] == {'type': 'box', 'width': 0.5, 'height': 0.3}, body(app, 'box')
    app.shot('flush-2b')
    app.key('h')
    app.wait(lambda s: s['undo'] == 'Set box flush with floor')
    app.shot('flush-3-flush')

    # Dragged along the plane it stays flush; the way is typed.
    at = camera(app)
    box = body(app, 'box')['position']
    x, y = at(*box)
    app.drag(sheet, x, y, x + 60, y - 18, release=False)
    app.shot('flush-4-snapped', leave=False)
    typed('0.25')
    app.shot('flush-5-along', leave=False)
    app.key('Return')
    sh('xdotool', 'mouseup', '1')
    app.wait(lambda s: s['undo'] == 'Move box')
    app.caught_up()
    moved = body(app, 'box')
    assert abs(math.hypot(moved['position'][0] - box[0], moved['position'][1] - box[1]) - 0.25) < 1e-12, (box, moved)
    assert abs(moved['angle'] - TILT) < 1e-12

    # A disc that lies in the block is an overlap, and stands in the outline; it is parted with a key, and dragged against both.
    app.take_tool('d', 'disc')
    x, y = at(*moved['position'])
    app.drag(sheet, x - 42, y + 10, x - 70, y - 10, release=False)
    typed('0.1 m')
    app.key('Return')
    sh('xdotool', 'mouseup', '1')
    app.wait(lambda s: s['bodies'] == 3)
    says(app, '1 overlap')
    app.shot('flush-6-overlap')
    app.key('o')
    app.wait(lambda s: s['undo'] == 'Separate bodies')
    says(app, 'No errors')
    app.shot('flush-7-separated')
    x, y = at(*body(app, 'disc')['position'])
    app.drag(sheet, x, y, x - 3, y + 3, release=False)
    app.shot('flush-8-second', leave=False)
    sh('xdotool', 'mouseup', '1')
    app.wait(lambda s: s['undo'] == 'Move disc')
    app.caught_up()

    # Its mass in grams, its angle held, three frictions. The live plots below the inspector would cover the row that is pressed.
    app.act('live-plots')
    app.type_into('Mass', '1500 g')
    app.wait(lambda s: s['undo'] == 'Set mass')
    press(app, None, 'Lock angle')
    app.wait(lambda s: s['undo'].startswith('Lock theta'))
    set_friction(app, 'box – disc', '0')
    set_friction(app, 'floor – box', '0.2')
    set_friction(app, 'floor – disc', '0.9')

    # The disc sticks and holds the block, which alone would slide: 0.2 < tan 20 deg.
    rows = simulate(app)
    for pair in ('floor-box', 'floor-disc', 'box-disc'):
        assert abs(rows[0][pair + '.gap']) <= 1e-12, (pair, rows[0][pair + '.gap'])
    way = math.hypot(rows[-1]['box.x'] - rows[0]['box.x'], rows[-1]['box.y'] - rows[0]['box.y'])
    assert way < 1e-9, way
    app.shot('flush-9-held')
    # With another friction they slide together, the block pushing: each step of the integrator adds a h to the speed, so that it is exact.
    set_friction(app, 'floor – disc', '0.4')
    rows = simulate(app)
    acceleration = G * (math.sin(TILT) - (0.6 * 0.2 + 1.5 * 0.4) / 2.1 * math.cos(TILT))
    speed = math.hypot(rows[-1]['box.vx'], rows[-1]['box.vy'])
    assert abs(speed - acceleration * rows[-1]['t']) < 1e-7, (speed, acceleration * rows[-1]['t'])
    assert abs(math.hypot(rows[-1]['disc.vx'], rows[-1]['disc.vy']) - speed) < 1e-9
    assert rows[-1]['box.vx'] < 0
    app.shot('flush-10-sliding')
    app.kill()


def test_which_two_a_joint_joins():
    """A pin where three bodies overlap: the keyboard chooses another pair in the popover; the inspector offers it again."""
    app = start()
    app.act('new-sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    sheet = canvas(app)
    app.settled(sheet)
    width, height = app.size(sheet)
    app.press(sheet, width * 0.8, height * 0.4)
    for key, name, x, y in (('b', 'box', 0.4, 0.3), ('d', 'disc', 0.5, 0.45), ('b', 'box', 0.45, 0.38)):
        app.take_tool(key, name)
        app.drag(sheet, width * x, height * y, width * (x + 0.17), height * (y + 0.21))
        until(lambda: app.describe('tool')[1][0] == 'select')
    app.wait(lambda s: s['bodies'] == 3)
    says(app, '3 overlaps')
    app.shot('pairs-0-overlaps')
    app.take_tool('i', 'pin')
    app.press(sheet, width * 0.52, height * 0.47)
    app.wait(lambda s: s['item'] == 'scene.joints[0]')
    says(app, 'disc and box-2')
    if SHOTS:
        sh('import', '-window', 'root', os.path.join(SHOTS, 'pairs-1-popover.png'))
    app.key('Down', 'Down', 'Return')
    app.wait(lambda s: s['undo'] == 'Join by pin1')
    until(lambda: 'world – box-2' in canvas(app).description, what='for the joined bodies')
    assert scenario(app)['scene']['joints'][0]['bodies'] == ['world', 'box-2']
    app.shot('pairs-2-chosen')
    app.key('Escape')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
