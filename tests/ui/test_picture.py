#!/usr/bin/python3
"""tests/ui/test_picture.py: a picture under the sheet: loaded, scaled by two points, moved, a region traced by a click, kept with the sketch in the project, faded,
hidden, removed and brought back; by pointer and keys in a real window."""
import json
import os
import sqlite3
import struct
import tempfile
import zlib

from gui import run_tests, sh, start, until
from test_task import Sheet, text_of


def extent(app):
    body = text_of(app)['scene']['bodies'][-1]
    corners = [v for shape in body.get('shapes') or [body['shape']] for v in shape['vertices']]
    (x, y), xs, ys = body['position'], [v[0] for v in corners], [v[1] for v in corners]
    return x + min(xs), y + min(ys), x + max(xs), y + max(ys)


def near(a, b, tolerance):
    return len(a) == len(b) and all(abs(p - q) < tolerance for p, q in zip(a, b))


def kept(project):
    """What the project says of the picture; of its pixels how many columns and rows there are."""
    db = sqlite3.connect('file:%s?mode=ro' % project, uri=True)
    for (view,) in db.execute('SELECT view FROM sketch'):
        picture = json.loads(view).get('picture')
        if picture:
            (png,), = db.execute('SELECT png FROM picture WHERE sha256 = ?', (picture['sha256'],))
            return dict(picture, png=struct.unpack('>II', png[16:24]))
    return {}


def within(app, label, text):
    """Types a number of the trace; Return goes back to the sheet."""
    spin = app.find('spin button', label)
    app.settled(spin)
    app.press(spin, 20, app.size(spin)[1] / 2)
    app.key('ctrl+a')
    sh('xdotool', 'type', '--delay', '5', '--', text)
    app.key('Return')
    until(lambda: spin.value == float(text), what='for the number of the trace')


def test_picture():
    folder = tempfile.mkdtemp()
    picture = os.path.join(folder, 'shapes.jpg')  # JPEG: whatever GTK reads
    sh('convert', '-size', '200x100', 'xc:white', '-fill', 'red', '-draw', 'rectangle 20,10 79,89', '-quality', '95', picture)
    app = start()
    app.key('ctrl+n')
    app.wait(lambda s: s['page'] == 'sketch')
    sheet = Sheet(app)
    app.act('tool', 's', 'picture-move')
    sheet.drag((1, 1.8), (1, 1.2))
    app.told('There is no picture under the sheet')
    app.act('tool', 's', 'select')
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
    traced = extent(app)
    # The project keeps it with the sketch. To fade it leaves it where it is, to the last digit.
    project = app.wait(lambda s: s['project'] and s['sketch'] and not s['dirty'])['project']
    until(lambda: near(kept(project).get('at', ()), (0.1, 0.05), 0.03), what='for the place in the project')
    laid = kept(project)
    assert laid['png'] == (200, 100) and laid['shown'], laid
    app.act('picture-dialog')
    app.find('text', 'Opacity [%]')
    app.set_text('Opacity [%]', '25')
    app.answer('Apply')
    app.act('picture-show')
    until(lambda: kept(project)['shown'] is False, what='for a hidden picture in the project')
    assert kept(project) == dict(laid, opacity=0.25, shown=False), (kept(project), laid)
    app.act('new-sketch')
    until(lambda: not app.describe('picture-place')[0], what='for a sheet without a picture')
    app.act('open', 's', project)
    until(lambda: app.describe('picture-place')[0], what='for the picture of the sketch')
    app.wait(lambda s: s['bodies'] == 1)
    app.shot('picture-4-opened')
    app.act('picture-show')
    until(lambda: kept(project)['shown'], what='for a picture that is shown in the project')
    assert kept(project) == dict(laid, opacity=0.25), (kept(project), laid)
    app.act('page', 's', 'sketch')
    app.wait(lambda s: s['page'] == 'sketch')
    sheet = Sheet(app)
    app.shot('picture-4-shown')
    # By keys: the pen begins in the middle of the picture, and goes into the red; the outline is shown before Return makes it. With all colours as one
    # it is the whole picture.
    app.key('shift+p')
    until(lambda: app.describe('tool')[1][0] == 'trace', what='for the tool')
    app.key('Left', 'Left')
    app.screen('picture-4-keys')
    within(app, 'Colours within [%]', '100')
    until(lambda: kept(project).get('likeness') == 1, what='for the likeness in the project')
    app.screen('picture-4-all')
    app.key('Return')
    app.wait(lambda s: s['bodies'] == 2)
    left, low = laid['at']
    assert near(extent(app), (left, low, left + laid['width'], low + laid['width'] / 2), 0.01), (extent(app), laid)
    app.act('undo')
    app.act('tool', 's', 'trace')
    within(app, 'Colours within [%]', '15')
    sheet.press((0.3, 0.3))
    app.wait(lambda s: s['bodies'] == 2)
    assert near(extent(app), traced, 1e-6), (extent(app), traced)
    app.act('picture-remove')
    until(lambda: not app.describe('picture-remove')[0], what='for no picture')
    app.find('label', 'Picture removed', 20)
    app.press_in_toast('Picture removed', 'Undo')
    until(lambda: app.describe('picture-remove')[0], what='for the picture that was removed')
    app.shot('picture-5-back')
    app.kill()


def test_empty_sheet():
    """A picture makes an empty sheet a sketch of the project. That of a camera that was held upright stands upright."""
    picture = os.path.join(tempfile.mkdtemp(), 'upright.jpg')
    sh('convert', '-size', '200x100', 'xc:white', '-fill', 'red', '-draw', 'rectangle 20,10 79,89', '-strip', picture)
    turned = b'Exif\0\0' + struct.pack('>2sHIHHHIHHI', b'MM', 42, 8, 1, 0x0112, 3, 1, 6, 0, 0)
    with open(picture, 'rb+') as file:
        data = file.read()
        file.seek(0)
        file.write(data[:2] + b'\xff\xe1' + struct.pack('>H', len(turned) + 2) + turned + data[2:])
    app = start()
    app.key('ctrl+n')
    app.wait(lambda s: s['page'] == 'sketch')
    Sheet(app)
    app.act('picture', 's', picture)
    until(lambda: app.describe('picture-remove')[0], what='for the picture')
    state = app.wait(lambda s: s['project'] and s['sketch'])
    assert kept(state['project'])['png'] == (100, 200), kept(state['project'])
    app.act('open-example', 's', 'falling-box')
    until(lambda: not app.describe('picture-remove')[0], what='for a sheet without a picture')
    app.act('open-sketch', 's', state['sketch'])
    until(lambda: app.describe('picture-remove')[0], what='for the picture of the empty sheet')
    app.wait(lambda s: s['bodies'] == 0)
    app.shot('picture-6-upright')
    # A picture that somebody else changed is told, and the sketch opens without it.
    app.act('open-example', 's', 'falling-box')
    app.wait(lambda s: s['sketch'] is None and s['bodies'] > 0)
    with sqlite3.connect(state['project']) as db:
        db.execute("UPDATE picture SET png = x'89504e47'")
    app.act('open-sketch', 's', state['sketch'])
    app.told('The picture under the sketch is lost')
    app.wait(lambda s: s['bodies'] == 0)
    assert not app.describe('picture-remove')[0]
    app.screen('picture-6-lost')
    # A few bytes that would be gigabytes of pixels are refused with their numbers.
    large = os.path.join(tempfile.mkdtemp(), 'large.png')
    with open(large, 'wb') as file:
        file.write(b'\x89PNG\r\n\x1a\n')
        for kind, data in ((b'IHDR', struct.pack('>IIBBBBB', 30000, 30000, 8, 2, 0, 0, 0)), (b'IDAT', zlib.compress(bytes(90001)))):
            file.write(struct.pack('>I', len(data)) + kind + data + struct.pack('>I', zlib.crc32(kind + data)))
    app.act('picture', 's', large)
    app.find('label', 'the picture has 30000 x 30000 pixels')
    app.screen('picture-7-large')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
