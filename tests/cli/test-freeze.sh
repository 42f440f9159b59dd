#!/usr/bin/env bash
# Time-freezing from the outside: channels, two clocks, what is refused before a run and what ends one, its judge.
#   test-freeze.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
examples=$root/examples/time-freezing

# --- a run
check "guiding particle" status 0 simulate "$examples/guiding-particle.stickslip.json" --method time-freezing --json --trajectory g.csv --log log.jsonl
check "result names the clock, events have both" python3 -c '
import json
r = json.load(open("out"))
assert r["second_clock"] == "tau", r.keys()
impact = [e for e in r["events"] if e["kind"] == "impact"][0]
separation = [e for e in r["events"] if e["kind"] == "separation"][0]
assert abs(impact["t"] - 0.451523640985728) < 1e-9 and abs(impact["tau"] - impact["t"]) < 1e-9, impact
assert abs(separation["t"] - 1.5) < 1e-8 and abs(separation["tau"] - 2.75) < 1e-8, separation
# of the recovered motion: nothing is missing from balance, laws or energy
m = r["metrics"]
assert m["max_penetration"] < 1e-12 and m["max_cone_violation"] < 1e-9, m
assert m["max_balance_residual"] < 1e-9, m'
check "channels" python3 -c '
import csv
rows = list(csv.DictReader(open("g.csv")))
for name in ("tau", "speed", "theta.free", "alpha.ground.n", "alpha.ground.v", "alpha.ground.t", "residual"):
    assert name in rows[0], name
frozen = [r for r in rows if float(r["speed"]) == 0]
assert len(frozen) == 2 and len({(r["t"], r["particle.x"], r["particle.y"]) for r in frozen}) == 1, frozen
assert all(float(a["tau"]) <= float(b["tau"]) for a, b in zip(rows, rows[1:]))'
check "a-n is chosen where it is not given" status 0 simulate "$root/examples/fesd-j/particle.stickslip.json" --method time-freezing --log log.jsonl
check "and told of" has log.jsonl "a-n = "
check "numerical horizon" status 0 simulate "$examples/guiding-particle.stickslip.json" --method time-freezing --option tau-end=0.7 --set T=9 --trajectory e.csv
check "ends within the jump" python3 -c '
import csv
last = list(csv.DictReader(open("e.csv")))[-1]
assert abs(float(last["tau"]) - 0.7) < 1e-12 and abs(float(last["t"]) - 0.451523640985728) < 1e-9 and float(last["speed"]) == 0, last'
check "elastic" status 0 simulate "$examples/bouncing-ball.stickslip.json" --method time-freezing
check "elastic to its rest" status 0 simulate "$examples/bouncing-ball.stickslip.json" --method time-freezing --set e=0.5 --t-end 2
check "told where impacts accumulate" has out "1 accumulation"
check "a skew pair that never closes" status 0 simulate "$examples/three-carts.stickslip.json" --method time-freezing
check "is warned of" has err "contact left and contact right"

# --- refused before the run, with the names
check "skew pair at the start" status 2 simulate "$examples/skew-box.stickslip.json" --method time-freezing
check "says which" has err "contact ground (point 0) and contact ground (point 1)"
check "restitution 1" status 2 simulate "$examples/bouncing-ball.stickslip.json" --method time-freezing --set e=1
check "names it" has err "contact ground has restitution 1"
check "mixed" status 2 simulate "$root/examples/fesd-j/two-boxes.stickslip.json" --method time-freezing
check "names both" has err "contact box1-box2 has restitution 0.5, contact floor-box2 has friction"
sed 's/"restitution": *[^},]*/"restitution": 0.5/; s/"type": "half-plane", "normal": \[0, 1\]/"type": "circle", "radius": 1/' "$examples/bouncing-ball.stickslip.json" > curved.json
check "curved gap with e > 0" status 2 simulate curved.json --method time-freezing
check "names it" has err "contact ground has restitution 0.5 and a curved gap"
# --- ends the run
check "skew pair on the way" status 1 simulate "$examples/skew-box.stickslip.json" --method time-freezing --set angle=0.2 --set height=0.5
check "says when" has out "closed together at t = "

# --- a plan from the modes of one by time stepping; its controls in numerical time
hopper=$examples/hopper-plan.stickslip.json
check "hopper by time stepping" status 0 optimise "$hopper" --method crisp --option coordinates=joint --project hop.stickslip --quiet
check "in its modes, with exact switches" status 0 optimise "$hopper" --method ipopt --option modes=start --from last --project hop.stickslip --json --quiet
check "to rounding, and its replay is the plan" python3 -c '
import json
r = json.load(open("out"))
m = r["metrics"]
assert r["outcome"] == "solved" and m["max_violation"] < 1e-9 and m["complementarity"] == 0, m
assert m["replayed"]["end_distance"] < 1e-3 and m["replayed"]["max_path_violation"] < 1e-6, m["replayed"]
assert abs(m["replayed"]["objective"] - m["objective"]) < 1e-3 * m["objective"], m'
check "by time-freezing" status 0 replay last --project hop.stickslip --method time-freezing --dt 0.005 --json --quiet
check "too: it flies, strikes, and ends there" python3 -c '
import json
r = json.load(open("out"))
assert r["metrics"]["replay_final"] < 1e-3, r["metrics"]
kinds = [e["kind"] for e in r["events"]]
assert "separation" in kinds and "impact" in kinds and r["second_clock"] == "tau", kinds'
check "not without a motion" status 2 optimise "$hopper" --method ipopt --option modes=start --quiet

# --- plans: two particles before a wall, the first of which rests there
press () { # FIRST SECOND TARGET RESTITUTION
  cat > "press.json" <<END
{"format": 1, "name": "press", "scene": {"gravity": [0, 0], "bodies": [
  {"name": "wall", "fixed": true, "shape": {"type": "half-plane", "normal": [1, 0]}},
  {"name": "a", "mass": 1, "shape": {"type": "circle", "radius": 0.1}, "lock": ["y", "theta"], "position": [$1, 0]},
  {"name": "b", "mass": 1, "shape": {"type": "circle", "radius": 0.1}, "lock": ["y", "theta"], "position": [$2, 0]}],
  "contacts": [{"name": "stop", "bodies": ["wall", "a"]}, {"name": "push", "bodies": ["a", "b"], "restitution": $4}],
  "actuators": [{"name": "u", "type": "force", "body": "b", "direction": [1, 0], "lower": -10, "upper": 10}]},
 "task": {"horizon": 1, "steps": 4, "effort": 1, "targets": [{"body": "b", "position": [$3, 0], "velocity": [0, 0]}]}}
END
}
plan=(--method crisp --option transcription=time-freezing --option first=method --quiet)
press 0.1 0.3 0.6 0
check "plan with a skew pair at the start" status 2 optimise press.json "${plan[@]}"
check "says which" has err "contact stop and contact push"
press 0.25 0.6 0.6 0.5
check "plan with restitution" status 2 optimise press.json "${plan[@]}"
check "names the contact" has err "contact 'push' is 0.5"
press 0.1 0.6 0.3 0
check "plan that closes a skew pair" status 1 optimise press.json "${plan[@]}" --ways-on 0 --json
check "is not replayable, and says when" python3 -c '
import json
r = json.load(open("out"))
assert r["outcome"] == "not_replayable", r["outcome"]
assert "contact stop and contact push" in r["message"] and "closed together at t = " in r["message"], r["message"]'
press 0.25 0.6 0.7 0
check "plan that keeps it open" status 0 optimise press.json "${plan[@]}"

finish
