#!/usr/bin/python3
"""tests/ui/test_knife.py: bodies cut by a stroke of the knife and from the menu, and what is said of it; by pointer and keys in a real window."""
from gui import run_tests, start, until
from test_task import Sheet, text_of


def names(app):
    return [body['name'] for body in text_of(app)['scene']['bodies']]


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
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
