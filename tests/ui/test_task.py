#!/usr/bin/python3
"""tests/ui/test_task.py: from an empty canvas to a task, as a new user does it: a floor, a box, a disc with forces, a goal that is dragged and turned; fields,
undo, deleting, files."""
import json
import os
import re
import tempfile

from gui import only_long, run_tests, sh, start, time, until


def canvas(app):
    return app.find('image', 'Canvas')


def say(app, text, timeout=6):
    return until(lambda: text in canvas(app).description, timeout, what='for "%s", canvas says "%s"' % (text, canvas(app).description))


def text_of(app):
    """The scenario as it would be saved."""
    path = os.path.join(tempfile.mkdtemp(), 'now.stickslip.json')
    app.act('save-scenario', 's', path)
    until(lambda: os.path.exists(path))
    with open(path) as file:
        return json.load(file)


def entry(app, label):
    return app.find('text', label).text()


class Sheet:
    """Metres on the canvas: found by asking where the pointer is."""

    def __init__(self, app):
        self.app, self.node = app, canvas(app)
        app.settled(self.node)
        width, height = app.size(self.node)
        a, b = self.where(width * 0.3, height * 0.3), self.where(width * 0.7, height * 0.7)
        self.scale = width * 0.4 / (b[0] - a[0])
        self.x0, self.y0 = width * 0.3 - a[0] * self.scale, height * 0.3 + a[1] * self.scale

    def where(self, x, y):
        """The label follows the pointer: it has said something else before."""
        place = re.compile(r'x (-?[\d.]+) m  y (-?[\d.]+) m')

        def shown():
            return next((n.name for n in self.app.nodes() if n.role == 'label' and place.match(n.name or '')), None)
        for at in (x - 3, x):
            before = shown()
            self.app.move(self.node, at, y)
            text = until(lambda: shown() not in (None, before) and shown(), what='for the place of the pointer')
        found = place.match(text)
        return float(found.group(1)), float(found.group(2))

    def at(self, x, y):
        return self.x0 + x * self.scale, self.y0 - y * self.scale

    def drag(self, a, b, **more):
        self.app.drag(self.node, *self.at(*a), *self.at(*b), **more)

    def press(self, a):
        self.app.press(self.node, *self.at(*a))


def draw(app, disc=-1):
    """A floor, a box on it and a disc beside it (its centre's x; -0.8 touches), by pointer and keys alone."""
    app.act('new-sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    sheet = Sheet(app)
    app.press(sheet.node, *sheet.at(0, 1.5))
    app.take_tool('f', 'ground')
    sheet.press((0, 0))
    app.wait(lambda s: s['bodies'] == 1)
    sheet = Sheet(app)
    app.take_tool('b', 'box')
    sheet.drag((-0.6, 0), (0, 0.6))
    app.wait(lambda s: s['bodies'] == 2)
    app.take_tool('d', 'disc')
    sheet.drag((disc, 0.2), (disc + 0.2, 0.2))
    app.wait(lambda s: s['bodies'] == 3 and s['selected'] == 'disc')
    return sheet


def test_from_an_empty_canvas_to_a_task():
    app = start()
    sheet = draw(app)
    app.shot('task-1-drawn')
    # The disc is driven.
    app.click('push button', 'Force')
    app.wait(lambda s: s['undo'] == 'Drive disc')
    assert [a['name'] for a in text_of(app)['scene']['actuators']] == ['disc_x', 'disc_y']
    app.shot('task-2-driven')
    # The box has a goal, as a key gives it.
    sheet.press((-0.25, 0.15))
    app.wait(lambda s: s['selected'] == 'box')
    app.key('g')
    status = app.wait(lambda s: s['undo'] == 'Give box a goal')
    assert status['item'] == 'task.targets[0]' and status['selected'] is None, status
    say(app, 'goal box selected')
    app.shot('task-3-goal')
    before = text_of(app)['task']['targets'][0]
    sheet = Sheet(app)
    # Dragged by hand, turned by its handle, with one step of undo each.
    x, y = before['position']
    sheet.drag((x - 0.1, y - 0.1), (x + 0.3, y + 0.5))
    app.wait(lambda s: s['undo'] == 'Move goal of box')
    moved = text_of(app)['task']['targets'][0]
    assert moved['position'][0] > x + 0.2 and moved['position'][1] > y + 0.4, moved
    app.shot('task-4-goal-moved')
    app.act('undo')
    app.wait(lambda s: s['undo'] == 'Give box a goal')
    assert text_of(app)['task']['targets'][0] == before
    width = text_of(app)['scene']['bodies'][1]['shape']['width']
    handle = sheet.at(x + width / 2, y + width / 2)
    handle = (handle[0] + 4, handle[1] - 29)  # px: beyond the corner, above the frame
    centre = sheet.at(x, y)
    app.drag(sheet.node, *handle, centre[0] - (centre[1] - handle[1]), centre[1] - (handle[0] - centre[0]), release=False)
    app.shot('task-5-goal-turning', leave=False)
    sh('xdotool', 'mouseup', '1')
    app.wait(lambda s: s['undo'] == 'Turn goal of box')
    turned = text_of(app)['task']['targets'][0]
    assert abs(turned['angle'] - 1.5707963) < 0.3 and turned['position'] == before['position'], turned
    app.act('undo')
    # Numbers in the inspector.
    assert entry(app, 'Goal x') == '%g' % x
    app.type_into('Goal x', '1.2')
    app.wait(lambda s: s['undo'] == 'Set position[0]')
    app.type_into('Goal spin', ' ')
    app.wait(lambda s: s['undo'] == 'Clear angular_velocity')
    app.type_into('Weight', '100')
    app.wait(lambda s: s['undo'] == 'Set weight')
    target = text_of(app)['task']['targets'][0]
    assert target['position'][0] == 1.2 and target['weight'] == 100 and 'angular_velocity' not in target, target
    app.shot('task-6-goal-fields')
    # Nothing selected: the task in words.
    app.key('Escape')
    app.press(sheet.node, *sheet.at(0.3, 1.2))
    app.wait(lambda s: s['item'] is None and s['selected'] is None)
    words = until(lambda: app.find('label', 'bodies that move').name, what='for the summary')
    assert '2 bodies that move, 2 controls' in words and 'Goal of box: x 1.2 m' in words, words
    app.shot('task-7-summary')
    # Delete takes the selected goal only, with a way back.
    app.act('select-item', 's', 'task.targets[0]')
    sheet.press((1.2, 0.15))
    app.wait(lambda s: s['item'] == 'task.targets[0]')
    app.key('Delete')
    app.wait(lambda s: s['undo'] == 'Delete goal of box' and s['bodies'] == 3)
    assert text_of(app)['task']['targets'] == []
    app.key('ctrl+z')
    app.wait(lambda s: s['item'] == 'task.targets[0]')
    # Escape takes a drag back.
    sheet.drag((1.1, 0.15), (1.4, 0.6), release=False)
    app.wait(lambda s: s['undo'] == 'Set weight')
    app.key('Escape')
    sh('xdotool', 'mouseup', '1')
    assert text_of(app)['task']['targets'][0] == target
    # Saved, opened again, the same.
    path = os.path.join(tempfile.mkdtemp(), 'push.stickslip.json')
    written = text_of(app)
    app.act('save-scenario', 's', path)
    app.wait(lambda s: s['file'] == path and not s['dirty'])
    app.act('new-sketch')
    app.wait(lambda s: s['bodies'] == 0)
    app.act('open', 's', path)
    app.wait(lambda s: s['bodies'] == 3)
    assert text_of(app) == written
    app.kill()


def solve(app, sheet, name):
    """Drives the disc, gives the box its goal, presses Solve; ends when the race has, with its run in the status."""
    app.click('push button', 'Force')
    app.wait(lambda s: s['undo'] == 'Drive disc')
    sheet.press((-0.3, 0.4))
    app.wait(lambda s: s['selected'] == 'box')
    app.click('push button', 'Give It a Goal')
    app.wait(lambda s: s['item'] == 'task.targets[0]')
    app.shot(name + '-asked')
    app.act('option', '(sss)', ('auto', 'budget', '4'))  # seconds that the race may spend: half a minute without
    app.click('push button', 'Solve')
    app.wait(lambda s: s['page'] == 'run' and [r['method'] for r in s['runs']] == ['auto'])
    app.shot(name + '-solving')
    status = app.ended(60)
    assert [r['outcome'] for r in status['runs']] == ['solved'], status
    return status


def test_solved_from_an_empty_canvas():
    """Within two minutes of a user's time: draw, drive, give a goal, press Solve, see it move."""
    app = start()
    begun = time.time()
    solve(app, draw(app, disc=-0.8), 'task-8')
    app.wait(lambda s: s['duration'] == 2.0)
    app.act('seek', 'd', 1.0)
    app.wait(lambda s: abs(s['time'] - 1.0) < 1e-9)
    app.shot('task-9-solved')
    # On the sheet it was drawn on, too.
    app.act('page', 's', 'sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    app.act('play')
    if app.wait(lambda s: s['time'] > 0.5)['playing']:
        app.act('play')
    app.act('seek', 'd', 1.4)
    app.shot('task-10-animated')
    seconds = time.time() - begun
    print('  drawn, solved and animated after %.0f s' % seconds)
    app.kill()


@only_long
def test_solved_across_a_gap():
    """The disc does not touch the box at first: the contact has to be found. The plan is watched, and replayed by a simulator."""
    app = start()
    status = solve(app, draw(app, disc=-1), 'task-11')
    plan = status['runs'][0]['id']
    app.wait(lambda s: s['duration'] == 2.0)
    app.act('seek', 'd', 2.0)
    app.wait(lambda s: abs(s['time'] - 2.0) < 1e-9)
    app.shot('task-12-gap-solved')
    app.act('replay-run', '(ss)', ('stewart-trinkle', plan))
    app.wait(lambda s: {r['method'] for r in s['runs']} == {'auto', 'stewart-trinkle'})
    status = app.ended()
    assert all(r['outcome'] in ('solved', 'completed') for r in status['runs']), status
    app.act('seek', 'd', 1.2)
    app.wait(lambda s: abs(s['time'] - 1.2) < 1e-9)
    app.shot('task-13-gap-replayed')
    # Solved again from where a race ended, then from where that ended: a few iterations.
    app.press(app.find('push button', 'Reuse Automatic'), 12, 12)
    app.shot('task-14-reuse')
    app.key('Escape')
    app.act('methods', 's', 'crisp')
    app.act('start-from', 's', plan)
    app.wait(lambda s: [r['method'] for r in s['runs']] == ['crisp'])
    first = app.ended()['runs'][0]
    assert first['outcome'] == 'solved', first
    app.act('start-from', 's', first['id'])
    app.wait(lambda s: [r['method'] for r in s['runs']] == ['crisp'] and s['runs'][0]['id'] != first['id'])
    again = app.ended()['runs'][0]
    assert again['outcome'] == 'solved' and again['iterations'] <= 20, again
    app.kill()


def test_breaks_are_typed_as_a_list():
    from gui import ROOT
    app = start(os.path.join(ROOT, 'examples', 'fesd-j', 'block.stickslip.json'))
    app.wait(lambda s: s['bodies'] > 0)
    app.type_into('Breaks', '0.5, 0.5 + 0.25')
    app.wait(lambda s: s['undo'] == 'Set breaks')
    assert app.find('text', 'Breaks').text(0, 16) == '0.5, 0.5 + 0.25'[:16]
    app.type_into('Breaks', '0.5, nothing')
    until(lambda: 'breaks[1]' in app.find('text', 'Breaks').description, what='for the reason')
    app.shot('12-breaks-refused')
    app.act('set-field', '(ss)', ('task.breaks', '0.5, t_missing'))  # as scripts do
    assert app.status()['undo'] == 'Set breaks'
    app.act('undo')
    app.wait(lambda s: s['undo'] is None)
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
