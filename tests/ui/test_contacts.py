#!/usr/bin/python3
"""tests/ui/test_contacts.py: single contacts and materials, title and name of a sketch, derived values, in a real window."""
import json
import os
import tempfile

from gui import key_names, only_long, run_tests, sh, start, until, walk


def open_two_bodies(app):
    """A box that falls onto a floor: one contact, given by "all"."""
    app.act('open-example', 's', 'falling-box')
    app.wait(lambda s: s['bodies'] == 2)


def saved(app):
    path = os.path.join(tempfile.mkdtemp(), 'a.stickslip.json')
    app.act('save-scenario', 's', path)
    app.wait(lambda s: not s['dirty'] and s['file'] == path)
    return json.load(open(path))


def rows(app):
    """Names of the rows of the outline."""
    outline = app.find('list', 'Outline')
    return [n.name for n in walk(outline) if n.role == 'list item' and n.name]


def press(app, role, name):
    node = app.find(role, name)
    app.settled(node)
    width, height = app.size(node)
    app.press(node, width / 2, height / 2)


def placeholder(app, field):
    return app.find('text', field).attributes().get('placeholder-text')


def switch(app, name):
    return app.find('check box', name)


def is_on(app, name):
    return switch(app, name).has_state('checked')


def test_a_contact_is_edited():
    """A row under Contacts is chosen with the pointer; its friction typed, taken out again; off and on by the keyboard; undone."""
    app = start()
    open_two_bodies(app)
    app.shot('12-0-before')
    press(app, 'list item', 'floor – box, µ 0.5')
    app.wait(lambda s: s['item'] == 'scene.contacts{floor,box}')
    assert placeholder(app, 'Friction µ') == '0.5', placeholder(app, 'Friction µ')
    app.type_into('Friction µ', '0.05')
    app.wait(lambda s: s['undo'] == 'Set friction')
    app.type_into('Stiffness', '1e6 N/m')
    app.wait(lambda s: s['undo'] == 'Set stiffness')
    until(lambda: 'floor – box, µ 0.05' in rows(app))
    app.shot('12-1-contact')
    scene = saved(app)['scene']
    assert scene['contacts'] == ['all', {'bodies': ['floor', 'box'], 'friction': 0.05, 'stiffness': 1000000}], scene['contacts']
    # What is refused stays in the entry with the reason.
    app.type_into('Restitution', '2')
    until(lambda: 'from 0 to 1' in app.find('text', 'Restitution').description, what='for the reason')
    app.key('Escape')
    # From the first field back to the switch, and off with Space.
    app.act('edit-selected')
    until(lambda: ('text', 'Friction µ') in key_names(app))
    app.key('shift+Tab')
    until(lambda: switch(app, 'Contact is on').has_state('focused'), what='for the focus of the switch')
    assert is_on(app, 'Contact is on')
    app.key('space')
    app.wait(lambda s: s['undo'] == 'Turn off floor – box')
    until(lambda: 'floor – box, off' in rows(app))
    until(lambda: not is_on(app, 'Contact is on'))
    app.shot('12-2-contact-off')
    assert saved(app)['scene']['contacts'][1]['enabled'] is False
    app.key('space')
    app.wait(lambda s: s['undo'] == 'Turn on floor – box')
    # The Delete key turns off, too; nothing is lost.
    app.act('delete')
    app.wait(lambda s: s['undo'] == 'Turn off floor – box' and s['item'] == 'scene.contacts{floor,box}')
    for _ in range(5):
        app.act('undo')
    app.wait(lambda s: s['undo'] is None)
    until(lambda: 'floor – box, µ 0.5' in rows(app))
    assert saved(app)['scene']['contacts'] == 'all'
    app.quit()


def test_off_means_through():
    """A box whose contact with the floor is off falls through it."""
    app = start()
    open_two_bodies(app)
    app.act('set-contact', '(sb)', ('scene.contacts{floor,box}', False))
    app.wait(lambda s: s['undo'] == 'Turn off floor – box')
    app.act('simulate')
    run = app.ended()['runs'][0]
    assert run['outcome'] == 'completed' and run['events'] == 0, run
    app.kill()


def test_the_plan_knows_contacts():
    app = start()
    app.act('open-example', 's', 'push-box-with-disc')
    app.wait(lambda s: s['scenario'] == 'push-box-with-disc')
    name = next(r for r in rows(app) if ' – ' in r and 'µ' in r).split(',')[0]
    app.act('select-item', 's', 'scene.contacts{%s,%s}' % tuple(name.split(' – ')))
    app.wait(lambda s: s['item'] is not None)
    until(lambda: is_on(app, 'Plan knows the contact'))
    app.act('set-candidate', '(sb)', ('scene.contacts{%s,%s}' % tuple(name.split(' – ')), False))
    until(lambda: not is_on(app, 'Plan knows the contact') and is_on(app, 'Contact is on'))
    app.shot('12-3-candidate')
    app.act('undo')
    until(lambda: is_on(app, 'Plan knows the contact'))
    app.kill()


def test_materials():
    """A new material from the list of a body, by the keyboard; renamed, edited, given to another body, deleted, undone."""
    app = start()
    open_two_bodies(app)
    app.act('select', 's', 'box')
    app.wait(lambda s: s['selected'] == 'box')
    app.act('edit-selected')
    until(lambda: ('text', 'Name') in key_names(app))
    for before in ('Name', 'Width', 'Height', 'Mass', 'Inertia'):
        until(lambda: ('text', before) in key_names(app), what='for the focus of ' + before)
        app.key('Tab')
    until(lambda: ('check box', 'Mass follows size') in key_names(app), what='for the focus of what the mass follows')
    app.key('Tab')
    until(lambda: ('push button', 'Material') in key_names(app), what='for the focus of the material')
    app.key('space')
    until(lambda: any(n.name == 'New Material' for n in app.nodes()), what='for the list')
    app.key('End', 'Return')
    app.wait(lambda s: s['item'] == 'scene.materials.material' and s['undo'] == 'Add a material')
    until(lambda: ('text', 'Name') in key_names(app), what='for the name of the material')
    app.type_into('Name', 'rubber')
    app.wait(lambda s: s['item'] == 'scene.materials.rubber' and s['undo'] == 'Rename material')
    app.type_into('Friction µ', '0.9')
    app.wait(lambda s: s['undo'] == 'Set friction')
    app.type_into('Restitution', '0.4')
    app.wait(lambda s: s['undo'] == 'Set restitution')
    until(lambda: 'rubber, box' in rows(app))
    app.shot('12-4-material')
    app.act('select', 's', 'floor')
    app.act('set-material', 's', 'rubber')
    app.wait(lambda s: s['undo'] == 'Make floor of rubber')
    until(lambda: 'floor – box, µ 0.9' in rows(app))
    app.shot('12-5-material-of-a-body')
    scene = saved(app)['scene']
    assert scene['materials'] == {'rubber': {'friction': 0.9, 'restitution': 0.4}}, scene['materials']
    assert [b.get('material') for b in scene['bodies']] == ['rubber', 'rubber'], scene['bodies']
    app.act('set-material', 's', '')
    app.wait(lambda s: s['undo'] == 'Take the material of floor')
    # A name that is taken, or none at all, is refused in words.
    app.act('add-material', 'b', False)
    app.wait(lambda s: s['item'] == 'scene.materials.material')
    app.type_into('Name', 'rubber')
    until(lambda: 'already' in app.find('text', 'Name').description, what='for the reason')
    app.key('Escape')
    app.act('undo')
    app.act('select-item', 's', 'scene.materials.rubber')
    app.wait(lambda s: s['item'] == 'scene.materials.rubber')
    app.act('delete')
    app.wait(lambda s: s['undo'] == 'Delete rubber' and s['item'] is None)
    scene = saved(app)['scene']
    assert 'materials' not in scene and not any('material' in b for b in scene['bodies']), scene
    app.press_in_toast('“rubber” deleted', 'Undo')
    until(lambda: 'rubber, box' in rows(app))
    for _ in range(6):
        app.act('undo')
    app.wait(lambda s: s['undo'] is None)
    assert not any('rubber' in r for r in rows(app))
    app.kill()


def test_many_contacts_are_found_by_names():
    """All pairs of 12 discs and a floor are 78: the outline has 30 of them, and the filter the one that is meant."""
    app = start()
    app.act('new-sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    app.act('add', 's', 'ground')
    for i in range(12):
        app.act('add', 's', 'disc')
    app.wait(lambda s: s['bodies'] == 13)
    until(lambda: sum('µ' in r for r in rows(app)) == 30)
    press(app, 'entry', 'Filter outline')
    until(lambda: any('Filter' in name for role, name in key_names(app)))
    sh('xdotool', 'type', '--delay', '5', 'disc-11 disc-12')
    until(lambda: any('disc-11 – disc-12' in r for r in rows(app)), what='for the contact')
    press(app, 'list item', 'disc-11 – disc-12')
    app.wait(lambda s: s['item'] == 'scene.contacts{disc-11,disc-12}')
    app.kill()


@only_long
def test_title_and_name_are_fields():
    app = start()
    app.act('new-sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    app.type_into('Title', '3 rolling discs')
    app.wait(lambda s: s['undo'] == 'Set title')
    until(lambda: any((n.name or '').startswith('• 3 rolling discs – ') for n in app.accessible), what='for the title of the window')
    app.type_into('Name', 'rolling')
    app.wait(lambda s: s['scenario'] == 'rolling')
    app.shot('14-1-title')
    app.type_into('Name', 'two words')
    until(lambda: 'two words' in app.find('text', 'Name').description, what='for the reason')
    app.key('Escape')
    scenario = saved(app)
    assert scenario['title'] == '3 rolling discs' and scenario['name'] == 'rolling', scenario
    app.act('undo')
    app.act('undo')
    app.wait(lambda s: s['undo'] is None and s['scenario'] != 'rolling')
    app.kill()


@only_long
def test_inertia_is_fresh():
    """The dim inertia of a body follows its mass and size."""
    app = start()
    open_two_bodies(app)
    app.act('select', 's', 'box')
    until(lambda: placeholder(app, 'Inertia') == '0.2083')
    app.type_into('Mass', '4')
    until(lambda: placeholder(app, 'Inertia') == '0.4167')
    app.type_into('Width', '2')
    until(lambda: placeholder(app, 'Inertia') == '1.417')
    app.shot('14-2-inertia')
    app.act('undo')
    until(lambda: placeholder(app, 'Inertia') == '0.4167')
    app.kill()


@only_long
def test_degrees_in_formulas():
    app = start()
    open_two_bodies(app)
    app.act('select', 's', 'box')
    app.type_into('Angle', '2*10deg')
    app.wait(lambda s: s['undo'] == 'Set angle')
    app.type_into('x', 'cos(60deg)')
    app.wait(lambda s: s['undo'] == 'Set position[0]')
    until(lambda: 'x 0.500 m' in app.find('image', 'Canvas').description)
    app.shot('14-3-degrees')
    body = saved(app)['scene']['bodies'][1]
    assert body['angle'] == '2*10deg' and body['position'][0] == 'cos(60deg)', body
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
