#!/usr/bin/python3
"""tests/ui/frame-cost.py: what the window's main thread costs: CPU time a frame of the live sandbox with 200 and 1000 bodies, of the first window, of
opening a long run and of scrubbing it. A measurement, not a test: gui-run.sh python3 tests/ui/frame-cost.py [sandbox|window|run]"""
import json
import os
import subprocess
import sys
import tempfile

from gui import PROGRAM, ROOT, start, time

TICK = 1.0 / os.sysconf('SC_CLK_TCK')
LOOK_SECONDS = 5.0
LONG_ROWS = 40000
TURNS = 60


def cpu(process):
    """CPU time of its main thread [s]."""
    fields = open('/proc/%d/task/%d/stat' % (process.pid, process.pid)).read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * TICK


def sandbox(n, method):
    app = start(os.path.join(ROOT, 'data', 'bench', 'pile.stickslip.json'))
    app.wait(lambda s: s['page'] == 'sketch' and s['bodies'] > 0)
    app.act('set-field', '(ss)', ('parameters.n.value', str(n)))
    app.wait(lambda s: s['bodies'] == n + 3)
    app.act('sandbox-method', 's', method)
    app.act('sandbox')
    first = app.wait(lambda s: s['sandbox'] and s['sandbox']['frames'] > 2, 60)
    begun, used = time.time(), cpu(app.process)
    time.sleep(LOOK_SECONDS)
    used = cpu(app.process) - used  # before the status is asked for: answering costs too
    frames = app.status()['sandbox']['frames'] - first['sandbox']['frames']
    print('sandbox, %4d bodies, %s: %4.1f ms of main-thread CPU a frame, %.0f frames/s, simulated %.2g s/s' %
          (n, method, 1e3 * used / max(frames, 1), frames / (time.time() - begun), app.status()['time'] / (time.time() - begun)), flush=True)
    app.kill()


def window():
    app = start()
    app.wait(lambda s: s['page'] == 'start')
    print('first window: %.2f s of CPU of the main thread, there after %.2f s' % (cpu(app.process), app.start_seconds))
    app.kill()


def run():
    with tempfile.TemporaryDirectory() as folder:
        project = os.path.join(folder, 'long.stickslip')
        cli = os.path.join(os.path.dirname(PROGRAM), 'stickslip-cli')
        scene = os.path.join(ROOT, 'data', 'bench', 'falling-boxes.stickslip.json')
        answer = subprocess.run([cli, 'simulate', scene, '--dt', '5e-5', '--t-end', str(5e-5 * LONG_ROWS), '--project', project, '--json'], capture_output=True, text=True)
        run_id = json.loads(answer.stdout)['run']
        app = start(project)
        app.wait(lambda s: s['project'])
        begun, used = time.time(), cpu(app.process)
        app.act('open-run', 's', run_id)
        app.wait(lambda s: s['page'] == 'run' and s['duration'] > 0, 20)
        print('run of %d rows: open after %.2f s, %.2f s of main-thread CPU' % (LONG_ROWS, time.time() - begun, cpu(app.process) - used))
        for page in ('run', 'sketch'):
            app.act('page', 's', page)
            app.wait(lambda s: s['page'] == page)
            duration = app.status()['duration']
            time.sleep(1)
            used = cpu(app.process)
            for k in range(TURNS):
                app.act('seek', 'd', duration * (k * 37 % TURNS) / TURNS)
                time.sleep(0.05)
            print('scrubbing on the %s page: %.1f ms of main-thread CPU a turn (duration %.2g s)' % (page, 1e3 * (cpu(app.process) - used) / TURNS, duration), flush=True)
        app.kill()


if __name__ == '__main__':
    chosen = sys.argv[1:] or ['window', 'run', 'sandbox']
    if 'window' in chosen:
        window()
    if 'run' in chosen:
        run()
    if 'sandbox' in chosen:
        for n, method in ((2, 'constraint-solver'), (200, 'constraint-solver'), (1000, 'constraint-solver')):
            sandbox(n, method)
