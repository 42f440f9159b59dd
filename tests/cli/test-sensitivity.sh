#!/usr/bin/env bash
# Derivatives of a motion by numbers of its scene: in the result, in words, as channels, and refused where there are none.
#   test-sensitivity.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >slide.json <<'J'
{"format": 1, "name": "slide", "parameters": {"mu": {"value": 0.3, "minimum": 0}}, "scene": {"gravity": [0, -9.81], "friction": "mu", "contacts": "all", "bodies": [
  {"name": "floor", "fixed": true, "shape": {"type": "half-plane", "normal": [0, 1]}},
  {"name": "box", "mass": 2, "position": [0, 0.1], "velocity": [1.5, 0], "shape": {"type": "box", "width": 0.4, "height": 0.2}}]},
  "task": {"t_end": 1, "dt": 0.01}}
J
cat >look.py <<'P'
import csv, json
r = json.load(open("out"))
mu, g, v = 0.3, 9.81, 1.5
near = lambda a, b: abs(a - b) < 1e-9 * max(1, abs(b))
assert near(r["sensitivities"]["mu"]["box.x"], -v * v / (2 * mu * mu * g)), r["sensitivities"]
assert near(r["sensitivities"]["box.vx"]["box.x"], v / (mu * g)) and near(r["sensitivities"]["box.mass"]["box.x"], 0)
stick = next(e for e in r["events"] if e["kind"] == "stick")
assert near(stick["sensitivity"]["mu"], -v / (mu * mu * g)) and near(stick["sensitivity"]["box.vx"], 1 / (mu * g)), stick
assert r["sensitivity_breaks"] == [] and "floor.x" not in r["sensitivities"]["mu"]
rows = list(csv.DictReader(open("slopes.csv")))
row = next(row for row in rows if abs(float(row["t"]) - 0.2) < 1e-9)
assert len(rows) == 101 and near(float(row["d.mu.box.vx"]), -g * 0.2) and near(float(row["d.mu.box.x"]), -g * 0.02), row
P
check "derivatives" status 0 simulate slide.json --method fesd-j --sensitivity mu,box.vx,box.mass --slopes slopes.csv --json
check "by closed forms" python3 look.py
check "in words" status 0 simulate slide.json --method event-driven --sensitivity mu,box.vx
check "the largest" has out "mu: box.x -1.274"
check "a project" status 0 simulate slide.json --method fesd-j --sensitivity mu --project p.stickslip --quiet
check "the command asks again" status 0 command last --project p.stickslip
check "by the same numbers" has out "--sensitivity mu"
check "reproduced" status 0 reproduce last --project p.stickslip

check "a corner lies on the floor" status 0 simulate slide.json --method fesd-j --sensitivity box.theta --json
check "no derivative passes for one" python3 -c 'import json; r = json.load(open("out")); b, = r["sensitivity_breaks"]; assert b["kind"] == "touching" and b["of"] == "box.theta" and r["sensitivities"]["box.theta"]["box.x"] is None'
check "a misspelt number" status 2 simulate slide.json --method fesd-j --sensitivity mmu
check "the nearest name" has err "did you mean 'mu'"
check "at an end of its range" status 2 simulate slide.json --method fesd-j --sensitivity mu --set mu=0
check "why" has err "cannot be less and more"
check "a stepper has none" status 2 simulate slide.json --method moreau-jean --sensitivity mu
check "who has" has err "fesd-j and event-driven do"
check "a fan has none" status 2 simulate slide.json --method event-driven --option law=set-valued --option branches=3 --sensitivity mu
finish
