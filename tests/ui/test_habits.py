#!/usr/bin/python3
"""tests/ui/test_habits.py: what the window does around the work: choices stay with their sketch, keys live after menus and dialogs, Shortcuts,
captions of the gallery, what the readme promises of Compare and Export."""
import json
import os
import re
import subprocess
import tempfile

from gui import PROGRAM, ROOT, key_names, only_long, run_tests, sh, start, until, walk


def new_box(app):
    app.act('new-sketch')
    app.wait(lambda s: s['page'] == 'sketch' and s['bodies'] == 0)
    app.act('add', 's', 'ground')
    app.act('add', 's', 'box')
    app.wait(lambda s: s['bodies'] == 2)


def discard(app):
    until(lambda: app.n_windows() == 2, what='for the question')
    app.answer('Discard')


def test_methods_do_not_leak():
    """Explicit Euler, ticked for one sketch and chosen in its sandbox, drives neither Simulate nor the sandbox of the next one."""
    app = start()
    new_box(app)
    app.act('methods', 's', 'explicit-euler')
    app.act('simulate')
    assert app.ended()['runs'][0]['method'] == 'explicit-euler'
    app.set_state('sandbox-method', 's', 'explicit-euler')
    app.set_state('sandbox', 'b', True)
    app.wait(lambda s: s['sandbox'] and s['sandbox']['method'] == 'explicit-euler')
    app.set_state('sandbox', 'b', False)
    # Edits keep the choice, another sketch does not.
    app.act('undo')
    app.wait(lambda s: s['bodies'] == 1)
    app.act('redo')
    app.wait(lambda s: s['bodies'] == 2)
    app.act('simulate')
    assert app.ended()['runs'][0]['method'] == 'explicit-euler'
    app.act('new-sketch')  # the project keeps the one before: nothing is asked
    app.wait(lambda s: s['bodies'] == 0)
    app.act('open-example', 's', 'falling-box')
    app.wait(lambda s: s['scenario'] == 'falling-box')
    app.act('simulate')
    assert app.ended()['runs'][0]['method'] == 'stewart-trinkle'
    app.set_state('sandbox', 'b', True)
    assert app.wait(lambda s: s['sandbox'])['sandbox']['method'] != 'explicit-euler'
    app.shot('14-4-sandbox-after')
    app.act('page', 's', 'run')
    app.shot('14-5-methods-after')
    app.kill()


def pane_of(node):
    """The scrolled page that holds it."""
    while node.role != 'scroll pane':
        node = node.parent
    return node


def fits(pane):
    """Whether what a page scrolls is no wider than the page. The scroll bars do not tell: one that was hidden keeps the size it had."""
    viewport = next(n for n in pane if n.role != 'scroll bar')
    outer, inner = (n.extents() for n in (pane, viewport[0]))
    margin = inner.x - outer.x
    return inner.width > 0 and inner.width + 2 * margin <= outer.width


@only_long
def test_many_runs_fit():
    """Three and eight runs of methods with long names fit Compare and Run at 1280 x 800 and 800 x 600: nothing is wider than the window."""
    project = os.path.join(os.environ['XDG_DATA_HOME'], 'many.stickslip')
    cli = os.path.join(os.path.dirname(PROGRAM), 'stickslip-cli')
    example = os.path.join(ROOT, 'examples', 'sketches', 'falling-box.stickslip.json')
    methods = ('stewart-trinkle moreau-jean anitescu-potra convex-time-stepping constraint-solver semi-implicit-euler implicit-euler '
               'explicit-euler').split()
    sh(cli, 'compare', example, '--methods', ','.join(methods), '--project', project)
    runs = sh(cli, 'list', project, '--ids').split()
    assert len(runs) == 8
    # two of one method, told apart by what differs, in as many words as there are
    alike = []
    for options in ('law-misses=1', 'energy-gain=0.123456'), ('law-misses=0.0123456', 'energy-gain=1'):
        sh(cli, 'simulate', example, '--method', 'convex-time-stepping', '--project', project,
           *(word for option in options for word in ('--option', option)))
        alike += sh(cli, 'list', project, '--ids').split()[-1:]
    scheme = {'ADW_DEBUG_COLOR_SCHEME': 'prefer-dark'} if os.environ.get('SCHEME') == 'dark' else {}
    for width, height in (1280, 800), (800, 600):
        app = start(project, env=scheme)
        sh('xdotool', 'windowsize', '--sync', app.window, str(width), str(height))
        for page, action, role, name in ('compare', 'compare', 'label', 'Chosen Runs'), ('run', 'open-run', 'push button', 'Export Stewart'):
            pane = None
            for n in 8, 3:
                app.act(action, 's', ','.join(runs[-n:]))  # with the oldest, Stewart–Trinkle
                app.wait(lambda s: s['page'] == page and (page == 'compare' or len(s['runs']) == n))
                pane = pane or pane_of(app.find(role, name))
                until(lambda: fits(pane), what='for %s with %d runs to fit %d pixels' % (page, n, width))
                app.settled(pane)
                assert fits(pane)
                app.shot('13-%s-%d-%d-%s' % (page, width, n, os.environ.get('SCHEME', 'light')))
            if page == 'compare':
                app.act('compare', 's', ','.join(alike))
                for options in 'energy-gain 0.123456, law-misses 1', 'energy-gain 1, law-misses 0.0123456':
                    until(lambda: any(n.role == 'label' and (n.name or '').startswith('Convex') and sorted(n.name.split(', ')[1:]) == options.split(', ')
                                      for n in app.nodes()), what='for a run that is called by its options')
                for reference in alike:
                    app.act('compare-reference', 's', reference)
                    app.settled(pane)
                    assert fits(pane) and app.size(app.frame)[0] <= width
                app.shot('13-alike-%d-%s' % (width, os.environ.get('SCHEME', 'light')))
        app.kill()


def lives(app, key, tool):
    """A key of the canvas chooses its tool."""
    app.act('tool', 's', 'select')
    until(lambda: app.describe('tool')[1][0] == 'select')
    app.take_tool(key, tool)
    app.key('Escape')
    app.act('tool', 's', 'select')


def on_canvas(app):
    until(lambda: ('image', 'Canvas') in key_names(app), what='for the focus of the canvas')


def test_keys_live_after_menus():
    """The main menu by key and by pointer, a dialog from it, a button of the header bar, another page: keys of the canvas live on."""
    app = start()
    new_box(app)
    on_canvas(app)
    app.key('F10')
    until(lambda: not key_names(app), what='for the menu')
    app.key('Escape')
    on_canvas(app)
    lives(app, 'b', 'box')
    menu = app.find('push button', 'Main Menu')
    width, height = app.size(menu)
    app.press(menu, width / 2, height / 2)
    until(lambda: not key_names(app), what='for the menu')
    app.shot('14-6-menu', leave=False)
    app.press(menu, width / 2, height / 2)
    on_canvas(app)
    lives(app, 'd', 'disc')
    # Export from the menu, a dialog that is cancelled.
    app.key('F10')
    until(lambda: not key_names(app), what='for the menu')
    for _ in range(5):
        app.key('Down')
    app.key('Escape')
    on_canvas(app)
    app.key('ctrl+e')
    until(lambda: app.n_windows() == 2, what='for the dialog')
    app.focused_elsewhere()
    app.key('Escape')
    app.alone()
    on_canvas(app)
    lives(app, 'f', 'ground')
    press = app.find('push button', 'Undo')
    width, height = app.size(press)
    app.press(press, width / 2, height / 2)
    app.wait(lambda s: s['bodies'] == 1)
    lives(app, 'b', 'box')
    app.key('alt+2')
    app.wait(lambda s: s['page'] == 'run')
    app.key('alt+1')
    app.wait(lambda s: s['page'] == 'sketch')
    on_canvas(app)
    lives(app, 'b', 'box')
    app.kill()


def test_keys_live_after_export():
    """Export on the Compare page: whoever had the focus has it again, and space plays on the timeline."""
    app = start()
    app.act('open-example', 's', 'falling-box')
    app.wait(lambda s: s['bodies'] == 2)
    app.act('simulate')
    run = app.ended()['runs'][0]['id']
    app.act('compare', 's', run)
    app.wait(lambda s: s['page'] == 'compare' and s['duration'] > 0)
    search = app.find('entry', 'Search runs to compare')
    width, height = app.size(search)
    app.press(search, width / 2, height / 2)
    until(lambda: any('Search' in name for _, name in key_names(app)))
    button = next(n for n in app.nodes() if n.name == 'Export' and n.role == 'push button')
    width, height = app.size(button)
    app.press(button, width / 2, height / 2)
    until(lambda: not key_names(app), what='for the menu')
    app.key('Return')
    until(lambda: app.n_windows() == 2, what='for the dialog')
    app.focused_elsewhere()
    app.key('Escape')
    app.alone()
    until(lambda: any('Search' in name for _, name in key_names(app)), what='for the focus of the search')
    app.key('alt+1')
    app.wait(lambda s: s['page'] == 'sketch')
    on_canvas(app)
    app.kill()


def test_shortcuts_open_without_a_warning():
    app = start()
    new_box(app)
    app.key('ctrl+question')
    until(lambda: app.n_windows() == 2, what='for the shortcuts')
    app.focused_elsewhere()
    shortcuts = list(app.accessible)[1]
    for group in ('General', 'Run and Play', 'Impact', 'Sketch Tools', 'Exact Placement'):
        until(lambda: any(n.name == group for n in walk(shortcuts)), what='for the group ' + group)
    for title in ('Save sketch as', 'Close window', 'Zoom out', 'Disc tool', 'Duplicate'):
        assert any(n.name == title for n in walk(shortcuts)), title
    if os.environ.get('SHOTS'):
        sh('import', '-window', 'root', os.path.join(os.environ['SHOTS'], '14-7-shortcuts.png'))
    app.key('Escape')
    app.alone()
    lives(app, 'b', 'box')
    app.act('undo')
    app.act('undo')
    app.wait(lambda s: s['undo'] is None)
    text = app.quit()
    assert 'WARNING' not in text, text[-2000:]


def test_captions_say_what_examples_are():
    app = start()
    until(lambda: app.has('push button', 'Example '))
    card = app.find('push button', 'Example Stack')
    names = [n for n in app.nodes() if n.role == 'push button' and (n.name or '').startswith('Example ')]
    texts = [(n.name or '') + ' ' + (n.description or '') for n in names]
    assert not any(re.search(r'\b(Fig|Figs|Tables?)\b', text) for text in texts), texts
    assert card.description or card.name
    app.key('ctrl+f')
    sh('xdotool', 'type', '--delay', '5', 'drumwright')
    until(lambda: sum((n.name or '').startswith('Example ') and n.extents().width > 0
                      for n in app.nodes() if n.role == 'push button') == 7)
    app.shot('14-8-captions')
    app.kill()


def chosen_runs(app):
    """All texts of the table of chosen runs on the Compare page."""
    return [n.name for n in walk(app.find('label', 'Chosen Runs').parent.parent) if n.role == 'label']


@only_long
def test_compare_has_the_tracking_error():
    app = start()
    app.act('open-example', 's', 'push-box')
    app.wait(lambda s: s['scenario'] == 'push-box')
    app.act('methods', 's', 'crisp,ipopt')
    app.act('run')
    runs = app.ended(120)['runs']
    app.act('compare', 's', ','.join(r['id'] for r in runs))
    app.wait(lambda s: s['page'] == 'compare')
    until(lambda: 'Tracking error' in chosen_runs(app), what='for the column')
    table = chosen_runs(app)
    assert table.index('Tracking error') < table.index('Iterations'), table
    app.shot('15-1-tracking-error')
    app.kill()


def page_width(path):
    size = re.search(r'Page size: +([0-9.]+)', subprocess.run(['pdfinfo', path], check=True, text=True, capture_output=True).stdout)
    return float(size.group(1)) * 25.4 / 72


@only_long
def test_export_asks_for_the_width():
    """88 or 180 mm, chosen in the dialog; the film is in the menus."""
    app = start()
    app.act('open-example', 's', 'falling-box')
    app.wait(lambda s: s['bodies'] == 2)
    app.act('simulate')
    app.ended()
    folder = tempfile.mkdtemp()
    for kind, millimetres in (('figure:180', 180), ('figure:88', 88), ('figure', 88)):
        path = os.path.join(folder, 'a%s.pdf' % kind.replace(':', ''))
        app.act('export-to', '(sss)', (kind, '', path))
        until(lambda: os.path.exists(path))
        assert abs(page_width(path) - millimetres) < 0.5, (kind, page_width(path))  # points are printed with few digits
    path = os.path.join(folder, 'chosen.pdf')
    app.act('export-dialog', 's', 'figure')
    until(lambda: app.n_windows() == 2, what='for the dialog')
    app.focused_elsewhere()
    dialog = list(app.accessible)[1]

    def text_focused():
        return next((n for n in walk(dialog) if n.role == 'text' and n.has_state('focused')), None)
    entry = until(text_focused, what='for the name')
    app.key('ctrl+a')
    sh('xdotool', 'type', '--delay', '5', '--', path)
    until(lambda: entry.text() == path)
    until(lambda: any(n.role == 'label' and n.name == 'Width' for n in walk(dialog)), what='for the width')
    # The list right behind the label, opened and answered.
    nodes = list(walk(dialog))
    label = next(i for i, n in enumerate(nodes) if n.role == 'label' and n.name == 'Width')
    button = next(n for n in nodes[label:] if n.role == 'push button')
    button.do()
    until(lambda: any('180 mm' in (n.name or '') for n in walk(dialog)), what='for the widths')
    app.key('End', 'Return')
    if os.environ.get('SHOTS'):
        sh('import', '-window', 'root', os.path.join(os.environ['SHOTS'], '15-2-export-width.png'))
    app.answer('_Export Export')
    until(lambda: os.path.exists(path), what='for the figure')
    assert abs(page_width(path) - 180) < 0.5, page_width(path)
    film = os.path.join(folder, 'film.webp')
    app.act('export-to', '(sss)', ('film', '', film))
    until(lambda: os.path.exists(film), 60)
    assert open(film, 'rb').read(12)[8:] == b'WEBP'
    app.act('export-dialog', 's', 'film')
    until(lambda: app.n_windows() == 2, what='for the dialog')
    dialog = list(app.accessible)[1]
    until(lambda: {'Width', 'Pictures a Second', 'Speed'} <= {n.name for n in walk(dialog) if n.role == 'label'}, what='for three questions')

    def deep(node):
        yield node
        for child in node:
            yield from deep(child)
    assert any('960' in (n.name or '') for b in walk(dialog) if b.role == 'push button' for n in deep(b)), 'the usual width'
    app.screen('habits-film')
    app.answer('Cancel')
    film = os.path.join(folder, 'film.gif')
    app.act('export-to', '(sss)', ('film:640:10:2', '', film))  # as the dialog answers
    until(lambda: os.path.exists(film), 60)
    size = open(film, 'rb').read(10)
    assert size[:3] == b'GIF' and int.from_bytes(size[6:8], 'little') == 640, size
    app.kill()


def exports_of(app, run):
    """What the menu Export on a run's card offers."""
    button = app.find('push button', 'Export ' + run)
    app.settled(button)
    width, height = app.size(button)
    app.press(button, width / 2, height / 2)

    def below(node):
        yield node
        for child in node:
            if child:
                yield from below(child)
    offered = until(lambda: [n.name for n in below(button.parent) if n.role == 'label' and '…' in (n.name or '') and app.size(n)[0] > 0], what='for the menu')
    app.screen('habits-export')
    app.key('Escape')
    return offered


@only_long
def test_export_offers_what_a_run_has():
    """A simulated fall has a motion of one clock and contacts, and no iterations; a run of time-freezing has two clocks."""
    app = start()
    app.act('open-example', 's', 'falling-box')
    app.wait(lambda s: s['bodies'] == 2)
    app.act('simulate')
    label = app.ended()['runs'][0]['label']
    app.act('page', 's', 'run')
    offered = exports_of(app, label)
    assert any('Trajectory' in o for o in offered) and any('Step Sizes' in o for o in offered) and any('Friction Cone' in o for o in offered), offered
    assert not any('Convergence' in o or 'Clocks' in o for o in offered), offered
    app.kill()
    app = start(os.path.join(ROOT, 'examples', 'time-freezing', 'guiding-particle.stickslip.json'))
    app.act('methods', 's', 'time-freezing')
    app.act('page', 's', 'run')
    app.act('run')
    offered = exports_of(app, app.ended()['runs'][0]['label'])
    assert any('Clocks' in o for o in offered) and not any('Convergence' in o for o in offered), offered
    app.kill()


def test_small_values_are_not_cut():
    """The energy of a fall of 1e-10 kg in the table beside its motion: rounded to what a column holds, with its exponent, and whole as its name."""
    folder = tempfile.mkdtemp()
    path = os.path.join(folder, 'tiny.stickslip.json')
    with open(path, 'w') as file:
        json.dump({'format': 1, 'name': 'tiny', 'title': 'Tiny', 'scene': {'bodies': [
            {'name': 'ground', 'fixed': True, 'shape': {'type': 'half-plane', 'normal': [0, 1]}, 'position': [0, 0]},
            {'name': 'box', 'mass': 1e-10, 'shape': {'type': 'box', 'width': 1, 'height': 0.5}, 'position': [0, 0.8]}]}}, file)
    app = start(path)
    app.wait(lambda s: s['bodies'] == 2)
    app.act('simulate')
    label = app.ended()['runs'][0]['label']
    app.act('page', 's', 'run')
    node = app.find('label', 'Energy at the end of %s: 2.45' % label)  # m g h of a box at rest: 1e-10 * 9.81 * 0.25 = 2.4525e-10
    shown = node.text()
    assert shown == '2.5·10⁻¹⁰', shown
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
