#!/usr/bin/python3
"""tests/ui/test_study.py: the Study page: a study made, run, looked at and exported by mouse and keyboard, its definition in the project at once."""
import os
import sqlite3
import tempfile
import time

from gui import only_long, run_tests, sh, start, until


def study(app, test=lambda s: True, timeout=10):
    """The study's part of the status, once the test holds."""
    return app.wait(lambda s: s['study'] and test(s['study']), timeout)['study']


def below(node):
    """Every node, also those of a popover, which is below its button."""
    yield node
    for child in node:
        if child:
            yield from below(child)


def in_popover(app, role, text, within='SsuiStudyPanel'):
    page = app.find('filler', within)

    def look():
        return next((n for n in below(page) if n.role == role and text in (n.name or '') and app.size(n)[0] > 0
                    ), None)
    return until(look, what='for %s "%s" in a popover' % (role, text))


def click(app, role, text):
    """A real click in the middle of the widget."""
    node = app.find(role, text)
    app.settled(node)
    width, height = app.size(node)
    app.press(node, width / 2, height / 2)
    return node


def windows():
    """Of all that is on the display: (x, y, width, height)."""
    found = []
    for number in sh('xdotool', 'search', '--onlyvisible', '--name', '').split():
        try:
            lines = dict(line.split('=') for line in sh('xdotool', 'getwindowgeometry', '--shell', number).split())
            found.append(tuple(int(lines[k]) for k in ('X', 'Y', 'WIDTH', 'HEIGHT')))
        except Exception:  # it went meanwhile
            pass
    return found


def click_in_popover(app, role, text):
    """The same in a popover, which is a window of its own, as large as its node; GTK tells no place for it."""
    node = popover = in_popover(app, role, text)
    while not popover.name.endswith('Popover'):
        popover = popover.parent
    seen = []

    def settled():  # a list that is being searched moves its rows
        seen.append([n.extents() for n in (popover, node)])
        outer, inner = seen[-1]
        return len(seen) > 6 and all(tuple(a) == tuple(b) for s in seen[-6:-1] for a, b in zip(s, seen[-1])) and \
            inner.y + inner.height < outer.y + outer.height
    until(settled, step=0.05)
    outer, inner = seen[-1]
    x, y, _, _ = until(lambda: next((w for w in windows() if w[2:] == (outer.width, outer.height)), None), what='for the window of a popover')
    sh('xdotool', 'mousemove', str(x + inner.x - outer.x + inner.width // 2), str(y + inner.y - outer.y + inner.height // 2))
    time.sleep(0.02)
    sh('xdotool', 'click', '1')


def has_focus(app, name, within='SsuiStudyPanel'):
    panel = app.find('filler', within)
    return any(n.has_state('focused') and name in (n.name or n.parent.name or '') for n in below(panel))


def focused(app, name, within='SsuiStudyPanel'):
    until(lambda: has_focus(app, name, within), what='for the focus of ' + name)


def type_over(app, text):
    app.key('ctrl+a')
    sh('xdotool', 'type', '--delay', '5', '--', text)


def add_axis(app, name, values):
    """Opens the list of what can vary, looks the name up, types its values."""
    click(app, 'push button', 'Add Axis')
    focused(app, 'Search what can vary')
    sh('xdotool', 'type', '--delay', '5', '--', name)
    click_in_popover(app, 'list item', 'Vary %s,' % name)
    focused(app, 'Values of the axis')
    type_over(app, values)
    app.key('Return')
    seen = study(app, lambda s: any(a['name'] == name for a in s['axes']))
    until(lambda: not has_focus(app, 'Values of the axis'), what='for the popover to close: a key goes nowhere meanwhile')
    return seen


def add_method(app, label, text):
    click(app, 'push button', 'Add Method')
    click_in_popover(app, 'list item', 'Method ' + label)
    focused(app, 'Method with its options')
    type_over(app, text)
    n = len(study(app)['methods'])
    app.key('Return')
    return study(app, lambda s: len(s['methods']) == n + 1)


def remove_method(app, label):
    click(app, 'push button', 'Method ' + label)
    click_in_popover(app, 'push button', 'Remove the method')
    return study(app, lambda s: all(m['label'] != label for m in s['methods']))


def test_a_study_is_made_and_run():
    folder = tempfile.mkdtemp()
    app = start()
    app.act('open-example', 's', 'push-box')
    app.wait(lambda s: s['page'] == 'sketch')
    app.key('alt+5')
    app.wait(lambda s: s['page'] == 'study')
    click(app, 'push button', 'New Study')
    assert [m['label'] for m in study(app)['methods']] == ['CRISP', 'Ipopt']
    remove_method(app, 'Ipopt')
    add_method(app, 'CRISP', 'crisp:relax=10')
    add_axis(app, 'mu', '0.1, 0.5')
    seen = add_axis(app, 'j', '0, 4')
    assert seen['tasks'] == 8 and seen['problem'] is None, seen
    app.key('ctrl+z')
    study(app, lambda s: s['tasks'] == 4)
    app.key('ctrl+shift+z')
    study(app, lambda s: s['tasks'] == 8)
    click(app, 'push button', 'Start the study')
    seen = study(app, lambda s: s['solved'] == 8 and not s['is_running'], 30)
    app.shot('page11-study-light')
    # the numbers of a figure in its place, and a figure that is not there
    click(app, 'push button', 'Table of heat')
    until(lambda: any(n.name == 'State' and n.extents().width > 0 for n in app.nodes()), what='for the table')  # a column that it has alone
    app.shot('page11-study-table')
    click(app, 'push button', 'Table of heat')
    app.act('study-figure', '(ss)', ('heat', 'nothing'))
    app.told('The study has no figure “heat” of “nothing”')
    # a cell is a problem in all parts; a double click opens its run
    maps = app.find('image', 'Objective')
    app.settled(maps)
    width, height = app.size(maps)
    app.press(maps, width * 0.2, height * 0.3)
    seen = study(app, lambda s: s['selected'] != '')
    assert seen['selected'] == 'μ 0.1, j 0', seen
    app.key('Right', 'Down')
    study(app, lambda s: s['selected'] == 'μ 0.5, j 4')
    app.shot('page11-study-marked')
    app.act('study-export', '(sds)', ('heat', 180.0, os.path.join(folder, 'maps.pdf')))
    app.act('study-export', '(sds)', ('runs', 0.0, os.path.join(folder, 'runs.tex')))
    app.wait(lambda s: s['exports'] == 2)
    app.act('study-export', '(sds)', ('heat', 180.0, os.path.join(folder, 'maps.html')))  # plans are not computed in pages
    app.find('label', 'a page computes simulations of scenes')
    assert open(os.path.join(folder, 'maps.pdf'), 'rb').read(4) == b'%PDF'
    assert '0.5' in open(os.path.join(folder, 'runs.tex')).read()
    project = app.status()['project']
    app.key('Return')
    app.wait(lambda s: s['page'] == 'run' and len(s['runs']) == 2)
    app.quit()
    with sqlite3.connect(project) as db:
        assert db.execute("SELECT count(*) FROM run WHERE outcome = 'solved'").fetchone() == (8,)


@only_long
def test_the_page_of_135_runs():
    """Five frictions, nine targets, three methods, as in the manual: made by mouse and keyboard alone. FOLDER/study-135.png of SHOTS=FOLDER, made
    on an idle machine, is data/screenshot-study.png."""
    out = os.environ.get('SHOTS') or tempfile.mkdtemp()
    app = start()
    app.act('open-example', 's', 'push-box')
    app.wait(lambda s: s['page'] == 'sketch')
    began = time.time()
    app.key('alt+5')
    click(app, 'push button', 'New Study')
    study(app)
    add_axis(app, 'mu', '0.1, 0.2, 0.3, 0.5, 0.8')
    add_axis(app, 'j', '0:16:9')
    add_method(app, 'CRISP', 'crisp:relax=10')
    remove_method(app, 'Ipopt')
    add_method(app, 'Ipopt', 'ipopt:max_iter=500')  # ends alike at any load
    study(app, lambda s: s['tasks'] == 135)  # the list of methods has grown, the button below it has moved
    click(app, 'push button', 'Start the study')
    study(app, lambda s: s['is_running'])
    made = time.time() - began
    app.shot('study-135-running')
    seen = study(app, lambda s: not s['is_running'] and s['queued'] == 0, 300)
    print('made in %.1f s, run in %.1f s: %s' % (made, time.time() - began - made, seen), flush=True)
    app.shot('study-135')
    app.act('study-export-all', '(ds)', (180.0, os.path.join(out, 'figures')))
    app.wait(lambda s: s['exports'] > 5, 30)
    assert seen['solved'] + seen['unsolved'] == 135, seen
    app.quit()


if __name__ == '__main__':
    run_tests(globals())
