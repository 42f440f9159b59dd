#!/usr/bin/env python3
"""Checks that every function and table of the public headers of engine/ and app/ is documented: by a comment directly above it, or
above a group of neighbours without an empty line between them, or beside it. Headers that end in -private.h or -parts.h belong to their
room and are left out. And that the tests that sources name are there."""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parent.parent
PROTOTYPE = re.compile(r"^(?:extern\b|[A-Za-z_].*\b\w+ \()")
NOT_PROTOTYPE = re.compile(r"^(?:typedef|static|enum|struct|union|return|#|G_DECLARE|G_DEFINE|G_BEGIN|G_END)")


def without_bodies(text):
    """The lines of a header with the insides of braces emptied, so that only what stands at the top is left."""
    depth, lines = 0, []
    code = re.sub(r"/\*.*?\*/", lambda m: "\x01" + "\n\x01" * m.group().count("\n"), text, flags=re.S)
    for line in code.splitlines():
        lines.append(line if depth == 0 else "")
        depth += line.count("{") - line.count("}")
    return lines


def undocumented(path):
    lines = without_bodies(path.read_text())
    documented = False  # by a comment above this group
    number = 0
    while number < len(lines):
        line = lines[number].strip()
        start = number
        if line == "":
            documented = False
        elif line.strip("\x01 ") == "":
            documented = start > 0 and not all("\x01" in other for other in lines[:start + 1])  # the head of the file is no comment of a function
        elif PROTOTYPE.match(line) and not NOT_PROTOTYPE.match(line):
            statement = line
            while ";" not in statement and number + 1 < len(lines):
                number += 1
                statement += " " + lines[number].strip()
            if "{" not in statement and not documented and "\x01" not in statement:
                yield start + 1, statement.split(" (")[0].split()[-1].lstrip("*")
        number += 1


problems = []
for path in sorted((*root.glob("engine/*/*.h"), *root.glob("app/*/*.h"))):
    if not path.stem.endswith(("-private", "-parts")):
        problems += [f"{path.relative_to(root)}:{line}: {name} has no comment" for line, name in undocumented(path)]
for path in sorted(p for layer in ("engine", "app", "ui") for p in (root / layer).rglob("*.[ch]")):
    for test in set(re.findall(r"\btests/[\w/.-]+\.(?:c|h|sh|py)\b", path.read_text())):
        if not (root / test).exists():
            problems.append(f"{path.relative_to(root)}: there is no {test}")
print("\n".join(problems))
print(f"{0 if problems else 1} passed, {len(problems)} failed")
sys.exit(1 if problems else 0)
