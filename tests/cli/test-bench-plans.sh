#!/usr/bin/env bash
# The suite `plans` of the verb `bench`: tasks that are possible, the same for a seed, and what is said of them.
#   test-bench-plans.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

mkdir tasks again
check "one task of each of two kinds" status 0 bench plans --seed 5 --count 1 --problems roll,door --methods crisp:contacts=lazy,crisp:contacts=lazy:relax=0 --cpu-limit 2 --json --quiet --data tasks
check "a row a kind and method, a row a run" python3 -c '
import json
report = json.load(open("out"))
tables = {t["name"]: t["rows"] for t in report["tables"]}
assert report["suite"] == "plans" and report["complete"]
assert [(r["kind"], r["method"]) for r in tables["kinds"]] == [(k, m) for m in ("crisp:contacts=lazy", "crisp:contacts=lazy:relax=0") for k in ("roll", "door", "all")], tables["kinds"]
assert len(tables["runs"]) == 4 and all(r["witness"] > 0 for r in tables["runs"])
for kind in tables["kinds"]:
    own = [r for r in tables["runs"] if r["method"] == kind["method"] and kind["kind"] in ("all", r["kind"])]
    assert kind["tasks"] == len(own) and kind["solved"] == sum(r["outcome"] == "solved" for r in own), kind'
# every kind: the witness, simulated again by the law of plans, ends where the task has its targets, within its limits
check "a task of every kind" status 0 bench plans --seed 9 --count 1 --cpu-limit 1e-3 --json --quiet --data tasks
check "twenty kinds" test "$(ls tasks/*-witness.stickslip.json | wc -l)" = 20
check "the same seed again" status 0 bench plans --seed 9 --count 1 --cpu-limit 1e-3 --json --quiet --data again
check "gives the same tasks" diff -r tasks again
for kind in carry row-3 catch arm; do
  check "$kind: a witness" status 0 simulate tasks/$kind-1-witness.stickslip.json --method stewart-trinkle --option gap=end --trajectory $kind.csv --quiet
  check "$kind: it ends at the targets, within the limits" python3 - $kind <<'PYTHON'
import csv, json, sys
task = json.load(open("tasks/%s-1.stickslip.json" % sys.argv[1]))
rows = list(csv.DictReader(open(sys.argv[1] + ".csv")))
assert len(rows) == task["task"]["steps"] + 1
for target in task["task"]["targets"]:
    for name, value in zip(("x", "y"), target.get("position", [])):
        assert abs(float(rows[-1][target["body"] + "." + name]) - value) < 1e-9, target
for a in task["scene"]["actuators"]:
    assert "formula" not in a
    most = max(abs(float(r["u." + a["name"]])) for r in rows[:-1])
    assert 1.15 * most <= a["upper"] * (1 + 1e-9) and a["upper"] <= max(2 * most, 0.2) * (1 + 1e-9) and a["lower"] == -a["upper"], a
PYTHON
done
check "a kind that is none" status 2 bench plans --problems pusch
check "what was meant" has err "did you mean 'push'?"
check "no count" status 2 bench plans --count 0

finish
