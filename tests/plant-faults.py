#!/usr/bin/env python3
"""How strong is the net? Plants faults in a copy of the sources, one at a time, builds, and tells which tests notice.

    tests/plant-faults.py --faults 40 --seed 1 --out /tmp/before.json      an hour or two; --first stops at the first test that notices
    tests/plant-faults.py --under app ui --faults 40                       in these folders alone; engine app ui otherwise
    tests/plant-faults.py --same /tmp/before.json --out /tmp/after.json    the same faults, after the tests changed
    tests/plant-faults.py --compare /tmp/before.json /tmp/after.json       status 1 when a fault that was noticed no longer is

A fault is a flipped comparison, a changed constant, a flipped sign, a dropped line, a check that never holds or two arguments changed
for each other. The draw depends on the seed and on the lines of the folders alone; those that do not compile are drawn again. Faults of
engine/ are shown to its tests, those of app/ also to those of the command line, those of ui/ to those of the window.
What no test notices is a gap in the net, or a line that changes nothing: tests/data/survivors.tsv keeps it with the reason. A line there
that says "nothing" and proves it counts as noticed; one that says "gap" does not.
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SURVIVORS = ROOT / "tests" / "data" / "survivors.tsv"
SUITES = {"engine": ("unit", "numeric", "store"), "app": ("unit", "store", "cli"), "ui": ("ui",)}
FLIPPED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
SIGNS = {" + ": " - ", " - ": " + "}
COMPARISON = re.compile(r" (<=|>=|==|!=|<|>) ")
SIGN = re.compile(r"(?<=[\w)\]]) [+-] (?=[\w(])")
CONSTANT = re.compile(r"(?<![\w.\"\[])(\d+\.\d+(?:e-?\d+)?|\d+e-?\d+|[2-9]|\d{2,})(?![\w.\"\]])")
# A check that leaves the function or the round of a loop: the whole condition on its line.
CHECK = re.compile(r"^ +(?:\} )?(?:else )?if (\(.*\))(?: \{)?\s*$")
ARGUMENTS = re.compile(r"(?<=\()([\w.\->]+), ([\w.\->]+)(?=[,)])")
# A statement on a line of its own, so that what is left still compiles: an assignment or a call.
STATEMENT = re.compile(r"^  +(?!return\b|goto\b|break\b|continue\b|const\b|static\b|SS_ASSERT\b|\(void\)|ss_free\b)"
                       r"(?:[\w.\->\[\]]+ [-+*/|]?= [^=].*|[\w.\->\[\]]+(?:\+\+|--)|\w+ \(.*\));\s*$")


def code_of(line):
    """The line without comments and texts, at the same columns: spaces where they were."""
    return re.sub(r'"(?:[^"\\]|\\.)*"|/\*.*?(?:\*/|$)|//.*', lambda m: " " * len(m.group()), line)


def faults_of(line):
    """Every fault that could be planted in a line, as (kind, new line)."""
    code = code_of(line)
    if code.lstrip().startswith(("*", "#", "/*", "for (int", "SS_ASSERT")):
        return
    for match in COMPARISON.finditer(code):
        yield "comparison", line[:match.start(1)] + FLIPPED[match.group(1)] + line[match.end(1):]
    for match in SIGN.finditer(code):
        yield "sign", line[:match.start()] + SIGNS[match.group()] + line[match.end():]
    for match in CONSTANT.finditer(code):
        new = f"({match.group(1)} * 2)" if re.search(r"[.e]", match.group(1)) else str(int(match.group(1)) + 1)
        yield "constant", line[:match.start(1)] + new + line[match.end(1):]
    check = CHECK.match(line)
    if check:
        yield "removed check", f"{line[:check.start(1)]}(0 && {check.group(1)}){line[check.end(1):]}"
    for match in ARGUMENTS.finditer(code):
        if match.group(1) != match.group(2):
            yield "swapped arguments", f"{line[:match.start()]}{match.group(2)}, {match.group(1)}{line[match.end():]}"
    if STATEMENT.match(line):
        yield "dropped line", ""


def lines_of_bodies(path):
    """The lines inside functions, with their numbers, one after another line that ended: dropping one leaves no half statement. An `if`
    without braces keeps its statement, which would else take the next."""
    inside, ended, depth = False, True, 0
    for number, line in enumerate(path.read_text().splitlines()):
        if line == "{":
            inside, ended = True, True
        elif line == "}":
            inside = False
        elif inside:
            code = code_of(line).rstrip()
            yield number, line, ended
            if code.strip():
                ended = code.endswith((";", "{", "}", ":"))


def draw(tree, seed, under):
    """Endless faults, in an order that the seed decides: the kind first, since some are far more common."""
    found = {}
    for path in sorted(path for folder in under for path in (tree / folder).rglob("*.c")):
        for number, line, is_whole in lines_of_bodies(path):
            for kind, new in faults_of(line):
                if kind != "dropped line" or is_whole:
                    found.setdefault(kind, []).append({"file": str(path.relative_to(tree)), "line": number + 1, "kind": kind, "old": line, "new": new})
    chance = random.Random(seed)
    while True:
        yield chance.choice(found[chance.choice(sorted(found))])


def plant(tree, fault):
    """Writes the fault into the tree; the file and its text as it was, or None when the line is no longer there. A line that left its file
    is looked for in the whole folder, and found only where it stands once."""
    path = tree / fault["file"]
    lines = path.read_text().splitlines() if path.is_file() else []
    places = [i for i, line in enumerate(lines) if line == fault["old"]]
    if not places:
        holders = [p for p in sorted((tree / fault["file"].split("/")[0]).rglob("*.c")) if fault["old"] in p.read_text().splitlines()]
        path = holders[0] if len(holders) == 1 else path
        lines = path.read_text().splitlines() if holders else []
        places = [i for i, line in enumerate(lines) if line == fault["old"]]
        if len(holders) != 1 or len(places) != 1:
            return None
    text = path.read_text()
    lines[min(places, key=lambda i: abs(i + 1 - fault["line"]))] = fault["new"]
    path.write_text("\n".join(lines) + "\n")
    return path, text


def runs(command, limit):
    """Whether the test passes; one that takes too long is ended with all that it started."""
    process = subprocess.Popen(["bash", "-c", command], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                               start_new_session=True)
    try:
        return process.wait(limit) == 0
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        return False


def tests_of(tree, build, suites, wanted):
    """By suite: the commands of its tests by name."""
    tests = {}
    for suite in suites:
        if suite == "ui":
            rows = [(path.stem, f"cd {tree} && tests/ui/gui-run.sh /usr/bin/python3 {path}") for path in sorted((tree / "tests/ui").glob("test_*.py"))]
        else:
            listed = subprocess.run([sys.executable, str(ROOT / "tests" / "list-tests.py"), build, suite], capture_output=True, text=True, check=True)
            rows = [row.split("\t")[1:] for row in listed.stdout.splitlines()]
        tests[suite] = {name: command for name, command in rows if re.search(wanted, name)}
    return tests


def survivors():
    """What is known of faults that no test notices: by file, line as it is and line with the fault, what it is and why."""
    rows = (line.split("\t") for line in SURVIVORS.read_text().splitlines() if line and not line.startswith("#")) if SURVIVORS.is_file() else ()
    return {(file, old, new): (what, why) for file, old, new, what, why in rows}


def known_of(fault):
    return survivors().get((fault["file"], fault["old"].strip(), fault["new"].strip() or "(nothing)"))


def notice(tests, limits, jobs, only_first):
    """The tests that fail now."""
    failed = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        # the short ones first: most faults are seen by one of them
        results = {pool.submit(runs, tests[name], limits[name]): name for name in sorted(tests, key=limits.get)}
        for result in concurrent.futures.as_completed(results):
            if not result.cancelled() and not result.result():
                failed.append(results[result])
                if only_first:
                    for other in results:
                        other.cancel()
    return sorted(failed)


def compare(before, after):
    before, after = (json.loads(pathlib.Path(p).read_text()) for p in (before, after))
    key = lambda f: (f["file"], f["old"], f["new"])
    later = {key(f): f for f in after}
    lost = [f for f in before if f["noticed"] and key(f) in later and not later[key(f)]["noticed"]]
    gone = [f for f in before if key(f) not in later]
    for fault in lost:
        print(f"{fault['file']}:{fault['line']}: {fault['kind']}: was noticed by {', '.join(fault['noticed'])}, now by none")
    print(f"{len(before)} faults, {sum(bool(f['noticed']) for f in before)} noticed before, {sum(bool(f['noticed']) for f in after)} after; "
          f"{len(gone)} no longer there")
    return 1 if lost else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--faults", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--same", type=pathlib.Path, metavar="FILE", help="the faults of that file instead of a draw")
    parser.add_argument("--compare", nargs=2, metavar="FILE")
    parser.add_argument("--suites", nargs="+", help="suites of tests instead of those of the fault's folder: unit numeric store cli ui")
    parser.add_argument("--tests", default="", metavar="REGEX", help="only these tests")
    parser.add_argument("--under", nargs="+", default=list(SUITES), metavar="FOLDER", help="faults in these folders alone: engine/linalg app")
    parser.add_argument("--first", action="store_true", help="stop at the first test that notices")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if arguments.compare:
        return compare(*arguments.compare)
    scratch = pathlib.Path(tempfile.mkdtemp(prefix="stickslip-faults-"))
    try:
        return plant_all(arguments, scratch)
    finally:
        shutil.rmtree(scratch)


def plant_all(arguments, scratch):
    tree, build = scratch / "tree", str(scratch / "tree" / "build")
    tree.mkdir()
    names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)
    quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    given = json.loads(arguments.same.read_text()) if arguments.same else None
    folders = {fault["file"].split("/")[0] for fault in given} if given else {folder.split("/")[0] for folder in arguments.under}
    suites = {folder: arguments.suites or SUITES[folder] for folder in folders}
    asked = [suite for suite in ("unit", "numeric", "store", "cli", "ui") if any(suite in of for of in suites.values())]
    # A fault may leave a variable unused: that is not what is looked for.
    subprocess.run(["meson", "setup", build, str(tree), f"-Dui={'true' if 'ui' in asked else 'false'}", "-Dwerror=false"], check=True, **quiet)
    tests = tests_of(tree, build, asked, arguments.tests)
    targets = (["programs-of-tests"] if {"unit", "numeric", "store"} & set(asked) else []) + (["app/stickslip-cli"] if "cli" in asked or "ui" in asked else [])
    if arguments.tests and not {"cli", "ui"} & set(asked):
        targets = sorted({os.path.relpath(shlex.split(command)[0], build) for of in tests.values() for command in of.values()})
    if "ui" in asked:
        targets.append("app/stickslip")
    subprocess.run(["ninja", "-C", build, *targets], check=True, **quiet)
    limits = {}
    for of in tests.values():
        for name, command in list(of.items()):
            began = time.monotonic()
            passes = runs(command, 1200)
            # A fault may make a program loop: ten times as long, and a minute for those that take none, tell so on a busy machine too.
            limits[name] = 60 + 10 * (time.monotonic() - began)
            if not passes:
                print(f"{name} fails without any fault: left out", flush=True)
                del of[name]
    print(f"{len(limits)} tests", flush=True)
    source, found = iter(given) if given else draw(tree, arguments.seed, arguments.under), []
    while len(found) < (len(given) if given else arguments.faults):
        fault = next(source, None)
        if fault is None:
            break
        planted = plant(tree, fault)
        if planted is None:
            print(f"{fault['file']}: the line is gone: {fault['old'].strip()}", flush=True)
            continue
        compiles = subprocess.run(["ninja", "-C", build, *targets], **quiet).returncode == 0
        if compiles:
            shown = {name: command for suite in suites[fault["file"].split("/")[0]] for name, command in tests[suite].items()}
            fault = {**fault, "noticed": notice(shown, limits, arguments.jobs, arguments.first)}
            found.append(fault)
            known = known_of(fault)
            print(f"{fault['file']}:{fault['line']}: {fault['kind']}: {fault['old'].strip()} -> {fault['new'].strip() or '(nothing)'}\n  "
                  f"{'noticed by ' + ', '.join(fault['noticed']) if fault['noticed'] else 'NOT NOTICED'}"
                  f"{f' ({known[0]}: {known[1]})' if known and not fault['noticed'] else ''}", flush=True)
            if arguments.out:
                arguments.out.write_text(json.dumps(found, indent=1))
        planted[0].write_text(planted[1])
    unseen = [known_of(fault) for fault in found if not fault["noticed"]]
    proved = sum(known is not None and known[0] == "nothing" for known in unseen)
    print(f"{len(found)} faults, {len(found) - len(unseen)} noticed, {proved} proved to change nothing, {len(unseen) - proved} not noticed, "
          f"{unseen.count(None)} of them not in {SURVIVORS.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
