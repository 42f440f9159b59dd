#!/usr/bin/env python3
"""tests/cli/mutants.py: no mutated project reads as if nothing were wrong: mutants.py PROGRAM PROJECT COUNT SEED

Each mutant is a copy of PROJECT with a few bytes changed, or a cell of a table, a row or a definition, drawn by SEED. Readers of the
command line and of the Python module read all of it. A mutant is fine where it is refused, where every answer that differs from that of
PROJECT tells of damage in words, or where all answers are the same. Prints what came out, and seeds of those that are not fine.
"""
import collections
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile

TABLES_OF_RESULTS = ('run', 'metric', 'event', 'iteration', 'log', 'motion', 'sample', 'scenario_text', 'provenance', 'sketch', 'study',
                     'study_run', 'comparison', 'comparison_run', 'checksum')
DAMAGE = re.compile(r'damaged|not as stored|not as Stickslip made it|no Stickslip project|newer version', re.I)


# ---- mutants -----------------------------------------------------------------------------------------------------------


def flip_bytes(path, draw):
    """One to four bytes anywhere in the file."""
    with open(path, 'r+b') as file:
        size = os.path.getsize(path)
        places = []
        for _ in range(draw.choice((1, 1, 1, 2, 4))):
            at = draw.randrange(size)
            file.seek(at)
            old = file.read(1)[0]
            file.seek(at)
            file.write(bytes([draw.choice((old ^ (1 << draw.randrange(8)), draw.randrange(256)))]))
            places.append(at)
    return 'bytes %s' % places


def other_value(value, draw):
    """A value of the same kind that differs, sometimes of another kind."""
    if isinstance(value, bytes) and value:
        data = bytearray(value)
        data[draw.randrange(len(data))] ^= 1 << draw.randrange(8)
        return bytes(data)
    if isinstance(value, float):
        return draw.choice((value * (1 + 1e-9) + 1e-12, value + 1, -value - 1, None, 0.5))
    if isinstance(value, int):
        return draw.choice((value + 1, value - 1, -value - 7, value * 2 + 3, None))
    if isinstance(value, str) and value:
        at = draw.randrange(len(value))
        changed = value[:at] + chr((ord(value[at]) + 1 - 32) % 90 + 32) + value[at + 1:]
        return draw.choice((changed, changed, re.sub(r'\d', lambda m: str((int(m[0]) + 1) % 10), value), value[:at], value + ' x'))
    if value is None:
        return draw.choice(('2026-01-01T00:00:00.000Z', 42, 0.25))
    return draw.choice(('x', '2026-01-01T00:00:00.000Z'))


def change_rows(path, draw):
    """A cell of a table, or a row that goes, or two that change places in a column."""
    db = sqlite3.connect(path)
    db.execute('PRAGMA foreign_keys = OFF')
    db.execute('PRAGMA ignore_check_constraints = ON')
    while True:
        table = draw.choice(TABLES_OF_RESULTS)
        columns = [(row[1], row[5]) for row in db.execute('PRAGMA table_info(%s)' % table)]
        keys = [name for name, key in columns if key] or ['rowid']
        rows = db.execute('SELECT %s FROM %s' % (', '.join(keys), table)).fetchall()
        if not rows:
            continue
        key = draw.choice(rows)
        where = ' AND '.join('"%s" IS ?' % name for name in keys)
        if draw.random() < 0.1:
            db.execute('DELETE FROM %s WHERE %s' % (table, where), key)
            what = 'row of %s, %s, deleted' % (table, key)
        else:
            column = draw.choice(columns)[0]
            old, = db.execute('SELECT "%s" FROM %s WHERE %s' % (column, table, where), key).fetchone()
            new = other_value(old, draw)
            if new == old and type(new) is type(old):
                continue
            try:
                db.execute('UPDATE %s SET "%s" = ? WHERE %s' % (table, column, where), (new,) + key)
            except sqlite3.Error:
                db.rollback()
                continue
            if db.execute('SELECT "%s" FROM %s' % (column, table)).fetchall() is None:
                continue
            what = '%s.%s of %s: %.60r -> %.60r' % (table, column, key, old, new)
        db.commit()
        db.close()
        return what


def change_schema(path, draw):
    """What is not ours."""
    db = sqlite3.connect(path)
    sql = draw.choice((
        'CREATE TRIGGER t AFTER INSERT ON metric BEGIN UPDATE metric SET value = 42; END',
        'CREATE TRIGGER t AFTER UPDATE OF outcome ON run BEGIN UPDATE run SET message = "fine"; END',
        'CREATE VIEW v AS SELECT 42 AS value',
        'ALTER TABLE metric RENAME TO metric_0; CREATE VIEW metric AS SELECT run, name, 42.0 AS value FROM metric_0',
        'ALTER TABLE run ADD COLUMN extra TEXT',
        'ALTER TABLE metric ADD COLUMN twice REAL AS (2 * value)',
        'CREATE TABLE extra (x)',
        'CREATE INDEX i ON metric (value) WHERE value > 0',
        'CREATE VIRTUAL TABLE f USING fts5 (x)',
        'DROP TABLE checksum',
        'DROP TABLE checksum; PRAGMA user_version = 6',
        'DROP VIEW run_overview; CREATE VIEW run_overview AS SELECT 1 AS x',
        'PRAGMA user_version = 5', 'PRAGMA user_version = 8', 'PRAGMA application_id = 7'))
    db.executescript(sql)
    db.commit()
    db.close()
    return sql


def mutate(path, seed):
    draw = random.Random(seed)
    kind = draw.random()
    return (flip_bytes if kind < 0.45 else change_rows if kind < 0.95 else change_schema)(path, draw)


# ---- readers -----------------------------------------------------------------------------------------------------------


def plain(text):
    """Without what differs from copy to copy: the name of the file."""
    return re.sub(r'\S*\.stickslip', 'PROJECT', text)


def ask(program, folder, *arguments):
    done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, timeout=120)
    return done.returncode, plain(done.stdout.decode('utf-8', 'replace')), plain(done.stderr.decode('utf-8', 'replace'))


def read_by_program(program, folder, ids, studies):
    """Every answer: {what was asked: (status, output, errors)}."""
    said = {}
    p = ['--project', 'm.stickslip']
    shutil.copy(folder / 'm.stickslip', folder / 'other.stickslip')
    for call in (['list', 'm.stickslip'], ['list', 'm.stickslip', '--json'], ['list', 'm.stickslip', '--sketches'],
                 ['list', 'm.stickslip', '--comparisons'], ['list', 'm.stickslip', '--check'], ['table', *p, '--format', 'csv'],
                 *[['figure', study, '--table', 'runs', *p] for study in studies]):
        said[tuple(call)] = ask(program, folder, *call)
        if said[tuple(call)][0] == 2 and DAMAGE.search(said[tuple(call)][2]):
            return said
    for run in ids:
        said[('show', run)] = ask(program, folder, 'show', run, '--json', *p)
        for plot in ('trajectory', 'log', 'events'):
            to = folder / 'out.csv'
            to.unlink(missing_ok=True)
            status, out, err = ask(program, folder, 'export', run, '--plot', plot, '--to', 'out.csv', *p)
            said[('export', run, plot)] = status, out + (to.read_text(errors='replace') if to.exists() else ''), err
    said[('import',)] = ask(program, folder, 'import', 'other.stickslip', '--project', 'new.stickslip')
    return said


READ_BY_MODULE = '''
import json, sys
import stickslip
said = []
def tell(what, function):
    try:
        said.append([what, repr(function())])
    except stickslip.Error as error:
        said.append([what, "damaged: " + str(error)])
try:
    project = stickslip.open("m.stickslip")
except stickslip.Error as error:
    print(json.dumps([["open", "damaged: " + str(error)]]))
    sys.exit()
def runs():
    return [(r.id, r.scenario, r.method, r.label, r.outcome, r.message, r.started, r.ended, r.seed, r.options, r.parameters, r.tags, r.note,
             sorted(r.metrics.items())) for r in project.runs()]
tell("runs", runs)
tell("check", project.check)
tell("sketches", project.sketches)
tell("comparisons", project.comparisons)
tell("studies", project.studies)
for id_ in sys.argv[1:]:
    try:
        run = project.run(id_)
    except stickslip.Error as error:
        said.append([id_, "damaged: " + str(error)])
        continue
    tell(id_, lambda: (run.outcome, run.message, sorted(run.metrics.items())))
    for name in ("result", "events", "log", "provenance", "scenario_text", "motions"):
        tell(id_ + name, getattr(run, name))
    tell(id_ + "iterations", lambda: [(name, run.iterations()[name].tobytes()) for name in run.iterations().names])
    def samples():
        cloud = run.samples()
        return cloud and (cloud.columns, cloud.values.tobytes())
    tell(id_ + "samples", samples)
    def motions():
        return [run.motion(*key[:3]).values.tobytes() for key in run.motions()]
    tell(id_ + "numbers", motions)
print(json.dumps(said))
'''


def read_by_module(folder, ids):
    source = str(pathlib.Path(__file__).resolve().parents[2] / 'data/python')
    done = subprocess.run(['/usr/bin/python3', '-c', READ_BY_MODULE, *ids], cwd=folder, capture_output=True, timeout=120,
                          env={**os.environ, 'PYTHONPATH': source, 'PYTHONDONTWRITEBYTECODE': '1'})
    if done.returncode != 0:
        return {('module',): (1, '', 'CRASH ' + done.stderr.decode('utf-8', 'replace')[-300:])}
    return {('module', what): (0, plain(value), '') for what, value in json.loads(done.stdout)}


# ---- verdict -----------------------------------------------------------------------------------------------------------


def judge(said, expected):
    """Answers that are wrong, and whether any tells of damage. Each answer that differs has to tell of it itself."""
    wrong = []
    marked = False
    for what, (status, out, err) in said.items():
        if status < 0 or status == 4 or 'CRASH' in err:
            wrong.append('%s crashed or broke: %d %s' % (' '.join(what), status, err[-200:]))
        elif (status, out, err) == expected[what]:
            continue
        elif DAMAGE.search((out + err).replace(' 0 damaged', '')):
            marked = True
        else:
            wrong.append('%s said something else' % ' '.join(what))
    return wrong, marked


def one(program, project, seed, expected, ids, studies):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(project, folder / 'm.stickslip')
        what = mutate(folder / 'm.stickslip', seed)
        # The module first: it changes nothing, and what the program brings to another format is no longer the mutant.
        module = read_by_module(folder, ids)
        tool = read_by_program(program, folder, ids, studies)
    verdicts = []
    for reader, said in (('module', module), ('program', tool)):
        wrong, marked = judge(said, expected)
        verdicts.append((reader, wrong, marked))
    return seed, what, verdicts


def main(program, project, count, first):
    program = os.path.abspath(program)
    db = sqlite3.connect('file:%s?mode=ro' % project, uri=True)
    ids = [row[0] for row in db.execute('SELECT id FROM run WHERE deleted IS NULL ORDER BY number')]
    studies = [row[0] for row in db.execute('SELECT title FROM study')]
    db.close()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(project, folder / 'm.stickslip')
        expected = {**read_by_module(folder, ids), **read_by_program(program, folder, ids, studies)}
    assert not any(DAMAGE.search((out + err).replace(' 0 damaged', '')) for what, (_, out, err) in expected.items()), 'the project itself is damaged'
    expected = collections.defaultdict(lambda: None, expected)
    counts = collections.Counter()
    silent = []
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        jobs = [pool.submit(one, program, project, seed, expected, ids, studies) for seed in range(first, first + count)]
        for job in concurrent.futures.as_completed(jobs):
            seed, what, verdicts = job.result()
            for reader, wrong, marked in verdicts:
                counts[reader, 'silent' if wrong else 'refused or marked' if marked else 'same'] += 1
                if wrong:
                    silent.append('seed %d (%s), %s: %s' % (seed, what, reader, '; '.join(wrong[:3])))
    print(', '.join('%s %s: %d' % (reader, verdict, n) for (reader, verdict), n in sorted(counts.items())))
    for line in sorted(silent):
        print(line)
    print('%d mutants, %d read as if nothing were wrong' % (count, len(silent)))
    return 1 if silent else 0


if __name__ == '__main__':
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
