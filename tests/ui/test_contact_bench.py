#!/usr/bin/python3
"""tests/ui/test_contact_bench.py: contacts as an instrument in a real window: chosen by a click and by keys, what they do at a time of a run, where
their friction comes from, pairs of materials, live."""
import json
import math
import os
import tempfile

from gui import key_names, run_tests, sh, start, until, walk

SLOPE = math.radians(20)
CONTACT = 'scene.contacts{plane,block}'


def scene():
    """A block of wood on a plane of steel that falls by 20 degrees, a disc of rubber ahead of it, a gap of 2 cm between them."""
    def along(s, above):
        return [s * math.cos(SLOPE) + above * math.sin(SLOPE), -s * math.sin(SLOPE) + above * math.cos(SLOPE)]
    return {'format': 1, 'name': 'bench', 'title': 'Bench', 'scene': {
        'friction': 0.5, 'materials': {'steel': {'friction': 0.4}, 'wood': {'friction': 0.9}, 'rubber': {}},
        'material_pairs': [{'materials': ['steel', 'wood'], 'friction': 0.3}],
        'bodies': [
            {'name': 'plane', 'fixed': True, 'material': 'steel', 'shape': {'type': 'half-plane', 'normal': [math.sin(SLOPE), math.cos(SLOPE)]}},
            {'name': 'block', 'material': 'wood', 'shape': {'type': 'box', 'width': 0.6, 'height': 0.3}, 'mass': 2, 'position': along(0, 0.15),
             'angle': -SLOPE, 'color': 'blue'},
            {'name': 'disc', 'material': 'rubber', 'shape': {'type': 'circle', 'radius': 0.1}, 'mass': 0.8, 'position': along(0.42, 0.1),
             'color': 'yellow'}]},
        'task': {'t_end': 0.3, 'dt': 0.005}}


def open_scene(app):
    path = os.path.join(tempfile.mkdtemp(), 'bench.stickslip.json')
    with open(path, 'w') as file:
        json.dump(scene(), file)
    app.act('open', 's', path)
    app.wait(lambda s: s['bodies'] == 3)


def saved(app):
    path = os.path.join(tempfile.mkdtemp(), 'a.stickslip.json')
    app.act('save-scenario', 's', path)
    app.wait(lambda s: not s['dirty'] and s['file'] == path)
    return json.load(open(path))['scene']


def canvas(app):
    node = app.find('image', 'Canvas')
    app.settled(node)
    return node


def row(app, title):
    """What a row of the inspector says."""
    return app.find('list item', title).description


def source(app):
    """The source that is in force."""
    return next((n.name for n in walk(app.find('list', 'Where µ Comes From')) if (n.name or '').endswith('in force')), None)


def outline(app):
    return [n.name for n in walk(app.find('list', 'Outline')) if n.role == 'list item' and n.name]


def press(app, role, name, effect, at=None):
    """Presses until it had its effect: GTK gives up a quick click that a busy machine is late for."""
    for _ in range(5):
        node = app.find(role, name)
        app.settled(node)
        width, height = app.size(node)
        app.press(node, at or width / 2, height / 2)
        try:
            return app.wait(effect, 1)
        except AssertionError:
            continue
    raise AssertionError('pressing %s did nothing' % name)


def place(app, node):
    """Where the world's origin is on the canvas [px] and the scale [px/m], from the pointer's coordinates."""
    def world(x, y):
        app.move(node, x, y)
        text = until(lambda: next((n.name for n in app.nodes() if n.role == 'label' and (n.name or '').startswith('x ')), None))
        return [float(part.split()[1].replace('−', '-')) for part in text.split('  ')], text
    width, height = app.size(node)
    (x0, _), first = world(width / 2, height / 2)
    (x1, y1), _ = until(lambda: (lambda w: w if w[1] != first else None)(world(width / 2 + 200, height / 2 - 100)))
    scale = 200 / (x1 - x0)
    return (width / 2 + 200 - x1 * scale, height / 2 - 100 + y1 * scale), scale


def to_px(x0, y0, scale, x, y):
    return x0 + x * scale, y0 - y * scale


def test_chosen_by_pointer_and_keys():
    """A press on a contact point chooses the contact, inside a body the body; a drag from the point moves the body below; C and Shift+C go on."""
    app = start()
    open_scene(app)
    node = canvas(app)
    app.act('select-item', 's', CONTACT)
    app.wait(lambda s: s['item'] == CONTACT)
    until(lambda: row(app, 'State') == 'Touches' and row(app, 'Gap') == '0 mm at both points', what='for the sketch')
    app.shot('bench-1-sketch')
    (x, y), scale = place(app, node)
    corner = to_px(x, y, scale, 0.3 * math.cos(SLOPE), -0.3 * math.sin(SLOPE))
    centre = to_px(x, y, scale, 0.15 * math.sin(SLOPE), 0.15 * math.cos(SLOPE))
    between = to_px(x, y, scale, 0.31 * math.cos(SLOPE) + 0.1 * math.sin(SLOPE), -0.31 * math.sin(SLOPE) + 0.1 * math.cos(SLOPE))
    for point, wanted in ((centre, 'block'), (corner, CONTACT), (between, 'scene.contacts{block,disc}'), (centre, 'block')):
        app.press(node, *point)
        app.wait(lambda s: wanted in (s['item'], s['selected']))
    app.drag(node, *corner, corner[0] - 40, corner[1] - 60)
    app.wait(lambda s: s['selected'] == 'block' and s['undo'] == 'Move block')
    app.act('undo')
    app.press(node, *centre)
    app.wait(lambda s: s['selected'] == 'block')
    app.key('c')
    app.wait(lambda s: s['item'] == CONTACT)
    app.key('c')
    app.wait(lambda s: s['item'] == 'scene.contacts{plane,disc}')
    app.key('shift+c')
    app.wait(lambda s: s['item'] == CONTACT)
    app.kill()


def test_where_friction_comes_from():
    """The pair is in force; a cell changes it; Set Here overrides it in one press, Remove goes back; a new pair; a bad value stays with its reason."""
    app = start()
    open_scene(app)
    app.act('live-plots')  # they would cover the rows below
    app.act('select-item', 's', CONTACT)
    until(lambda: source(app) == 'Pair steel – wood, 0.3, in force', what='for the source')
    cell = 'Friction µ of steel and wood'
    app.type_into(cell, '-1')  # what is refused stays with its reason
    until(lambda: app.find('text', cell).description != '', what='for the reason')
    app.key('ctrl+a')
    sh('xdotool', 'type', '--delay', '5', '0.25')
    app.key('Return')
    app.wait(lambda s: s['undo'] == 'Set friction of steel – wood')
    until(lambda: source(app) == 'Pair steel – wood, 0.25, in force')
    press(app, 'push button', 'Set Here', lambda s: s['undo'] == 'Set friction')
    until(lambda: source(app) == 'This contact, 0.25, in force')
    until(lambda: ('text', 'Friction µ') in key_names(app), what='for the focus of the field')
    assert saved(app)['contacts'] == ['all', {'bodies': ['plane', 'block'], 'friction': 0.25}]
    press(app, 'push button', 'Remove', lambda s: s['undo'] == 'Clear friction')
    until(lambda: source(app) == 'Pair steel – wood, 0.25, in force')
    # A pair that the file does not have gets an entry, a blank one goes.
    app.type_into('Friction µ of wood and rubber', '0.6')  # Ctrl+A in an empty entry is not that of the sheet
    app.wait(lambda s: s['undo'] == 'Set friction of wood – rubber')
    rows = until(lambda: (lambda names: names if 'block – disc, µ 0.6' in names else None)(outline(app)))
    assert 'wood – rubber, µ 0.6' in rows and 'wood, block' in rows, rows
    assert saved(app)['material_pairs'][1] == {'materials': ['wood', 'rubber'], 'friction': 0.6}
    app.shot('bench-2-pairs')
    app.act('set-pair', '(ssss)', ('steel', 'wood', 'friction', ''))
    app.wait(lambda s: s['undo'] == 'Clear friction of steel – wood')
    app.act('undo')
    press(app, 'list item', 'Pair steel – wood, 0.25', lambda s: s['item'] == 'scene.material_pairs[0]', at=60)  # leads to its entry
    for _ in range(4):
        app.act('undo')
    app.wait(lambda s: s['undo'] is None)
    app.kill()


def test_now_in_a_run_and_live():
    """At a time of a run: state, forces and margin of the closed form; another contact apart; nothing of a contact that is off; the same live."""
    app = start()
    open_scene(app)
    app.act('select-item', 's', CONTACT)
    app.act('simulate')
    app.ended()
    app.act('seek', 'd', 0.2)
    speed = 9.81 * (math.sin(SLOPE) - 0.3 * math.cos(SLOPE)) * 0.2
    until(lambda: row(app, 'State') == 'Slides down, %.3g m/s' % speed, what='for the slip')
    assert row(app, 'Normal force') == '%.4g N' % (2 * 9.81 * math.cos(SLOPE)), row(app, 'Normal force')
    assert row(app, 'Friction force').endswith('N, all of the cone')
    app.find('label', 'Would stick from µ %.3f' % math.tan(SLOPE))
    app.shot('bench-3-run')
    app.act('select-item', 's', 'scene.contacts{plane,disc}')
    until(lambda: row(app, 'State') == 'Sticks', what='for the rolling disc')
    app.find('label', 'Would slip below µ %.3f' % (math.tan(SLOPE) / 3))
    app.act('select-item', 's', 'scene.contacts{block,disc}')
    until(lambda: row(app, 'State').startswith('Open, parting'), what='for the gap')
    app.shot('bench-4-apart')
    app.act('select-item', 's', CONTACT)
    app.act('sandbox')
    until(lambda: row(app, 'State').startswith('Slides down'), what='for the slip of the live scene')
    app.shot('bench-5-live')
    app.act('sandbox')
    app.act('set-contact', '(sb)', (CONTACT, False))
    until(lambda: not app.has('list item', 'Gap'), what='for nothing to say')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
