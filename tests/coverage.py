#!/usr/bin/env python3
"""Prints how many lines of engine/ and app/ the tests have run, for each room and in all: gcov's figures of a build directory with counters
(meson option b_coverage), after its tests. A line counts once, however many programs or objects have it.

coverage.py BUILD_DIRECTORY [--missed]    --missed lists the lines that never ran, file by file"""
import collections
import json
import pathlib
import subprocess
import sys

root = pathlib.Path(__file__).resolve().parent.parent
build = pathlib.Path(sys.argv[1]).resolve()
runs = collections.defaultdict(collections.Counter)  # file -> line -> times
LAYERS = ("engine", "app")
counters = sorted(str(path) for layer in LAYERS for path in (build / layer).rglob("*.gcda"))
if not counters:
    sys.exit(f"{build}: no counters; are there tests of a build with b_coverage that have run?")
for start in range(0, len(counters), 50):
    text = subprocess.run(["gcov", "--json-format", "--stdout", *counters[start:start + 50]], check=True, capture_output=True, text=True, cwd=build)
    for document in text.stdout.splitlines():
        for file in json.loads(document)["files"]:
            path = (build / file["file"]).resolve()
            if any(path.is_relative_to(root / layer) for layer in LAYERS):
                for line in file["lines"]:
                    runs[path.relative_to(root)][line["line_number"]] += line["count"]

rooms = collections.defaultdict(lambda: [0, 0])
for path, lines in runs.items():
    for name in (f"{path.parts[0]}/{path.parts[1]}", path.parts[0]):
        rooms[name][0] += sum(count > 0 for count in lines.values())
        rooms[name][1] += len(lines)
    if "--missed" in sys.argv:
        missed = [line for line, count in sorted(lines.items()) if count == 0]
        print(f"{path}: {len(missed)} of {len(lines)} lines: {' '.join(map(str, missed))}")
for name, (run, lines) in sorted(rooms.items(), key=lambda room: (room[0] in LAYERS, room[0])):
    print(f"  {name:<18} {100 * run / lines:5.1f} %  ({run} of {lines} lines)")
