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
cat >sides.py <<'P'
import json
r = json.load(open("out"))
side, = r["sensitivity_sides"]
assert side["of"] == "mu" and side["side"] == "more" and side["kind"] is None and r["sensitivity_breaks"][0]["kind"] == "end"
assert abs(side["derivatives"]["box.vx"] + 9.81) < 1e-7 and abs(r["sensitivities"]["mu"]["box.x"] + 9.81 / 2) < 1e-7, r["sensitivities"]
P
check "at an end of its range" status 0 simulate slide.json --method fesd-j --sensitivity mu --set mu=0 --json
check "the inner side's" python3 sides.py
cat >metrics.py <<'P'
import json
r = json.load(open("out"))
m, g, v, t, mu = 2, 9.81, 1.5, 0.2, 0.3
assert abs(r["metric_sensitivities"]["mu"]["energy_final"] + m * (v - mu * g * t) * g * t) < 1e-9 and r["metric_sensitivities"]["mu"]["energy_initial"] == 0
assert "whole ones" in r["metrics_without_sensitivity"]["steps"] and "energy_final" not in r["metrics_without_sensitivity"]
P
check "metrics" status 0 simulate slide.json --method fesd-j --sensitivity mu --t-end 0.2 --json
check "by closed forms" python3 metrics.py
check "a band" status 0 export last --plot channels --channels 'box.x;energy.total' --band mu --to band.csv --project p.stickslip
cat >band.py <<'P'
import csv
rows = [r for r in csv.DictReader(open("band.csv")) if abs(float(r["x"]) - 0.2) < 1e-9]
x = {r["quantity"]: float(r["y"]) for r in rows}
half = 0.01 * 0.3 * 9.81 * 0.02  # 1 % of mu times g t^2 / 2
assert abs(x["box.x, 1 % more of mu"] - x["box.x"] + half) < 1e-12 and abs(x["box.x, 1 % less of mu"] - x["box.x"] - half) < 1e-12, x
assert len(x) == 6
P
check "its edges in a table" python3 band.py
check "a band by another number" status 2 export last --plot channels --band muu --to band.pdf --project p.stickslip
check "the nearest" has err "did you mean 'mu'"
check "bands are of channels" status 2 export last --plot steps --band mu --to band.pdf --project p.stickslip
check "a stepper has none" status 2 simulate slide.json --method moreau-jean --sensitivity mu
check "who has" has err "fesd-j, event-driven and time-freezing do"
check "a fan has none" status 2 simulate slide.json --method event-driven --option law=set-valued --option branches=3 --sensitivity mu

# A force of 10 N, then of 8 N, pushes the box, which slides on: x = v t + (F/m - mu g) t^2 / 2, piece by piece.
python3 - <<'P'
import json
scene = json.load(open("slide.json"))
scene["scene"]["actuators"] = [{"name": "push", "type": "force", "body": "box", "direction": [1, 0], "lower": -20, "upper": 20}]
scene["task"] = {"t_end": 0.4, "dt": 0.1}
json.dump(scene, open("pushed.json", "w"))
P
printf '%s\n' t,box.x,box.y,box.theta,box.vx,box.vy,box.omega,u.push 0,0,.1,0,1.5,0,0,10 .1,0,.1,0,0,0,0,10 .2,0,.1,0,0,0,0,8 .3,0,.1,0,0,0,0,8 .4,0,.1,0,0,0,0,8 >plan.csv
cat >controls.py <<'P'
import json
s = json.load(open("out"))["sensitivities"]
m, g, t = 2, 9.81, 0.4
for name, x, v in (("push", t * t / 2 / m, t / m), ("push[2]", 0.1 / m * (t - 0.15), 0.1 / m), ("mu", -g * t * t / 2, -g * t), ("box.mass", -0.19, -0.9)):
    assert abs(s[name]["box.x"] - x) < 1e-9 and abs(s[name]["box.vx"] - v) < 1e-9, (name, s[name])
P
check "of a replay" status 0 replay pushed.json --plan plan.csv --method fesd-j --sensitivity 'push,push[2],mu,box.mass' --json
check "by its controls, by closed forms" python3 controls.py
check "a step that the plan has not" status 2 replay pushed.json --plan plan.csv --method fesd-j --sensitivity 'push[5]'
check "how many it has" has err "the plan has the steps 1 to 4"
check "no control without a plan" status 2 simulate pushed.json --method fesd-j --sensitivity push
check "and none with a controller" status 2 replay pushed.json --plan plan.csv --method fesd-j --sensitivity push --controller lqr
check "it says so" has err "without a controller"
finish
