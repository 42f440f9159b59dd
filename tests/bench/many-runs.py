#!/usr/bin/env python3
"""tests/bench/many-runs.py: makes a project of many runs out of one that has a few: many-runs.py FROM TO N

The runs are those of FROM again and again, a minute apart, with other numbers, outcomes, options and notes, always the same; logs,
iterations and motions stay with the originals. For measurements of lists (tests/ui/frame-cost.py runs), and by its function for tests.
"""
import datetime
import json
import os
import random
import shutil
import sqlite3
import sys

SCENARIOS = 20
TAGS = ('paper', 'draft', 'outlier', 'rerun')
OUTCOMES = ('solved', 'solved', 'solved', 'max_iterations', 'time_limit', 'stalled', 'failed')


def columns_of(db, table):
    return [row[1] for row in db.execute('PRAGMA table_info(%s)' % table)]


def make(source, target, n):
    """Copies the project and grows it to n runs."""
    shutil.copy(source, target)
    draw = random.Random(1)
    db = sqlite3.connect(target)
    names = columns_of(db, 'run')
    rows = [dict(zip(names, row)) for row in db.execute('SELECT * FROM run ORDER BY number')]
    metrics = {row['number']: db.execute('SELECT name, value FROM metric WHERE run = ?', (row['number'],)).fetchall() for row in rows}
    begin = datetime.datetime(2026, 1, 1)
    for k in range(len(rows), n):
        base = rows[k % len(rows)]
        started = begin + datetime.timedelta(minutes=k)
        row = dict(base, number=k + 1, id='%08x-0000-4000-8000-%012x' % (k * 2654435761 % 2 ** 32, k),
                   started=started.isoformat(timespec='milliseconds') + 'Z', ended=(started + datetime.timedelta(seconds=9)).isoformat(timespec='milliseconds') + 'Z',
                   scenario_name='%s-%d' % (base['scenario_name'], k // 3 % SCENARIOS), outcome=draw.choice(OUTCOMES),
                   parameters=json.dumps({'mu': round(0.1 * (1 + k % 9), 1)}), options=json.dumps({'tolerance': float('1e-%d' % (3 + k % 6))}),
                   note='looks odd, run %d' % k if k % 50 == 0 else '')
        if 'tags' in row:
            row['tags'] = TAGS[k % 4] if k % 5 == 0 else ''
        db.execute('INSERT INTO run (%s) VALUES (%s)' % (', '.join(names), ', '.join('?' * len(names))), [row[name] for name in names])
        db.executemany('INSERT INTO metric (run, name, value) VALUES (?, ?, ?)',
                       [(k + 1, name, value * draw.lognormvariate(0, 1) if isinstance(value, float) else value) for name, value in metrics[base['number']]])
    # Rows that are written by hand have no checksums: the program that opens it next makes them.
    if db.execute('PRAGMA user_version').fetchone()[0] >= 7:
        db.executescript(open(os.path.join(os.path.dirname(__file__), '../data/projects/to-format-6.sql')).read())
    db.commit()
    db.close()


if __name__ == '__main__':
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    make(sys.argv[1], sys.argv[2], int(sys.argv[3]))
