#!/usr/bin/python3
"""tests/ui/test_walk.py: a walk over pages, lists, menus and dialogs, in windows of several sizes, light and dark, in English and in words 40 % longer:
texts that are cut, run into each other or are too pale, clicks that nothing answers, complaints of the toolkit. window-walk.c looks; what it finds is a
line each. The longest words are English lengthened by the looking library where gettext is asked for a translation: what is not marked stays short."""
import collections
import os
import re
import subprocess
import sys

from gi.repository import GLib

from gui import PATH, only_long, run_tests, start, until

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = ('1920x1080', '1280x800', '960x540', '800x600')
SCREEN = '1940x1100'
LOOKERS = ('window-walk.c', 'window-walk-keys.c')
SCHEMES = ('light', 'dark')
PAGES = ('sketch', 'run', 'compare', 'impact', 'study', 'project')
KINDS = {'ellipsized', 'cut', 'outside', 'overlap', 'contrast', 'dead', 'deaf', 'covered', 'no-tip', 'through', 'idle'}
Finding = collections.namedtuple('Finding', 'kind where text more')

# Words of no language: methods, units, what the scene of the walk has.
NAMES = ('Stewart', 'Trinkle', 'Moreau', 'Jean', 'Stickslip', 'slider', 'crank', 'rod', 'piston', 'floor', 'Ctrl', 'Shift', 'Alt', 'Ipopt', 'GTK', 'MPCC', 'CSV',
         'JSON', 'SVG', 'PDF', 'PNG', 'TeX')

# What is meant: kind, where and text as patterns, and why.
MEANT = (
    ('idle', 'PopoverMenu', r'^Nothing\w* was\w* changed\w* yet\w*$', 'the row is the reason'),
    ('ellipsized', r'^GtkLabel\.numeric < GtkColumnViewCell.* < SsuiTableView', r'[a-z]{3}', 'sentences and places in the code; the tooltip has all'),
    ('cut', r'^GtkLabel\.numeric < GtkColumnViewCell.* < SsuiTableView', r'[a-z]{3}', 'a table with more columns than fit scrolls sideways'),
)


def library():
    """The looking library, compiled for this run."""
    path = os.path.join(os.environ['HOME'], 'window-walk.so')
    if not os.path.exists(path):
        flags = subprocess.run(['pkg-config', '--cflags', 'libadwaita-1'], check=True, text=True, capture_output=True).stdout.split()
        subprocess.run([os.environ.get('CC', 'cc').split()[-1], '-shared', '-fPIC', '-o', path, *(os.path.join(HERE, name) for name in LOOKERS), *flags, '-ldl'],
                       check=True)
    return path


class Walk:
    """A window that is looked at; findings by what was found, with where it was seen first and how often."""
    def __init__(self, *arguments, is_long=False, is_high_contrast=False):
        self.language = 'high contrast' if is_high_contrast else 'long' if is_long else 'plain'
        self.app = start(*arguments, env={'LD_PRELOAD': library(), **({'WALK_LONG': ' '.join(NAMES)} if is_long else {}),
                                          **({'ADW_DEBUG_HIGH_CONTRAST': '1'} if is_high_contrast else {})})
        self.found, self.sizes = {}, {}
        subprocess.run(['xdotool', 'mousemove', '0', '0'], check=True)  # outside: no tooltip comes between
        self.size = self.scheme = ''
        self.file = os.path.join(os.environ['HOME'], 'findings')

    def tell(self, *words):
        self.app.call(PATH, 'Activate', GLib.Variant('(sava{sv})', ('walk', [GLib.Variant('s', '\t'.join(words))], {})))

    def openers(self):
        return self.app.call(PATH, 'Describe', GLib.Variant('(s)', ('walk',))).unpack()[0][2][0]

    def set(self, size, scheme):
        if size != self.size:
            self.tell('size', size)
        if scheme != self.scheme:
            self.tell('scheme', scheme)
        self.size, self.scheme = size, scheme

    def look(self, what):
        self.tell('look', self.file)
        place = '%s %s %s %s' % (what, self.size, self.scheme, self.language)
        with open(self.file) as lines:
            for line in lines:
                finding = Finding(*line.rstrip('\n').split('\t'))
                if finding.kind == 'size':
                    self.sizes[finding.where.split('.')[0], place] = finding.more
                elif is_fault(finding):
                    key = finding._replace(more='' if finding.kind in ('contrast', 'dead', 'covered', 'outside') else finding.more)
                    self.found.setdefault(key, [finding, place, 0])[2] += 1
        if os.environ.get('SHOTS'):
            subprocess.run(['import', '-window', 'root', '-crop', SCREEN + '+0+0',
                            os.path.join(os.environ['SHOTS'], 'walk-%s.png' % re.sub(r'[^a-z0-9]+', '-', place.lower()))], check=True)

    def everywhere(self, what, sizes=SIZES, schemes=SCHEMES):
        for size in sizes:
            for scheme in schemes:
                self.set(size, scheme)
                self.look(what)

    def lists(self, what):
        """Every list and menu that a button on show opens."""
        for n in range(self.openers()):
            self.tell('popup', str(n))
            self.look('%s list %d' % (what, n))
            self.tell('popdown')

    def dialog(self, name, signature=None, value=None, app=False):
        if app:
            self.app.app_act(name)
        else:
            self.app.act(name, signature, value)
        until(lambda: self.app.n_windows() > 1, what='for the dialog of ' + name)
        self.look('dialog ' + name)
        self.tell('close')
        until(self.app.is_alone, what='for the end of the dialog of ' + name)

    def end(self):
        self.app.kill()
        complaints = sorted({line for line in self.app.output().splitlines() if 'WARNING' in line or 'CRITICAL' in line})
        rows = sorted(self.found.values(), key=lambda row: (row[0].kind, row[0].where))
        for finding, place, n in rows:
            print('%-10s %s | %s | %s | %s x%d' % (*finding, place, n))
        for line in complaints:
            print('complaint ', line)
        print('%d findings %s' % (len(rows), dict(collections.Counter(row[0].kind for row in rows))), flush=True)
        return len(rows) + len(complaints)


def is_fault(finding):
    if finding.kind not in KINDS:
        return False
    if finding.kind == 'ellipsized' and finding.more and not is_kept_whole(finding):
        return False  # elsewhere a tooltip has all of it
    return not any(finding.kind == kind and re.search(where, finding.where) and re.search(text, finding.text) for kind, where, text, _ in MEANT)


def is_kept_whole(finding):
    """Titles, tabs, methods, numbers and axes are never shortened."""
    return bool(finding.more == 'drawn' or re.search(r'SsuiPageTabs|heading|numeric|metric-value|title', finding.where) or
                re.fullmatch(r'[-−\d.,]+', finding.text))


def two_runs(app):
    """A simulated scene by two methods."""
    app.act('open-example', 's', 'slider-crank')
    app.wait(lambda s: s['page'] == 'sketch' and s['bodies'] > 2)
    app.act('methods', 's', 'stewart-trinkle,moreau-jean')
    app.act('simulate')
    runs = app.ended()['runs']
    if app.status()['playing']:
        app.act('play')
    app.act('seek', 'd', 0.0)  # one picture of the motion, however long the machine took: names of bodies that pass each other lie over each other
    return [run['id'] for run in runs]


MANY = ('semi-implicit-euler', 'implicit-euler', 'moreau-jean', 'stewart-trinkle', 'anitescu-potra', 'convex-time-stepping', 'event-driven', 'fesd-j')


def many_methods(walk, sizes, schemes):
    """Eight methods are chosen where one was: their names are whole, tabs and canvas are where they were."""
    walk.app.act('methods', 's', ','.join(MANY))
    for page in 'sketch', 'run':
        show(walk, page)
        walk.everywhere(page + ' of eight', sizes, schemes)


EACH = ('select', 'rod'), ('select-item', 'scene.joints[0]'), ('select', 'crank')  # actions and what they select


def select_each(walk, sizes, schemes):
    """One of each kind: the inspector says all of it in its width, and the canvas keeps its own."""
    for action, what in EACH:
        walk.app.act(action, 's', what)
        walk.everywhere('sketch ' + what, sizes, schemes)
    walk.app.act('select', 's', '')


def under_sheet(walk, sizes, schemes):
    """A picture under the sheet, with the numbers of its trace; its menu and dialogs are walked with the others."""
    path = os.path.join(os.environ['HOME'], 'picture.png')
    subprocess.run(['convert', '-size', '300x200', 'xc:white', '-fill', 'red', '-draw', 'rectangle 40,40 200,160', path], check=True)
    walk.app.act('picture', 's', path)
    until(lambda: walk.app.describe('picture-place')[0], what='for the picture')
    for tool in 'trace', 'knife':
        walk.app.act('tool', 's', tool)
        walk.everywhere('sketch ' + tool, sizes, schemes)
    walk.app.act('tool', 's', 'select')
    walk.dialog('picture-dialog')
    walk.dialog('picture-distance-dialog', '(dddd)', (0.0, 0.0, 1.0, 0.0))
    walk.app.act('undo')
    until(lambda: not walk.app.describe('picture-place')[0], what='for no picture')


def show(walk, page):
    walk.app.act('page', 's', page)
    walk.app.wait(lambda s: s['page'] == page)


def each_page(walk):
    """Puts the pages on show one after the other, with two runs."""
    runs = two_runs(walk.app)
    for page in PAGES:
        if page == 'compare':
            walk.app.act('compare', 's', ','.join(runs))
        elif page == 'study':
            walk.app.act('study-new')
            walk.app.wait(lambda s: s['study'])
        else:
            show(walk, page)
        yield page


def walk_pages(walk, sizes, schemes):
    """All pages with two runs; the lists of each, in one size a scheme, where there are several."""
    walk.everywhere('start', sizes, schemes)
    for page in each_page(walk):
        walk.everywhere(page, sizes, schemes)
        if page == 'sketch':
            select_each(walk, sizes, schemes)
            under_sheet(walk, sizes, schemes)
        if len(schemes) > 1:
            for size, scheme in zip(sizes[1::2], schemes):
                walk.set(size, scheme)
                walk.lists(page)
    many_methods(walk, sizes, schemes)
    faults = walk.end()
    canvases = {place: size for (what, place), size in walk.sizes.items() if what.startswith('SsuiCanvas')}
    print(canvases)
    least = 440 if walk.language == 'long' else 480  # longer words make the inspector wider: "Restitution", a number and its unit in a line
    assert all(int(size.split()[0]) >= least for place, size in canvases.items() if '800x600' in place), canvases
    assert faults == 0


def test_pages():
    walk_pages(Walk(), ('800x600',), ('light',))


def on_large_screen(test):
    """A window is never larger than its screen: the test in a process of its own with a screen for all sizes."""
    def on_screen():
        if os.environ.get('GUI_SCREEN') == SCREEN:
            return test()
        environment = {name: value for name, value in os.environ.items() if not name.startswith('GUI_')}
        script = [os.path.join(HERE, 'gui-run.sh'), sys.executable, os.path.abspath(__file__), test.__name__]
        return subprocess.run(script, check=True, env=dict(environment, GUI_SCREEN=SCREEN))
    return on_screen


def wanted(values, name):
    """All of them, or those that the variable of the environment names, to look at a part."""
    return tuple(os.environ[name].split(',')) if os.environ.get(name) else values


@only_long
@on_large_screen
def test_all_pages():
    walk_pages(Walk(), wanted(SIZES, 'SIZES'), wanted(SCHEMES, 'SCHEMES'))


@only_long
def test_high_contrast():
    walk_pages(Walk(is_high_contrast=True), ('1280x800',), SCHEMES)


@only_long
@on_large_screen
def test_long_words():
    walk_pages(Walk(is_long=True), wanted(SIZES, 'SIZES'), wanted(SCHEMES, 'SCHEMES'))


# Windows and dialogs beside the window: name of the action, and what it is told; RUN and SKETCH are those of the walk. Choosers of files are the toolkit's.
DIALOGS = (
    ('help',), ('preferences',), ('accuracy',), ('fit',), ('show-help-overlay',), ('array-dialog',), ('versions',), ('make-smaller-dialog',), ('study-rename-dialog',),
    ('provenance', 'RUN'), ('note-dialog', 'RUN'), ('tags-dialog', 'RUN'), ('shrink-dialog', 'RUN'), ('rename-sketch-dialog', 'SKETCH'),
    ('paper', 'constraint-solver-figure-9'), ('equations-index', ''),
)
ELSEWHERE = {'picture-dialog', 'picture-distance-dialog'}  # under_sheet
CHOOSERS = {name + '-dialog' for name in ('accuracy-save', 'archive', 'compare-export', 'export', 'fit-add', 'fit-save', 'impact-export', 'impact-open', 'import', 'open',
                                          'paper-save', 'study-export', 'study-export-all', 'study-page')}


def walk_dialogs(walk):
    named = {name for name in walk.app.actions() if name.endswith('-dialog')}
    assert named == {row[0] for row in DIALOGS if row[0].endswith('-dialog')} | ELSEWHERE | CHOOSERS, named
    runs = two_runs(walk.app)
    walk.app.act('study-new')
    walk.app.wait(lambda s: s['study'])
    show(walk, 'sketch')
    walk.app.act('select', 's', 'rod')
    values = {'RUN': runs[0], 'SKETCH': walk.app.status()['sketch']}
    for scheme in SCHEMES:
        walk.set('1280x800', scheme)
        walk.dialog('about', app=True)
        for name, *value in DIALOGS:
            walk.dialog(name, *(('s', values.get(value[0], value[0])) if value else ()))
    assert walk.end() == 0


@only_long
def test_dialogs():
    walk_dialogs(Walk())


@only_long
def test_long_dialogs():
    walk_dialogs(Walk(is_long=True))


if __name__ == '__main__':
    run_tests(globals())
