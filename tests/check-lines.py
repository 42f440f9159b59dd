#!/usr/bin/env python3
"""Checks what clang-format leaves alone: lines of at most 120 characters (160 where it is switched off, for tables with one
entry a line), and declarations that it tore from their names because of a long comment beside them."""
import pathlib
import re
import subprocess
import sys

WIDTH, WIDTH_OF_TABLES = 120, 160
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
print("\n".join(problems))
print(f"{0 if problems else 1} passed, {len(problems)} failed")
sys.exit(1 if problems else 0)
