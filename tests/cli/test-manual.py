#!/usr/bin/env python3
"""Runs every command that README.md and the pages of data/manual show, in the folder layout that they are written for.

    test-manual.py PROGRAM SOURCE_ROOT [--slow] [PAGE...]

A page is a user's session: its fenced `sh` blocks are run from top to bottom in one scratch folder in which build/app holds the
programs and examples/ and data/ are the source's. Each command must end with status 0. Words behind `sh` change that:
  slow      a block of more than some seconds: run with --slow alone, which leaves out pages without such a block
  ends=N    its commands may end with status N as well
  printed   shows what something prints or needs a cluster: not run
  prints    its last command prints the lines of the block `text` that follows, numbers to the digits shown there
The two commands of the README are started by other tests; here they must be there. Also checked: links and pictures are there,
every page is in the index, every method has a page, blocks of the program's tables are as it has them (manual_blocks.py), the
README is short, the page of the command line has exactly the verbs of the program."""
import concurrent.futures
import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import manual_blocks

sys.path.insert(0, str(Path(sys.argv[2]) / "data"))
import manual_pages  # noqa: E402

LONGEST_README = 110  # lines
MOST_CPU = 150  # seconds of the quick blocks together; 40 when this was written, and machines differ by a factor of three
SECONDS = {False: 250, True: 590}  # wall time of a command

program, root = (Path(p).resolve() for p in sys.argv[1:3])
slow = "--slow" in sys.argv
chosen = [a for a in sys.argv[3:] if a != "--slow"]
manual = root / "data" / "manual"
environment = {**os.environ, "PATH": os.confstr("CS_PATH") + ":" + os.environ["PATH"]} # the distribution's Python has numpy
pages = [root / "README.md", *sorted(manual.rglob("*.md"))]
passed = failed = 0


def check(name, ok, told=""):
    global passed, failed
    passed, failed = passed + bool(ok), failed + (not ok)
    print(("ok " if ok else "not ok ") + name + ("" if ok or told == "" else f": {told}"), flush=True)


NUMBER = re.compile(r"(?<![\w.])[-+]?\d+(?:\.(\d+))?(?:e([-+]\d+))?(?![\w.]*\d)")


def is_line(shown, printed):
    """Whether a printed line is the one shown: the same words, each number within one unit of the last digit that is shown."""
    if NUMBER.sub("#", shown).split() != NUMBER.sub("#", printed).split():
        return False
    return all(abs(float(a[0]) - float(b[0])) <= 10.0 ** (int(a[2] or 0) - len(a[1] or ""))
               if a[1] or a[2] else a[0] == b[0] or float(a[0]) == float(b[0])
               for a, b in zip(NUMBER.finditer(shown), NUMBER.finditer(printed)))


def session(page):
    """What went wrong with the commands of a page, with the number of those that were run."""
    told, count = [], 0
    todo = list(manual_pages.blocks(page))
    if slow and not any("slow" in words for words, *_ in todo):
        return told, count
    with tempfile.TemporaryDirectory() as work:
        manual_pages.furnish(work, program, root)
        for words, line, commands, shown in todo:
            if "printed" in words or ("slow" in words and not slow):
                continue
            allowed = {0} | {int(w.removeprefix("ends=")) for w in words if w.startswith("ends=")}
            for command in commands:
                if command.startswith(("app/start.sh", "tests/run.sh")):
                    if not os.access(root / command.split()[0], os.X_OK):
                        told.append(f"{page.name}:{line}: {command.split()[0]} cannot be run")
                    continue
                count += 1
                try:
                    done = manual_pages.run(command, work, SECONDS[slow], environment)
                except subprocess.TimeoutExpired:
                    told.append(f"{page.name}:{line}: no end after {SECONDS[slow]} s: {command}")
                    continue
                if done.returncode not in allowed:
                    told.append(f"{page.name}:{line}: status {done.returncode}: {command}\n{done.stderr[-600:]}")
                if "prints" in words and command == commands[-1]:
                    output = done.stdout.splitlines() + done.stderr.splitlines()
                    told += [f"{page.name}:{line}: prints no line: {s}\n{done.stdout[-900:]}" for s in shown or ["(none shown)"]
                             if not any(is_line(s, o) for o in output)]
        told += [f"{page.name}: no command writes the picture {name}" for name in manual_pages.pictures(page)
                 if not slow and "<svg" not in (Path(work, name).read_text() if Path(work, name).exists() else "")]
    return told, count


def links(page):
    text = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.S | re.M)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not target.startswith(("http:", "https:", "#")) and not (page.parent / target.split("#")[0]).exists():
            yield f"{page.name}: {target}"


if not slow:
    for page in [*pages, *(root / room / "README.md" for room in ("engine", "app", "ui", "tests", "examples"))]:
        check(f"links of {page.relative_to(root)}", not list(links(page)), list(links(page)))
    check("the README is short", len(pages[0].read_text().splitlines()) <= LONGEST_README)
    index = "".join((manual / name).read_text() for name in ("README.md", "methods.md", "window.md"))
    shown = [name for page in pages for name in manual_pages.pictures(page)]
    check("no two pictures have one name", len(shown) == len(set(shown)), shown)
    missing = [p.name for p in pages[1:] if p.name != "README.md" and f"]({p.relative_to(manual)})" not in index]
    check("every page is in the index", not missing, missing)
    tables = manual_blocks.Program(program, root)
    check("every method has a page", all((manual / manual_blocks.page_of(m)).exists() for m in tables.methods))
    for page in manual_blocks.pages_with_blocks(root):
        check(f"tables of {page.relative_to(manual)}: tests/cli/manual_blocks.py writes them", manual_blocks.blocks_of(tables, page) == page.read_text())
    usage = subprocess.run([program, "--help"], capture_output=True, text=True, check=True).stdout
    verbs = set(re.findall(r"^  ([a-z][a-z-]+) ", usage.split("Verbs:")[1], re.M))
    table = (manual / "command-line.md").read_text().split("## Verbs")[1].split("\n## ")[0]
    told = {verb for row in table.splitlines() if row.count("|") == 4 for verb in re.findall(r"`([a-z-]+)`", row.split("|")[2])}
    check("the page of the command line has the verbs of the program", verbs == told, verbs ^ told)

before = resource.getrusage(resource.RUSAGE_CHILDREN)
session_pages = [p for p in pages if not chosen or p.name in chosen or str(p.relative_to(root)) in chosen]
with concurrent.futures.ThreadPoolExecutor(2) as two:
    for page, (told, count) in zip(session_pages, two.map(session, session_pages)):
        if count:
            check(f"{count} commands of {page.relative_to(root)}", not told, "\n".join(told))
after = resource.getrusage(resource.RUSAGE_CHILDREN)
cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
print(f"{cpu:.0f} s of the processor")
if not slow:
    check("the quick commands are quick", cpu < MOST_CPU, f"{cpu:.0f} s: mark long blocks with `sh slow`")
print(f"{passed} passed, {failed} failed")
sys.exit(1 if failed else 0)
