#!/usr/bin/python3
"""tests/ui/test_welcome.py: what helps people in: a tutorial that notices what was done, preferences that take effect and last, help that prints,
recent files."""
import os
import subprocess
import tempfile

from gui import ROOT, run_tests, sh, start, time, until


def brightness(app):
    """Mean of the window's pixels, 0 to 1."""
    return float(sh('sh', '-c', 'import -window %s png:- | convert - -colorspace Gray -format "%%[fx:mean]" info:' % app.window))


def test_tutorial():
    """Each step is done by doing it, by keys and pointer; what plays by itself does not count."""
    app = start()
    app.act('tutorial', 's', 'drop-a-box')
    app.wait(lambda s: s['page'] == 'sketch' and s['tutorial'] == {'name': 'drop-a-box', 'step': 0})
    app.shot('welcome-tutorial')
    app.act('add', 's', 'ground')
    app.wait(lambda s: s['tutorial']['step'] == 1)
    app.act('undo')  # what was done stays done
    app.act('redo')
    app.act('add', 's', 'box')
    app.wait(lambda s: s['tutorial']['step'] == 2)
    app.act('simulate')
    app.ended()
    app.wait(lambda s: s['tutorial']['step'] == 3)
    app.wait(lambda s: not s['playing'] and s['time'] > 0 or s['playing'])
    if app.status()['playing']:
        app.act('play')
    app.act('seek', 'd', 0.5)
    app.wait(lambda s: s['tutorial']['step'] == 4)
    app.set_state('sandbox', 'b', True)
    app.wait(lambda s: s['tutorial']['step'] == 5)
    app.set_state('sandbox', 'b', False)
    app.shot('welcome-done')
    app.act('tutorial-end')
    app.wait(lambda s: s['tutorial'] is None)
    app.kill()


def test_lesson():
    """A lesson's step is noticed when the number was changed and a run answered; a run of the old number is none. Its conditions are those that
    test-lessons.sh plays by command."""
    app = start()
    until(lambda: app.has('label', 'Stick and Slip'), what='for the lesson on the start page')
    app.shot('welcome-lessons')
    app.act('tutorial', 's', 'stick-slip')
    app.wait(lambda s: s['page'] == 'sketch' and s['tutorial'] == {'name': 'stick-slip', 'step': 0})
    until(lambda: app.has('label', 'Let it go once'), what='for the first step')
    app.shot('welcome-lesson')
    app.act('simulate')
    app.ended()
    app.wait(lambda s: s['tutorial']['step'] == 1)
    app.act('simulate')
    app.ended()
    assert app.status()['tutorial']['step'] == 1
    app.act('set-field', '(ss)', ('parameters.mu.value', '0.6'))
    app.act('simulate')
    app.ended()
    app.wait(lambda s: s['tutorial']['step'] == 2)
    app.shot('welcome-lesson-2')
    app.kill()


def read(path):
    with open(path) as file:
        return file.read()


def test_live_scene():
    """The scene of the start page rests where the desktop asks for no animations, as these tests do; Play topples its dominoes, Pause holds them."""
    app = start()
    app.find('push button', 'Play the live scene')

    def picture():
        return sh('sh', '-c', 'import -window %s rgb:- | md5sum' % app.window)

    def rests():
        before = picture()
        time.sleep(0.4)
        return before if picture() == before else None

    at_first = until(rests, 20, what='for a page that rests')
    app.click('push button', 'Play the live scene')
    app.find('push button', 'Pause the live scene')
    until(lambda: picture() != at_first, what='for the first domino to fall')
    app.shot('welcome-live')
    app.click('push button', 'Pause the live scene')
    app.find('push button', 'Play the live scene')
    until(rests, what='for what is held')
    dominoes = app.find('image', 'Row of Dominoes')
    held, (width, height) = picture(), app.size(dominoes)
    app.drag(dominoes, width // 2, height - 22, width // 2 + 60, height // 3, release=False)  # low, where one lies or stands
    app.find('push button', 'Pause the live scene')  # who touches it, plays
    until(lambda: picture() != held, what='for what is pulled to move')
    app.shot('welcome-pulled', leave=False)
    sh('xdotool', 'mouseup', '1')
    app.click('push button', 'Start the live scene over')
    app.click('push button', 'Pause the live scene')
    app.find('push button', 'Play the live scene')
    app.kill()


def test_live_scene_out_of_sight():
    """Where the desktop has animations the scene plays by itself; scrolled away it takes no time of the processor, and goes on when it is back."""
    settings = os.path.join(os.environ['HOME'], '.config', 'gtk-4.0', 'settings.ini')
    with open(settings) as file:
        text = file.read()
    with open(settings, 'w') as file:
        file.write(text.replace('gtk-enable-animations=0', 'gtk-enable-animations=1'))
    try:
        app = start()
    finally:
        with open(settings, 'w') as file:
            file.write(text)
    app.find('push button', 'Pause the live scene')

    def stepped():
        """Time of the threads that step scenes [ns]."""
        tasks = '/proc/%d/task' % app.process.pid
        return sum(int(read(os.path.join(tasks, t, 'schedstat')).split()[0]) for t in os.listdir(tasks) if read(os.path.join(tasks, t, 'comm')).strip() == 'sandbox')

    def steps(seconds=0.5):
        before = stepped()
        time.sleep(seconds)
        return stepped() > before
    until(steps, what='for a scene that plays')
    app.move(app.find('image', 'Row of Dominoes'), 20, 20)
    for _ in range(30):
        sh('xdotool', 'click', '5')
    until(lambda: not steps(), what='for a scene that rests out of sight')
    app.shot('welcome-scrolled', leave=False)
    for _ in range(40):
        sh('xdotool', 'click', '4')
    until(steps, what='for a scene that goes on')
    app.find('push button', 'Pause the live scene')
    app.kill()


def test_help_and_preferences():
    """Help opens at the page on show and prints; the style chosen in Preferences takes effect at once; an opened file is among the recent ones."""
    example = os.path.join(ROOT, 'examples', 'classics', 'bouncing-ball.stickslip.json')
    app = start(example)
    app.wait(lambda s: s['page'] == 'sketch' and s['bodies'] == 2)
    app.act('help')
    until(lambda: app.n_windows() == 2, what='for the help')
    until(lambda: app.has('label', 'The Sketch Page'), what='for the page of the sketch')
    app.focused_elsewhere()
    app.screen('welcome-help')
    sh('xdotool', 'type', 'why do two runs differ')  # the search has the focus; Return goes to the best section
    until(lambda: app.has('label', 'Why do two runs differ?'), what='for the section in the list')
    sh('xdotool', 'key', 'Return')
    until(lambda: app.has('label', 'Questions that students ask'), what='for the page of questions')
    app.screen('welcome-manual-search')
    sh('xdotool', 'key', 'Escape')
    sh('xdotool', 'key', 'Escape')
    until(lambda: app.n_windows() == 1, what='for the help to close')
    app.act('manual', 's', 'integrators/fesd-j')
    until(lambda: app.has('label', 'fesd-j'), what='for the page of the method')
    app.focused_elsewhere()
    app.screen('welcome-manual-method')
    sh('xdotool', 'key', 'Escape')
    until(lambda: app.n_windows() == 1, what='for the manual to close')
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, 'help.pdf')
        app.act('print-help', 's', path)
        until(lambda: os.path.exists(path), what='for the print')
        text = subprocess.run(['pdftotext', path, '-'], check=True, capture_output=True, text=True).stdout
        for words in ('The Start Page', 'The Impact Page', 'Save Project As gives it a name'):
            assert words in ' '.join(text.split()), words
    app.act('preferences')
    until(lambda: app.n_windows() == 2, what='for the preferences')
    app.screen('welcome-preferences')
    light = brightness(app)
    sh('xdotool', 'key', 'space')  # the first row has the focus: its list of styles
    until(lambda: app.has('label', 'Dark'), what='for the styles')
    sh('xdotool', 'key', 'Down', 'Down', 'Return')
    until(lambda: brightness(app) < 0.5 * light, what='for the dark style')
    sh('xdotool', 'key', 'Escape')
    until(lambda: app.n_windows() == 1, what='for the preferences to close')
    app.act('page', 's', 'start')
    until(lambda: app.has('list item', 'Bouncing Ball'), what='for the recent file')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
