#!/usr/bin/env bash
# The robot's hop over a hole: a plan by the modes of a time-stepping plan (tests/data/robot), judged by our own
# simulation of its torques; parts and copies of the motion it starts from.
#   test-robot.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
hop=$root/examples/time-freezing/robot-hop.stickslip.json
steps=$root/tests/data/robot/steps.csv
plan=(--method ipopt --option transcription=fesd-j --option modes=start-sticking)

check "plan" status 0 optimise "$hop" "${plan[@]}" --option stages=3 --option elements=1 --option cone-margin=0.05 \
  --option replay-distance=1e-3 --from "$steps" --json --trajectory plan.csv
check "solved, and replayed within a millimetre" python3 -c '
import json
m = json.load(open("out"))["metrics"]
assert m["max_violation"] < 1e-8 and m["complementarity"] < 1e-8, m
assert m["replayed"]["end_distance"] < 1e-3 and m["replayed"]["max_path_violation"] < 1e-3, m'
judge() { python3 "$root/tests/cli/robot-check.py" plan.csv 1 1e-4 >judged; }
check "our own simulation comes to the end" judge
# what the problem asks for at every stage; a simulation of order 4 in steps of 1e-4 s is good to some 1e-5 m here
check "agrees" python3 -c '
v = {k: float(x) for k, x in (line.split() for line in open("judged"))}
assert v["violation"] < 1e-5 and v["target"] < 1e-8 and v["torque"] <= 60, v
assert v["impacts"] == 1 and v["end"] < 1e-3, v'

# In pieces: defects at the joints count as violations; elements are as fine as their own replays ask for.
freely=(--method ipopt --option transcription=fesd-j --option modes=start --option stages=3 --option elements=1
  --option cone-margin=0.05)
check "a hop that may slip" status 0 optimise "$hop" "${freely[@]}" --option polish-rounds=2 --from "$steps" --trajectory hop.csv
check "in pieces" status 0 optimise "$hop" "${freely[@]}" --option polish-rounds=4 --option pieces=13 --from hop.csv --json \
  --trajectory plan.csv
check "solved in pieces, and replayed within a micrometre" python3 -c '
import json
m = json.load(open("out"))["metrics"]
assert m["max_violation"] < 1e-6 and m["complementarity"] < 1e-8 and m["polish"]["pieces"] > 8, m
assert m["replayed"]["end_distance"] < 1e-6 and m["replayed"]["max_path_violation"] < 1e-3, m'
judge_pieces() { python3 "$root/tests/cli/robot-check.py" plan.csv 1 1e-4 13 >judged; }
check "our own simulation of it" judge_pieces
check "agrees with pieces and whole" python3 -c '
v = {k: float(x) for k, x in (line.split() for line in open("judged"))}
assert v["violation"] < 1e-5 and v["target"] < 1e-6 and v["piece"] < 1e-6 and v["whole"] < 1e-5, v'

check "copies need a motion" status 2 optimise "$hop" "${plan[@]}" --from-copies 2
check "copies are counted" status 2 optimise "$hop" "${plan[@]}" --from "$steps" --from-copies 0
check "nothing is left" status 2 optimise "$hop" "${plan[@]}" --from "$steps" --from-time 9
check "modes need a motion" status 2 optimise "$hop" "${plan[@]}"
check "says so" has err "modes=start needs a motion"

finish
