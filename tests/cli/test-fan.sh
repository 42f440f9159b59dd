#!/usr/bin/env bash
# Runs with branches and with a second clock: the verbs simulate, show and export, seeds, what is refused.
#   test-fan.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

block=$root/examples/impacts/rocking-block.stickslip.json
fan=(--method event-driven --option law=set-valued --option branches=5 --dt 0.002 --t-end 0.1)
# value EXPRESSION: of the JSON in the file out, as r.
value() { python3 -c 'import json, sys; r = json.load(open("out")); print(eval(sys.argv[1]))' "$1"; }
rows() { python3 -c 'import csv, sys; r = list(csv.DictReader(open(sys.argv[1]))); print(eval(sys.argv[2]))' "$1" "$2"; }

check "a fan" status 0 simulate "$block" "${fan[@]}" --seed 11 --project p.stickslip --trajectory fan.csv --json
n=$(value 'len(r["branches"])')
check "several branches" [ "$n" -gt 2 ]
check "a motion each" [ "$(value 'len(r["motions"])')" = "$n" ]
check "the answer first" [ "$(value '[m["role"] for m in r["motions"]][:2]')" = "['answer', 'branch']" ]
check "shares sum to 1" [ "$(value 'abs(sum(m["share"] for m in r["motions"]) - 1) < 1e-12')" = True ]
check "the seed is the law's" [ "$(value '(r["seed"], r["method"]["options"]["law.seed"])')" = "(11, 11)" ]
check "bodies that can move" [ "$(value '[b["body"] for b in r["fan"]["bodies"]]')" = "['block']" ]
check "events of branches" [ "$(value 'all(len(b["events"]) > 0 for b in r["branches"])')" = True ]
check "where they end" [ "$(value 'all(b["final_state"] == m["final_state"] for b, m in zip(r["branches"], r["motions"]))')" = True ]
check "the second clock is named" [ "$(value 'r["second_clock"]')" = s ]
check "and in events" [ "$(value 'all("tau" in e for e in r["events"])')" = True ]
check "columns of the table" has fan.csv "t,branch,share,floor.x"
check "all branches in it" [ "$(rows fan.csv 'len({x["branch"] for x in r})')" = "$n" ]

cp out first
check "again" status 0 simulate "$block" "${fan[@]}" --seed 11 --trajectory again.csv --json
check "the same bits" cmp fan.csv again.csv
check "another seed" status 0 simulate "$block" "${fan[@]}" --seed 12 --trajectory other.csv --json
check "other outcomes" [ "$(cmp -s fan.csv other.csv; echo $?)" = 1 ]
check "a seed by its name wins" status 0 simulate "$block" "${fan[@]}" --seed 12 --option law.seed=4 --json
check "it does" [ "$(value 'r["method"]["options"]["law.seed"]')" = 4 ]

check "shown" status 0 show last --project p.stickslip
check "with its fan" has out "Fan ($n branches)"
check "in words" has out "block: at rest"
check "what they mean" has out "Tipped: turned from its start by more than 45 degrees"
check "the clock too" has out "Second clock"
check "exported from the project" status 0 export last --project p.stickslip --plot trajectory --to stored.csv
check "the same table" cmp fan.csv stored.csv
check "a picture" status 0 export last --project p.stickslip --plot channels --to fan.svg
check "by the second clock" status 0 export last --project p.stickslip --plot channels --clock second --to second.svg
check "whose axis says so" has second.svg "Impulse time s"
check "the numbers too" status 0 export last --project p.stickslip --plot channels --clock second --to second.csv
check "of branches" has second.csv "branch 2, share"
check "no such clock" status 2 export last --project p.stickslip --plot channels --clock tau --to x.svg
check "it says what there is" has err "expected time or second"
check "a table has its column" status 2 export last --project p.stickslip --plot trajectory --clock second --to x.csv

check "bounded" status 0 simulate "$block" "${fan[@]}" --option max-branches=3 --seed 11 --json
check "as it was asked" [ "$(value 'len(r["branches"]) <= 3, len(r["warnings"])')" = "(True, 1)" ]
check "and said" has err "of at most 3 branches"
check "one motion has no fan" status 0 simulate "$block" --method event-driven --option law=set-valued --t-end 0.1 --json
check "none" hasnt out '"fan"'
check "no second clock" status 0 simulate "$block" --method fesd-j --t-end 0.1 --project p.stickslip --json
check "so it is not named" hasnt out second_clock
check "and cannot be drawn by it" status 2 export last --project p.stickslip --plot channels --clock second --to x.svg
check "it says so" has err "has no second clock"
check "cancelled in time" status 3 simulate "$block" --method event-driven --option law=set-valued --option branches=5 --dt 1e-4 --t-end 40 --time-limit 1 --json
# On a loaded machine the branches may come too late, and the answer alone is kept.
check "with what there is" [ "$(value 'r["outcome"] in ("time_limit", "machine_slow"), "block.x" in r["final_state"]')" = "(True, True)" ]
finish
