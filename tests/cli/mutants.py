#!/usr/bin/env python3
"""tests/cli/mutants.py: no mutated project reads as if nothing were wrong: mutants.py PROGRAM PROJECT COUNT SEED [EARLIER...]

Each mutant is a copy of PROJECT that was changed in one of the ways of KINDS, drawn by SEED: bytes, pages (also those of EARLIER states
of the project, as after a write that was lost), cells, rows, several rows at once, definitions. The Python module lists and checks
all of it and tells all that it knows of RUNS_READ runs that are drawn; the command line checks it and answers ASKED questions. A mutant is fine where it is refused, where every answer that differs from that of PROJECT tells of damage in words, or where all
answers are the same and no row differs, or the check tells. Prints what came out of each kind, and seeds of those that are not fine.
STICKSLIP_MUTANTS_AT_ONCE says how many are read at once, 2 otherwise; STICKSLIP_MUTANTS_ASKED is another ASKED.
"""
import collections
import concurrent.futures
import hashlib
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
import threading

TABLES_OF_RESULTS = ('run', 'metric', 'event', 'iteration', 'log', 'motion', 'sample', 'scenario_text', 'provenance', 'sketch', 'study',
                     'study_run', 'comparison', 'comparison_run', 'checksum')
EARLIER = []  # files of earlier states
DAMAGE = re.compile(r'damaged|not as stored|not as Stickslip made it|no Stickslip project|newer version|not known which run|is missing|belongs to nothing', re.I)

# What no reader shows, so that it is no difference: when a text was stored first, numbers of lines of a log but for their order, and
# machines of no run (a run that is merged anew leaves the former one).
UNREAD = {('scenario_text', 'created'), ('log', 'id')}
ROWS_READ = {'provenance': 'WHERE id IN (SELECT provenance_id FROM run)'}


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


def connect(path):
    db = sqlite3.connect(path)
    db.execute('PRAGMA foreign_keys = OFF')
    db.execute('PRAGMA ignore_check_constraints = ON')
    return db


def finish(db, what):
    db.commit()
    db.close()
    return what


def page_size(path):
    db = sqlite3.connect(path)
    size, = db.execute('PRAGMA page_size').fetchone()
    db.close()
    return size


def columns_of(db, table):
    """All names, and those of the key."""
    rows = db.execute('PRAGMA table_info(%s)' % table).fetchall()
    return [row[1] for row in rows], [row[1] for row in rows if row[5]] or ['rowid']


def draw_row(db, table, draw):
    """A condition and its values; None where the table is empty."""
    _, keys = columns_of(db, table)
    rows = db.execute('SELECT %s FROM %s' % (', '.join(keys), table)).fetchall()
    return (' AND '.join('"%s" IS ?' % name for name in keys), draw.choice(rows)) if rows else None


def draw_filled(db, draw):
    """A table that has rows, and one of them."""
    while True:
        table = draw.choice(TABLES_OF_RESULTS)
        row = draw_row(db, table, draw)
        if row:
            return table, row


def change_header(path, draw):
    """A byte of the file's header, or of that of a page."""
    size = page_size(path)
    at = draw.choice((draw.randrange(16, 100), draw.randrange(1, os.path.getsize(path) // size) * size + draw.randrange(40)))
    with open(path, 'r+b') as file:
        file.seek(at)
        old = file.read(1)[0]
        new = draw.choice((old ^ 1, old ^ 2, (old + 1) & 255, (old - 1) & 255, 0, 255))
        file.seek(at)
        file.write(bytes([new]))
    return 'byte %d: %d -> %d' % (at, old, new)


def fill(path, draw):
    """A piece that was lost."""
    length = draw.choice((4, 16, 100, 512, 4096))
    at = draw.randrange(os.path.getsize(path) - length)
    at -= at % 512 if draw.random() < 0.5 else 0
    with open(path, 'r+b') as file:
        file.seek(at)
        file.write(draw.choice((b'\0', b'\xff', b'A')) * length)
    return 'filled %d + %d' % (at, length)


def cut(path, draw):
    size = page_size(path)
    length = draw.choice((size * draw.randrange(1, os.path.getsize(path) // size), draw.randrange(100, os.path.getsize(path))))
    os.truncate(path, length)
    return 'cut to %d' % length


def swap_pages(path, draw):
    """Two pages change places, or one is written over another."""
    size = page_size(path)
    one, two = draw.sample(range(1, os.path.getsize(path) // size), 2)
    with open(path, 'r+b') as file:
        file.seek(one * size)
        first = file.read(size)
        file.seek(two * size)
        second = file.read(size)
        file.seek(one * size)
        file.write(second)
        if draw.random() < 0.7:
            file.seek(two * size)
            file.write(first)
    return 'pages %d and %d' % (one + 1, two + 1)


def stale_pages(path, draw):
    """Pages as they were in an earlier state of the project."""
    size = page_size(path)
    earlier = draw.choice(EARLIER)
    old, new = pathlib.Path(earlier).read_bytes(), pathlib.Path(path).read_bytes()
    differ = [at for at in range(size, min(len(old), len(new)) - size + 1, size) if old[at:at + size] != new[at:at + size]]
    places = draw.sample(differ, min(len(differ), draw.choice((1, 1, 2, 4))))
    with open(path, 'r+b') as file:
        for at in places:
            file.seek(at)
            file.write(old[at:at + size])
    return 'pages %s as in %s' % ([at // size + 1 for at in places], os.path.basename(earlier))


def change_cell(path, draw):
    db = connect(path)
    while True:
        table, (where, key) = draw_filled(db, draw)
        column = draw.choice(columns_of(db, table)[0])
        old, = db.execute('SELECT "%s" FROM %s WHERE %s' % (column, table, where), key).fetchone()
        new = other_value(old, draw)
        if new == old and type(new) is type(old):
            continue
        try:
            db.execute('UPDATE %s SET "%s" = ? WHERE %s' % (table, column, where), (new,) + key)
        except (sqlite3.Error, OverflowError):
            db.rollback()
            continue
        return finish(db, '%s.%s of %s: %.60r -> %.60r' % (table, column, key, old, new))


def change_column(path, draw):
    """A column of all rows."""
    db = connect(path)
    while True:
        table, _ = draw_filled(db, draw)
        column = draw.choice(columns_of(db, table)[0])
        sql = 'UPDATE OR IGNORE %s SET "%s" = %s' % (table, column, draw.choice(
            ('NULL', "''", '0', "'x'", '"%s" || \' \'' % column, '"%s" + 1' % column, "'running'", "'2026-01-01T00:00:00.000Z'")))
        try:
            db.execute(sql)
        except sqlite3.Error:
            continue
        return finish(db, sql)


def delete_row(path, draw):
    db = connect(path)
    table, (where, key) = draw_filled(db, draw)
    db.execute('DELETE FROM %s WHERE %s' % (table, where), key)
    return finish(db, 'row of %s, %s, deleted' % (table, key))


def insert_row(path, draw):
    """A copy of a row with another key, and sometimes other values."""
    db = connect(path)
    while True:
        table, (where, key) = draw_filled(db, draw)
        names, keys = columns_of(db, table)
        row = list(db.execute('SELECT * FROM %s WHERE %s' % (table, where), key).fetchone())
        for i, name in enumerate(names):
            if (name in keys or name in ('id', 'number') or draw.random() < 0.15) and draw.random() < 0.6:
                row[i] = other_value(row[i], draw)
        try:
            db.execute('INSERT INTO %s VALUES (%s)' % (table, ', '.join('?' * len(row))), row)
        except (sqlite3.Error, OverflowError):
            continue
        return finish(db, 'row of %s inserted: %.80r' % (table, row))


def swap_cells(path, draw):
    """Two rows change places in a column, or in all."""
    db = connect(path)
    while True:
        table, (where, one) = draw_filled(db, draw)
        _, two = draw_row(db, table, draw)
        names, keys = columns_of(db, table)
        names = [name for name in names if name not in keys and name != 'id']
        if one == two or not names:
            continue
        names = [draw.choice(names)] if draw.random() < 0.6 else names
        select = 'SELECT %s FROM %s WHERE %s' % (', '.join('"%s"' % name for name in names), table, where)
        first, second = db.execute(select, one).fetchone(), db.execute(select, two).fetchone()
        if first == second:
            continue
        update = 'UPDATE %s SET %s WHERE %s' % (table, ', '.join('"%s" = ?' % name for name in names), where)
        try:
            db.execute(update, second + one)
            db.execute(update, first + two)
        except sqlite3.Error:
            db.rollback()
            continue
        return finish(db, 'rows %s and %s of %s swapped in %s' % (one, two, table, names[:3]))


def swap_runs(path, draw):
    """Two runs change ids or numbers, or a table of what they have."""
    db = connect(path)
    one, two = draw.sample(db.execute('SELECT number, id FROM run').fetchall(), 2)
    table, column, place = draw.choice((('run', 'number', 0), ('run', 'id', 1), ('metric', 'run', 0), ('motion', 'run_id', 1),
                                        ('event', 'run', 0), ('study_run', 'run_id', 1), ('iteration', 'run_id', 1), ('log', 'run_id', 1)))
    between = (-9, 'between')[place]
    for old, new in ((one[place], between), (two[place], one[place]), (between, two[place])):
        db.execute('UPDATE %s SET %s = ? WHERE %s = ?' % (table, column, column), (new, old))
    return finish(db, '%s of %s and %s swapped in %s' % (column, one[0], two[0], table))


OF_A_RUN = ('DELETE FROM metric WHERE run = :n', 'DELETE FROM motion WHERE run_id = :i', 'DELETE FROM event WHERE run = :n',
            'DELETE FROM iteration WHERE run_id = :i', 'DELETE FROM log WHERE run_id = :i', 'DELETE FROM sample WHERE run_id = :i')
SUMS_OF_A_RUN = "DELETE FROM checksum WHERE of = 'run' AND number = :n"
MANY = (('DELETE FROM run WHERE id = :i',), ('DELETE FROM run WHERE id = :i', *OF_A_RUN), *[(sql,) for sql in OF_A_RUN],
        (SUMS_OF_A_RUN,), ('DELETE FROM checksum',), ("DELETE FROM checksum WHERE of = 'sketch'",),
        ("UPDATE run SET outcome = 'running' WHERE id = :i",), ("UPDATE run SET outcome = 'running'",),
        ("UPDATE run SET outcome = 'running' WHERE id = :i", SUMS_OF_A_RUN + " AND part = 'row'"),
        ("UPDATE run SET outcome = 'running', message = 'x', started = '2026-01-01T00:00:00.000Z' WHERE id = :i", SUMS_OF_A_RUN),
        ("UPDATE metric SET value = value + 1 WHERE run = :n", SUMS_OF_A_RUN + " AND part = 'metrics'"),
        ("UPDATE run SET deleted = '2026-01-01T00:00:00.000Z' WHERE id = :i",), ('UPDATE run SET deleted = NULL',),
        ("UPDATE run SET solution_of = 'x' WHERE id = :i",), ("UPDATE run SET started = '2036-01-01T00:00:00.000Z' WHERE id = :i",),
        ("UPDATE run SET method = 'x' WHERE id = :i",), ("UPDATE run SET tags = 'good' WHERE id = :i",),
        *[('DELETE FROM %s' % table,) for table in ('comparison', 'comparison_run', 'study', 'study_run', 'sketch', 'provenance', 'scenario_text')],
        ('DELETE FROM study_run WHERE run_id = :i',), ('DELETE FROM comparison_run WHERE run_id = :i',))


def change_many(path, draw):
    """Several rows at once, of a run that has what is changed."""
    db = connect(path)
    while True:
        number, id_ = draw.choice(db.execute('SELECT number, id FROM run').fetchall())
        statements = draw.choice(MANY)
        for sql in statements:
            db.execute(sql, {name: value for name, value in (('n', number), ('i', id_)) if ':' + name in sql})
        if db.total_changes > 0:
            return finish(db, 'run %d: %s' % (number, '; '.join(statements)))


def with_wrong_sums(path, draw):
    """Changed by somebody who knows that there are checksums, but not of what."""
    db = connect(path)
    number, id_ = draw.choice(db.execute('SELECT number, id FROM run').fetchall())
    part, sql, argument = draw.choice((('metrics', 'UPDATE metric SET value = value + 1 WHERE run = ?', number),
                                       ('row', "UPDATE run SET outcome = 'failed', message = 'no' WHERE number = ?", number),
                                       ('result', "UPDATE run_result SET result = replace (result, '1', '2') WHERE run = ?", number),
                                       ('marks', "UPDATE run SET note = 'fine' WHERE number = ?", number)))
    db.execute(sql, (argument,))
    rows = db.execute('SELECT name, value FROM metric WHERE run = ?', (number,)).fetchall()
    digest = hashlib.sha256(draw.choice((json.dumps(rows), str(rows), part, id_)).encode()).digest()
    db.execute("UPDATE checksum SET sha256 = ? WHERE of = 'run' AND number = ? AND part = ?", (digest, number, part))
    return finish(db, '%s of run %d with a checksum of something else' % (part, number))


def change_numbers(path, draw):
    """Numbers of a motion or of samples: fewer, others, in another order."""
    db = connect(path)
    while True:
        table = draw.choice(('motion', 'motion', 'sample'))
        row = draw_row(db, table, draw)
        if row:
            break
    where, key = row
    data, = db.execute('SELECT data FROM %s WHERE %s' % (table, where), key).fetchone()
    new = draw.choice((data[:-1], data[:-8], data[:len(data) // 2], data + bytes(8), b'', data[8:16] + data[:8] + data[16:], data[::-1]))
    also = ', n_rows = n_rows - 1' if table == 'motion' and draw.random() < 0.3 else ''
    db.execute('UPDATE %s SET data = ?%s WHERE %s' % (table, also, where), (new,) + key)
    return finish(db, 'numbers of %s %s: %d -> %d bytes%s' % (table, key, len(data), len(new), also))


def change_schema(path, draw):
    """What is not ours."""
    db = sqlite3.connect(path)
    db.execute('PRAGMA writable_schema = ON')
    roots = "UPDATE sqlite_schema SET rootpage = (SELECT sum (rootpage) FROM sqlite_schema WHERE name IN (%s)) - rootpage WHERE name IN (%s)"
    sql = draw.choice((
        *[roots % (pair, pair) for pair in ("'run_by_time', 'run_by_scenario'", "'log', 'iteration'", "'run_by_time', 'run_by_sketch'")],
        "UPDATE sqlite_schema SET sql = replace (sql, 'value REAL', 'value TEXT') WHERE name = 'metric'",
        "UPDATE sqlite_schema SET sql = replace (sql, '''running''', '''solved''') WHERE name = 'run'",
        "UPDATE sqlite_schema SET tbl_name = 'metric' WHERE name = 'run_by_time'",
        'DROP INDEX run_by_time', 'CREATE INDEX i ON run (lower (method))', 'ANALYZE', "ANALYZE; UPDATE sqlite_stat1 SET stat = '1 1 1 1'", 'VACUUM',
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
        'PRAGMA user_version = 5', 'PRAGMA user_version = 99', 'PRAGMA application_id = 7'))
    db.executescript(sql)
    db.commit()
    db.close()
    return sql


# How often each is drawn.
KINDS = {flip_bytes: 20, change_header: 10, fill: 6, cut: 3, swap_pages: 7, stale_pages: 9, change_cell: 20, change_column: 5, delete_row: 5,
         insert_row: 5, swap_cells: 5, swap_runs: 3, change_many: 8, with_wrong_sums: 3, change_numbers: 4, change_schema: 5}


def mutate(path, seed):
    """Its kind, and what was done."""
    draw = random.Random(seed)
    kinds = [kind for kind in KINDS if EARLIER or kind is not stale_pages]
    kind = draw.choices(kinds, [KINDS[kind] for kind in kinds])[0]
    return kind.__name__, kind(path, draw)


# ---- readers -----------------------------------------------------------------------------------------------------------


def plain(text):
    """Without what differs from copy to copy: the name of the file."""
    return re.sub(r'\S*\.stickslip\b', 'PROJECT', text)


def ask(program, folder, *arguments):
    done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, timeout=120)
    return done.returncode, plain(done.stdout.decode('utf-8', 'replace')), plain(done.stderr.decode('utf-8', 'replace'))


ASKED = int(os.environ.get('STICKSLIP_MUTANTS_ASKED', '6'))  # of the questions that are drawn
RUNS_READ = 4


def questions_of(ids, studies):
    """What the command line is asked: always, and by drawing."""
    p = ['--project', 'm.stickslip']
    drawn = [['list', 'm.stickslip'], ['list', 'm.stickslip', '--json'], ['list', 'm.stickslip', '--sketches'], ['list', 'm.stickslip', '--comparisons'],
             ['table', *p, '--format', 'csv'], ['table', *p, '--filter', 'method:crisp outcome:solved', '--format', 'csv'],
             ['show', 'last', '--json', *p], ['sweep', '--list', *p], *[['figure', study, '--table', 'runs', *p] for study in studies],
             ['import', 'other.stickslip', '--project', 'new.stickslip']]
    for run in ids:
        drawn += [['show', run, '--json', *p], *[['export', run, '--plot', plot, '--to', 'out.csv', *p] for plot in ('trajectory', 'log', 'events')]]
    return [['list', 'm.stickslip', '--check']], drawn


def read_by_program(program, folder, questions):
    """Every answer: {what was asked: (status, output, errors)}."""
    said = {}
    shutil.copy(folder / 'm.stickslip', folder / 'other.stickslip')
    for call in questions:
        to, new = folder / 'out.csv', folder / 'new.stickslip'
        to.unlink(missing_ok=True)
        new.unlink(missing_ok=True)
        status, out, err = ask(program, folder, *call)
        said[tuple(call)] = status, out + (to.read_text(errors='replace') if to.exists() else ''), err
        if status == 2 and call == questions[0] and DAMAGE.search(err):
            return said
    return said


READ_BY_MODULE = '''
import json, sys
import stickslip

def read(path, ids):
    said = []
    def tell(what, function):
        try:
            said.append([what, repr(function())])
        except stickslip.Error as error:
            said.append([what, "damaged: " + str(error)])
        except Exception as error:
            said.append([what, "CRASH %r" % error])
    def project_of():
        return stickslip.open(path)
    try:
        project = stickslip.open(path)
    except Exception:
        tell("open", project_of)
        return said
    def about(r):
        return (r.id, r.number, r.scenario, r.kind, r.method, r.label, r.outcome, r.message, r.started, r.ended, r.seed, r.options,
                r.parameters, r.tags, r.note, r.replay_of, r.solution_of, sorted(r.metrics.items()))
    tell("runs", lambda: [about(r) for r in project.runs()])
    tell("last", lambda: about(project.run("last")))
    tell("filter", lambda: [(r.id, r.outcome) for r in project.runs(method="crisp", outcome="solved")])
    tell("tag", lambda: [(r.id, r.outcome) for r in project.runs(tag="good")])
    tell("check", project.check)
    tell("sketches", project.sketches)
    tell("comparisons", project.comparisons)
    tell("studies", project.studies)
    for id_ in ids:
        tell(id_, lambda: about(project.run(id_)))
        if said[-1][1].startswith(("damaged", "CRASH")):
            continue
        run = project.run(id_)
        def iterations():
            table = run.iterations()
            return [(name, table[name].tobytes()) for name in table.names]
        def samples():
            cloud = run.samples()
            return cloud and (cloud.columns, cloud.values.tobytes())
        def numbers():
            return [(motion.channels, hash(motion.values.tobytes())) for motion in (run.motion(*key[:3]) for key in run.motions())]
        for name in ("result", "events", "log", "provenance", "scenario_text", "motions"):
            tell(id_ + name, getattr(run, name))
        for name, function in (("iterations", iterations), ("samples", samples), ("numbers", numbers)):
            tell(id_ + name, function)
    project.close()
    return said

for line in sys.stdin:
    print(json.dumps(read(*json.loads(line))), flush=True)
'''


class Module:
    """The Python module in a process of its own, which reads one project after the other."""

    def __init__(self):
        source = str(pathlib.Path(__file__).resolve().parents[2] / 'data/python')
        self.process = subprocess.Popen(['/usr/bin/python3', '-c', READ_BY_MODULE], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
                                        env={**os.environ, 'PYTHONPATH': source, 'PYTHONDONTWRITEBYTECODE': '1', 'PYTHONHASHSEED': '0'})

    def read(self, folder, ids):
        self.process.stdin.write(json.dumps([str(folder / 'm.stickslip'), ids]) + '\n')
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:  # gone: another one for the next project
            status = self.process.wait()
            self.__init__()
            return {('module',): (1, '', 'CRASH: ended with status %d' % status)}
        return {('module', what): (0, '' if value.startswith('CRASH') else plain(value), value if value.startswith('CRASH') else '')
                for what, value in json.loads(line)}


THREAD = threading.local()


def read_by_module(folder, ids):
    if not hasattr(THREAD, 'module'):
        THREAD.module = Module()
    return THREAD.module.read(folder, ids)


# ---- verdict -----------------------------------------------------------------------------------------------------------


def judge(said, expected):
    """Answers that are wrong, and whether any tells of damage. Each answer that differs has to tell of it itself."""
    wrong = []
    marked = False
    for what, (status, out, err) in said.items():
        if status < 0 or status == 4 or 'CRASH' in err:
            wrong.append('%s crashed or broke: %d %s' % (' '.join(what), status, err[-200:]))
        elif (status, out, err) == expected(what):
            continue
        elif DAMAGE.search((out + err).replace(' 0 damaged', '')):
            marked = True
        else:
            wrong.append('%s said something else' % ' '.join(what))
    return wrong, marked


def rows_of(path):
    """What all rows say that a reader could show; None where SQLite cannot read it."""
    try:
        db = sqlite3.connect('file:%s?mode=ro' % path, uri=True)
        db.text_factory = bytes
        said = hashlib.sha256()
        for table in TABLES_OF_RESULTS:
            names = ', '.join('"%s"' % name for name in columns_of(db, table)[0] if (table, name) not in UNREAD)
            rows = db.execute('SELECT %s FROM %s NOT INDEXED %s' % (names, table, ROWS_READ.get(table, '')))
            said.update(repr(sorted(map(repr, rows))).encode())
        db.close()
        return said.hexdigest()
    except sqlite3.Error:
        return None


class Expected:
    """What is said of the project itself, asked once, when it is needed."""

    def __init__(self, program, project, ids):
        self.program, self.project = program, project
        self.lock = threading.Lock()
        with tempfile.TemporaryDirectory() as name:
            shutil.copy(project, pathlib.Path(name) / 'm.stickslip')
            self.said = read_by_module(pathlib.Path(name), ids)
        self.check(self.said)

    @staticmethod
    def check(said):
        told = [(what, answer) for what, answer in said.items() if DAMAGE.search(''.join(answer[1:]).replace(' 0 damaged', ''))]
        assert not told, 'the project itself is damaged: %.300r' % told

    def __call__(self, what):
        with self.lock:
            if what not in self.said and what[0] != 'module':
                with tempfile.TemporaryDirectory() as name:
                    shutil.copy(self.project, pathlib.Path(name) / 'm.stickslip')
                    said = read_by_program(self.program, pathlib.Path(name), [list(what)])
                self.check(said)
                self.said.update(said)
            return self.said.get(what)


def one(program, project, seed, expected, ids, questions, rows):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        shutil.copy(project, folder / 'm.stickslip')
        kind, what = mutate(folder / 'm.stickslip', seed)
        is_same = rows_of(folder / 'm.stickslip') == rows
        # The module first: it changes nothing, and what the program brings to another format is no longer the mutant.
        module = read_by_module(folder, random.Random(seed).sample(ids, min(RUNS_READ, len(ids))))
        always, drawn = questions
        tool = read_by_program(program, folder, always + random.Random(seed).sample(drawn, min(ASKED, len(drawn))))
    verdicts = []
    for reader, said in (('module', module), ('program', tool)):
        wrong, marked = judge(said, expected)
        if not wrong and not marked and not is_same:
            wrong = ['other rows, and not even the check tells']
        verdicts.append((reader, wrong, marked))
    return seed, kind, what, verdicts


def main(program, project, count, first, earlier):
    program = os.path.abspath(program)
    EARLIER.extend(earlier)
    db = sqlite3.connect('file:%s?mode=ro' % project, uri=True)
    ids = [row[0] for row in db.execute('SELECT id FROM run WHERE deleted IS NULL ORDER BY number')]
    studies = [row[0] for row in db.execute('SELECT title FROM study')]
    db.close()
    questions = questions_of(ids, studies)
    expected = Expected(program, project, ids)
    rows = rows_of(project)
    counts = collections.Counter()
    silent = []
    with concurrent.futures.ThreadPoolExecutor(int(os.environ.get('STICKSLIP_MUTANTS_AT_ONCE', '2'))) as pool:
        jobs = [pool.submit(one, program, project, seed, expected, ids, questions, rows) for seed in range(first, first + count)]
        for n, job in enumerate(concurrent.futures.as_completed(jobs), 1):
            seed, kind, what, verdicts = job.result()
            for reader, wrong, marked in verdicts:
                counts[kind, reader, 'silent' if wrong else 'told' if marked else 'same'] += 1
                if wrong:
                    silent.append(seed)
                    print('seed %d (%s: %s), %s: %s' % (seed, kind, what, reader, '; '.join(wrong[:3])), flush=True)
            if n % 100 == 0:
                print('%d of %d' % (n, count), flush=True)
    for kind in sorted({kind for kind, _, _ in counts}):
        print('%-16s' % kind, *['%s %s' % (reader, ', '.join('%d %s' % (counts[kind, reader, verdict], verdict)
              for verdict in ('told', 'same', 'silent'))) for reader in ('module', 'program')], sep='   ')
    print('%d mutants, %d read as if nothing were wrong' % (count, len(set(silent))))
    return 1 if silent else 0


if __name__ == '__main__':
    if len(sys.argv) < 5:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]), sys.argv[5:]))
