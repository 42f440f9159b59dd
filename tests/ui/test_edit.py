#!/usr/bin/python3
"""tests/ui/test_edit.py: several objects of a sketch in a real window: choosing, moving, the inspector of them all."""
import json
import math
import os
import re
import tempfile
import time

from gui import key_names, run_tests, sh, start, until, walk

SCENE = {'format': 1, 'name': 'bench', 'title': 'Bench', 'scene': {
    'gravity': [0, -9.81], 'friction': 0.5, 'bodies': [
        {'name': 'floor', 'fixed': True, 'shape': {'type': 'half-plane', 'normal': [0, 1]}},
        {'name': 'box', 'shape': {'type': 'box', 'width': 1, 'height': 0.5}, 'mass': 2, 'position': [-1, 0.75]},
        {'name': 'arm', 'shape': {'type': 'box', 'width': 1, 'height': 0.25}, 'mass': 1, 'position': [0, 0.75]},
        {'name': 'disc', 'shape': {'type': 'circle', 'radius': 0.2}, 'mass': 1, 'position': [1, 1]}],
    'contacts': 'all',
    'joints': [{'name': 'elbow', 'type': 'pin', 'bodies': ['box', 'arm'], 'anchor': [-0.5, 0.75]}]},
    'task': {'t_end': 1, 'dt': 0.01}}


def open_bench(app):
    path = os.path.join(tempfile.mkdtemp(), 'bench.stickslip.json')
    json.dump(SCENE, open(path, 'w'))
    app.act('open', 's', path)
    app.wait(lambda s: s['scenario'] == 'bench')
    app.act('page', 's', 'sketch')
    app.wait(lambda s: s['page'] == 'sketch')


def saved(app):
    path = os.path.join(tempfile.mkdtemp(), 'a.stickslip.json')
    app.act('save-scenario', 's', path)
    app.wait(lambda s: not s['dirty'] and s['file'] == path)
    return json.load(open(path))


def place_of(app, name):
    return next(b['position'] for b in saved(app)['scene']['bodies'] if b['name'] == name)


class Sheet:
    """The canvas with its scale: points of the sketch [m] to its pixels."""

    def __init__(self, app):
        self.app, self.node = app, app.find('image', 'Canvas')
        app.settled(self.node)
        width, height = app.size(self.node)
        self.scale = float(next(n.name for n in app.nodes() if n.name and n.name.endswith(' px/m')).split()[0])
        here, there = (width // 2, height // 2), (width // 2 + 40, height // 2)
        app.move(self.node, *there)
        app.move(self.node, *here)
        text = until(lambda: next((n.name for n in app.nodes() if re.fullmatch(r'x \S+ m  y \S+ m', n.name or '')), None))
        x, y = (float(v) for v in re.findall(r'-?\d+\.\d+', text))
        self.zero = here[0] - x * self.scale, here[1] + y * self.scale

    def at(self, x, y):
        return self.zero[0] + x * self.scale, self.zero[1] - y * self.scale

    def press(self, x, y):
        self.app.press(self.node, *self.at(x, y))

    def drag(self, x0, y0, x1, y1):
        self.app.drag(self.node, *self.at(x0, y0), *self.at(x1, y1))


def every(node):
    """Every node, also those of a popover, which is below its button."""
    yield node
    for child in node:
        if child:
            yield from every(child)


def held(key, do):
    sh('xdotool', 'keydown', key)
    try:
        do()
    finally:
        sh('xdotool', 'keyup', key)


def whole_screen(name):
    """Menus and dialogs are windows of their own."""
    if os.environ.get('SHOTS'):
        time.sleep(0.3)
        sh('import', '-window', 'root', os.path.join(os.environ['SHOTS'], name + '.png'))


def rows_chosen(app):
    outline = app.find('list', 'Outline')
    return [n.name.split(',')[0] for n in walk(outline)
            if n.role == 'list item' and n.name and n.has_state('selected')]


def test_several():
    """Shift+click, rubber band, Ctrl+A; moved by the pointer and by keys; edited together; deleted; each one step."""
    app = start()
    open_bench(app)
    sheet = Sheet(app)
    sheet.press(-1, 0.75)
    app.wait(lambda s: s['selection'] == ['box'])
    held('shift', lambda: sheet.press(1, 1))
    app.wait(lambda s: s['selection'] == ['box', 'disc'] and s['selected'] == 'disc')
    until(lambda: rows_chosen(app) == ['box', 'disc'])
    app.shot('edit-1-two')
    held('shift', lambda: sheet.press(1, 1))
    app.wait(lambda s: s['selection'] == ['box'])
    # The band takes what lies wholly in it; a drag on one of them moves them all.
    sheet.drag(0.6, 0.45, -1.6, 1.1)
    app.wait(lambda s: s['selection'] == ['scene.joints[0]', 'box', 'arm'])
    app.shot('edit-2-band')
    sheet.drag(0.2, 0.75, 0.2, 1.25)
    app.wait(lambda s: s['undo'] == 'Move elbow, box and arm')
    scene = saved(app)['scene']
    assert scene['joints'][0]['anchor'][0] == -0.5 and scene['joints'][0]['anchor'][1] > 1.1, scene['joints']
    assert abs(scene['bodies'][1]['position'][1] - scene['joints'][0]['anchor'][1]) < 1e-9, scene['bodies']
    app.key('Up')
    raised = place_of(app, 'arm')
    assert raised[1] > scene['bodies'][2]['position'][1], raised
    app.key('ctrl+z')
    app.key('ctrl+z')
    app.wait(lambda s: s['undo'] is None)
    assert place_of(app, 'arm') == [0, 0.75]
    # One number for both.
    app.type_into('Mass', '3')
    app.wait(lambda s: s['undo'] == 'Set mass of 2 objects')
    assert [b.get('mass') for b in saved(app)['scene']['bodies']] == [None, 3, 3, 1]
    app.shot('edit-3-common')
    # All by the keyboard, none, and all deleted in one step.
    sheet.press(0.3, 1.6)
    app.wait(lambda s: s['selection'] == [])
    app.key('ctrl+a')
    app.wait(lambda s: len(s['selection']) == 5)
    app.key('Delete')
    app.wait(lambda s: s['bodies'] == 0 and s['undo'] == 'Delete 5 objects')
    app.key('ctrl+z')
    app.wait(lambda s: s['bodies'] == 4 and len(s['selection']) == 5)
    app.key('Escape')
    app.wait(lambda s: s['selection'] == [])
    app.quit()


def test_handles():
    """A side and a corner of a box pulled with the pointer: the opposite one stays; one step each."""
    app = start()
    open_bench(app)
    sheet = Sheet(app)
    sheet.press(0, 0.75)
    app.wait(lambda s: s['selection'] == ['arm'])
    app.shot('edit-10-handles')
    x, y = sheet.at(0.5, 0.75)
    app.drag(sheet.node, x + 4, y, x + 4 + 0.5 * sheet.scale, y)
    app.wait(lambda s: s['undo'] == 'Resize arm')
    arm = saved(app)['scene']['bodies'][2]
    left, right = (arm['position'][0] + side * arm['shape']['width'] / 2 for side in (-1, 1))
    assert abs(left + 0.5) < 1e-8 and abs(right - 1) < 0.06 and arm['shape']['height'] == 0.25, arm
    app.shot('edit-11-resized')
    app.act('undo')
    app.wait(lambda s: s['undo'] is None)
    assert saved(app)['scene']['bodies'][2] == SCENE['scene']['bodies'][2]
    # Two are turned about the middle of what both cover, by a quarter: the place of each is that of the quarter turn.
    held('shift', lambda: sheet.press(1, 1))
    app.wait(lambda s: s['selection'] == ['arm', 'disc'])
    x0, y0, x1, y1 = -0.5, 0.625, 1.2, 1.2
    middle_x, middle_y = (x0 + x1) / 2, (y0 + y1) / 2
    x, y = sheet.at(x1, y1)
    x, y = x + 10, y - 10 - 25  # the gaps of the frame, and the handle above its corner
    across, up = x - sheet.at(middle_x, middle_y)[0], sheet.at(middle_x, middle_y)[1] - y
    app.drag(sheet.node, x, y, x - across - up, y + up - across)
    app.wait(lambda s: s['undo'] == 'Turn arm and disc')
    for before, after in zip(SCENE['scene']['bodies'][2:], saved(app)['scene']['bodies'][2:]):
        across, up = before['position'][0] - middle_x, before['position'][1] - middle_y
        assert math.dist(after['position'], (middle_x - up, middle_y + across)) < 1e-8 and abs(after['angle'] - math.pi / 2) < 1e-8, after
    app.shot('edit-14-turned')
    app.act('undo')
    app.wait(lambda s: s['undo'] is None)
    assert saved(app)['scene'] == SCENE['scene']
    app.kill()


def test_arrows():
    """The arrow of gravity and the start velocity of a box are dragged by their rings: the motion follows before the button is released, Escape takes the
    drag back, and a drag is one step."""
    app = start()
    open_bench(app)
    sheet = Sheet(app)
    width, _ = app.size(sheet.node)
    gravity = width - 52, 150 + 60 + 12
    app.drag(sheet.node, *gravity, gravity[0], gravity[1] - 72, release=False)
    app.wait(lambda s: s['live']['whole'] and s['live']['before'])
    app.shot('edit-12-gravity', leave=False)
    app.key('Escape')
    sh('xdotool', 'mouseup', '1')
    assert app.wait(lambda s: s['undo'] is None) and saved(app)['scene'] == SCENE['scene']
    app.drag(sheet.node, *gravity, gravity[0] + 60, gravity[1] - 60)
    app.wait(lambda s: s['undo'] == 'Set gravity')
    x, y = saved(app)['scene']['gravity']
    assert 9 <= x <= 10.5 and abs(y) < 1, (x, y)  # 60 px are 9.81 m/s²
    app.act('undo')
    app.wait(lambda s: s['undo'] is None)
    sheet.press(0, 0.75)
    app.wait(lambda s: s['selection'] == ['arm'])
    x, y = sheet.at(0, 0.75)
    x, y = x + 34 * math.cos(math.pi / 6), y - 17
    app.drag(sheet.node, x, y, x + 40, y - 80)
    app.wait(lambda s: s['undo'] == 'Set velocity of arm')
    app.shot('edit-13-velocity')
    vx, vy = saved(app)['scene']['bodies'][2]['velocity'][:2]
    assert vx > 0 and abs(vy / vx - 2) < 0.3, (vx, vy)
    app.act('undo')
    app.wait(lambda s: s['undo'] is None)
    assert saved(app)['scene'] == SCENE['scene']
    app.kill()


def names(app):
    return [b['name'] for b in saved(app)['scene']['bodies']]


def test_copies():
    """Duplicate, copy and paste into another sketch, cut, bad text, mirror, array: by keys and the dialog, one step each."""
    app = start()
    open_bench(app)
    sheet = Sheet(app)
    sheet.drag(0.6, 0.45, -1.6, 1.1)
    app.wait(lambda s: s['selection'] == ['scene.joints[0]', 'box', 'arm'])
    app.key('ctrl+d')
    app.wait(lambda s: s['undo'] == 'Duplicate elbow, box and arm' and s['bodies'] == 6)
    assert names(app) == ['floor', 'box', 'arm', 'disc', 'box-2', 'arm-2']
    app.shot('edit-4-duplicate')
    app.act('mirror', 's', 'horizontal')
    app.wait(lambda s: s['undo'].startswith('Mirror'))
    app.key('ctrl+c')
    app.key('ctrl+z', 'ctrl+z')
    app.wait(lambda s: s['undo'] is None and s['bodies'] == 4)
    saved(app)
    app.act('new-sketch')
    app.wait(lambda s: s['bodies'] == 0)
    sheet = Sheet(app)
    app.press(sheet.node, 120, 500)
    app.key('ctrl+v')
    app.wait(lambda s: s['bodies'] == 2 and s['undo'] == 'Paste 2 bodies')
    assert [j['bodies'] for j in saved(app)['scene']['joints']] == [['box-2', 'arm-2']]
    app.key('ctrl+a', 'ctrl+x')
    app.wait(lambda s: s['bodies'] == 0)
    app.key('ctrl+v')
    app.wait(lambda s: s['bodies'] == 2)
    # A text that is no piece of a sketch: said, and nothing is lost.
    app.press(sheet.node, 120, 500)
    app.wait(lambda s: s['selection'] == [])
    app.type_into('Time step', '0.02')
    app.key('ctrl+a', 'ctrl+c')
    app.press(sheet.node, 120, 500)
    app.key('ctrl+v')
    app.find('label', 'no piece of a sketch')
    assert app.status()['bodies'] == 2
    # An array by the dialog.
    app.key('ctrl+a', 'ctrl+shift+m')
    app.find('label', 'Array of the Selection')
    whole_screen('edit-5-array')
    app.key('Return')
    app.wait(lambda s: s['bodies'] == 6 and s['undo'].startswith('Array of'))
    app.shot('edit-6-array')
    app.act('undo')
    app.wait(lambda s: s['bodies'] == 2)
    app.kill()


def test_menus_and_history():
    """Context menus by pointer and Menu key, bodies joined and driven from the keyboard alone, back to a step in the history."""
    app = start()
    open_bench(app)
    sheet = Sheet(app)
    app.move(sheet.node, *sheet.at(1, 1))
    sh('xdotool', 'click', '3')
    app.wait(lambda s: s['selection'] == ['disc'])
    app.find('menu item', 'Give It a Goal')
    whole_screen('edit-7-menu')
    app.key('Escape')
    # From the keyboard: two bodies, joined through the menu, a motor, a goal.
    app.act('select-several', 'as', ['arm', 'disc'])
    app.wait(lambda s: s['selection'] == ['arm', 'disc'])
    until(lambda: ('image', 'Canvas') in key_names(app))
    app.key('shift+F10')
    app.find('menu item', 'Join')
    whole_screen('edit-8-menu-of-two')
    app.key('Escape')
    app.act('join', 's', 'pin')
    app.wait(lambda s: s['item'] == 'scene.joints[1]' and s['undo'] == 'Add a pin')
    app.act('add-actuator', 's', 'xy')
    app.wait(lambda s: s['undo'].startswith('Add a motor'))
    app.act('select', 's', 'disc')
    app.key('g')
    app.wait(lambda s: s['undo'] == 'Give disc a goal')
    # The history goes back three steps at once, and on again.
    button = app.find('push button', 'History of edits')
    app.settled(button)
    app.press(button, 8, 12)
    until(lambda: any(n.role == 'menu item' and n.has_state('focused') for n in every(button)), what='for the list')
    whole_screen('edit-9-history')
    app.key('Down', 'Down', 'Return')
    app.wait(lambda s: s['undo'] is None and s['redo'] == 'Add a pin')
    app.act('history', 'i', 2)
    app.wait(lambda s: s['undo'].startswith('Add a motor'))
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
