#!/usr/bin/python3
"""tests/ui/test_header.py: one header for all pages: six tabs at the same place whatever page, run and title, one action of fixed width, names that give
way in the middle; the pages in a bar at the bottom of a narrow window."""
import os

from gui import LASTING, PAGES as PLACES, run_tests, sh, start, until, walk

PAGES = ('sketch', 'run', 'compare', 'impact', 'study', 'project')
TABS = ('Sketch', 'Run', 'Compare', 'Impact', 'Study', 'Project')
SCHEME = {'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'} if os.environ.get('SCHEME') == 'dark' else {}


def extents(node):
    e = node.extents()
    return e.x, e.y, e.width, e.height


def around(app):
    """Every node of the window that is not in a page."""
    return walk(app.accessible, without=PLACES.values())


def page_tabs(app):
    """Places of the tabs on show, of all switchers that the window has outside its pages."""
    found = []
    for bar in (n for n in around(app) if n.role == 'page tab list'):
        found += [(n.name, extents(n)) for n in walk(bar) if n.role == 'page tab' and n.name in TABS and extents(n)[2] > 0]
    return found


def slot(app):
    """Middle of the one button between the tabs and the menu."""
    left, top = max(x + w for _, (x, y, w, h) in page_tabs(app)), max(y + h for _, (x, y, w, h) in page_tabs(app))
    right = extents(next(n for n in around(app) if n.role == 'push button' and 'Main Menu' in n.name))[0]
    found = set()
    for node in around(app):
        if node.role == 'push button':
            x, y, w, h = extents(node)
            if x >= left and x + w <= right and y + h / 2 < top and w > 0:
                found.add(x + w / 2)  # buttons tell the size inside their padding, menu buttons with it
    assert len(found) == 1, found
    return found.pop()


def resize(app, width, height):
    sh('xdotool', 'windowsize', '--sync', app.window, str(width), str(height))


def test_nothing_jumps():
    """Tabs and the action keep their places on six pages, with a short and a long title, at rest and while a run goes on; one switcher at a time."""
    # Each width takes a minute of a window's time: the one with the least room for six tabs at the top, all with --all.
    usual = '' if os.environ.get('STICKSLIP_TEST_ALL') == '1' else '800'
    only = [int(w) for w in os.environ.get('WIDTHS', usual).split(',') if w]
    for width, height, has_tabs in (1280, 800, True), (1140, 700, True), (960, 540, True), (800, 600, True), (770, 600, True), (600, 700, False):
        if only and width not in only:
            continue
        app = start(env=SCHEME)
        resize(app, width, height)
        app.act('open-example', 's', 'push-box')
        app.wait(lambda s: s['page'] == 'sketch')
        until(lambda: len(page_tabs(app)) == 6, what='for six tabs, not %s' % (page_tabs(app),))
        app.settled(app.find('page tab', 'Project'))
        places, slots = page_tabs(app), set()
        ys = {e[1] for _, e in places}
        assert len(ys) == 1 and (ys.pop() < 60) == has_tabs, places
        if has_tabs:  # a tab that the action hides keeps its place all the same
            slots.add(slot(app))
        for page in PAGES:
            app.act('page', 's', page)
            app.wait(lambda s: s['page'] == page)
            until(lambda: page_tabs(app) == places, what='for the tabs of %s: %s, not %s' % (page, places, page_tabs(app)))
            app.shot('header-%d-%s-%s' % (width, page, os.environ.get('SCHEME', 'light')))
            if has_tabs:
                slots.add(slot(app))
        app.act('set-field', '(ss)', ('title', 'A title that is much longer than the header could ever show in its place on the left'))
        app.wait(lambda s: s['undo'] is not None)
        # places are told one by one, while the window lays itself out
        until(lambda: page_tabs(app) == places, what='for the tabs beside a long title: %s, not %s' % (places, page_tabs(app)))
        app.act('set-field', '(ss)', ('parameters.N.value', LASTING))
        app.act('page', 's', 'run')
        app.act('run')
        app.wait(lambda s: any(r['running'] for r in s['runs']))
        until(lambda: page_tabs(app) == places, what='for the tabs beside a run: %s, not %s' % (places, page_tabs(app)))
        app.shot('header-%d-running-%s' % (width, os.environ.get('SCHEME', 'light')))
        if has_tabs:
            slots.add(slot(app))
            assert len(slots) == 1, slots
        app.act('cancel')
        app.ended()
        app.kill()


if __name__ == '__main__':
    run_tests(globals())
