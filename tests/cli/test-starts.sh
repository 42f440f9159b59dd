#!/usr/bin/env bash
# Plans from several starts: every local solution is a run of the project.
#   test-starts.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

# A ball, a wall: pushed off without a touch it costs more than with one bounce.
cat > ball.stickslip.json <<'END'
{"format": 1, "name": "ball", "title": "", "scene": {"gravity": [0, 0],
 "bodies": [{"name": "wall", "fixed": true, "shape": {"type": "half-plane", "normal": [1, 0]}},
  {"name": "ball", "shape": {"type": "circle", "radius": 0.1}, "mass": 1, "lock": ["theta", "y"], "position": [1.1, 0], "velocity": [-1.5, 0]}],
 "contacts": [{"name": "c", "bodies": ["wall", "ball"], "friction": 0, "restitution": 0.5}],
 "actuators": [{"name": "f", "type": "force", "body": "ball", "direction": [1, 0], "lower": -9, "upper": 9}]},
 "task": {"horizon": 2, "steps": 2, "effort": 1, "targets": [{"body": "ball", "position": [1.6, 0]}]}}
END
starts=(--option transcription=fesd-j --option first=method --option starts=3)
value() { python3 -c 'import json, sys; r = json.load(open("out")); print(eval(sys.argv[1]))' "$@"; }

check "a plan of several starts" status 0 optimise ball.stickslip.json --method scholtes "${starts[@]}" --project p.stickslip --json
n=$(value 'int(r["metrics"]["polish"]["solutions"])')
check "several local solutions" [ "$n" -gt 1 ]
check "all but the answer are listed" [ "$(value 'len(r["solutions"])')" = $((n - 1)) ]
check "each by its start" [ "$(value 'all(s["start"] and s["solution_of"] == r["run"] for s in r["solutions"])')" = True ]
check "none is cheaper in the replay" [ "$(value 'all(s["replayed"]["objective"] >= r["replayed"]["objective"] for s in r["solutions"])')" = True ]
check "one answer, one motion" hasnt out '"motions"'
check "each solution is a try" [ "$(value 'sum(r["tries"]["counts"]["start"].values()) >= int(r["metrics"]["polish"]["starts"]) and len(r["tries"]["list"])')" = "$n" ]
check "the answer the cheapest of them" [ "$(value 'r["tries"]["best"] == min(i["objective"] for i in r["tries"]["list"]) and abs(r["tries"]["best"] - r["replayed"]["objective"]) <= 1e-9')" = True ]
answer=$(value 'r["run"]') other=$(value 'r["solutions"][0]["run"]')
cost=$(value '"%.17g" % r["solutions"][0]["replayed"]["objective"]')
check "every one is a run" status 0 list p.stickslip --json
check "of the project" [ "$(value 'len(r)')" = "$n" ]
check "the answer first" [ "$(value 'r[0]["run"]')" = "$answer" ]
check "the others name it" [ "$(value '[x.get("solution_of") for x in r].count(sys.argv[2])' "$answer")" = $((n - 1)) ]
check "in words" status 0 list p.stickslip
check "too" has out "(not the answer of ${answer:0:8})"
check "the last run is the answer" status 0 show last --project p.stickslip
check "and names the others" has out "Other local solutions"
check "one of them" status 0 show "$other" --project p.stickslip --json
check "is worth what its replay costs" [ "$(value '"%.17g" % r["result"]["metrics"]["replayed"]["objective"]')" = "$cost" ]
check "and has its motion" status 0 export "$other" --project p.stickslip --plot trajectory --to other.csv
check "of the controls" has other.csv "u.f"
check "is replayed" status 0 replay "$other" --project p.stickslip --quiet
check "side by side" status 0 export "$answer" "$other" --project p.stickslip --plot motion --to both.svg

# What the method itself ends at breaks its rows, with smaller controls than any plan has: a polished plan wins.
check "no point of the plan" status 1 optimise ball.stickslip.json --method scholtes --option transcription=fesd-j --option first=method --option polish=off --option sigma_min=0.01 --json
check "is cheaper than all plans" [ "$(value 'r["outcome"] == "infeasible" and r["metrics"]["objective"] < 0.9')" = True ]
check "and never the answer" status 0 optimise ball.stickslip.json --method scholtes "${starts[@]}" --option sigma_min=0.01 --json
check "which is a plan" [ "$(value 'r["metrics"]["max_violation"] < 1e-6 and r["replayed"]["objective"] > 0.9')" = True ]

check "its polishes converge too" status 0 export "$answer" --project p.stickslip --plot log --to log.csv
check "each a trace that goes on where the one before stopped" python3 -c '
import csv
rows = list(csv.DictReader(open("log.csv")))
traces = [int(float(r["polish"] or 0)) for r in rows]
numbers = [int(r["iteration"]) for r in rows]
assert traces == sorted(traces) and traces[0] == 0 and traces[-1] > 1, traces
assert numbers == sorted(set(numbers)), numbers'

check "by a worker" status 0 compare ball.stickslip.json --methods scholtes "${starts[@]}" --project q.stickslip --quiet
check "a row each, but for the answer" [ "$(grep -c '^  [^ ]' out)" = 2 ] # their costs are the same to rounding: any may be the answer
check "recorded" status 0 list q.stickslip --json
check "all of them" [ "$(value 'len(r)')" = "$n" ]
check "with its motion" status 0 export "$(value 'r[1]["run"]')" --project q.stickslip --plot trajectory --to worker.csv
finish
