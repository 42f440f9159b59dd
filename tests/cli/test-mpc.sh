#!/usr/bin/env bash
# The suite `mpc` of the verb `bench` with the file of a scene: the loop reaches its goals, keeps a deadline and counts misses, refuses what cannot be planned so.
#   test-mpc.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

box=$root/examples/plans/push-box-with-disc.stickslip.json
check "an episode" status 0 bench mpc "$box" --steps 60 --json --quiet --to plans.csv
check "table and CSV agree, the box comes to its goals" python3 -c '
import csv, json
report = json.load(open("out"))
tables = {t["name"]: t["rows"] for t in report["tables"]}
rows = list(csv.DictReader(open("plans.csv")))
loop = {r["what"]: r["value"] for r in tables["loop"]}
assert report["suite"] == "mpc" and report["complete"] and len(rows) == 60 == loop["re-plans"]
assert loop["episodes"] == 1 and rows[0]["first"] == "1" and all(r["first"] == "0" for r in rows[1:])
assert loop["missed deadlines"] == loop["last controls kept"] == loop["failed"] == 0
assert loop["largest violation of a motion that acts"] <= 1e-3
# a box of 0.4 m that only can be pushed, with a fifth more friction than is believed and kicks: a tenth of it
assert loop["off at the end, largest [mm]"] < 40, loop
times = {r["what"]: r for r in tables["times"]}
cpu = sorted(float(r["cpu_s"]) for r in rows[1:])
assert times["re-plan, CPU"]["count"] == 59 and abs(times["re-plan, CPU"]["median"] - 1e3 * cpu[29]) < 1e-6 and times["re-plan, CPU"]["max"] == 1e3 * cpu[-1]
assert all(float(r["wall_s"]) > 0 for r in rows)'
# status 1 where a deadline left no motion but that of the last controls
late() { "$cli" bench mpc "$box" --steps 20 --look-ahead 20 --deadline 0.5ms --json --quiet --to late.csv >out 2>err || [ $? = 1 ]; }
check "a deadline that cannot be met" late
check "misses are counted, and cost no more than they may" python3 -c '
import csv, json
loop = {r["what"]: r["value"] for r in {t["name"]: t["rows"] for t in json.load(open("out"))["tables"]}["loop"]}
rows = [r for r in csv.DictReader(open("late.csv")) if r["first"] == "0"]
late = [r for r in rows if r["late"] == "1"]
assert loop["missed deadlines"] == len(late) > 10
assert all(float(r["wall_s"]) >= 0.0005 for r in late) and all(float(r["cpu_s"]) < 0.0005 + 0.02 for r in rows)'
check "the parameter of the file" status 0 bench mpc "$box" --steps 12 --every 2 --deadline 2 --set xt=0.9 --friction 1 --noise 0 --seed 3
check "is the goal" has out "re-plan, wall"
check "no task" status 2 bench mpc "$root/examples/sketches/falling-box.stickslip.json"
check "says so" has err "a task that says what shall be reached"
check "a strange deadline" status 2 bench mpc "$box" --deadline soon
check "what was expected" has err "15ms"
check "an option that is none" status 2 bench mpc "$box" --option wieght=3
check "what was meant" has err "weight"
check "push T has no deadline" status 2 bench mpc --deadline 15ms
check "a file for another suite" status 2 bench plans "$box"

# --- a model's loops as runs of a project
loops=$root/examples/crisp/push-box.stickslip.json
check "loops of a model are stored" status 0 bench mpc "$loops" --set N=12 --steps 6 --problems none,goal --seed 3 --quiet --project loops.stickslip
check "as runs" status 0 list loops.stickslip --json
check "each by what disturbed it, over its own points and to its own goal" python3 -c '
import json
goal, none = json.load(open("out"))
assert [r["note"] for r in (goal, none)] == ["closed loop: goal", "closed loop: none"]
assert goal["parameters"]["N"] == none["parameters"]["N"] == 7  # six steps, though each plan has 12 points
assert abs(goal["parameters"]["xt"] - none["parameters"]["xt"] - 0.3) < 1e-12
# undisturbed a loop is a motion of the model, to what a plan may violate
assert none["max_violation"] < 1e-5 and goal["max_violation"] < 1e-5
open("ids", "w").write(goal["run"] + " " + none["run"])'
read -r goal none <ids
check "a loop is a film" status 0 export "$none" --to loop.webp --project loops.stickslip
check "that is there" test -s loop.webp
check "its numbers" status 0 export "$none" --plot trajectory --to loop.csv --project loops.stickslip
check "a row a step" test "$(wc -l <loop.csv)" = 8
check "a loop is made again" status 0 reproduce "$goal" --project loops.stickslip
check "with the same bits" has out "Equal: all 70 numbers"
check "its command" status 0 command "$goal" --project loops.stickslip
check "names what disturbed it, and the length of its plans" has out "--problems goal --methods crisp:preset=warm --set N=12 --steps 6 --seed 3"
again() { eval "$("$cli" command "$goal" --project loops.stickslip | sed "s|^stickslip-cli|'$cli'|") --quiet" >out 2>err; }
check "which runs" again
check "into the same motion" status 0 list loops.stickslip --json
check "of a loop" python3 -c '
import json
rows = json.load(open("out"))
assert len(rows) == 3 and rows[0]["objective"] == rows[1]["objective"] != rows[2]["objective"]'
check "a loop is not kept by reproduce" status 2 reproduce "$goal" --keep --project loops.stickslip
check "says what does" has err "its command does"
check "a condition that is none" status 2 bench mpc "$loops" --problems wind
check "those that are" has err "expected none, noise, kick, friction, goal"
check "loops of a scene are not stored" status 2 bench mpc "$box" --project loops.stickslip
finish
