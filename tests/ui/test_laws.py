#!/usr/bin/python3
"""tests/ui/test_laws.py: a constraint by a formula is added, written, listed, undone and shown with its equation, in a real window."""
from gui import run_tests, start, until
from test_task import text_of


def said(app, words):
    until(lambda: any(words in (n.name or '') for n in app.nodes() if n.role == 'label'), what='for "%s"' % words)


def test_constraint_is_written():
    app = start('examples/classics/gear-train.stickslip.json')
    app.wait(lambda s: s['page'] == 'sketch')
    said(app, 'a.theta + n*b.theta = 0')
    app.act('add-law')
    app.wait(lambda s: s['item'] == 'scene.constraints[1]' and s['undo'] == 'Add a constraint')
    assert text_of(app)['scene']['constraints'][1] == {'name': 'law', 'formula': 'a.y - (0)', 'kind': 'at_least'}
    app.type_into('Formula', '4 - a.theta')
    app.wait(lambda s: s['undo'] == 'Set formula')
    said(app, '4 - a.theta ≥ 0')
    app.type_into('Restitution', '0.5')
    app.wait(lambda s: s['undo'] == 'Set restitution')
    assert text_of(app)['scene']['constraints'][1]['restitution'] == 0.5
    app.shot('laws-1-formula')
    app.type_into('Formula', '4 - a.omega')
    said(app, 'velocity a.omega')
    app.act('undo')
    app.act('undo')
    app.act('undo')
    app.wait(lambda s: not s['undo'])
    assert len(text_of(app)['scene']['constraints']) == 1


if __name__ == '__main__':
    run_tests(globals())
