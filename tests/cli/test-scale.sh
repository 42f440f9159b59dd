#!/bin/bash
# tests/cli/test-scale.sh: long runs: rows of every n-th step, packed motions, what Python reads of them.
. "$(dirname "$0")/lib.sh"
run="simulate $fall --dt 0.001 --t-end 2 --quiet --project p.stickslip"
check "all rows" status 0 $run --trajectory all.csv --json
cp out all.json
check "rows of every tenth step" status 0 $run --every 10 --trajectory few.csv --json
cp out few.json
cat >look.py <<'P'
import csv, json, sqlite3, sys
sys.path.insert(0, sys.argv[1] + "/data/python")
import stickslip
a, b = list(csv.reader(open("all.csv"))), list(csv.reader(open("few.csv")))
assert a[0] == b[0] and len(a) == 2002 and b[1:] == a[1::10], (len(a), len(b))
x, y = json.load(open("all.json")), json.load(open("few.json"))
assert y["every"] == 10 and "every" not in x and y["asked"]["every"] == 10
times = {"setup_seconds", "solve_seconds", "cpu_seconds", "linear_seconds", "waited_seconds", "machine_load"}
assert {k: v for k, v in x["metrics"].items() if k not in times} == {k: v for k, v in y["metrics"].items() if k not in times}
assert x["events"] == y["events"] and len(x["events"]) > 0 and x["final_state"] == y["final_state"] and x["energy"] == y["energy"]
# What is kept is packed where it is more than 1 kB, and read bit by bit: fewer rows take less.
rows = sqlite3.connect("p.stickslip").execute("SELECT n_rows, n_channels, length(data) FROM motion WHERE role = 'answer' ORDER BY n_rows").fetchall()
assert [n for n, _, _ in rows] == [201, 2001] and all(size < 8 * n * channels / 2 for n, channels, size in rows) and rows[0][2] < rows[1][2], rows
project = stickslip.open("p.stickslip")
motion = sorted((r.motion() for r in project.runs()), key=lambda m: len(m.t))[-1]
for name, column in zip(a[0], zip(*a[1:])):
    assert all(float(text) == value for text, value in zip(column, motion[name])), name
assert not project.check()
P
check "are rows of all, with the record of all" python3 look.py "$root"
check "the program reads it too" status 0 export last --project p.stickslip --plot trajectory --to again.csv
check "bit by bit" cmp few.csv again.csv
id=$("$cli" list --ids p.stickslip | head -n 1)
check "and what is packed" status 0 export "$id" --project p.stickslip --plot trajectory --to again.csv
check "likewise" cmp all.csv again.csv
check "it is sound" status 0 list --check p.stickslip
check "it is made again as it was" status 0 reproduce last --project p.stickslip
sqlite3 p.stickslip "UPDATE motion SET data = substr(data, 1, length(data) - 1) || x'00' WHERE n_rows = 2001"
check "damage is noticed" status 2 export "$id" --project p.stickslip --plot trajectory --to again.csv
check "a replay keeps all rows" status 2 replay last --project p.stickslip --every 10
finish
