#!/usr/bin/env bash
# replay --controller: a plan that falls without feedback and stands with it, worlds with another friction, starts that
# are moved, what is refused, and where a replay parts.
#   test-replay-feedback.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

get() { python3 -c '
import json, sys
value = json.load(open("out"))
for key in sys.argv[1].split("."):
    value = value.get(key) if isinstance(value, dict) else None
print(value)' "$1"; }
below() { python3 -c 'import sys; sys.exit(not float(sys.argv[1]) < float(sys.argv[2]))' "$(get "$1")" "$2"; }
above() { python3 -c 'import sys; sys.exit(not float(sys.argv[1]) > float(sys.argv[2]))' "$(get "$1")" "$2"; }

pole=$root/examples/plans/cart-pole-walls.stickslip.json
check "a plan between walls" status 0 optimise "$pole" --method crisp --project p.stickslip --quiet
check "by its own law" status 0 replay last --project p.stickslip --method stewart-trinkle --option gap=end --json
check "does not part" has out '"text": "The replay does not part from its plan"'
check "and names no time" [ "$(get replay_first.t)" = None ]
check "in short steps" status 0 replay last --project p.stickslip --method moreau-jean --dt 0.002 --json
check "it falls" above metrics.replay_final 0.1
check "and parts" above replay_first.t 0
check "LQR" status 0 replay last --project p.stickslip --method moreau-jean --dt 0.002 --controller lqr --json
check "stands" below metrics.replay_final 0.005
check "at its goal" below metrics.tracking_error.position 0.005
check "says which controller" [ "$(get controller.name)" = lqr ]
check "a moved start" status 0 replay last --project p.stickslip --method moreau-jean --dt 0.002 --controller lqr --disturb cart.x=0.01 --disturb pole.omega=0.05 --json
check "comes back" below metrics.replay_final 0.005
check "says what was moved" [ "$(get disturb)" = "{'cart.x': 0.01, 'pole.omega': 0.05}" ]
check "re-planning" status 0 replay last --project p.stickslip --method moreau-jean --dt 0.002 --controller replan --replan-every 1 --json
check "stands too" below metrics.tracking_error.position 0.01
check "made plans" above controller.plans 20
cp out first
check "again" status 0 replay last --project p.stickslip --method moreau-jean --dt 0.002 --controller replan --replan-every 1 --json
check "is the same" [ "$(get metrics.replay_final)" = "$(python3 -c 'import json; print(json.load(open("first"))["metrics"]["replay_final"])')" ]
check "in words" status 0 replay last --project p.stickslip --controller lqr
check "says where it parts" has out "rom its plan"
check "another world" status 0 replay last --project p.stickslip --set l=0.55 --method stewart-trinkle --option gap=end --json
check "is no unlawful plan" has out '"plan_set": {}'
check "show" status 0 show last --project p.stickslip --json
check "keeps where it parts" has out "replay_first"

# An arm of two links pushes a box: a stored plan of it, in worlds whose friction is a fifth off.
arm=$root/tests/data/arm
for part in 0.8 1.2; do
  check "friction $part, open loop" status 0 replay "$arm/arm.stickslip.json" --plan "$arm/plan.csv" --friction $part --json
  check "ends far away" above metrics.tracking_error.position 0.1
  check "friction $part, LQR" status 0 replay "$arm/arm.stickslip.json" --plan "$arm/plan.csv" --friction $part --controller lqr --json
  check "ends within 1 cm" below metrics.tracking_error.position 0.01
  check "says what the world has" [ "$(get friction)" = $part ]
done
check "knowing contacts" status 0 replay "$arm/arm.stickslip.json" --plan "$arm/plan.csv" --friction 1.2 --controller contact --json
check "ends within 1 cm" below metrics.tracking_error.position 0.01
check "says which controller" [ "$(get controller.name) $(get controller.q)" = "contact 1" -o "$(get controller.name) $(get controller.q)" = "contact 1.0" ]
check "looking ahead" status 0 replay "$arm/arm.stickslip.json" --plan "$arm/plan.csv" --friction 1.2 --controller predict --replan-every 4 --json
check "ends within 1 cm" below metrics.tracking_error.position 0.01
check "says which controller" [ "$(get controller.name) $(get controller.every)" = "predict 4" ]
check "looked" above controller.plans 2
check "no friction" status 2 replay "$arm/arm.stickslip.json" --plan "$arm/plan.csv" --friction 0
check "no such controller" status 2 replay last --project p.stickslip --controller pid
check "says which" has err "none, lqr, contact, replan or predict"
check "no such coordinate" status 2 replay last --project p.stickslip --disturb cart.z=1
check "says what is one" has err "is no coordinate of a body"
check "one that cannot move" status 2 replay last --project p.stickslip --disturb cart.y=1
check "says so" has err "it cannot move"
check "a weight of none" bash -c '"$0" replay last --project p.stickslip --controller lqr --lqr-r 0 >out 2>err; [ $? != 0 ]' "$cli"
check "says so" bash -c 'cat out err | grep -q "must be positive"'
cat >bare.stickslip.json <<'JSON'
{"format": 1, "name": "bare", "scene": {"gravity": [0, 0], "bodies": [{"name": "a", "mass": 1, "shape": {"type": "circle", "radius": 0.1}}],
  "actuators": [{"name": "f", "type": "force", "body": "a", "direction": [1, 0], "formula": "sin(t)"}]}, "task": {"t_end": 1, "dt": 0.01}}
JSON
check "a simulation as a plan" status 0 simulate bare.stickslip.json --trajectory bare.csv --quiet
check "can be held by LQR" status 0 replay bare.stickslip.json --plan bare.csv --controller lqr --disturb a.y=0.1 --json
check "along what it drives" above metrics.replay_final 0.09
check "not planned again" bash -c '"$0" replay bare.stickslip.json --plan bare.csv --controller replan >out 2>err; [ $? != 0 ]' "$cli"
check "says why" bash -c 'cat out err | grep -q "does not say what shall be reached"'
check "a model" bash -c '"$0" optimise "$1" --set N=10 --project m.stickslip --quiet >/dev/null; "$0" replay last --project m.stickslip --controller lqr 2>err; [ $? = 2 ]' "$cli" "$box"
check "says why" has err "only plans of scenes can be replayed"
finish
