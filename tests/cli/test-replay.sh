#!/usr/bin/env bash
# The verb replay: of stored runs and of tables, what it refuses, what a project keeps of it.
#   test-replay.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

cat >cart.stickslip.json <<'JSON'
{"format": 1, "name": "cart", "parameters": {"m": 2}, "scene": {"gravity": [0, -10], "friction": 0.3, "bodies": [
  {"name": "floor", "fixed": true, "shape": {"type": "half-plane", "normal": [0, 1]}},
  {"name": "cart", "mass": "m", "shape": {"type": "box", "width": 1, "height": 0.2}, "position": [0, 0.1]}],
  "actuators": [{"name": "push", "type": "force", "body": "cart", "direction": [1, 0], "lower": -50, "upper": 50, "formula": "30*sin(7*t) - 4*cart.vx"}]},
  "task": {"t_end": 1, "dt": 0.01}}
JSON
metric() { python3 -c 'import json, sys; print(json.load(open("out"))["metrics"].get(sys.argv[1]))' "$1"; }
smaller() { python3 -c 'import sys; sys.exit(not float(sys.argv[1]) < float(sys.argv[2]))' "$1" "$2"; }

check "a plan" status 0 simulate cart.stickslip.json --set m=3 --project p.stickslip --trajectory plan.csv --json
plan=$(python3 -c 'import json; print(json.load(open("out"))["run"])')
check "the same law and step" status 0 replay "$plan" --project p.stickslip --json
check "the same motion" [ "$(metric replay_distance)" = 0.0 ]
check "to its end" [ "$(metric replay_final)" = 0.0 ]
check "names its plan" has out "\"replay_of\": \"$plan\""
check "step by step" [ "$(metric replay_step) $(metric replay_parted)" = "0.0 0" ]
check "in the steps of the plan" [ "$(metric steps)" = 100 ]
check "another law" status 0 replay "$plan" --method moreau-jean --project p.stickslip --json
coarse=$(metric replay_distance)
check "near it" smaller "$coarse" 0.05
check "not on it" smaller 1e-6 "$coarse"
check "a tenth of the step" status 0 replay "$plan" --dt 0.001 --option gap=end --project p.stickslip --json
check "which are not the plan's" [ "$(metric replay_step)" = None ]
check "ten times the steps" [ "$(metric steps)" = 1000 ]
check "in words" status 0 replay "$plan" --project p.stickslip --method anitescu-potra
check "says how far" has out "distance to plan [m]"
check "show" status 0 show last --project p.stickslip
check "shows the plan" has out "$plan"
check "shows the distance" has out "replay_distance"
check "the last plan, after replays of it" status 0 replay last --project p.stickslip --json
check "is the plan, not a replay" has out "\"replay_of\": \"$plan\""
check "distance over time" status 0 export last --plot replay --to replay.csv --project p.stickslip
check "a line a time point" [ "$(grep -c 'distance \[m\]' replay.csv)" = 101 ]
check "as a picture" status 0 export last --plot replay --to replay.svg --project p.stickslip
check "of a run that is no replay" status 2 export "$plan" --plot replay --to no.svg --project p.stickslip
check "says so" has err "is no replay"
check "from a table" status 0 replay cart.stickslip.json --set m=3 --plan plan.csv --json
check "the same motion" [ "$(metric replay_distance)" = 0.0 ]
printf 't,u.push\n0,10\n0.5,-10\n1,0\n' >short.csv
check "controls alone" status 0 replay cart.stickslip.json --plan short.csv --dt 0.01 --json
check "have no motion to compare with" has out "no motion to compare with"
check "and no distance" [ "$(metric replay_distance)" = None ]
printf 'u.push,x\n1,2\n' >bad.csv
check "no times" status 2 replay cart.stickslip.json --plan bad.csv
check "names file and line" has err "bad.csv:1: there is no column t"
printf 't,u.push\n0,1\n0.1\n' >bad.csv
check "a short line" status 2 replay cart.stickslip.json --plan bad.csv
check "names its line" has err "bad.csv:3: 1 values (expected 2)"
printf 't,u.pull\n0,1\n0.1,2\n' >bad.csv
check "another actuator" status 2 replay cart.stickslip.json --plan bad.csv
check "names the channel" has err "no channel u.push"
python3 - <<'PY'
import csv
rows = list(csv.reader(open("plan.csv")))
for name, keep in (("own.csv", True), ("moved.csv", False)):
    left = [i for i, c in enumerate(rows[0]) if keep or c != "residual"]
    for k, row in enumerate(rows):
        if k == 60:
            row[rows[0].index("cart.x")] = str(float(row[rows[0].index("cart.x")]) + (0 if keep else 0.01))
    csv.writer(open(name, "w")).writerows([[row[i] for i in left] for row in rows])
PY
check "a plan by its law" status 0 replay cart.stickslip.json --set m=3 --plan own.csv --option gap=end --json
check "a row of it moved" status 1 replay cart.stickslip.json --set m=3 --plan moved.csv --option gap=end --json
check "is no plan" has out '"outcome": "not_replayable"'
check "at that row" has out "does not obey this integrator's law in 2, first at t = 0.58 s (cart)"
check "another method's motion" status 0 simulate cart.stickslip.json --method moreau-jean --set m=3 --trajectory other.csv --quiet
check "may have another law" status 0 replay cart.stickslip.json --set m=3 --plan other.csv --option gap=end --json
check "no such run" status 2 replay 0000ffff --project p.stickslip
check "no project" status 2 replay last
check "an optimiser" status 2 replay "$plan" --method crisp --project p.stickslip
check "a model" bash -c '"$0" optimise "$1" --set N=10 --project p.stickslip --quiet >/dev/null; "$0" replay last --project p.stickslip 2>err; [ $? = 2 ]' "$cli" "$box"
check "says why" has err "only plans of scenes can be replayed"
finish
