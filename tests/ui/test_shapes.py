#!/usr/bin/python3
"""tests/ui/test_shapes.py: a polygon by clicks with a corner taken back, its corners as lines and as a list, a shape drawn into a body, a weld, a force and what a plan
shall keep as formulas, errors at the entry; by pointer and keys in a real window."""
from gui import key_names, run_tests, sh, start, until
from test_task import Sheet, entry, text_of


def press(app, name):
    node = until(lambda: next((n for n in app.nodes() if n.name == name and app.size(n)[0] > 0), None), what='for ' + name)
    app.settled(node)
    app.press(node, *(length / 2 for length in app.size(node)))


def said(app, words):
    until(lambda: any(words in (n.name or '') for n in app.nodes() if n.role == 'label'), what='for "%s"' % words)


def test_every_shape_is_drawn_and_edited():
    app = start()
    app.key('ctrl+n')
    app.wait(lambda s: s['page'] == 'sketch')
    sheet = Sheet(app)
    sheet.press((1, 1.8))
    # A triangle: the third corner was wrong and is taken back; the first one closes it.
    app.take_tool('p', 'polygon')
    for corner in ((-1, 0), (0, 0), (0.6, 0.6)):
        sheet.press(corner)
    app.key('BackSpace')
    sheet.press((-1, 1))
    app.shot('shapes-1-corners', leave=False)
    sheet.press((-1, 0))
    app.wait(lambda s: s['selected'] == 'polygon')
    body = text_of(app)['scene']['bodies'][0]
    assert body['shape']['vertices'] == [[0, 0], [1, 0], [0, 1]] and body['position'] == [-1, 0] and body['density'] == 4, body
    app.act('live-plots')  # the rows of corners are below those of mass and density
    # Its corners: one more between two, pulled out; the list as text; what is concave is refused and nothing is lost.
    press(app, 'Add a corner behind corner 2')
    app.wait(lambda s: s['undo'] == 'Add a corner')
    app.type_into('Corner 3 x', '90cm')
    until(lambda: entry(app, 'All corners') == '0, 0; 1, 0; 0.9, 0.5; 0, 1', what='for the list')
    app.type_into('All corners', '0, 0; 1, 0; 0.2, 0.2; 0, 1')
    said(app, 'concave')
    app.shot('shapes-2-refused')
    app.type_into('All corners', '(0, 0), (1, 0), (1, 1), (0, 1)')
    app.wait(lambda s: s['undo'] == 'Set vertices')
    said(app, 'Mass 4 kg, inertia 0.6667 kg m²')
    # A disc drawn with Shift becomes a shape of the selected body.
    sheet.press((-0.5, 0.5))
    app.wait(lambda s: s['selected'] == 'polygon')
    app.take_tool('d', 'disc')
    sh('xdotool', 'keydown', 'shift')
    sheet.drag((0.2, 0.6), (0.4, 0.6))
    sh('xdotool', 'keyup', 'shift')
    app.wait(lambda s: s['undo'] == 'Add a shape to polygon' and s['bodies'] == 1)
    said(app, 'Shape 2: Disc')
    app.shot('shapes-3-two-shapes')
    press(app, 'Delete this shape')
    app.wait(lambda s: s['undo'] == 'Delete a shape of polygon')
    app.key('ctrl+z')
    # Without the pointer a shape comes about the place of its body.
    app.wait(lambda s: s['undo'] == 'Add a shape to polygon')
    app.act('add-shape', 's', 'box')
    until(lambda: len(text_of(app)['scene']['bodies'][0]['shapes']) == 3, what='for the third shape')
    assert text_of(app)['scene']['bodies'][0]['shapes'][2]['position'] == [0, 0]
    app.act('add', 's', 'box')
    app.wait(lambda s: s['bodies'] == 2)
    assert text_of(app)['scene']['bodies'][1]['shape'] == {'type': 'box', 'width': 1, 'height': 0.5}
    app.key('ctrl+z')
    app.key('ctrl+z')
    until(lambda: len(text_of(app)['scene']['bodies'][0]['shapes']) == 2, what='for two shapes again')
    app.act('select', 's', 'polygon')
    # A wall, and the body welded to the world.
    sheet.press((1, 1.8))
    app.take_tool('e', 'segment')
    sheet.drag((-1, -0.6), (1, -0.6))
    app.wait(lambda s: s['selected'] == 'segment')
    app.take_tool('w', 'weld')
    sheet.press((-0.6, 0.6))
    app.wait(lambda s: s['item'] == 'scene.joints[0]')
    app.take_tool('t', 'torsion')
    sheet.press((-0.8, 0.2))
    app.wait(lambda s: s['item'] == 'scene.springs[0]')
    app.type_into('Rest angle', '30')
    app.shot('shapes-4-holds')
    # A force that is a formula, with an error at the entry.
    app.act('select', 's', 'polygon')
    app.act('add-force')
    app.wait(lambda s: s['item'] == 'scene.forces[0]')
    app.type_into('Force x', '-2*polygn.vx')
    said(app, "did you mean 'polygon.")
    app.type_into('Force x', '-2*polygon.vx')
    app.wait(lambda s: s['undo'] == 'Set force[0]')
    # What a plan shall keep: rows added and deleted; free time.
    app.act('add-constraint')
    app.wait(lambda s: s['item'] == 'task.constraints[0]')
    press(app, 'Add = 0')
    app.wait(lambda s: s['undo'] == 'Add an equation')
    app.type_into('= 0', 'polygon.x + 1')
    app.shot('shapes-5-constraint')
    app.act('free-time', 'b', True)
    file = text_of(app)
    assert file['scene']['joints'] == [{'type': 'weld', 'bodies': ['world', 'polygon'], 'anchor': [-0.6, 0.6]}], file['scene']['joints']
    assert file['scene']['forces'][0]['force'] == ['-2*polygon.vx', 0]
    assert file['task']['constraints'] == [{'nonnegative': ['polygon.y + 10'], 'zero': ['polygon.x + 1']}]
    assert file['task']['free_time'] == {'lower': 1, 'upper': 4}
    # Rows come and go while an entry has the keys: the same field has them again, and many undos write nothing back.
    app.act('select', 's', '')
    app.type_into('Horizon', '3')
    app.wait(lambda s: s['item'] is None and s['undo'] == 'Set t_end')
    app.act('free-time', 'b', False)
    app.wait(lambda s: s['undo'] != 'Set t_end')
    until(lambda: any('Horizon' in name for _, name in key_names(app)), what='for the focus where it was')
    for _ in range(40):
        app.act('undo')
    app.wait(lambda s: s['bodies'] == 0 and s['undo'] is None)
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
