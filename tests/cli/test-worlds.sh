#!/usr/bin/env bash
# A plan in worlds that it was not made for: what a run says of it, replay --worlds, the numbers of the picture, and
# tasks with worlds, right and wrong.
#   test-worlds.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

get() { python3 -c '
import json, sys
value = json.load(open("out"))
for key in sys.argv[1].split("."):
    value = value.get(key) if isinstance(value, dict) else None
print(value)' "$1"; }
holds() { python3 -c '
import json, sys
metrics = json.load(open("out"))["metrics"]
sys.exit(not eval(sys.argv[1], {}, {"w": metrics["worlds"], "m": metrics}))' "$1"; }

box=$root/examples/plans/push-box-with-disc.stickslip.json
check "a plan" status 0 optimise "$box" --method crisp --project p.stickslip --json
check "was tried elsewhere" holds 'w["n"] >= 1'
check "its share has an interval" holds '0 <= w["open_low"] <= w["open"] <= w["open_high"] <= 1'
check "with LQR too" holds '0 <= w["lqr_low"] <= w["lqr"] <= w["lqr_high"] <= 1'
check "in words" has out 'other worlds (95 % interval'
check "more of them" status 0 replay last --worlds 40 --controller lqr --project p.stickslip --json
check "as many as asked" holds 'w["n"] == 40'
check "whose share is one of 40" holds 'abs (40 * w["open"] - round (40 * w["open"])) < 1e-9'
cp out first
check "again" status 0 replay last --worlds 40 --controller lqr --project p.stickslip --json
check "is the same" [ "$(get metrics.worlds.lqr_worst)" = "$(python3 -c 'import json; print(json.load(open("first"))["metrics"]["worlds"]["lqr_worst"])')" ]
check "another draw" status 0 replay last --worlds 40 --worlds-seed 5 --controller lqr --project p.stickslip --json
check "is another" [ "$(get metrics.worlds.lqr_worst)" != "$(python3 -c 'import json; print(json.load(open("first"))["metrics"]["worlds"]["lqr_worst"])')" ]
check "without a controller" status 0 replay last --worlds 10 --project p.stickslip --json
check "has no share of LQR" [ "$(get metrics.worlds.lqr)" = None ]
check "the picture" status 0 export last --plot worlds --to w.pdf --project p.stickslip
check "is there" [ -s w.pdf ]
check "its numbers" status 0 export last --plot worlds --to w.csv --project p.stickslip
check "are the ends" [ "$(grep -c "as it is" w.csv)" -ge 1 ]
check "the map" status 0 export last --plot worlds-map --to map.csv --project p.stickslip
check "has every world once" [ "$(tail -n +2 map.csv | grep -c "As it is")" = 10 ]
check "by numbers that were chosen" status 0 export last --plot worlds-map --x miss --y angle --to map.json --project p.stickslip
check "which are its axes" has map.json '"x_name":"Miss [m]"'
check "one alone is not taken twice" status 0 export last --plot worlds-map --y "$(sed -n 2p map.csv | sed 's/.*",\([^,]*\),.*/\1/')" --to map.pdf --project p.stickslip
check "another number" status 2 export last --plot worlds-map --x bax.mass --to wrong.pdf --project p.stickslip
check "is told with the nearest" has err "did you mean 'box.mass'?"
for by in contact predict replan; do
  check "by $by" status 0 replay last --worlds 4 --controller $by --project p.stickslip --json
  check "a share of $by" holds "0 <= w['${by}_low'] <= w['$by'] <= w['${by}_high'] <= 1 and 'lqr' not in w"
  check "in the same worlds" holds "w['n'] == 4 and abs (4 * w['$by'] - round (4 * w['$by'])) < 1e-9"
done
check "a simulation" status 0 simulate "$root/examples/sketches/falling-box.stickslip.json" --project p.stickslip --quiet
check "has no such picture" status 2 export last --plot worlds --to n.pdf --project p.stickslip
check "which it says" has err "no run was tried in other worlds"

python3 - "$box" <<'PY'
import json, sys
task = json.load(open(sys.argv[1]))
task["task"]["worlds"] = {"scene.nothing": [0, 1]}
json.dump(task, open("wrong.stickslip.json", "w"), indent=1)
PY
check "an unknown number" status 2 validate wrong.stickslip.json
check "is told with its path" has out "task.worlds.scene.nothing"
check "and its line" grep -qE "wrong.stickslip.json:[0-9]+" out
finish
