#!/usr/bin/python3
"""tests/ui/test_knife.py: bodies cut by a stroke of the knife and from the menu, and what is said of it; by pointer and keys in a real window."""
from gui import run_tests, start, until
from test_task import Sheet, text_of


def names(app):
    return [body['name'] for body in text_of(app)['scene']['bodies']]


def label_of(app, begin):
    return next((n.name for n in app.nodes() if n.role == 'label' and (n.name or '').startswith(begin)), None)


def test_knife():
    app = start()
    app.key('ctrl+n')
    app.wait(lambda s: s['page'] == 'sketch')
    sheet = Sheet(app)
    sheet.press((1, 1.8))
    app.key('b')
    sheet.drag((-1, 0), (1, 1))
    app.wait(lambda s: s['bodies'] == 1)
    # Half-way: nothing is cut, and the reason is told.
    app.key('x')
    until(lambda: app.describe('tool')[1][0] == 'knife', what='for the knife')
    sheet.drag((0.4, 1.6), (0.4, 0.4))
    app.told('The stroke ends inside')
    assert app.status()['bodies'] == 1
    app.key('x')
    until(lambda: app.describe('tool')[1][0] == 'knife', what='for the knife')
    sheet.drag((0.4, 1.6), (0.4, -0.6))
    app.wait(lambda s: s['bodies'] == 2 and s['undo'] == 'Cut bodies')
    app.told('“box” was cut: the other piece is “box-2”.')
    app.shot('knife-1-cut')
    bodies = text_of(app)['scene']['bodies']
    assert sorted(len(body['shape']['vertices']) for body in bodies) == [4, 4], bodies
    assert min(x for x, y in bodies[1]['shape']['vertices']) + bodies[1]['position'][0] == 0.4, bodies
    # Without a pointer: the selected body alone, level.
    app.act('select', 's', 'box-2')
    app.wait(lambda s: s['selected'] == 'box-2')
    app.act('cut-in-two', 's', 'level')
    app.wait(lambda s: s['bodies'] == 3)
    assert names(app) == ['box', 'box-2', 'box-3'], names(app)
    app.shot('knife-2-level')
    app.act('undo')
    app.act('undo')
    app.wait(lambda s: s['bodies'] == 1 and s['undo'] == 'Add box')
    # The stroke by keys: the pen begins in the middle of the sheet, goes by cells of the grid, and is put down and lifted by Return.
    app.take_tool('x', 'knife')
    app.key('Down', *['shift+Down'] * 3, 'Return', *['shift+Up'] * 6)
    app.shot('knife-3-keys', leave=False)
    app.key('Return')
    app.wait(lambda s: s['bodies'] == 2 and s['undo'] == 'Cut bodies')
    bodies = text_of(app)['scene']['bodies']
    assert sorted(len(body['shape']['vertices']) for body in bodies) == [4, 4], bodies
    # A polygon: Return sets each corner, and closes it where the pen was not moved since.
    app.take_tool('p', 'polygon')
    app.key('Up', *['shift+Up'] * 2, 'Return', 'shift+Left', 'Return', 'shift+Up', 'Return', 'Return')
    app.wait(lambda s: s['bodies'] == 3 and s['undo'] == 'Add polygon')
    assert len(text_of(app)['scene']['bodies'][-1]['shape']['vertices']) == 3
    # A disc with a number typed; a pen that is given up leaves nothing.
    app.take_tool('d', 'disc')
    app.key('Up', *['shift+Down'] * 4, 'Return', '0', 'period', '2', '5', 'Return')
    app.wait(lambda s: s['bodies'] == 4 and s['undo'] == 'Add disc')
    assert text_of(app)['scene']['bodies'][-1]['shape']['radius'] == 0.25
    app.take_tool('b', 'box')
    app.key('Up', 'Return', 'shift+Up', 'Escape', 'Escape')
    app.wait(lambda s: s['bodies'] == 4)
    until(lambda: app.describe('tool')[1][0] == 'select', what='for no tool')
    # A pen that is down and a pointer that is moved: arrows move the pen, not what is selected; another tool gives up what was begun.
    before = text_of(app)
    app.act('select', 's', 'box')
    app.take_tool('d', 'disc')
    app.key('Up', 'Return')
    app.move(sheet.node, *sheet.at(0.6, 1.7))
    app.move(sheet.node, *sheet.at(0.8, 1.7))
    radius = label_of(app, 'radius ')
    app.key('Right', 'Right')
    until(lambda: label_of(app, 'radius ') != radius, what='for the pen, which keys move')
    app.set_state('tool', 's', 'select')
    until(lambda: app.describe('tool')[1][0] == 'select', what='for no tool')
    app.key('1', 'Return')
    until(lambda: app.find('text', 'Name').has_state('focused'), what='for the name of what is selected, as Return asks')
    assert app.status()['undo'] == 'Add disc' and text_of(app) == before
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
