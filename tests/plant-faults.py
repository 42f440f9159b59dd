#!/usr/bin/env python3
"""How strong is the net? Plants faults that a seed draws in a copy of the sources and tells which of them the tests notice.

    tests/plant-faults.py /tmp/faults --faults 100 --seed 1            faults of engine/ and app/, shown to the tests that need no window
    tests/plant-faults.py /tmp/faults-ui --faults 20 --under ui        faults of ui/, shown to the tests of the window

A fault is a flipped sign, an index one too large, a dropped term, two arguments changed for each other, a check whose answer is never yes, or a
comparison that is turned round or moved by its bound. All are in one copy, which is built once; each is off until a process is told its number
(STICKSLIP_FAULTS=17), and then the program is as if the line had been written so. Every test runs once without a fault and writes
which places it reached (STICKSLIP_FAULTS_REACHED=FILE); a fault is then shown to the tests that reach it alone, the shortest first, until one
notices. Long tests are shown all faults that are left at once: one that passes clears them all, one that fails is asked again with half of them.
A test that takes ten times as long and a minute more counts as failed: a loop that does not end is ended by the suite, too.

The folder keeps all that is known: called again, the script goes on where it ended; tests that have changed since are copied, built and asked
again. faults.json has the faults, costs.tsv the tests, seen.tsv which test was shown which fault and what it said, report.tsv the outcome.
What no test notices is a gap in the net, or a line that changes nothing: tests/data/survivors.tsv keeps it with the reason. A row there
that says "nothing" and proves it counts as noticed; one that says "gap" does not. Needs the release build that tests/run.sh makes in build/.
"""
import argparse
import collections
import hashlib
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
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
SURVIVORS = ROOT / "tests" / "data" / "survivors.tsv"
LONG = 4  # seconds of the processor, from which on a test is shown several faults at once
HEADER = r"""/* Which faults are on, in this process. */
#pragma once
#include <sys/syscall.h>
extern char *getenv (const char *);
extern long strtol (const char *restrict, char **restrict, int);
extern long syscall (long, ...);
static unsigned char ss_fault_is_on[10000], ss_fault_was_reached[10000];
static const char *ss_fault_file;
__attribute__ ((constructor)) static void
ss_fault_begin (void)
{
  char *text = getenv ("STICKSLIP_FAULTS");
  ss_fault_file = getenv ("STICKSLIP_FAULTS_REACHED");
  while (text && *text) {
    ss_fault_is_on[strtol (text, &text, 10)] = 1;
    text += *text == ',';
  }
}
__attribute__ ((noinline)) static void
ss_fault_tell (int n)
{
  char text[] = { '0' + n / 1000, '0' + n / 100 % 10, '0' + n / 10 % 10, '0' + n % 10, '\n' };
  long file;
  ss_fault_was_reached[n] = 1;
  if ((file = syscall (SYS_openat, -100, ss_fault_file, 02001 | 0100, 0600)) >= 0) {
    syscall (SYS_write, (int)file, text, 5L);
    syscall (SYS_close, (int)file);
  }
}
static inline int
ss_fault (int n)
{
  if (__builtin_expect (ss_fault_file != 0, 0) && !ss_fault_was_reached[n])
    ss_fault_tell (n);
  return ss_fault_is_on[n];
}
#define SS_FAULT_SWAPPED(n, a, b) \
  ({ _Static_assert (__builtin_types_compatible_p (__typeof__ (a), __typeof__ (b)), "one type"); ss_fault (n) ? (b) : (a); })
"""
ASSERTION = re.compile(r"\bSS_ASSERT (?=\()")
COMMENTS = re.compile(r'"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|/\*.*?\*/|//[^\n]*|^[ \t]*#(?:\\\n|[^\n])*', re.S | re.M)
BODY = re.compile(r"^\{$.*?^\}", re.S | re.M)
COMPARED = {"<": ("<=", ">"), "<=": ("<", ">="), ">": (">=", "<"), ">=": (">", "<="), "==": ("!=",), "!=": ("==",)}
SIGN = re.compile(r"(?<=[\w)\]]) ([+-]) (?=[\w(])")
INDEX = re.compile(r"(?<=[\w)\]])\[([^\[\]]+)\]")
BOTH = re.compile(r" (&&|\|\|)\s")
COMPARISON = re.compile(r"(?<=[\w)\]]) (<=|>=|==|!=|<|>) ")
CHECK = re.compile(r"\bif (?=\()")
ARGUMENT = r"[\w.\->&]+(?:\[\w+\])?"
ARGUMENTS = re.compile(rf"(?:(?<=\w \()|(?<=, ))({ARGUMENT}), ({ARGUMENT})(?=[,)])")
LOOSE = r"&&|\|\||\?|:|,|;| [&|^] | [-+*/|&]?= |\breturn\b"  # binds less than a comparison
SUM_ENDS = re.compile(LOOSE + r"| (?:[-+]|<=?|>=?|[!=]=|<<|>>) ")
COMPARISON_ENDS = re.compile(LOOSE + r"| (?:<=?|>=?|[!=]=) ")
NEVER = re.compile("(?!)")
CONDITION_ENDS = re.compile(r"&&|\|\||\?|:|,|;| = ")


def code_of(text):
    """The text without comments, texts, lines of the preprocessor and assertions, at the same places: spaces where they were.
    An assertion never fails in a program that is right: a weaker one is the same program."""
    code = COMMENTS.sub(lambda m: re.sub(r"[^\n]", " ", m.group()), text)
    for m in ASSERTION.finditer(code):
        end = end_of(code, m.end() + 1, NEVER) + 1
        code = code[:m.start()] + re.sub(r"[^\n]", " ", code[m.start():end]) + code[end:]
    return code


def end_of(code, at, ends):
    """Where the operand that begins at a place ends."""
    depth = 0
    while depth or not ends.match(code, at):
        depth += (code[at] in "([{") - (code[at] in ")]}")
        if depth < 0:
            break
        at += 1
    return len(code[:at].rstrip())


def begin_of(code, at, ends):
    """Where the operand that ends at a place begins."""
    while True:
        depth, i = 0, at
        while i > 0:
            depth += (code[i - 1] in ")]}") - (code[i - 1] in "([{")
            if depth < 0:
                break
            match = None if depth else next((m for m in (ends.match(code, j) for j in range(max(0, i - 6), i)) if m and m.end() == i), None)
            if match:
                break
            i -= 1
        return i + len(code[i:]) - len(code[i:].lstrip())


def faults_of(text, code):
    """Every fault that could be planted in a file: kind, from and to, what stands there then (N: its number), what stood there, what it means."""
    for body in BODY.finditer(code):
        first, last = body.span()
        for m in SIGN.finditer(code, first, last):
            end = end_of(code, m.end(), SUM_ENDS)
            rest, sign = text[m.end():end], m.group(1)
            yield "sign", *m.span(), f"{m.group()}(ss_fault (N) ? -1 : 1) * ", f"{sign} {rest}", f"{'-' if sign == '+' else '+'} {rest}"
            yield "term", m.end(), end, f"(ss_fault (N) ? 0 : ({rest}))", f"{sign} {rest}", f"{sign} 0"
        for m in BOTH.finditer(code, first, last):
            end = end_of(code, m.end(), CONDITION_ENDS)
            rest, both = text[m.end():end], m.group(1)
            new, word = (f"(ss_fault (N) || ({rest}))", "true") if both == "&&" else (f"(!ss_fault (N) && ({rest}))", "false")
            yield "term", m.end(), end, new, f"{both} {rest}", f"{both} {word}"
        for m in INDEX.finditer(code, first, last):
            index, name = text[m.start(1):m.end(1)], re.search(r"[\w.\->]*$", code[:m.start()]).group()
            yield "index", *m.span(1), f"({index}) + ss_fault (N)", f"{name}[{index}]", f"{name}[{index} + 1]"
        for m in COMPARISON.finditer(code, first, last):
            begin, end = begin_of(code, m.start(), COMPARISON_ENDS), end_of(code, m.end(), COMPARISON_ENDS)
            left, right = text[begin:m.start()], text[m.end():end]
            for other in COMPARED[m.group(1)]:
                new = f"(ss_fault (N) ? ({left}) {other} ({right}) : ({left}) {m.group(1)} ({right}))"
                yield "comparison", begin, end, new, text[begin:end], f"{left} {other} {right}"
        for m in CHECK.finditer(code, first, last):
            end = end_of(code, m.end() + 1, NEVER) + 1
            yield "check", m.end(), end, f"({text[m.end():end]} && !ss_fault (N))", text[m.end():end], "(false)"
        for m in ARGUMENTS.finditer(code, first, last):
            a, b = m.groups()
            if a != b:
                yield "arguments", *m.span(), f"SS_FAULT_SWAPPED (N, {a}, {b}), SS_FAULT_SWAPPED (N, {b}, {a})", f"{a}, {b}", f"{b}, {a}"


def commands():
    """How a file of the sources is compiled: options, by its path."""
    found = {}
    for entry in json.loads((ROOT / "build" / "compile_commands.json").read_text()):
        path = pathlib.Path(entry["directory"], entry["file"]).resolve()
        options = [w for w in shlex.split(entry["command"]) if w.startswith(("-I", "-D", "-std", "-i", "-pthread")) and w != "-include"]
        inner = re.findall(r'^#include "(/.*\.c)"', path.read_text(), re.M) if path.name.startswith("group-") and path.is_file() else [path]
        found.update({str(name): options for name in inner})
    return found


def compiles(path, text, options):
    return subprocess.run(["gcc", *options, "-iquote", path.parent, "-Werror=vla", "-fsyntax-only", "-x", "c", "-"], input=text, text=True,
                          cwd=ROOT / "build", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


def draw(seeds, under, header):
    """The faults: their kind first, since some places are far more common. One a line, so that each means the same with the others there."""
    texts = {path: path.read_text() for folder in under for path in sorted((ROOT / folder).rglob("*.c"))}
    places = collections.defaultdict(list)
    for path, text in texts.items():
        for kind, *place in faults_of(text, code_of(text)):
            places[kind].append((path, *place))
    print(", ".join(f"{kind}: {len(of)} places" for kind, of in sorted(places.items())), flush=True)
    options, taken, drawn = commands(), set(), []
    if not any(str(path) in options for path in texts):
        sys.exit(f"{ROOT}/build/compile_commands.json has no file of {', '.join(under)}: build/ was made in another place; remove it and run tests/run.sh unit")
    for seed, n in seeds:
        chance, until = random.Random(seed), len(drawn) + n
        while len(drawn) < until:
            kind, number = chance.choice(sorted(places)), len(drawn) + 1
            path, begin, end, new, was, meant = chance.choice(places[kind])
            text, first, code = texts[path], texts[path].count("\n", 0, begin), re.sub(r"\(N\b", f"({number}", new)
            lines = {(path, line) for line in range(first, text.count("\n", 0, end) + 1)}
            if str(path) in options and not lines & taken and compiles(path, f'#include "{header}"\n{text[:begin]}{code}{text[end:]}', options[str(path)]):
                taken |= lines
                one_line = lambda words: " ".join(words.split())
                drawn.append({"number": number, "seed": seed, "file": str(path.relative_to(ROOT)), "line": first + 1, "kind": kind, "begin": begin, "end": end, "code": code,
                              "old": one_line(text.splitlines()[first]), "was": one_line(was), "new": one_line(meant)})
    return drawn


def copy(tree, names):
    """Copies files whose text is another; which."""
    changed = []
    for name in names:
        source, target = ROOT / name, tree / name
        if source.is_file() and not (target.is_file() and target.read_bytes() == source.read_bytes()):
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target)
            changed.append(name)
    return changed


def plant(tree, faults, header):
    """All of them, the last of a file first: places count in the text as it was."""
    for fault in sorted(faults, key=lambda f: (f["file"], -f["begin"])):
        path = tree / fault["file"]
        text = path.read_text()
        path.write_text(text[:fault["begin"]] + fault["code"] + text[fault["end"]:])
    for name in {f["file"] for f in faults}:
        path = tree / name
        path.write_text(f'#include "{header}"\n#line 1\n{path.read_text()}')


class Folder:
    def __init__(self, arguments):
        self.path, self.tree = arguments.folder.resolve(), arguments.folder.resolve() / "tree"
        self.tree.mkdir(parents=True, exist_ok=True)
        names = subprocess.run(["git", "-C", ROOT, "ls-files", "-z"], capture_output=True, text=True, check=True).stdout.split("\0")[:-1]
        known, header = self.path / "faults.json", self.path / "ss-fault.h"
        if not known.is_file():
            header.write_text(HEADER)
            faults = draw(list(zip(arguments.seed, arguments.faults)), arguments.under, header)
            copy(self.tree, names)
            plant(self.tree, faults, header)
            known.write_text(json.dumps(faults, indent=1))
        self.faults = {f["number"]: f for f in json.loads(known.read_text())}
        copy(self.tree, [name for name in names if name.startswith("tests/")])
        wanted = {f["number"] for f in self.faults.values() if arguments.only in (None, f["seed"])}
        self.faults = {n: self.faults[n] for n in sorted(wanted)}
        self.files = {path.stem.replace("test-", "cli-") if folder == "cli" else path.stem: path
                      for folder in ("unit", "numeric", "store", "fuzz", "cli", "ui") for path in (self.tree / "tests" / folder).glob("*[-_]*.*")}
        self.tests = self.tests_of(arguments.suites, arguments.tests)
        self.costs = {tuple(row[:2]): (float(row[2]), {int(n) for n in row[3].split()}) for row in self.rows("costs.tsv")}
        self.survivors = {tuple(row[:4]): row[4:] for row in (line.split("\t") for line in SURVIVORS.read_text().splitlines() if line[0] != "#")} if SURVIVORS.is_file() else {}
        self.seen = {}
        self.read_seen()

    def run(self, command, **more):
        return subprocess.run(command, stdin=subprocess.DEVNULL, **more)

    def rows(self, name):
        path = self.path / name
        return [line.split("\t") for line in path.read_text().splitlines()] if path.is_file() else []

    def keep(self, name, *row):
        with open(self.path / name, "a") as file:
            print(*row, sep="\t", file=file)

    def hash_of(self, name):
        path = self.files.get(name.removeprefix("sanitize/"))
        return hashlib.sha1(path.read_bytes()).hexdigest()[:8] if path else "none"

    def tests_of(self, suites, wanted):
        """(name, hash of its file): command. Builds what they run."""
        build = lambda line: self.run(["bash", "-c", f". app/packages.sh && {line}"], check=True, cwd=self.tree)
        listed = lambda *words: [row.split("\t")[1:] for row in self.run([sys.executable, "tests/list-tests.py", *words], capture_output=True, text=True, check=True,
                                                                          cwd=self.tree).stdout.splitlines()]
        rows = []
        if set(suites) - {"sanitize"}:
            wanted_alone = "" if {"cli", "ui"} & set(suites) else "-- programs-of-tests"
            build(f"build build --buildtype=release -Dwerror=false -Dui={str('ui' in suites).lower()} {wanted_alone}")
            rows += listed("build", *(s for s in suites if s not in ("ui", "sanitize")))
        if "ui" in suites:
            rows += [(path.stem, f"cd {self.tree} && tests/ui/gui-run.sh /usr/bin/python3 {path}") for path in sorted((self.tree / "tests/ui").glob("test_*.py"))]
        if "sanitize" in suites:
            build("CC=clang build build-clang --buildtype=plain -Doptimization=1 -Dlight=true -Db_sanitize=address,undefined -Db_lundef=false -Dwerror=false -Dui=false "
                  "'-Dc_args=-g1 -fsanitize-trap=undefined -fno-sanitize=null,alignment,object-size,pointer-overflow' -- programs-of-tests")
            variables = (f"ASAN_OPTIONS=detect_leaks=1:handle_sigill=1:quarantine_size_mb=32 LSAN_OPTIONS=suppressions={self.tree}/tests/data/lsan.supp "
                         "STICKSLIP_TEST_COARSE=1 STICKSLIP_TEST_SLOWDOWN=3")
            slow = {name for name, _ in listed("build-clang", "slow")}
            rows += [(f"sanitize/{name}", f"{variables} {command}") for name, command in listed("build-clang", "unit", "numeric", "fuzz", "store") if name not in slow]
        return {(name, self.hash_of(name)): command for name, command in rows if re.search(wanted, name)}

    def passes(self, test, limit, **variables):
        """What a test says (passed, failed, hangs) and its seconds of the processor; one that takes too long is ended with all that it started."""
        environment = {**os.environ, "PATH": f"/usr/bin:{os.environ['PATH']}", "STICKSLIP_TEST_ALL": "0", **variables}
        process = subprocess.Popen(["bash", "-c", self.tests[test]], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                   start_new_session=True, env=environment)
        until = time.monotonic() + limit
        while True:
            ended, status, usage = os.wait4(process.pid, os.WNOHANG)
            if ended:
                process.returncode = status
                return "passed" if status == 0 else "failed", usage.ru_utime + usage.ru_stime
            if time.monotonic() > until:
                os.killpg(process.pid, signal.SIGKILL)
                os.wait4(process.pid, 0)
                process.returncode = -9
                return "hangs", limit
            time.sleep(0.02)

    def measure(self):
        """Every test once, without a fault: what it takes and which places it reaches."""
        for test in reversed(self.tests):  # the long ones last
            if test in self.costs:
                continue
            # Sanitizers see more of what is reached without them, and take ten times as long: only where something is left.
            if test[0].startswith("sanitize/"):
                plain = self.costs.get((test[0].removeprefix("sanitize/"), test[1]))
                if plain and not any(n in self.faults and not self.noticed_by(n) for n in plain[1]):
                    continue
            reached = self.path / f"reached-{os.getpid()}"  # two may look at a time, at suites of their own
            reached.write_text("")
            outcome, seconds = self.passes(test, 1800, STICKSLIP_FAULTS_REACHED=str(reached))
            if outcome != "passed":
                print(f"{test[0]} {outcome} without any fault: left out", flush=True)
                seconds = -1
            self.costs[test] = seconds, set(map(int, reached.read_text().split()))
            reached.unlink()
            self.keep("costs.tsv", *test, f"{seconds:.2f}", " ".join(map(str, sorted(self.costs[test][1]))))

    def show(self, test, numbers):
        """Shows a test faults, all at once; one that notices is asked again with half of them."""
        outcome, seconds = self.passes(test, 60 + 10 * self.costs[test][0], STICKSLIP_FAULTS=",".join(map(str, numbers)))
        if outcome == "passed" or len(numbers) == 1:
            for number in numbers:
                self.seen[number, *test] = outcome
                self.keep("seen.tsv", number, *test, outcome, f"{seconds:.2f}")
            return
        half = len(numbers) // 2
        for part in (numbers[:half], numbers[half:]):
            self.show(test, part)

    def read_seen(self):
        """What this and other processes have found so far."""
        self.seen.update({(int(row[0]), *row[1:3]): row[3] for row in self.rows("seen.tsv")})

    def noticed_by(self, number):
        """The test, in its words of today, that noticed a fault."""
        return next((f"{test[0]}{' (hangs)' if said == 'hangs' else ''}" for (n, *test), said in self.seen.items()
                     if n == number and said != "passed" and self.hash_of(test[0]) == test[1]), None)

    def look(self, longest):
        """Shows every fault to the tests that reach it: to the short ones alone, to the long ones with all that are left."""
        tests = sorted((test for test in self.tests if test in self.costs and 0 <= self.costs[test][0] <= longest), key=lambda test: self.costs[test][0])
        # What is proved to change nothing would be shown to every test that reaches it.
        asked = [n for n, fault in self.faults.items() if self.known(fault)[0] != "nothing"]
        reached = {n: [test for test in tests if n in self.costs[test][1]] for n in asked}
        for number in asked:
            self.read_seen()
            for test in reached[number]:
                if self.costs[test][0] > LONG or self.noticed_by(number):
                    break
                if (number, *test) not in self.seen:
                    self.show(test, [number])
            print(f"{number}: {self.noticed_by(number)}", flush=True)
        for test in tests:
            self.read_seen()
            left = [n for n in asked if test in reached[n] and (n, *test) not in self.seen and not self.noticed_by(n)]
            if left:
                self.show(test, left)

    def known(self, fault):
        """What is known of one that no test notices: nothing, gap or unknown, and why."""
        return self.survivors.get(tuple(fault[name] for name in ("file", "old", "was", "new")), ("unknown", ""))

    def report(self):
        counts = collections.Counter()
        self.read_seen()
        rows = []
        for number, fault in self.faults.items():
            by = self.noticed_by(number)
            what, why = self.known(fault)
            said = "noticed" if by else what
            counts[said] += 1
            n = sum((number, *test) in self.seen for test in self.costs if self.hash_of(test[0]) == test[1])
            rows.append((number, said, by or why or f"{n} tests pass with it", fault["file"], fault["line"], fault["kind"], fault["old"], fault["was"], fault["new"]))
        (self.path / "report.tsv").write_text("".join("\t".join(map(str, row)) + "\n" for row in rows))
        for row in rows:
            if row[1] != "noticed":
                print(*row, sep="\t")
        print(f"{len(rows)} faults, {counts['noticed']} noticed, {counts['nothing']} proved to change nothing, {counts['gap']} known gaps, {counts['unknown']} of unknown reason")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--seed", type=int, nargs="+", default=[1], help="more than one: faults of each in the same copy")
    parser.add_argument("--faults", type=int, nargs="+", default=[100], help="how many of each seed")
    parser.add_argument("--only", type=int, metavar="SEED", help="shows faults of this seed alone")
    parser.add_argument("--under", nargs="+", default=["engine", "app"], metavar="FOLDER", help="faults in these folders alone: engine/linalg app")
    parser.add_argument("--suites", nargs="+", help="suites of tests: unit numeric store cli sanitize ui (default: the first four; ui alone for faults under ui); sanitize, which has a build of its own, is for what the others left")
    parser.add_argument("--tests", default="", metavar="REGEX", help="only these tests")
    parser.add_argument("--longest", type=float, default=1e9, metavar="SECONDS", help="only tests that take no longer")
    arguments = parser.parse_args()
    arguments.suites = arguments.suites or (["ui"] if arguments.under == ["ui"] else ["unit", "numeric", "store", "cli"])
    folder = Folder(arguments)
    folder.measure()
    folder.look(arguments.longest)
    folder.report()
    return 0


if __name__ == "__main__":
    sys.exit(main())
