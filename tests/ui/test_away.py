#!/usr/bin/python3
"""tests/ui/test_away.py: what people take away from the window: a run as a web page."""
import os
import tempfile

from gui import ROOT, run_tests, start, until


def test_a_run_as_a_page():
    app = start(os.path.join(ROOT, 'examples', 'sketches', 'falling-box.stickslip.json'))
    app.act('simulate')
    app.ended()
    folder = tempfile.mkdtemp()
    page = os.path.join(folder, 'run.html')
    app.act('export-to', '(sss)', ('page', '', page))
    until(lambda: os.path.exists(page), what='for the page')
    text = open(page, encoding='utf-8').read()
    assert '<title>Falling Box</title>' in text and '"label":"Stewart\\u2013Trinkle"' in text, text[:2000]
    assert '"group":"Body box"' in text and '["Outcome","completed",""]' in text
    # told, and no half file: a folder that is not there
    app.act('export-to', '(sss)', ('page', '', os.path.join(folder, 'nowhere', 'run.html')))
    app.find('label', 'Could not write')
    assert not os.path.exists(os.path.join(folder, 'nowhere'))
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
