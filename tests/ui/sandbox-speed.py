#!/usr/bin/python3
"""tests/ui/sandbox-speed.py: how fast the sandbox runs in a real window: scenes of ten bodies by an integrator, frames a second and simulated time
over the clock's. A measurement, not a test: gui-run.sh python3 tests/ui/sandbox-speed.py [METHOD [SECONDS [FILE...]]]"""
import os
import shutil
import sys
import tempfile

from gui import ROOT, start, time

SCENES = ['data/bench/falling-boxes', 'data/bench/discs', 'data/bench/chain-on-floor', 'examples/classics/domino-row']
PERIOD = 0.25  # between looks [s]


def measure(file, method, seconds, folder):
    """Frame rates of the last second at each look, and (simulated time, clock) at the end."""
    own = shutil.copy(file, folder)  # the window keeps its changes beside the file
    app = start(own)
    app.wait(lambda s: s['page'] == 'sketch' and s['bodies'] > 0)
    if file.endswith('domino-row.stickslip.json'):
        app.act('set-field', '(ss)', ('parameters.n.value', '10'))
        app.wait(lambda s: s['bodies'] == 11)
    app.act('sandbox-method', 's', method)
    app.act('sandbox')
    first = app.wait(lambda s: s['sandbox'] and s['time'] > 0)
    begun, rates, slowest, before = time.time(), [], 1.0, (first['time'], time.time())
    while time.time() < begun + seconds and app.status()['playing']:
        time.sleep(PERIOD)
        status, now = app.status(), time.time()
        slowest = min(slowest, (status['time'] - before[0]) / (now - before[1]))
        before = status['time'], now
        if status['sandbox']['frame_rate'] > 0:
            rates.append(status['sandbox']['frame_rate'])
    clock = time.time() - begun
    simulated = app.status()['time'] - first['time']
    app.kill()
    return sorted(rates), simulated, clock, slowest


def main():
    method = sys.argv[1] if len(sys.argv) > 1 else 'fesd-j'
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 4.0
    files = sys.argv[3:] or [os.path.join(ROOT, scene + '.stickslip.json') for scene in SCENES]
    print('%-22s %-12s %18s %22s %s' % ('scene', 'method', 'frames/s (median)', 'slowest second', 'simulated/clock, least over %g s' % PERIOD))
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            rates, simulated, clock, slowest = measure(file, method, seconds, folder)
            name = os.path.basename(file).split('.')[0]
            if not rates:
                print('%-22s %-12s stopped after %.3g s' % (name, method, simulated))
                continue
            print('%-22s %-12s %18.1f %22.1f %10.3f %10.3f' % (name, method, rates[len(rates) // 2], rates[0], simulated / clock, slowest), flush=True)


if __name__ == '__main__':
    main()
