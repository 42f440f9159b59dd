#!/usr/bin/env python3
"""Runs every example by every method that takes it and compares two such recordings: trajectories by their bits, the rest as text.

    tests/compare-examples.py record FOLDER [--program FILE] [--only TEXT] [--seconds N] [--jobs N]
    tests/compare-examples.py compare FOLDER FOLDER [--trajectories]

Record before a change that must not alter behaviour and after it. A scene is simulated by every integrator; a model or plan is solved by
every optimiser, in a bounded number of iterations and with one thread. Kept of a run: its result without times and ids, its trajectory,
its events, the data of its figures; of each example: its equations, contacts and the problem's sizes; of the project: its schema and
the rows of its tables. A run that its limit ended is compared by nothing but that. --trajectories: a difference in digits is told by the
first row that differs and by the largest difference."""
import argparse
import concurrent.futures
import csv
import gzip
import hashlib
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Iterations after which a solve ends, whatever the machine does; the race ends by what it counts.
BOUNDS = {"max-iterations": "60", "max_iter": "40", "threads": "1", "budget": "20"}
# What differs between two runs of one program: times, the processor's load, names drawn at random.
VOLATILE_KEY = re.compile(r"(_seconds|_s)$|^(run|version|setup_reused|seconds|cpu|wall|machine_load|began|ended|peak_bytes|allocations)$")
VOLATILE_COLUMN = re.compile(r"seconds|created|changed|finished|started|host|owner|pid|program|machine|provenance|version|git_commit|checksum|sum$|^t$|^id$|_id$")
VOLATILE_TEXT = re.compile(r"\b(in|after) [\d.]+ (ms|s)\b|\b[\d.]+ (ms|s) of CPU|\d{4}-\d\d-\d\dT[\d:.]+Z")
FIGURES = ["channels", "steps", "modes", "states", "clocks"] # of convergence the abscissa may be seconds


def without_volatile(value):
    if isinstance(value, dict):
        is_iteration = "iteration" in value  # its t is when it was told
        return {k: without_volatile(v) for k, v in value.items() if not VOLATILE_KEY.search(k) and not (is_iteration and k == "t")}
    if isinstance(value, list):
        return [without_volatile(v) for v in value]
    if isinstance(value, str):
        return VOLATILE_TEXT.sub("TIME", value)
    return value


def call(program, *words, seconds=600):
    try:
        done = subprocess.run([program, *map(str, words)], stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=seconds, cwd=ROOT)
    except subprocess.TimeoutExpired:
        return None, "", "no answer"
    return done.returncode, done.stdout, done.stderr


def put(folder, name, text):
    with gzip.GzipFile(folder / (name + ".gz"), "wb", mtime=0) as out:
        out.write(text.encode())


def settled(value):
    """A cell without what differs from run to run: JSON inside it too, blobs by their hash."""
    if isinstance(value, bytes):
        return hashlib.sha256(value).hexdigest()
    if isinstance(value, str) and value[:1] in "{[":
        try:
            return json.dumps(without_volatile(json.loads(value)))
        except ValueError:
            pass
    return without_volatile(value)


def rows_of(project):
    """Every table of a project as text, without what differs from run to run."""
    base = sqlite3.connect(f"file:{project}?mode=ro", uri=True)
    base.text_factory = lambda b: b.decode(errors="replace")
    lines = [row[0] for row in base.execute("SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name")]
    for (table,) in base.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall():
        columns = [c[1] for c in base.execute(f"PRAGMA table_info({table})") if not VOLATILE_COLUMN.search(c[1])]
        found = base.execute(f"SELECT {', '.join(columns)} FROM {table}").fetchall() if columns else []
        lines += sorted(f"{table} {[settled(v) for v in row]!r}" for row in found
                        if not any(isinstance(v, str) and VOLATILE_KEY.search(v) for v in row))
    return "\n".join(lines)


def record_run(program, example, verb, method, folder, seconds):
    options = [f"{o['name']}={BOUNDS[o['name']]}" for o in method["options"] if o["name"] in BOUNDS]
    words = [w for o in options for w in ("--option", o)]
    with tempfile.TemporaryDirectory() as scratch:
        project = pathlib.Path(scratch, "p.stickslip")
        path = pathlib.Path(scratch, "t.csv")
        status, out, errors = call(program, verb, example, "--method", method["name"], "--seed", 0, "--time-limit", seconds, "--json",
                                   "--trajectory", path, "--project", project, *words, seconds=4 * seconds + 60)
        if status is None or status == 3 or '"outcome": "time_limit"' in out or '"outcome": "machine_slow"' in out:
            put(folder, "limit", "ended by its limit\n")
            return
        result = json.loads(out) if out.startswith("{") else {"output": out, "errors": errors}
        put(folder, "result", json.dumps(without_volatile(result), indent=1) + f"\nstatus {status}\n")
        if path.exists():
            put(folder, "trajectory", path.read_text())
        if not project.exists():
            return
        if status in (0, 1):
            for figure in FIGURES:
                target = pathlib.Path(scratch, figure + ".csv")
                if call(program, "export", "last", "--project", project, "--plot", figure, "--to", target)[0] == 0 and target.exists():
                    put(folder, figure, hashlib.sha256(target.read_bytes()).hexdigest())
        put(folder, "project", rows_of(project))


def record(arguments):
    program = str(pathlib.Path(arguments.program).resolve())
    target = pathlib.Path(arguments.folder)
    methods = [m for m in json.loads(call(program, "methods", "--json")[1]) if m["built"]]
    work = []
    for example in sorted((ROOT / "examples").glob("*/*.stickslip.json")):
        name = str(example.relative_to(ROOT / "examples"))[:-len(".stickslip.json")]
        if arguments.only and arguments.only not in name:
            continue
        data = json.loads(example.read_text())
        is_plan = "horizon" in data.get("task", {})
        base = target / name
        base.mkdir(parents=True, exist_ok=True)
        texts = {"equations": ["equations", example], "contacts": ["contacts", example, "--json"]}
        if "model" in data or is_plan:
            texts["evaluate"] = ["evaluate", example, "--json"]
        for key, words in texts.items():
            put(base, key, json.dumps(without_volatile({"text": call(program, *words)[1]})))
        for method in methods:
            wanted = {"integrator": "scene" in data, "optimiser": "model" in data or is_plan, "impact-law": False}[method["kind"]]
            if wanted:
                folder = base / f"{method['kind']}-{method['name']}"
                folder.mkdir(exist_ok=True)
                verb = "simulate" if method["kind"] == "integrator" else "optimise"
                work.append((program, example, verb, method, folder, arguments.seconds))
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for i, done in enumerate(concurrent.futures.as_completed([pool.submit(record_run, *w) for w in work]), 1):
            done.result()
            if i % 50 == 0:
                print(f"{i} of {len(work)} runs", flush=True)
    print(f"{len(work)} runs in {target}")
    return 0


def first_difference(a, b):
    """Of two tables as text: the first row that differs, and the largest difference of numbers in rows that both have."""
    left, right = list(csv.reader(a.splitlines())), list(csv.reader(b.splitlines()))
    row = next((i for i, (x, y) in enumerate(zip(left, right)) if x != y), min(len(left), len(right)))
    largest = 0.0
    for x, y in zip(left[1:], right[1:]):
        for u, v in zip(x, y):
            try:
                largest = max(largest, abs(float(u) - float(v)))
            except ValueError:
                pass
    return f"row {row} of {len(left)} and {len(right)}, largest difference {largest:.3g}"


def compare(arguments):
    sides = [pathlib.Path(f) for f in arguments.folders]
    names = [{str(p.relative_to(side)) for p in side.rglob("*.gz")} for side in sides]
    if not all(names):
        print("nothing recorded in " + " and ".join(str(s) for s, n in zip(sides, names) if not n))
        return 2
    equal = limits = 0
    different = []
    for name in sorted(names[0] | names[1]):
        folder = os.path.dirname(name)
        if f"{folder}/limit.gz" in names[0] | names[1]:
            limits += name.endswith("limit.gz")
            continue
        if name not in names[0] or name not in names[1]:
            different.append(f"{name[:-3]}: only in {sides[name in names[1]]}")
            continue
        a, b = (gzip.open(side / name, "rt").read() for side in sides)
        if a == b:
            equal += 1
            continue
        if name.endswith("trajectory.gz") and arguments.trajectories:
            different.append(f"{name[:-3]}: {first_difference(a, b)}")
        else:
            pairs = [(x, y) for x, y in zip(a.splitlines(), b.splitlines()) if x != y]
            x, y = pairs[0] if pairs else ("(ends here)", "(goes on)")
            different.append(f"{name[:-3]}: {x.strip()[:100]!r} became {y.strip()[:100]!r}" + (f" (+{len(pairs) - 1} lines)" if len(pairs) > 1 else ""))
    print("\n".join(different))
    print(f"{limits} runs ended by their limit are not compared")
    print(f"{equal} passed, {len(different)} failed")
    return 1 if different else 0


parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
verbs = parser.add_subparsers(dest="verb", required=True)
one = verbs.add_parser("record")
one.add_argument("folder")
one.add_argument("--program", default=ROOT / "build/app/stickslip-cli")
one.add_argument("--only", help="examples whose name contains this")
one.add_argument("--seconds", type=float, default=60, help="limit of a run [s]")
one.add_argument("--jobs", type=int, default=os.cpu_count())
two = verbs.add_parser("compare")
two.add_argument("folders", nargs=2)
two.add_argument("--trajectories", action="store_true")
given = parser.parse_args()
sys.exit(record(given) if given.verb == "record" else compare(given))
