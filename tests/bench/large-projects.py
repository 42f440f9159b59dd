#!/usr/bin/env python3
"""tests/bench/large-projects.py: makes projects as large as people's become, in seconds, out of a few runs that the program makes.

    large-projects.py study CLI TO RUNS        a study of RUNS tasks of which only metrics are kept (RUNS: 25 times a number)
    large-projects.py motions CLI TO RUNS MB   runs with motions of MB megabytes each, which cannot be packed

Rows that are written by hand have no checksums: the program makes them, as of a project of an older format. For measurements and tests.
"""
import hashlib
import json
import os
import random
import sqlite3
import subprocess
import sys
import tempfile

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../..')
SKETCH = os.path.join(ROOT, 'examples/sketches/falling-box.stickslip.json')


def columns_of(db, table):
    return [row[1] for row in db.execute('PRAGMA table_info(%s)' % table)]


def rows_of(db, table, where='1'):
    names = columns_of(db, table)
    return [dict(zip(names, row)) for row in db.execute('SELECT * FROM %s WHERE %s' % (table, where))]


def add(db, table, rows):
    names = columns_of(db, table)
    db.executemany('INSERT INTO %s (%s) VALUES (%s)' % (table, ', '.join(names), ', '.join('?' * len(names))), ([row[name] for name in names] for row in rows))


def copies(db, n):
    """Rows for runs beyond those that are there, n in all: each with the row that it is a copy of."""
    bases = rows_of(db, 'run')
    for k in range(len(bases), n):
        base = bases[k % len(bases)]
        yield base, dict(base, number=k + 1, id='%08x-0000-4000-8000-%012x' % (k * 2654435761 % 2 ** 32, k))


def close(db, path, cli):
    """The program makes checksums: the project is one of format 6 until it is written to."""
    with open(os.path.join(ROOT, 'tests/data/projects/to-format-6.sql'), encoding='utf-8') as steps:
        db.executescript(steps.read())
    db.commit()
    db.close()
    subprocess.run([cli, 'note', 'last', '--text', 'made by copying', '--project', path], check=True, stdout=subprocess.DEVNULL)


def key_of(base, axes):
    """As make_key of app/study/ssapp-study-plan.c."""
    lines = ['scenario ' + base['scenario_sha256'], 'method %s %s' % (base['kind'], base['method'])]
    return hashlib.sha256('\n'.join(sorted(lines + ['parameter %s=%g' % axis for axis in axes.items()])).encode()).hexdigest()


def make_study(cli, path, n):
    """A grid of n / 25 heights and 25 angles: 25 runs are made, the others are theirs with other numbers."""
    with tempfile.TemporaryDirectory() as folder:
        with open(SKETCH, encoding='utf-8') as f:
            scenario = dict(json.load(f), task={'t_end': 0.1, 'dt': 0.01})
        short = os.path.join(folder, 'short.stickslip.json')
        with open(short, 'w', encoding='utf-8') as f:
            json.dump(scenario, f)
        heights = '1:%d:%d' % (n // 25, n // 25)  # whole numbers, which every program writes alike
        subprocess.run([cli, 'sweep', short, '--vary', 'y0=1', '--vary', 'tilt=0:24:25', '--methods', 'stewart-trinkle', '--keep', 'metrics', '--title', 'Large',
                        '--project', path, '--quiet'], check=True, stdout=subprocess.DEVNULL)
    db = sqlite3.connect(path)
    draw = random.Random(1)
    tasks = {row['run_id']: row for row in rows_of(db, 'study_run')}
    for row in tasks.values():
        base = rows_of(db, 'run', "id = '%s'" % row['run_id'])[0]
        assert row['key'] == key_of(base, json.loads(row['task'])), row
    metrics = {base['number']: rows_of(db, 'metric', 'run = %d' % base['number']) for base in rows_of(db, 'run')}
    results = {row['run']: row['result'] for row in rows_of(db, 'run_result')}
    runs, answers, numbers, links = [], [], [], []
    for base, row in copies(db, n):
        height = row['number'] // 25 + (row['number'] % 25 > 0)
        axes = {'y0': height, 'tilt': json.loads(tasks[base['id']]['task'])['tilt']}
        words = json.dumps({name: float(value) for name, value in axes.items()})
        runs.append(dict(row, parameters=words))
        answers.append({'run': row['number'], 'result': results[base['number']]})
        numbers += [dict(metric, run=row['number'], value=metric['value'] and metric['value'] * draw.lognormvariate(0, 0.1)) for metric in metrics[base['number']]]
        links.append(dict(tasks[base['id']], key=key_of(base, axes), run_id=row['id'], task=words))
    add(db, 'run', runs)
    add(db, 'run_result', answers)
    add(db, 'metric', numbers)
    add(db, 'study_run', links)
    definition = json.loads(db.execute('SELECT definition FROM study').fetchone()[0])
    definition['vary'][0]['values'] = heights
    db.execute('UPDATE study SET definition = ?, n_tasks = ?', (json.dumps(definition), n))
    close(db, path, cli)


def make_motions(cli, path, n, megabytes):
    """n runs of one simulation, each with noise of its own as its motion."""
    subprocess.run([cli, 'simulate', SKETCH, '--project', path, '--quiet'], check=True, stdout=subprocess.DEVNULL)
    db = sqlite3.connect(path)
    motion = rows_of(db, 'motion')[0]
    n_rows = megabytes * 1000000 // 8 // motion['n_channels']
    metrics = rows_of(db, 'metric')
    for k, (_, row) in enumerate(list(copies(db, n))):
        # doubles near 1, of which no byte but the highest two repeats
        data = bytearray(os.urandom(8 * n_rows * motion['n_channels']))
        data[6::8], data[7::8] = b'\xf0' * (len(data) // 8), b'\x3f' * (len(data) // 8)
        row.update(scenario_name='falling-box-%d' % (k // 50), note='odd' if k % 50 == 7 else '')
        add(db, 'run', [row])
        add(db, 'metric', [dict(metric, run=row['number']) for metric in metrics])
        add(db, 'motion', [dict(motion, run_id=row['id'], n_rows=n_rows, data=bytes(data))])
    close(db, path, cli)


if __name__ == '__main__':
    if len(sys.argv) == 5 and sys.argv[1] == 'study':
        make_study(sys.argv[2], sys.argv[3], int(sys.argv[4]))
    elif len(sys.argv) == 6 and sys.argv[1] == 'motions':
        make_motions(sys.argv[2], sys.argv[3], int(sys.argv[4]), int(sys.argv[5]))
    else:
        sys.exit(__doc__)
