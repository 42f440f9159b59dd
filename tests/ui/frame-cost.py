#!/usr/bin/python3
"""tests/ui/frame-cost.py: what the window's main thread costs: CPU time a frame of the live sandbox with 200 and 1000 bodies, of the first window, of
opening a long run and of scrubbing it, and of a project of 10,000 runs: opening, sorting, searching, scrolling. With scenarios: of the sandbox
with each by convex time stepping, and of scrubbing a run of half a second of it. A measurement, not a test:
gui-run.sh python3 tests/ui/frame-cost.py [sandbox|window|run|runs|shared|SCENARIO...]"""
import json
import os
import shutil
import subprocess
import sys
import tempfile

from gui import PROGRAM, ROOT, sh, start, time

sys.path.insert(0, os.path.join(ROOT, 'tests', 'bench'))
many_runs = __import__('many-runs')

TICK = 1.0 / os.sysconf('SC_CLK_TCK')
LOOK_SECONDS = 5.0
LONG_ROWS = 40000
TURNS = 60
N_RUNS = 10000
N_SCROLLED = 2000
NOTCHES = 200


def cpu(process):
    """CPU time of its main thread [s]."""
    fields = open('/proc/%d/task/%d/stat' % (process.pid, process.pid)).read().rsplit(')', 1)[1].split()
    return (int(fields[11]) + int(fields[12])) * TICK


def cpu_exact(process):
    """The same, to the nanosecond, of what the scheduler has counted."""
    return int(open('/proc/%d/task/%d/schedstat' % (process.pid, process.pid)).read().split()[0]) * 1e-9


def cost_of(app, act, quiet=0.3):
    """CPU time of the main thread [s] of an act and of all that it leads to, until nothing more happens."""
    used = cpu_exact(app.process)
    act()
    last, since = used, time.time()
    while time.time() - since < quiet:
        time.sleep(0.02)
        now = cpu_exact(app.process)
        if now - last > 2e-4:
            last, since = now, time.time()
    return cpu_exact(app.process) - used


def middle(values):
    return sorted(values)[len(values) // 2]


def runs():
    """What a list of many runs costs: 10,000 to open, sort and search, 2,000 to scroll."""
    cli = os.path.join(os.path.dirname(PROGRAM), 'stickslip-cli')
    scene = os.path.join(ROOT, 'examples', 'crisp', 'push-box.stickslip.json')
    with tempfile.TemporaryDirectory() as folder:
        few, many, page = (os.path.join(folder, name + '.stickslip') for name in ('few', 'many', 'page'))
        for method in ('crisp', 'scholtes'):
            subprocess.run([cli, 'optimise', scene, '--method', method, '--project', few, '--quiet'], stdout=subprocess.DEVNULL)
        many_runs.make(few, many, N_RUNS)
        many_runs.make(few, page, N_SCROLLED)
        for path, n in ((many, N_RUNS), (page, N_SCROLLED)):
            app = start()
            app.wait(lambda s: s['page'] == 'start')
            begun, used = time.time(), cpu_exact(app.process)
            app.act('open', 's', path)
            app.wait(lambda s: s['project'] and s['page'] == 'project', 20)
            seen = time.time() - begun
            print('project of %d runs: open after %.2f s, %.2f s of main-thread CPU' % (n, seen, cpu_exact(app.process) - used), flush=True)
            table = app.find('table', 'Stored runs')
            app.settled(table)
            width, height = app.size(table)
            for title in ('Scenario', 'Objective', 'Outcome', 'Started'):
                head = app.find('push button', 'Sort by ' + title)
                costs = [cost_of(app, lambda: app.press(head, 20, 5)) for _ in range(4)]
                print('  sort by %s: %.1f ms of main-thread CPU (%s)' % (title.lower(), 1e3 * middle(costs), ' '.join('%.0f' % (1e3 * c) for c in costs)), flush=True)
            for text in ('push', 'method:crisp', 'solved', 'method:crisp scenario:push-box-1', ''):
                print('  search "%s": %.1f ms' % (text, 1e3 * cost_of(app, lambda: app.act('search-runs', 's', text))), flush=True)
            app.move(table, width / 2, height / 2)
            time.sleep(0.5)
            used, begun = cpu_exact(app.process), time.time()
            for _ in range(NOTCHES):
                sh('xdotool', 'click', '5')
                time.sleep(0.01)
            spent, took = cpu_exact(app.process) - used, time.time() - begun
            print('  scrolling: %.1f ms of main-thread CPU a notch of the wheel (%.0f notches/s)' % (1e3 * spent / NOTCHES, NOTCHES / took), flush=True)
            app.shot('runs-%d' % n)
            app.kill()


def shared(seconds=60):
    """What the window costs on a project of 10,000 runs into which another program writes: the main thread's CPU time for each run that comes, and how
    long the window lets somebody wait who asks for something small every 20 ms."""
    cli = os.path.join(os.path.dirname(PROGRAM), 'stickslip-cli')
    box = os.path.join(ROOT, 'examples', 'sketches', 'falling-box.stickslip.json')
    with tempfile.TemporaryDirectory() as folder:
        few, many = (os.path.join(folder, name + '.stickslip') for name in ('few', 'many'))
        subprocess.run([cli, 'simulate', box, '--project', few, '--quiet'], stdout=subprocess.DEVNULL)
        many_runs.make(few, many, N_RUNS)
        subprocess.run([cli, 'simulate', box, '--project', many, '--quiet'], stdout=subprocess.DEVNULL)
        app = start(many)
        app.wait(lambda s: s['project'] and s['page'] == 'project', 60)
        time.sleep(1)
        other = subprocess.Popen([cli, 'sweep', box, '--methods', 'stewart-trinkle', '--vary', 'y0=1:2:%d' % (100 * seconds), '--jobs', '1', '--project', many, '--quiet'], stdout=subprocess.DEVNULL)
        answers, used, begun = [], cpu_exact(app.process), time.time()
        while time.time() - begun < seconds:
            asked, spent = time.time(), cpu_exact(app.process)
            app.describe('tool')
            answers.append((time.time() - asked, cpu_exact(app.process) - spent))
            time.sleep(0.02)
        used = cpu_exact(app.process) - used
        other.terminate()
        other.wait()
        n = subprocess.run([cli, 'list', many, '--ids'], capture_output=True, text=True).stdout.count('\n') - N_RUNS - 1
        print('project of %d runs, %d came from another program in %d s: %.1f ms of main-thread CPU each; slowest answer %.0f ms, of which %.0f ms of CPU; '
              'most CPU before an answer %.0f ms; %d of %d answers above 50 ms' %
              (N_RUNS, n, seconds, 1e3 * used / max(n, 1), *(1e3 * x for x in max(answers)), 1e3 * max(cpu for _, cpu in answers),
               sum(took > 0.05 for took, _ in answers), len(answers)), flush=True)
        app.kill()


def sandbox(n, method):
    app = start(os.path.join(ROOT, 'data', 'bench', 'pile.stickslip.json'))
    app.wait(lambda s: s['page'] == 'sketch' and s['bodies'] > 0)
    app.act('set-field', '(ss)', ('parameters.n.value', str(n)))
    app.wait(lambda s: s['bodies'] == n + 3)
    play_live(app, n, method)
    app.kill()


def play_live(app, n, method):
    app.act('sandbox-method', 's', method)
    app.act('sandbox')
    first = app.wait(lambda s: s['sandbox'] and s['sandbox']['frames'] > 2, 60)
    begun, used = time.time(), cpu_exact(app.process)
    time.sleep(LOOK_SECONDS)
    used = cpu_exact(app.process) - used  # before the status is asked for: answering costs too
    frames = app.status()['sandbox']['frames'] - first['sandbox']['frames']
    print('sandbox, %4d bodies, %s: %4.1f ms of main-thread CPU a frame, %.0f frames/s, simulated %.2g s/s' %
          (n, method, 1e3 * used / max(frames, 1), frames / (time.time() - begun), app.status()['time'] / (time.time() - begun)), flush=True)


def scenario(path):
    """A scene of somebody's: live, and played from a run."""
    with tempfile.TemporaryDirectory() as folder:
        app = start(shutil.copy(path, folder))  # the window keeps its changes beside the file
        n = app.wait(lambda s: s['page'] == 'sketch' and s['bodies'] > 0)['bodies']
        print(os.path.basename(path))
        play_live(app, n, 'convex-time-stepping')
        app.kill()
        project = os.path.join(folder, 'run.stickslip')
        cli = os.path.join(os.path.dirname(PROGRAM), 'stickslip-cli')
        answer = subprocess.run([cli, 'simulate', path, '--method', 'convex-time-stepping', '--t-end', '.5', '--project', project, '--json'],
                                capture_output=True, text=True)
        scrub(project, json.loads(answer.stdout)['run'])


def scrub(project, run_id):
    app = start(project)
    app.wait(lambda s: s['project'])
    begun, used = time.time(), cpu_exact(app.process)
    app.act('open-run', 's', run_id)
    app.wait(lambda s: s['page'] == 'run' and s['duration'] > 0, 60)
    print('run: open after %.2f s, %.2f s of main-thread CPU' % (time.time() - begun, cpu_exact(app.process) - used))
    for page in ('sketch', 'run'):
        app.act('page', 's', page)
        app.wait(lambda s: s['page'] == page)
        duration = app.status()['duration']
        time.sleep(1)
        costs = [cost_of(app, lambda: app.act('seek', 'd', duration * (k * 7 % 20 + 1) / 21)) for k in range(12)]
        print('scrubbing on the %s page: %.1f ms of main-thread CPU a turn (%s)' % (page, 1e3 * middle(costs), ' '.join('%.0f' % (1e3 * c) for c in costs)), flush=True)
        app.shot('scrub-' + page)
    memory = [line.split()[1] for line in open('/proc/%d/status' % app.process.pid) if line.startswith('VmHWM')][0]
    print('memory: %.0f MB at most' % (int(memory) / 1024))
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
    for path in sys.argv[1:]:
        if os.path.exists(path):
            scenario(path)
    chosen = sys.argv[1:] or ['window', 'run', 'runs', 'sandbox']
    if 'window' in chosen:
        window()
    if 'run' in chosen:
        run()
    if 'runs' in chosen:
        runs()
    if 'shared' in chosen:
        shared()
    if 'sandbox' in chosen:
        for n, method in ((2, 'constraint-solver'), (200, 'constraint-solver'), (1000, 'constraint-solver')):
            sandbox(n, method)
