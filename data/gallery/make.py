#!/usr/bin/env python3
"""data/gallery/make.py: makes the motions that the cards of the start page show, from the examples and the program itself.

  data/gallery/make.py build/app/stickslip-cli

One CSV an example: the answer of CRISP for a plan (equations, or a scene with goals), of Stewart-Trinkle time stepping for a sketch, thinned to the rows and digits that a picture of
200 px can show. An example without one is drawn as it begins. tests/unit/test-gallery.c checks that every motion starts as its example does.
"""
import csv
import json
import pathlib
import subprocess
import sys
import tempfile

ROWS, DIGITS, TIME_LIMIT = 41, 4, 60
# Many bodies make past frames an unreadable tangle: these begin on their cards, and so do the scenes of the constraint solver's paper, which barely move.
AS_THEY_BEGIN = {"box-pyramid", "card-house", "domino-row", "newtons-cradle", "compass-walker", "belt-block", "four-bar"}
root = pathlib.Path(__file__).resolve().parent.parent.parent
program = sys.argv[1]

for path in sorted(root.glob("examples/*/*.stickslip.json")):
    name = path.name.split(".")[0]
    scenario = json.loads(path.read_text())
    target = pathlib.Path(__file__).parent / (name + ".csv")
    if name in AS_THEY_BEGIN or path.parent.name == "constraint-solver":
        continue
    is_model = "model" in scenario
    is_plan = is_model or "targets" in scenario.get("task", {})
    with tempfile.NamedTemporaryFile(suffix=".csv") as out:
        verb, method = ("optimise", "crisp") if is_plan else ("simulate", "stewart-trinkle")
        done = subprocess.run([program, verb, path, "--method", method, "--trajectory", out.name, "--quiet",
                               "--time-limit", str(TIME_LIMIT)], stdout=subprocess.PIPE, text=True)
        if done.returncode != 0:
            print(name, "has no motion:", done.stdout.splitlines()[0])
            continue
        rows = list(csv.reader(open(out.name)))
    header, rows = rows[0], rows[1:]
    bodies = {b["name"] for b in scenario.get("scene", {}).get("bodies", []) if "name" in b}
    shown = {f"{body}.{channel}" for body in bodies for channel in ("x", "y", "theta", "vx", "vy", "omega")}
    keep = [i for i, channel in enumerate(header) if is_model or channel == "t" or channel in shown]
    picked = sorted({round(k * (len(rows) - 1) / (ROWS - 1)) for k in range(ROWS)})
    with open(target, "w") as out:
        out.write(",".join(header[i] for i in keep) + "\n")
        for k in picked:
            values = (float(rows[k][i]) for i in keep)
            out.write(",".join("%.*g" % (DIGITS, v if abs(v) > 1e-9 else 0) for v in values) + "\n")
    print(name, target.stat().st_size, "bytes")
