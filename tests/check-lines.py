#!/usr/bin/env python3
"""Checks what clang-format leaves alone: lines of at most 120 characters (160 where it is switched off, for tables with one
entry a line), and declarations that it tore from their names because of a long comment beside them. And no file of the repository is
larger than 1 MB outside data/ and tests/data/."""
import pathlib
import re
import subprocess
import sys

WIDTH, WIDTH_OF_TABLES, BYTES = 120, 160, 1_000_000
TORN = re.compile(r"^\s*\[\w+\];|^\s+(?!return\b|continue\b|break\b)[a-z_]\w*;\s*/\*")

root = pathlib.Path(__file__).resolve().parent.parent
names = subprocess.run(["git", "-C", root, "ls-files", "*.c", "*.h"], check=True, capture_output=True, text=True)
problems = []
for name in names.stdout.split():
    is_table = False
    lines = (root / name).read_text().splitlines()
    for number, line in enumerate(lines, 1):
        if "clang-format o" in line:
            is_table = "clang-format off" in line
        if len(line) > (WIDTH_OF_TABLES if is_table else WIDTH):
            problems.append(f"{name}:{number}: {len(line)} characters")
        if TORN.match(line) and not re.search(r"[;{}:/]\s*$", lines[number - 2]):
            problems.append(f"{name}:{number}: torn from its type; put the comment above the declaration")
for name in subprocess.run(["git", "-C", root, "ls-files", "-z"], check=True, capture_output=True, text=True).stdout.split("\0"):
    path = root / name
    if path.is_file() and path.stat().st_size > BYTES and not name.startswith(("data/", "tests/data/")):
        problems.append(f"{name}: {path.stat().st_size} bytes (at most {BYTES} outside data/ and tests/data/)")
print("\n".join(problems))
print(f"{0 if problems else 1} passed, {len(problems)} failed")
sys.exit(1 if problems else 0)
