#!/usr/bin/env bash
# Motions and runs from elsewhere: `import-motion` of models and of plans, with what is told of how they came to be; `import` judges again.
#   test-import.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

p=p.stickslip
transport=$root/examples/crisp/transport.stickslip.json
check "an answer" status 0 optimise "$transport" --set N=20 --method crisp --project $p --trajectory answer.csv --quiet
check "comes back" status 0 import-motion answer.csv --scene "$transport" --set N=20 --method slsqp --option ftol=1e-9 --seconds 1.5 --iterations 33 --project $p
slsqp=$(cat out)
awk -F, -v OFS=, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "u") c = i } NR == 9 { $c += 1 } { print }' answer.csv >off.csv
check "a worse one" status 0 import-motion off.csv --scene "$transport" --set N=20 --project $p
off=$(cat out)
check "all of them" status 0 table --project $p --format jsonl
check "are judged by the rows of the model" python3 - "$slsqp" "$off" <<'PY'
import json, sys
rows = {row["run"]: row for row in map(json.loads, open("out"))}
told, off = (rows.pop(id) for id in sys.argv[1:])
[own] = rows.values()
# the same point, so the same numbers but for the rounding of a table with all digits
assert told["objective"] == own["objective"] and told["max_violation"] == own["max_violation"] < 1e-6, (told, own)
assert told["outcome"] == "Solved" and told["iterations"] == 33 and told["cpu_seconds"] is None and told["method"] == "slsqp", told
assert off["outcome"] == "Infeasible" and off["max_violation"] > 1e-3 and off["objective"] != own["objective"], off
PY
check "options are kept" status 0 show "$slsqp" --project $p --json
check "as they were told" has out '"ftol": "1e-9"'
check "and the time on the wall [s]" has out '"solve_seconds": 1.5'
check "a method of ours" status 2 import-motion answer.csv --scene "$transport" --set N=20 --method crisp --project $p
check "is not told but run" has err "crisp-elsewhere"
check "another number of points" status 2 import-motion answer.csv --scene "$transport" --project $p
check "is no answer" has err "answer.csv: the table lacks"

# --- judged again
ball=$root/examples/classics/bouncing-ball.stickslip.json
check "a simulation" status 0 simulate "$ball" --method moreau-jean --dt 0.01 --project $p --quiet
check "one with stages" status 0 simulate "$ball" --method fesd-j --project $p --quiet
check "samples" status 0 impact "$root/examples/impacts/rocking-block.stickslip.json" --option samples=50 --project $p
check "a fan" status 0 simulate "$root/examples/impacts/rocking-block.stickslip.json" --method event-driven --option law=set-valued --option branches=3 --dt 0.002 --t-end 0.1 --seed 11 --project $p --quiet
check "what is true" status 0 import $p --project whole.stickslip
check "is taken as it is" hasnt err doubtful
cp $p lying.stickslip
run=$(sqlite3 $p "SELECT id FROM run WHERE method = 'moreau-jean'")
by_hand lying.stickslip "UPDATE run_result SET result = json_set (result, '\$.metrics.energy_final', 123.5) WHERE run = (SELECT number FROM run WHERE id = '$run')"
check "a lie" status 1 import lying.stickslip --project doubt.stickslip
check "is named" has err "run ${run:0:8} claims what its motion does not bear out"
check "with both numbers" has err "Energy at the end [J]: 123.5, by its motion"
check "it is there" status 0 table --project doubt.stickslip --filter tag:doubtful --format jsonl
check "and found by its tag" [ "$(grep -c . out)" = 1 -a "$(grep -c "$run" out)" = 1 ]
check "a run that keeps no motion" status 0 shrink "$run" --keep metrics --project lying.stickslip
check "is not judged" status 0 import lying.stickslip --project bare.stickslip
check "which is told" has err "1 runs do not keep their motion"
check "the second time" status 0 import lying.stickslip --project doubt.stickslip
# A plan that its limit ended, of a program that knew fewer metrics: it claims no success.
cp "$root/tests/data/projects/format-2.stickslip" old.stickslip && chmod u+w old.stickslip
ended=$(sqlite3 old.stickslip "SELECT id FROM run WHERE scenario_name = 'push-box-with-disc' AND outcome = 'max_iterations'")
check "an old project" status 1 import old.stickslip --project taken.stickslip
check "doubts no plan that ended early" hasnt err "run ${ended:0:8} claims"
check "which is there" status 0 show "$ended" --project taken.stickslip
check "by its tag neither" [ "$(sqlite3 taken.stickslip "SELECT count(*) FROM run WHERE id = '$ended' AND tags LIKE '%doubtful%'")" = 0 ]
finish
