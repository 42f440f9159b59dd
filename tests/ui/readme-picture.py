#!/usr/bin/python3
"""tests/ui/readme-picture.py: makes the picture of the README anew: Push Box by CRISP and by Ipopt on the Run page, 1.2 s into the motion.

    SHOTS=FOLDER tests/ui/gui-run.sh python3 tests/ui/readme-picture.py

Times stand in the picture: the machine should have nothing else to do. Look at FOLDER/run.png, then copy it to data/screenshot.png."""
import os

from gui import ROOT, run_tests, start


def test_picture():
    app = start(os.path.join(ROOT, 'examples', 'crisp', 'push-box.stickslip.json'))
    app.wait(lambda s: s['scenario'] == 'push-box')
    app.act('page', 's', 'run')
    app.act('run')
    status = app.ended(240)
    assert [run['outcome'] for run in status['runs']] == ['solved', 'solved'], status
    app.wait(lambda s: s['duration'] > 0 and s['time'] > 0)
    app.act('play')
    app.act('seek', 'd', 1.2)
    app.wait(lambda s: abs(s['time'] - 1.2) < 0.05)
    app.shot('run')
    app.quit()


run_tests(globals())
