#!/usr/bin/python3
"""tests/ui/test_picture.py: a picture under the sheet: loaded, scaled by two points, moved, a region traced by a click, kept with the sketch in the project, hidden
and removed; by pointer and keys in a real window."""
import os
import tempfile

from gui import run_tests, sh, start, until
from test_task import Sheet, text_of


def extent(app):
    body = text_of(app)['scene']['bodies'][-1]
    corners = [v for shape in body.get('shapes') or [body['shape']] for v in shape['vertices']]
    (x, y), xs, ys = body['position'], [v[0] for v in corners], [v[1] for v in corners]
    return x + min(xs), y + min(ys), x + max(xs), y + max(ys)


def near(a, b, tolerance):
    return len(a) == len(b) and all(abs(p - q) < tolerance for p, q in zip(a, b))


def test_picture():
    folder = tempfile.mkdtemp()
    picture = os.path.join(folder, 'shapes.jpg')  # JPEG: whatever GTK reads
    sh('convert', '-size', '200x100', 'xc:white', '-fill', 'red', '-draw', 'rectangle 20,10 79,89', '-quality', '95', picture)
    app = start()
    app.key('ctrl+n')
    app.wait(lambda s: s['page'] == 'sketch')
    sheet = Sheet(app)
    sheet.press((1, 1.8))
    app.act('picture', 's', picture)
    until(lambda: app.describe('picture-place')[0], what='for the picture')
    app.act('picture-place', '(ddd)', (-1.0, 0.0, 2.0))  # a pixel is a centimetre
    app.shot('picture-1-under')
    app.key('shift+p')
    until(lambda: app.describe('tool')[1][0] == 'trace', what='for the tool')
    sheet.press((-0.5, 0.5))
    app.wait(lambda s: s['bodies'] == 1 and s['undo'] == 'Add polygon')
    app.shot('picture-2-traced')
    assert near(extent(app), (-0.8, 0.1, -0.2, 0.9), 0.02), extent(app)
    # Two points that are 0.8 m apart on the sheet shall be 0.4 m apart: it shrinks about the first.
    app.act('undo')
    app.act('tool', 's', 'picture-scale')
    sheet.drag((-0.8, 0.1), (-0.8, 0.9))
    until(lambda: app.find('text', 'Distance [m]'), what='for the dialog')
    app.screen('picture-3-dialog')
    sh('xdotool', 'type', '--delay', '5', '--', '40cm')  # over what was there, which is selected
    sh('xdotool', 'key', 'Return')
    app.alone()
    app.act('tool', 's', 'picture-move')
    sheet.drag((-0.8, 0.1), (0.2, 0.1))
    app.act('tool', 's', 'trace')
    sheet.press((0.3, 0.3))
    app.wait(lambda s: s['bodies'] == 1)
    assert near(extent(app), (0.2, 0.1, 0.5, 0.5), 0.03), extent(app)
    app.shot('picture-3-scaled')
    app.act('tool', 's', 'trace')
    sheet.press((1.9, 1.5))
    app.told('there is no picture at that place')
    # The project keeps it with the sketch.
    project = app.wait(lambda s: s['project'] and s['sketch'] and not s['dirty'])['project']
    app.act('new-sketch')
    until(lambda: not app.describe('picture-place')[0], what='for a sheet without a picture')
    app.act('open', 's', project)
    until(lambda: app.describe('picture-place')[0], what='for the picture of the sketch')
    app.wait(lambda s: s['bodies'] == 1)
    app.shot('picture-4-opened')
    app.act('picture-show')
    app.shot('picture-4-hidden')
    app.act('picture-remove')
    until(lambda: not app.describe('picture-remove')[0], what='for no picture')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
