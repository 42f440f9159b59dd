#!/usr/bin/env python3
"""tests/cli/test-power.py: no power cut takes what a command reported: test-power.py PROGRAM SOURCE_ROOT RECORDER [CUTS [SEED [COMMAND]]]

Each command runs once while RECORDER (record-writes.c) writes down what it does to its files. Then the power is cut CUTS times (20, or 1000
with --all) at places drawn by SEED: after each record if CUTS is that large, several times after each if it is larger, and always after
an id was printed and at the end. What is on the disk is made of the records before the cut: what was synced is there; of what was not,
each block of 512 bytes, each change of length is there or not by chance, and names (made, changed, unlinked) as far as they had come, unless their folder was synced. One cut in
four keeps all of it, as when the program is killed, one in four nothing that was not synced.

Read by SQLite alone, the project is then sound; a run whose id was printed is there as it is at the end, all its rows; a run that
was there before is as before or as at the end; after the command's end all is as at the end. A new file is whole or not there.
One state in SAMPLED is read by PROGRAM too, with all checksums.
"""
import collections
import hashlib
import os
import pathlib
import random
import re
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile

HEADER = struct.Struct("=c3xIQQQ")  # Record of record-writes.c
BLOCK = 512  # bytes that a disk writes whole or not at all
MOST_TOLD = 10
SAMPLED = 40  # one state in so many is read by the program too: it takes as long as thirty by SQLite alone
ID = re.compile(r"\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b")
JOURNALS = ("-wal", "-shm", "-journal")
TABLES_OF_A_RUN = {"metric": "run", "event": "run", "motion": "run_id", "sample": "run_id", "iteration": "run_id", "log": "run_id"}

Record = collections.namedtuple("Record", "kind path file offset data")


def read_records(path):
    data = pathlib.Path(path).read_bytes()
    at = 0
    while at < len(data):
        kind, path_length, file, offset, length = HEADER.unpack_from(data, at)
        at += HEADER.size
        path, rest = data[at:at + path_length].decode(), data[at + path_length:at + path_length + length]
        at += path_length + length
        yield Record(kind.decode(), path, file, offset, rest)


class Disk:
    """Files of a folder: what is on the disk for certain, and what may be."""

    def __init__(self, folder):
        self.folder = folder
        self.names = {}  # name -> inode, for certain
        self.now = {}  # name -> inode, as the program sees it
        self.changes = []  # of names, since the folder was synced: (name, inode or None)
        self.certain = collections.defaultdict(bytearray)  # inode -> bytes
        self.pending = collections.defaultdict(list)  # inode -> [(offset, data)]; data None: cut or grown to offset
        for path in pathlib.Path(folder).iterdir():
            self.names[str(path)] = self.now[str(path)] = path.stat().st_ino
            self.certain[path.stat().st_ino] = bytearray(path.read_bytes())

    def rename(self, name, inode):
        self.changes.append((name, inode))
        if inode is None:
            self.now.pop(name, None)
        else:
            self.now[name] = inode

    def apply(self, record):
        if record.kind == "O" and self.now.get(record.path) != record.file:
            self.certain.pop(record.file, None)  # an inode of a file that was unlinked is given again
            self.pending.pop(record.file, None)
            self.rename(record.path, record.file)
        elif record.kind == "W":
            self.pending[record.file].append((record.offset, record.data))
        elif record.kind == "T":
            self.pending[record.file].append((record.offset, None))
        elif record.kind == "U":
            self.rename(record.path, None)
        elif record.kind == "R":
            inode = self.now[record.path]
            self.rename(record.path, None)
            self.rename(record.data.decode(), inode)
        elif record.kind == "S" and record.path == self.folder:
            for name, inode in self.changes:
                self.names[name] = inode
                if inode is None:
                    del self.names[name]
            self.changes = []
        elif record.kind == "S":
            self.certain[record.file] = content(self.certain[record.file], self.pending.pop(record.file, ()), lambda: True)

    def write(self, to, k, draw):
        """Writes to the folder `to` what the k-th cut at this place leaves."""
        share = (0, draw.choice((.1, .5, .9)), 1, draw.choice((.1, .5, .9)))[k % 4]
        keep = (lambda: True) if share == 1 else (lambda: False) if share == 0 else lambda: draw.random() < share
        names = dict(self.names)
        for name, inode in self.changes[:len(self.changes) if share == 1 else 0 if share == 0 else draw.randint(0, len(self.changes))]:
            names[name] = inode
        shutil.rmtree(to, ignore_errors=True)
        os.mkdir(to)
        for name, inode in names.items():
            if inode is not None and not name.endswith("-shm"):
                pathlib.Path(to, os.path.basename(name)).write_bytes(content(self.certain[inode], self.pending[inode], keep))


def content(certain, changes, keep):
    data = bytearray(certain)
    for offset, new in changes:
        if new is None:
            if keep():
                del data[offset:]
                data.extend(bytes(offset - len(data)))
            continue
        at = 0
        while at < len(new):
            end = min(len(new), at + BLOCK - (offset + at) % BLOCK)
            if keep():
                data.extend(bytes(max(0, offset + end - len(data))))
                data[offset + at:offset + end] = new[at:end]
            at = end
    return data


def read_runs(path):
    """id -> digest of all that a project says of the run; sketches and comparisons by their names. Raises what SQLite raises."""
    runs = {}
    with sqlite3.connect(f"file:{path}?mode=rw", uri=True) as db:
        db.text_factory = bytes
        problems = [row[0] for row in db.execute("PRAGMA integrity_check(3)")]
        if problems != [b"ok"]:
            raise sqlite3.DatabaseError(str(problems))
        tables = {row[0].decode() for row in db.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")}
        if "run" in tables:
            for row in db.execute("SELECT * FROM run").fetchall():
                digest = hashlib.sha256(repr(row).encode())
                for table, key in TABLES_OF_A_RUN.items():
                    if table in tables:
                        of = row[0] if key == "run" else row[1]
                        digest.update(repr(sorted(db.execute(f"SELECT * FROM {table} WHERE {key} = ?", (of,)).fetchall(), key=repr)).encode())
                runs[row[1].decode()] = digest.hexdigest()
        for table in tables & {"sketch", "study", "comparison"}:
            for row in db.execute(f"SELECT * FROM {table}"):
                runs[f"{table} {row[0]}"] = hashlib.sha256(repr(row).encode()).hexdigest()
    db.close()
    return runs


class Cuts:
    def __init__(self, program, recorder, work):
        self.program, self.recorder, self.work = program, recorder, work
        self.folder, self.cut = os.path.join(work, "files"), os.path.join(work, "cut")
        self.project = os.path.join(self.folder, "p.stickslip")
        self.passed = self.failed = 0
        self.told = []

    def run(self, arguments, recorded_to=None):
        environment = dict(os.environ)
        if recorded_to is not None:
            environment.update(LD_PRELOAD=self.recorder, RECORD_WRITES_OF=self.folder, RECORD_WRITES_TO=recorded_to)
        got = subprocess.run([self.program, *arguments], cwd=self.folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL)
        if got.returncode != 0:
            sys.exit(f"{' '.join(arguments)}: status {got.returncode}: {got.stderr}")
        return got.stdout

    def prepare(self, before):
        """Runs commands that come before; a text is a project that is copied."""
        shutil.rmtree(self.folder, ignore_errors=True)
        os.mkdir(self.folder)
        return [shutil.copy(b, self.project) if isinstance(b, str) else self.run(b) for b in before]

    def read_files(self, folder):
        """name -> what `read_runs` tells of a project; of another file: its bytes."""
        return {path.name: read_runs(path) if path.suffix == ".stickslip" else path.read_bytes() for path in pathlib.Path(folder).iterdir()
                if not path.name.endswith(JOURNALS)}

    def try_command(self, name, before, arguments, is_open, cuts, seed):
        ids = [i for text in self.prepare(before) for i in ID.findall(text)]
        arguments = [ids[0] if a == "RUN" else a for a in arguments]
        was = self.read_files(self.folder)
        other = sqlite3.connect(self.project) if is_open else None  # as a window that has it open: the last one to close empties the journal
        if other is not None:
            other.execute("SELECT count(*) FROM run").fetchall()
        disk = Disk(self.folder)
        log = os.path.join(self.work, "log")
        pathlib.Path(log).unlink(missing_ok=True)
        self.run(arguments, log)
        records = list(read_records(log))
        at_end = self.read_files(self.folder)
        if other is not None:
            other.close()
        if not any(r.kind == "W" for r in records):
            self.tell(name, seed, 0, "nothing was recorded")
        reports = {i + 1 for i, r in enumerate(records) if r.kind == "P" and ID.search(r.data.decode())} | {len(records)}
        each, rest = divmod(cuts, len(records) + 1)
        drawn = set(random.Random(seed).sample(range(len(records) + 1), rest))
        printed, n_cuts = set(), 0
        for i in range(len(records) + 1):
            for k in range(each + max(i in drawn, 2 * (i in reports))):
                n_cuts += 1
                self.check(name, seed, i, k, disk, printed, was, at_end, i == len(records))
            if i < len(records):
                disk.apply(records[i])
                if records[i].kind == "P":
                    printed.update(ID.findall(records[i].data.decode()))
        print("not ok" if self.told else "ok", f"{name}: {len(records)} records, {sum(r.kind == 'S' for r in records)} syncs, {len(printed)} ids printed, {n_cuts} cuts")
        print("\n".join(self.told[:MOST_TOLD]), end="\n" if self.told else "")
        self.failed += bool(self.told)
        self.passed += not self.told
        self.told = []

    def tell(self, name, seed, at, what):
        self.told.append(f"  seed {seed}, after record {at}: {what}")

    def check(self, name, seed, at, k, disk, printed, before, at_end, is_over):
        draw = random.Random(f"{seed} {at} {k}")
        disk.write(self.cut, k, draw)
        for file, there_at_end in at_end.items():
            path, was = os.path.join(self.cut, file), before.get(file)
            if not os.path.exists(path) or file.endswith(".stickslip") and os.path.getsize(path) == 0:
                if was is not None or is_over or printed & set(there_at_end):
                    self.tell(name, seed, at, f"{file} is lost")
            elif not file.endswith(".stickslip"):
                now = pathlib.Path(path).read_bytes()
                if now != there_at_end and (now != was or is_over):
                    self.tell(name, seed, at, f"{file} is not whole")
            else:
                self.check_project(name, seed, at, path, was or {}, there_at_end, printed, is_over, draw)

    def check_project(self, name, seed, at, path, was, at_end, printed, is_over, draw):
        file = os.path.basename(path)
        try:
            runs = read_runs(path)
        except sqlite3.Error as error:
            return self.tell(name, seed, at, f"{file}: {error}")
        for run, digest in at_end.items():
            if (is_over or run in printed) and runs.get(run) != digest:
                self.tell(name, seed, at, f"{run}, which was reported, is {'not whole' if run in runs else 'lost'} in {file}")
        for run, digest in was.items():
            if runs.get(run) not in (digest, at_end.get(run)):
                self.tell(name, seed, at, f"{run}, which was there before, is {'changed' if run in runs else 'lost'} in {file}")
        if runs and draw.randrange(SAMPLED) == 0:
            got = subprocess.run([self.program, "list", path, "--check"], capture_output=True, text=True)
            if got.returncode != 0:
                self.tell(name, seed, at, f"list --check: {got.stdout}{got.stderr}")


def main():
    program, root, recorder = (os.path.realpath(path) for path in sys.argv[1:4])
    cuts = int(sys.argv[4]) if len(sys.argv) > 4 else 1000 if os.environ.get("STICKSLIP_TEST_ALL") == "1" else 20
    seed = sys.argv[5] if len(sys.argv) > 5 else "1"
    ball = f"{root}/examples/classics/bouncing-ball.stickslip.json"
    methods = "moreau-jean,stewart-trinkle,event-driven"
    one = ["simulate", ball, "--method", "moreau-jean", "--dt", ".1", "--project", "p.stickslip", "--quiet", "--json"]
    several = ["compare", ball, "--methods", methods, "--dt", ".1", "--project", "p.stickslip", "--quiet", "--json"]
    # name, commands before, the command, whether another program has the project open
    commands = [
        ("compare", [], several, False),
        ("compare beside a window", [one], several, True),
        ("simulate beside a window", [one], one, True),
        ("sweep", [one], ["sweep", ball, "--vary", "dt=.1,.05", "--methods", methods, "--project", "p.stickslip", "--quiet", "--json"], True),
        ("add", [one], ["add", ball, "--project", "p.stickslip", "--name", "a ball"], False),
        ("note", [one], ["note", "RUN", "--project", "p.stickslip", "--text", "read again"], True),
        ("delete", [one, one], ["delete", "RUN", "--project", "p.stickslip"], True),
        ("shrink", [several], ["shrink", "RUN", "--project", "p.stickslip", "--keep", "metrics"], False),
        ("archive", [several], ["archive", "RUN", "--project", "p.stickslip", "--to", "q.stickslip"], False),
        ("copy", [several], ["copy", "p.stickslip", "--to", "q.stickslip"], False),
        ("import", [one, ["q.stickslip" if a == "p.stickslip" else a for a in several]], ["import", "q.stickslip", "--project", "p.stickslip"], False),
        ("upgrade", [f"{root}/tests/data/projects/format-3.stickslip"], ["add", ball, "--project", "p.stickslip", "--name", "a ball"], False),
        ("upgrade by one", [f"{root}/tests/data/projects/format-8.stickslip"], ["add", ball, "--project", "p.stickslip", "--name", "a ball"], False),
        ("export", [one], ["export", "RUN", "--project", "p.stickslip", "--to", "page.html"], False),
        ("edit", [["edit", ball, "--field", "scene.gravity=[0, -1]", "--to", "b.json"]], ["edit", ball, "--field", "scene.gravity=[0, -2]", "--to", "b.json"], False),
    ]
    with tempfile.TemporaryDirectory() as work:
        all_cuts = Cuts(program, recorder, os.path.realpath(work))
        for name, before, arguments, is_open in commands:
            if len(sys.argv) <= 6 or sys.argv[6] == name:
                all_cuts.try_command(name, before, arguments, is_open, cuts, seed)
    print(f"{all_cuts.passed} passed, {all_cuts.failed} failed")
    sys.exit(all_cuts.failed > 0)


if __name__ == "__main__":
    main()
