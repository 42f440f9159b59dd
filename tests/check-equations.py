#!/usr/bin/env python3
"""Traces the numbered items of the five papers (equations, algorithms, tables, figures) to the lines that implement and test them.

A tag on one line of a comment, or of a text in a scenario, names them: [000 (13a)], [003 Alg 1], [004 Fig 7], several at once
[000 (13a)-(13d) (20) (A.1a)]. The ends of a range differ in their letter, or in their number and have no letter; the numbers
between, (24)-(27), have their letters too. (13) is all of (13a) to (13f) where they have letters. Tags in engine/, app/, examples/
and data/bench/ implement; tags in tests/, but for its benchmarks and data, test.
data/papers/NNN.tsv lists the items of a paper: item, what it says, where we deviate (may be empty), why it has no line or no test
(`no line: ...`, `no test: ...`; empty where it has both).

Fails where an item has no line or no test and no reason, has a reason in spite of both, is left out of the list, or is named by a
tag and not by the list; where a tag is not of this form; and where data/manual/equations.md is not what the tags say. `--write`
writes that page; `--lines` prints item, file:line."""
import argparse
import collections
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
page = root / "data/manual/equations.md"
# Name, and the last number of each kind: all up to it are listed. Lemmas and the like are listed where something of ours follows them.
PAPERS = {"000": ("FESD-J", {"(": 38, "(A.": 2, "Tab ": 2, "Fig ": 10}),
          "001": ("Time-freezing", {"(": 41, "Tab ": 1, "Fig ": 8}),
          "002": ("Set-valued simultaneous impacts", {"(": 171, "Alg ": 2, "Tab ": 8, "Fig ": 14}),
          "003": ("The constraint solver", {"(": 198, "Tab ": 2, "Fig ": 10}),
          "004": ("CRISP", {"(": 150, "Alg ": 1, "Tab ": 2, "Fig ": 9})}
PARTS = re.compile(r"(\((?:A\.)?|(?:Alg|Tab|Fig|Prop|Thm|Lem|Def|Rem|Ex|Ass|Cor) )(\d+)([a-z]?)(\)?)")
ITEM = r"(?:\((?:A\.)?\d+[a-z]?\)|(?:Alg|Tab|Fig|Prop|Thm|Lem|Def|Rem|Ex|Ass|Cor) \d+[a-z]?)"
ITEMS = re.compile(rf"{ITEM}(?:-{ITEM})?(?: {ITEM}(?:-{ITEM})?)*")
TAG = re.compile(r"\[(00\d) ([^]\n]*)(\]?)")
HEADER = "item\twhat\tdeviation\twithout"
SOURCES = {"engine": "line", "app": "line", "examples": "line", "data/bench": "line", "tests": "test"}
SKIPPED = ("tests/bench", "tests/data", "tests/check-equations.py")
problems = []


def plain(text, where):
    """"(13a)-(13c) (24)-(27)" -> pairs of item and whether it has its letters too."""
    found = []
    if not ITEMS.fullmatch(text):
        problems.append(f"{where}: '{text}' is no list of items such as (13a)-(13d) (20) Alg 1")
        return found
    for first, last in re.findall(rf"({ITEM})(?:-({ITEM}))?", text):
        kind, low, a, close = PARTS.fullmatch(first).groups()
        if not last:
            found.append((first, not a))
            continue
        other, high, b, _ = PARTS.fullmatch(last).groups()
        if other == kind and low == high and a and a < b:
            found += [(f"{kind}{low}{chr(letter)}{close}", False) for letter in range(ord(a), ord(b) + 1)]
        elif other == kind and int(low) < int(high) and not a + b:
            found += [(f"{kind}{number}{close}", True) for number in range(int(low), int(high) + 1)]
        else:
            problems.append(f"{where}: {first}-{last} is no range")
    return found


def read_items(paper):
    """item -> (what, deviation, reason), in the order of the file; a row may name several: `(24)-(25)`."""
    items = {}
    path = root / f"data/papers/{paper}.tsv"
    lines = path.read_text().splitlines() if path.exists() else []
    if lines[:1] != [HEADER]:
        problems.append(f"data/papers/{paper}.tsv:1: the first row is '{HEADER}'")
    for number, row in enumerate(lines[1:], 2):
        where, cells = f"data/papers/{paper}.tsv:{number}", row.split("\t")
        if len(cells) != 4:
            problems.append(f"{where}: {len(cells)} cells where item, what, deviation, without are expected")
            continue
        if not cells[1] or (cells[3] and not re.match(r"no (line|test): .", cells[3])):
            problems.append(f"{where}: says nothing, or has a reason that begins with neither 'no line: ' nor 'no test: '")
        for item, _ in plain(cells[0], where):
            if item in items:
                problems.append(f"{where}: {item} for the second time")
            items[item] = cells[1:]
    return items


def matches(item, has_letters, items):
    """The items of the list that one of a tag means."""
    if item in items or not has_letters:
        return [item] if item in items else []
    kind, number, _, close = PARTS.fullmatch(item).groups()
    return [i for i in items if re.fullmatch(rf"{re.escape(kind + number)}[a-z]{re.escape(close)}", i)]


def place(text, at, is_python):
    """Line of a tag, and the function whose comment or body it is in; "" elsewhere."""
    line = text.count("\n", 0, at) + 1
    names = list(re.finditer(r"^def (\w+)" if is_python else r"^(\w+) \([^;{}]*?\)\n\{", text, re.M))
    if not is_python and re.match(r"/\*| \*", text[text.rfind("\n", 0, at) + 1:]):
        after = text.find("*/", at) + 2
        return line, next((n[1] for n in names if 0 <= n.start() - after < 200 and "\n\n" not in text[after:n.start()]), "")
    before = [n for n in names if n.start() < at]
    is_within = before and not re.search(r"^[^\s#)\]]" if is_python else r"^\}", text[before[-1].end():at], re.M)
    return line, before[-1][1] if is_within else ""


def read_tags(items_of):
    """(paper, item) -> {"line": [...], "test": [...]} of (file, line, function)."""
    found = collections.defaultdict(lambda: {"line": [], "test": []})
    for folder, kind in SOURCES.items():
        for path in sorted((root / folder).rglob("*")):
            name = path.relative_to(root).as_posix()
            if path.suffix not in (".c", ".h", ".sh", ".py", ".json") or name.startswith(SKIPPED):
                continue
            text = path.read_text(errors="replace")
            for tag in TAG.finditer(text):
                paper, spot = tag[1], (name, *place(text, tag.start(), path.suffix == ".py"))
                where = f"{name}:{spot[1]}"
                if paper not in items_of or not tag[3]:
                    problems.append(f"{where}: {tag[0]} " + ("is not closed on its line" if not tag[3] else "is of a paper without a list"))
                    continue
                for item, has_letters in plain(tag[2], where):
                    meant = matches(item, has_letters, items_of[paper])
                    if not meant:
                        problems.append(f"{where}: {paper} has no {item} in data/papers/{paper}.tsv")
                    for one in meant:
                        if spot not in found[paper, one][kind]:
                            found[paper, one][kind].append(spot)
    return found


def check(paper, items, found):
    letters = collections.defaultdict(lambda: collections.defaultdict(str))
    for item in items:
        kind, number, letter, _ = PARTS.fullmatch(item).groups()
        letters[kind][int(number)] += letter or "-"
    for kind, last in PAPERS[paper][1].items():
        for number in range(1, last + 1):
            have = "".join(sorted(letters[kind][number]))
            if have != "-" and (not have or have != "".join(map(chr, range(ord("a"), ord("a") + len(have))))):
                problems.append(f"data/papers/{paper}.tsv: {kind}{number}: " + ("is left out" if not have else f"has the letters {have}"))
        if max(letters[kind], default=0) > last:
            problems.append(f"data/papers/{paper}.tsv: {kind}{max(letters[kind])} is more than the paper has")
    for item, (_, _, reason) in items.items():
        spots = found[paper, item]
        lacks = "line" if not spots["line"] else "test" if not spots["test"] else ""
        if lacks and not reason.startswith(f"no {lacks}: "):
            problems.append(f"{paper} {item} has no {lacks}, and data/papers/{paper}.tsv gives no reason ('no {lacks}: ...')")
        if not lacks and reason:
            problems.append(f"{paper} {item} has a line and a test; the reason '{reason}' in data/papers/{paper}.tsv is out of date")


def link(spots):
    """The first three places, functions first; more are counted."""
    words = [f"[{pathlib.PurePath(f).name}](../../{f})" + (f" `{function}`" if function else "")
             for f, _, function in sorted(spots, key=lambda spot: not spot[2])]
    words = list(dict.fromkeys(words))
    return ", ".join(words[:3]) + (f" and {len(words) - 3} more" if len(words) > 3 else "")


def make_page(items_of, found):
    out = ["# The papers' equations, in our code", "",
           "Every numbered equation, algorithm, table and figure of the five papers: the lines that implement it, the tests that check it,",
           "where we deviate from it, or why it has none. Made from the tags in the sources by `tests/check-equations.py --write`; a tag such",
           "as `[000 (13a)]` finds its line by a search.", "",
           "| paper | items | with a line | with a test | without, for a reason |", "| --- | --- | --- | --- | --- |"]
    for paper, items in items_of.items():
        with_line, with_test = (sum(bool(found[paper, i][kind]) for i in items) for kind in ("line", "test"))
        reasons = sum(bool(row[2]) for row in items.values())
        out.append(f"| [{paper}, {PAPERS[paper][0]}](#{paper}) | {len(items)} | {with_line} | {with_test} | {reasons} |")
    for paper, items in items_of.items():
        out += ["", f'<a id="{paper}"></a>', f"## {paper}: {PAPERS[paper][0]}", "",
                "| item | what it says | in | tested by | deviation, or why it has none |", "| --- | --- | --- | --- | --- |"]
        for item, (what, deviation, reason) in items.items():
            spots = found[paper, item]
            cells = [item, what, link(spots["line"]), link(spots["test"]), "; ".join(filter(None, [deviation, reason]))]
            out.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(out) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="writes data/manual/equations.md")
    parser.add_argument("--lines", action="store_true", help="prints paper, item, file:line of every tag")
    arguments = parser.parse_args()
    items_of = {paper: read_items(paper) for paper in PAPERS}
    found = read_tags(items_of)
    for paper, items in items_of.items():
        check(paper, items, found)
    if arguments.lines:
        for (paper, item), kinds in sorted(found.items()):
            for kind, spots in kinds.items():
                for name, line, function in spots:
                    print(f"{paper} {item}\t{kind}\t{name}:{line}\t{function}")
        return 0
    text = make_page(items_of, found)
    if arguments.write:
        page.write_text(text)
    elif not page.exists() or page.read_text() != text:
        problems.append("data/manual/equations.md is not what the tags say: tests/check-equations.py --write")
    for problem in problems:
        print(problem)
    print(f"{sum(map(len, items_of.values()))} items of {len(items_of)} papers")
    print(f"{int(not problems)} passed, {int(bool(problems))} failed")
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main())
