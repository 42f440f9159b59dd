#!/bin/bash
# tests/cli/test-forces.sh: forces at a state, without a run.
. "$(dirname "$0")/lib.sh"
cat >rest.json <<'J'
{"format": 1, "name": "rest", "parameters": {"m": 2}, "scene": {"gravity": [0, -9.81], "friction": 0.5, "contacts": "all", "bodies": [
  {"name": "floor", "fixed": true, "shape": {"type": "half-plane", "normal": [0, 1]}},
  {"name": "box", "mass": "m", "position": [0, 0.5], "shape": {"type": "box", "width": 1, "height": 1}},
  {"name": "bob", "mass": 1, "position": [4, 2], "shape": {"type": "circle", "radius": 0.2}}],
  "joints": [{"name": "hinge", "type": "pin", "bodies": ["world", "bob"], "anchor": [4, 3]}]}, "task": {"t_end": 1, "dt": 0.01}}
J
check "a table" status 0 forces rest.json
check "with the contact" grep -qE '^contact +(floor-box|box-floor|floor_box)? ' out
check "what is not unique is told" has out "not unique"
check "JSON" status 0 forces rest.json --json
cat >look.py <<'P'
import json, sys
r = json.load(open("out"))
of = {(f["kind"], f["name"]): f for f in r["forces"]}
contact = next(f for f in r["forces"] if f["kind"] == "contact" and {f["on"], f["by"]} == {"floor", "box"})
assert abs(contact["normal"] - float(sys.argv[1]) * 9.81) < 1e-9 and contact["unique"] and contact["state"] == "sticks", contact
assert not r["unique"] and r["motion_unique"] and r["solved"], r
assert abs(of["joint", "hinge"]["force"][1] - 9.81) < 1e-9 and of["joint", "hinge"]["unique"]
P
check "weights" python3 look.py 2
status 0 forces rest.json --json --set m=3
check "a parameter" python3 look.py 3
status 0 simulate rest.json --project p.stickslip --t-end 0.1 --quiet
check "a run at a time" status 0 forces last --project p.stickslip --at 0.05 --json
check "the same forces" python3 look.py 2
check "at a row" status 0 forces last --project p.stickslip --at row:3 --to forces.csv
check "a table of it" grep -q '^joint,hinge,' forces.csv
status 0 export last --project p.stickslip --plot trajectory --to states.csv
check "at a state of a table" status 0 forces rest.json --at states.csv:2 --json
check "the same there" python3 look.py 2
check "a row that is not there" status 2 forces last --project p.stickslip --at row:99
check "which are there" has err "0 to 10"
check "a time that is not there" status 2 forces last --project p.stickslip --at 7
check "no state" status 2 forces last --project p.stickslip --at noon
check "a scene has not run" status 2 forces rest.json --at 0.5
check "a model" status 2 forces "$box"
check "which has none" has err "no contacts"
finish
