#!/usr/bin/env bash
# A solve that is led: paused at an iterate, gone on with, as it was and changed, from the project and by a worker.
#   test-pause.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

p=p.stickslip
value() { python3 -c 'import json, sys; r = json.load(open("out")); print(eval(sys.argv[1]))' "$@"; }
cart=$root/examples/crisp/cartpole.stickslip.json

# --- CRISP goes on bit by bit as if it had not stopped: penalties, radius and counters are kept
check "whole" status 0 optimise "$box" --method crisp --json --trajectory whole.csv
all=$(value 'r["metrics"]["iterations"]')
check "paused" status 3 optimise "$box" --method crisp --pause-at 7 --project $p --json
check "says so" [ "$(value 'r["outcome"], r["metrics"]["iterations"], r["state"]["iteration"], r["state"]["method"]')" = "('paused', 7, 7, 'crisp')" ]
first=$(value 'r["run"]')
check "an iterate is no answer" [ "$(value 'r["metrics"]["max_violation"] > 1e-3 and "certificate" in r["metrics"]')" = True ]
check "gone on" status 0 optimise --continue "$first" --project $p --json --trajectory parts.csv
check "with the rest of the iterations" [ "$(value 'r["metrics"]["iterations"]')" = $((all - 7)) ]
check "to the same bits" cmp whole.csv parts.csv
check "it is told where from" [ "$(value 'r["start_from"] == sys.argv[2] and r["continued"]' "$first")" = "{'iteration': 7, 'changes': []}" ]
check "paused twice" status 3 optimise --continue "$first" --pause-at 5 --project $p --json
check "gone on twice" status 0 optimise --continue "$(value 'r["run"]')" --project $p --json --trajectory thrice.csv
check "to the same bits, too" cmp whole.csv thrice.csv
check "such a run is repeated" status 0 reproduce last --project $p
check "to the bit" has out "bit by bit"
check "with an objective of uncommon size" status 3 optimise "$root/tests/data/mpcc/ex9_2_5.stickslip.json" --method crisp --pause-at 2 --project $p --quiet
check "too" status 0 optimise --continue last --project $p --json

# --- Ipopt: point, multipliers and barrier parameter; its filter is lost, so the same answer, not the same bits
check "Ipopt whole" status 0 optimise "$cart" --method ipopt --json
cost=$(value 'repr(r["metrics"]["objective"])') all=$(value 'r["metrics"]["iterations"]')
check "Ipopt paused" status 3 optimise "$cart" --method ipopt --pause-at 10 --project $p --json
check "gone on with" status 0 optimise --continue last --project $p --json
# both stop at a relative tolerance of 1e-8 of the same stationary point
check "has the same answer" [ "$(value 'abs(r["metrics"]["objective"] / float(sys.argv[2]) - 1) < 1e-6' "$cost")" = True ]
check "in no more iterations than are left, but for some" [ "$(value 'r["metrics"]["iterations"] <= int(sys.argv[2]) - 10 + 10' "$all")" = True ]

# --- changed: the run says in what
check "another target" status 0 optimise --continue "$first" --set j=5 --project $p --json
check "is named" [ "$(value 'r["continued"]["changes"]')" = "['set.j: 5.0, new']" ]
check "in words" status 0 provenance last --project $p
check "of the run before" has out "run ${first:0:8} at iteration 7, with set.j: 5.0, new"
python3 - "$box" >heavier.stickslip.json <<'PYTHON'
import json, sys
scenario = json.load(open(sys.argv[1]))
scenario["parameters"]["m"]["value"] = 1.25
print(json.dumps(scenario))
PYTHON
check "another file" status 0 optimise heavier.stickslip.json --continue "$first" --project $p --json
check "by the path" [ "$(value '[c.split(":")[0] for c in r["continued"]["changes"]]')" = "['parameters.m.value']" ]
check "another number of steps" status 3 optimise --continue "$first" --set N=60 --pause-at 1 --project $p --log log.txt
check "goes on from the motion" has log.txt "another structure than the paused one"
check "another method" status 3 optimise --continue "$first" --method ipopt --pause-at 1 --project $p --log log.txt
check "too, and says so" has log.txt "what crisp knew is not what ipopt needs"

# --- bad input
check "no project" status 2 optimise --continue "$first"
check "is told" has err "needs --project"
check "no run" status 2 optimise --continue zzzz --project $p
check "nothing to solve" status 2 optimise --project $p
check "what is missing" has err "or --continue RUN"
check "a simulation" status 0 simulate "$fall" --t-end 0.1 --project $p --quiet
check "is none of an optimiser" status 2 optimise --continue last --project $p
check "is told, too" has err "none of an optimiser"

# --- a simulation goes on from where it stands, or from a time, as it was and changed
check "a whole simulation" status 0 simulate "$fall" --t-end 1 --trajectory whole.csv --quiet
check "half of it" status 0 simulate "$fall" --t-end 0.5 --project $p --json --trajectory half.csv
half=$(value 'r["run"]')
check "goes on" status 0 simulate --continue "$half" --t-end 1 --project $p --json --trajectory parts.csv
check "with half of the steps" [ "$(value 'r["metrics"]["steps"], r["start_from"] == sys.argv[2], r["continued"]' "$half")" = "(50, True, {'iteration': 0, 't': 0.5, 'changes': ['t_end: 1.0, was 0.5']})" ]
happened='[(e["kind"], round(e["t"], 9)) for e in r["events"]]'
check "what happened before, too" [ "$(value "$happened")" = "$("$cli" simulate "$fall" --t-end 1 --json --quiet >all && python3 -c "import json; r = json.load(open('all')); print($happened)")" ]
check "what was before stays" cmp half.csv <(head -n "$(wc -l <half.csv)" parts.csv)
check "to the same end" cmp <(tail -n 1 whole.csv | cut -d, -f1-20) <(tail -n 1 parts.csv | cut -d, -f1-20)
check "such a simulation is repeated" status 0 reproduce last --project $p
check "to the bit, too" has out "bit by bit"
check "from a time, with another friction" status 0 simulate --continue "$half" --at 0.303 --t-end 1 --set mu=0.75 --project $p --json
check "which is that of a row" [ "$(value 'r["continued"]["t"], r["metrics"]["steps"], r["continued"]["changes"]')" = "(0.3, 70, ['set.mu: 0.75, new', 't_end: 1.0, was 0.5'])" ]
check "in words, too" status 0 provenance last --project $p
check "of the run and the time" has out "run ${half:0:8} at t = 0.3 s, with set.mu: 0.75, new"
check "with numbers that no scenario says" status 0 simulate --continue "$half" --dt 0.005 --t-end 0.6 --every 2 --set box.vx=3 --project $p --json
check "which are told" [ "$(value 'sorted(r["continued"]["changes"])')" = "['dt: 0.005, was 0.01', 'every: 2, was 1', 'scene.bodies[1].velocity[0]: 3.0, was 0.5', 't_end: 0.6, was 0.5']" ]
check "a start that has no effect" [ "$(value '[w for w in r["warnings"] if "no effect" in w]')" = "['box goes on from t = 0.5 s on where and as fast as it was then: its start in the scene has no effect']" ]
check "it is repeated from there" status 0 reproduce last --project $p
check "by the bit" has out "bit by bit"
stored() { "$cli" list $p --json | grep -c '"run":'; }
n_stored=$(stored)
check "beyond the horizon" status 2 simulate --continue "$half" --project $p --t-end 0.5
check "nothing is left" has err "ends at t = 0.5 s, and the horizon at 0.5 s"
check "beyond the motion" status 2 simulate --continue "$half" --at 0.7 --t-end 1 --project $p
check "the times that it has are told" has err "--at 0.7: the motion of the run is from 0 s to 0.5 s"
check "a fan" status 2 simulate --continue "$half" --t-end 1 --option certainty=branches --project $p
check "begins with its scene" has err "a fan begins with its scene"
sed 's/"name": "box"/"name": "crate"/; s/"box"\]/"crate"]/' "$fall" >other.stickslip.json
check "other bodies" status 2 simulate other.stickslip.json --continue "$half" --t-end 1 --project $p
check "are no state of it" has err "a simulation goes on with the bodies that it began with: box is gone"
check "what is refused is no run" [ "$(stored)" = "$n_stored" ]
check "no run at all" status 2 simulate
check "is told so" has err "or --continue RUN"
check "a time without a run" status 2 simulate "$fall" --at 0.3
check "says what is missing" has err "was not given"

# --- a worker is held, and keeps where it is; the time of the pause is none of the run's
python3 - "$box" $lasting >line <<'PYTHON'
import json, sys
print(json.dumps({"type": "job", "id": "a", "verb": "optimise", "scenario": json.load(open(sys.argv[1])), "method": "crisp", "set": {"N": int(sys.argv[2])},
                  "limits": {"seconds": 3000}}))
PYTHON
mkfifo in
"$cli" worker <in >events 2>err & worker=$!
exec 7>in
from=$(milliseconds)
cat line >&7
check "a worker works" await grep -q '"type":"iteration"' events
echo '{"type":"pause"}' >&7
check "and rests" await rests $worker
paused=$(milliseconds)
sleep 1
paused=$(($(milliseconds) - paused))
echo '{"type":"keep"}' >&7
check "and keeps" await grep -q '"type":"result"' events
took=$(($(milliseconds) - from))
exec 7>&-
wait $worker
check "where it was" python3 - events line $((took - paused)) <<'PYTHON'
import base64, json, sys
events = [json.loads(line) for line in open(sys.argv[1])]
result = events[-1]
assert result["outcome"] == "paused" and result["state"]["n_variables"] == result["metrics"]["n_variables"], result["message"]
# the answer of a job says when it came: that it waited is not in it
assert 1000 * result["t"] <= int(sys.argv[3]), (result["t"], sys.argv[3])
answer = [e for e in events if e["type"] == "trajectory" and e["role"] == "answer"]
job = json.load(open(sys.argv[2]))
job["pause_at"] = 0
data = b"".join(base64.b64decode(e["data"]) for e in answer)
job["start"] = {"channels": answer[0]["channels"], "shape": answer[0]["shape"], "data": base64.b64encode(data).decode()}
job["continued"] = {"iteration": result["metrics"]["iterations"], "changes": [], "state": result["state"]}
assert sum(e["rows"] for e in answer) == answer[0]["shape"][0] > 1
open("more", "w").write(json.dumps(job) + "\n")
PYTHON
check "another one takes it" bash -c '"$0" worker <more >more-events 2>err' "$cli"
check "at that point" python3 - events more-events <<'PYTHON'
import json, sys
before, now = ([json.loads(line) for line in open(path)][-1] for path in sys.argv[1:])
assert now["outcome"] == "paused" and now["metrics"]["iterations"] == 0, now["message"]
for name in ("objective", "max_violation"):
    assert now["metrics"][name] == before["metrics"][name], name
assert now["state"]["values"] == before["state"]["values"]
PYTHON
check "a state that is none" bash -c 'sed "s/\"values\": \"[^\"]*\"/\"values\": \"AAAA\"/" more | "$0" worker >events 2>err' "$cli"
check "is refused" has events "as in the result of a paused run"

finish
