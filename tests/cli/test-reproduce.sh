#!/usr/bin/env bash
# reproduce, command, provenance: stored runs of every kind come out bit by bit the same, from what is stored and by the
# command that is printed; a number that was tampered with is named, other options differ, what cannot be repeated says so.
#   test-reproduce.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

p=p.stickslip
ball=$root/examples/classics/bouncing-ball.stickslip.json
pole=$root/examples/plans/cart-pole-walls.stickslip.json
block=$root/examples/impacts/rocking-block.stickslip.json
export PATH=$work/bin:$PATH # the commands that are printed begin with stickslip-cli
mkdir bin && ln -s "$cli" bin/stickslip-cli

# stored NAME STATUS ARGUMENTS...: a run of the project; its id is in the file NAME.
stored() {
  local name=$1 expected=$2
  shift 2
  check "$name" status "$expected" "$@" --project $p --json
  "$cli" list $p --ids | tail -n 1 >"$name"
}
# bits RUN: hash of the answer's numbers.
bits() { sqlite3 $p "SELECT hex(data) FROM motion WHERE run_id = '$1' AND role = 'answer'" | sha256sum; }
# by_command NAME: the printed command, run in another folder, gives the same motion.
by_command() {
  local command again
  command=$("$cli" command "$(cat "$1")" --project $p) || return 1
  mkdir -p elsewhere
  (cd elsewhere && bash -c "$command --quiet >out 2>err </dev/null") || { echo "$command"; cat elsewhere/err; return 1; }
  again=$("$cli" list $p --ids | tail -n 1)
  [ "$again" != "$(cat "$1")" ] && [ "$(bits "$again")" = "$(bits "$(cat "$1")")" ] || { echo "$command"; return 1; }
}

check "a sketch" status 0 add "$ball" --project $p --name "a ball's" --quiet
stored simulation 0 simulate "$p#a ball's" --method moreau-jean --dt 0.002 --t-end 1 --set e=0.7
stored optimum 0 optimise "$box" --method crisp --option preset=paper --keep-iterates 10
stored from-iterate 0 optimise "$box" --method crisp --from "$(cat optimum)" --iterate 10 --seed 3
stored plan 0 optimise "$pole" --method crisp
stored held 0 replay "$(cat plan)" --method moreau-jean --dt 0.002 --controller lqr --lqr-q 2 --disturb cart.x=0.01
stored heavier 0 replay "$(cat plan)" --method moreau-jean --dt 0.002 --set cart.mass=1.2
stored worlds 0 replay "$(cat plan)" --method moreau-jean --worlds 2 --worlds-seed 3
check "a table of the plan" status 0 export "$(cat plan)" --plot trajectory --to plan.csv --project $p
stored by-table 0 replay "$pole" --plan plan.csv --friction 1.1 --method moreau-jean
stored impact 0 impact "$block" --option samples=500 --seed 4 --touching 1e-5

for name in simulation optimum from-iterate plan held heavier worlds by-table impact; do
  check "$name once more" status 0 reproduce "$(cat $name)" --project $p
  check "$name is equal" has out "Equal: all"
done
for name in simulation optimum from-iterate held heavier worlds by-table; do
  check "the command of $name" by_command $name
done
check "names the sketch" status 0 command "$(cat simulation)" --project $p
check "quoted" has out "$p#a ball"
check "an iterate is stored with the run" status 0 command "$(cat from-iterate)" --project $p
check "by its name" has out "given:$(cat from-iterate)"
check "the replay of a stored plan" status 0 command "$(cat held)" --project $p
check "names the plan" has out "replay $(cat plan) "
check "a replay in other worlds" status 0 command "$(cat worlds)" --project $p
check "names them" has out " --worlds 2 --worlds-seed 3"
check "the text of a run" status 0 simulate "$p#run:$(cat simulation)" --quiet
check "of no run" status 2 simulate "$p#run:ffffffff" --quiet
check "no motion was given" status 2 optimise "$box" --from "given:$(cat optimum)" --project $p --quiet

# Kept, the repeated run is a run like any other, with the note that it is one.
check "kept" status 0 reproduce "$(cat optimum)" --project $p --keep --json
kept=$(python3 -c 'import json; print(json.load(open("out"))["kept"])')
check "has the same motion" [ "$(bits "$kept")" = "$(bits "$(cat optimum)")" ]
check "and its iterations" [ "$(sqlite3 $p "SELECT (SELECT count(*) FROM iteration WHERE run_id = '$kept') = (SELECT count(*) FROM iteration WHERE run_id = '$(cat optimum)')")" = 1 ]
check "says what it is" status 0 show "$kept" --project $p
check "in its note" has out "repeats run $(head -c 8 optimum)"

# A copy with one number changed: that frame and channel are named. One with another option differs.
export PYTHONPATH=$root/data/python
cat >tamper.py <<'END'
import sqlite3, struct, sys, json

import stickslip
db, run, row, channel, by = sqlite3.connect(sys.argv[1]), sys.argv[2], int(sys.argv[3]), sys.argv[4], float(sys.argv[5])
names, data, n = db.execute("SELECT channels, data, n_rows FROM motion WHERE run_id = ? AND role = 'answer'", (run,)).fetchone()
names = json.loads(names)
data = bytearray(stickslip.project._unpack_motion(data, n, len(names)).astype("<f8").tobytes())  # which may be kept as they are, too
at = 8 * (row * len(names) + names.index(channel))
data[at:at + 8] = struct.pack("<d", struct.unpack_from("<d", data, at)[0] + by)
db.execute("UPDATE motion SET data = ? WHERE run_id = ? AND role = 'answer'", (bytes(data), run))
db.commit()
END
cp $p far.stickslip
check "tampered" python3 tamper.py far.stickslip "$(cat simulation)" 123 ball.y 1e-3
check "is refused: it is not as it was stored" status 2 reproduce "$(cat simulation)" --project far.stickslip
check "and says why" has err "motion answer 0 -1: not as stored"
by_hand far.stickslip "SELECT 1" >/dev/null
check "shows" status 1 reproduce "$(cat simulation)" --project far.stickslip
check "where" has out "frame 123 at t = 0.246 s, channel ball.y"
check "by how much" has out "ball.y: 0.001 m at t = 0.246 s, beyond the tolerance"
cp $p near.stickslip
check "a little" python3 tamper.py near.stickslip "$(cat simulation)" 7 ball.vy 1e-12
by_hand near.stickslip "SELECT 1" >/dev/null
check "is within tolerance" status 0 reproduce "$(cat simulation)" --project near.stickslip --json
check "and says so" has out '"verdict": "within tolerance"'
check "and where" has out '"row": 7'
check "not bit by bit" status 1 reproduce "$(cat simulation)" --project near.stickslip --tolerance 0
cp $p other.stickslip
by_hand other.stickslip "UPDATE run SET options = '{\"preset\": \"paper\", \"max-iterations\": \"5\"}' WHERE id = '$(cat optimum)'"
check "another option" status 1 reproduce "$(cat optimum)" --project other.stickslip
check "differs" has out "Differs"
check "names the outcome" has out "Outcome: solved stored, max_iterations repeated"
check "names a metric" has out "Iterations: "
# Options that were retired since: the value that holds is the same run, another one is told with what holds.
cp $p old.stickslip
by_hand old.stickslip "UPDATE run SET options = '{\"preset\": \"paper\", \"patience\": \"0\", \"eta-low\": \"0.250\", \"raise\": \"violated\"}' WHERE id = '$(cat optimum)'"
check "retired options" status 0 reproduce "$(cat optimum)" --project old.stickslip
check "are the same run" has out "Equal: all"
by_hand old.stickslip "UPDATE run SET options = '{\"preset\": \"paper\", \"eta-low\": \"0.3\"}' WHERE id = '$(cat optimum)'"
check "another value shows" status 0 show "$(cat optimum)" --project old.stickslip
check "another value of one" status 2 reproduce "$(cat optimum)" --project old.stickslip
check "is told" has err "option eta-low is retired and can't be \"0.3\" (expected 0.25;"
check "in methods of a study" status 2 compare "$box" --methods crisp:accept=decrease --quiet
check "is told, too" has err "preset=paper takes every decrease"
check "the list of methods" status 0 methods crisp
check "names retired options" has out "shrink-from=step"
cp $p gone.stickslip
by_hand gone.stickslip "DELETE FROM motion WHERE run_id = '$(cat by-table)' AND role = 'given'"
check "a plan that is gone" status 2 reproduce "$(cat by-table)" --project gone.stickslip
check "is missed" has err "is not in this project"

# What a clock or a hand ended.
stored limited 3 optimise "$root/examples/crisp/push-t.stickslip.json" --method crisp --time-limit 0.005
check "is not repeated" status 2 reproduce "$(cat limited)" --project $p
check "for its limit, or for a machine that was too slow for it" grep -qE "its time limit ended it|the machine was too slow for its time limit" err
check "has a command" status 0 command "$(cat limited)" --project $p
check "with the limit" has out "--time-limit 0.005"
check "no run" status 2 reproduce ffffffff --project $p
check "no project" status 2 reproduce last
check "says what it needs" has err "needs --project FILE"

# The sheet.
check "the sheet" status 0 provenance "$(cat held)" --project $p
check "names the plan" has out "run $(head -c 8 plan), CRISP of cart-pole-walls"
check "the controller" has out "lqr"
check "the step" has out "0.002 s"
check "options that were changed" status 0 provenance "$(cat impact)" --project $p
check "with their default" has out "500 (default"
check "of a run that is not there" status 2 provenance none --project $p
check "as JSON" status 0 provenance "$(cat simulation)" --project $p --json
check "marks a parameter" python3 -c '
import json
rows = {row["key"]: row for group in json.load(open("out"))["groups"] for row in group["rows"]}
assert rows["parameter.e"]["value"] == "0.7" and rows["parameter.e"]["changed"] and not rows["parameter.r"]["changed"]
assert rows["library.ipopt"]["value"] and rows["build"]["value"] and rows["compiler"]["value"] and rows["cpu"]["value"]
assert len(rows["scenario_sha256"]["value"]) == 64 and rows["sketch"]["value"] == "a ball'"'"'s"'
finish
