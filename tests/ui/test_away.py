#!/usr/bin/python3
"""tests/ui/test_away.py: what people take away from the window: a run as a web page, an archive; and what they bring in."""
import os
import sqlite3
import tempfile

from gui import ROOT, run_tests, start


def test_runs_leave_and_come_in():
    app = start(os.path.join(ROOT, 'examples', 'sketches', 'falling-box.stickslip.json'))
    app.act('simulate')
    app.ended()
    folder = tempfile.mkdtemp()
    page, table, archive, wrong = (os.path.join(folder, name) for name in ('run.html', 'box.csv', 'runs.stickslip', 'wrong.csv'))
    # a folder that is not there: told (first, so that no other toast waits before it), and no half file
    app.act('export-to', '(sss)', ('page', '', os.path.join(folder, 'nowhere', 'run.html')))
    app.told('Not exported: Could not write')
    assert os.listdir(folder) == []
    app.act('export-to', '(sss)', ('page', '', page))
    app.wait(lambda s: s['exports'] == 1)
    text = open(page, encoding='utf-8').read()
    assert '<title>Falling Box</title>' in text and '"label":"Stewart\\u2013Trinkle"' in text, text[:2000]
    assert '"group":"Body box"' in text and '["Outcome","completed",""]' in text
    # the same computing itself, by its row in the menu; where its engine was not built the dialog says what to run
    live = os.path.join(folder, 'live.html')
    if os.path.exists(os.path.join(ROOT, 'build', 'live', 'live.wasm')):
        app.act('export-to', '(sss)', ('live', '', live))
        app.wait(lambda s: s['exports'] == 2, timeout=20)
        assert 'wasm-unsafe-eval' in open(live, encoding='utf-8').read()
    else:
        app.act('export-dialog', 's', 'live')
        app.find('label', 'the engine for pages that compute was not built: run app/live/build.sh')
        app.focused_elsewhere()  # so that Escape ends the dialog: the toast of before and the window have a Close of their own
        app.key('Escape')
        app.alone()
        app.act('export-to', '(sss)', ('page', '', live))
        app.wait(lambda s: s['exports'] == 2)
    # the run as a project, its motion as a table; the table comes back as a run, judged as it was
    app.act('export-to', '(sss)', ('trajectory', '', table))
    app.act('archive', '(ss)', ('', archive))
    app.wait(lambda s: s['exports'] == 4)
    count = 'SELECT count (*) FROM run', 'SELECT value FROM metric WHERE name = \'energy_final\''
    assert [sqlite3.connect(archive).execute(q).fetchone()[0] for q in count][0] == 1
    app.act('import', 's', table)
    app.wait(lambda s: s['page'] == 'run' and [r['method'] for r in s['runs']] == ['imported'])
    app.shot('away-imported')
    open(wrong, 'w').write('t,box.x\n0,1\n1,2\n')
    app.act('import', 's', wrong)
    app.act('archive', '(ss)', ('', archive))
    app.wait(lambda s: s['exports'] == 5)
    a, b = (sqlite3.connect(archive).execute(q).fetchall() for q in ('SELECT method FROM run', count[1]))
    assert a == [('stewart-trinkle',), ('imported',)] and b[0] == b[1], (a, b)
    # what is there already comes in once
    app.act('import', 's', archive)
    app.wait(lambda s: s['page'] == 'project')
    app.kill()


if __name__ == '__main__':
    run_tests(globals())
