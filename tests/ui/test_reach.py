#!/usr/bin/python3
"""tests/ui/test_reach.py: the window without a pointer and without eyes: on every page and in every dialog what takes the focus says what it is, Tab and
the arrows reach all that can be used, and what takes a click has a place for the keys."""

import tree
from gui import only_long, run_tests
from test_walk import EACH, Finding, Walk, each_page, two_runs

# What GTK gives no name, and why that is no loss; roles of a11y, kinds of the walk.
UNNAMED_ROLES = {
    'scroll pane': 'a way to scroll by keys: the page inside has a name',
    'filler': 'GTK 4.8 says so of all that has no role',
}


class Reach(Walk):
    """A window whose names and ways of the keys are looked at."""
    def names(self, what):
        tree.changed()
        for node, path in below(self.app.accessible, ()):
            if node.has_state('focusable') and not node.name and node.role not in UNNAMED_ROLES and not is_of_toolkit(node, path) and \
                    node.extents().width > 0:
                self.keep(Finding('unnamed', ' < '.join(reversed(path[-4:])), node.role, ''), what)


    def popups(self, what):
        """Names in every list and menu that a button on show opens."""
        for n in range(self.openers()):
            self.tell('popup', str(n))
            self.names('%s list %d' % (what, n))
            self.tell('popdown')

    def keep(self, finding, what):
        self.found.setdefault(finding, [finding, what, 0])[2] += 1

    def look(self, what):
        self.names(what)
        self.keys(what)

    def keys(self, what):
        self.tell('keys', self.file)
        with open(self.file) as lines:
            for line in lines:
                self.keep(Finding(*line.rstrip('\n').split('\t')), what)


def is_of_toolkit(node, path):
    """The one row that a combo row of libadwaita shows of its list: the row has its name."""
    return node.role == 'list item' and len(path) > 1 and path[-2] == 'list "GtkListView"'


def below(node, path):
    """Every node on show, with the roles and names that it is in."""
    for child in node:
        here = path + ('%s "%s"' % (child.role, child.name),)
        yield child, here
        if child.has_state('visible') or child.role in ('frame', 'dialog'):
            yield from below(child, here)


def walk_pages(has_popups):
    walk = Reach()
    walk.look('start')
    for page in each_page(walk):
        walk.look(page)
        if has_popups:
            walk.popups(page)
        if page == 'sketch':
            for action, what in EACH:
                walk.app.act(action, 's', what)
                walk.look('sketch ' + what)
    assert walk.end() == 0


def test_compare():
    """The page with the most places for the focus: Tab leaves each of them."""
    walk = Reach()
    walk.app.act('compare', 's', ','.join(two_runs(walk.app)))
    walk.app.wait(lambda s: s['page'] == 'compare')
    walk.keys('compare')
    assert walk.end() == 0


@only_long
def test_pages():
    walk_pages(has_popups=False)


@only_long
def test_popups():
    walk_pages(has_popups=True)


@only_long
def test_dialogs():
    walk = Reach()
    runs = two_runs(walk.app)
    walk.dialog('about', app=True)
    for name in 'help', 'preferences', 'accuracy', 'fit', 'show-help-overlay':
        walk.dialog(name)
    walk.dialog('provenance', 's', runs[0])
    walk.app.act('select', 's', 'rod')
    walk.dialog('array-dialog')
    assert walk.end() == 0


if __name__ == '__main__':
    run_tests(globals())
