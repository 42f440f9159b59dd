#!/usr/bin/env bash
# The robot's hop over a hole: a plan by the modes of a time-stepping plan (tests/data/robot), and in pieces over two
# holes, from copies of a hop; judged by our own simulation of their torques.
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

# Two holes. What is off grows 1e7 times in a hop: only the program's own simulation, along which the pieces are planned,
# follows the torques to the end; ours follows each piece, which is .05 s long, from the plan's own state.
freely=(--method ipopt --option transcription=fesd-j --option modes=start --option stages=3 --option elements=1
  --option cone-margin=0.05)
check "a hop that may slip" status 0 optimise "$hop" "${freely[@]}" --option polish-rounds=2 --from "$steps" --trajectory hop.csv
check "two holes" status 0 optimise "$root/examples/time-freezing/robot-two-holes.stickslip.json" "${freely[@]}" --from hop.csv \
  --from-copies 2 --option pieces=26 --option replay-distance=1e-7 --option polish-rounds=5 --json --trajectory plan.csv
check "solved, joints included, and replayed from start to end" python3 -c '
import json
m = json.load(open("out"))["metrics"]
assert m["max_violation"] < 1e-6 and m["complementarity"] < 1e-8 and m["polish"]["pieces"] > 20, m
assert m["replayed"]["end_distance"] < 1e-3 and m["replayed"]["max_path_violation"] < 1e-3, m'
two_holes() { python3 "$root/tests/cli/robot-check.py" plan.csv 2 1e-4 26 >judged; }
check "our own simulation of the pieces" two_holes
check "agrees" python3 -c '
v = {k: float(x) for k, x in (line.split() for line in open("judged"))}
assert v["violation"] < 1e-5 and v["target"] < 1e-6 and v["torque"] <= 60 and v["piece"] < 1e-4, v'
cp plan.csv again.csv
check "replayed by itself" status 0 replay "$root/examples/time-freezing/robot-two-holes.stickslip.json" --plan again.csv --method fesd-j \
  --json

check "copies need a motion" status 2 optimise "$hop" "${plan[@]}" --from-copies 2
check "copies are counted" status 2 optimise "$hop" "${plan[@]}" --from "$steps" --from-copies 0
check "nothing is left" status 2 optimise "$hop" "${plan[@]}" --from "$steps" --from-time 9
check "modes need a motion" status 2 optimise "$hop" "${plan[@]}"
check "says so" has err "modes=start needs a motion"
check "and elements" status 2 optimise "$hop" --method ipopt --option modes=start --option transcription=time-freezing --from "$steps"

finish
