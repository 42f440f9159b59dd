#!/usr/bin/env bash
# What answers violate most, and races that are one comparison.
#   test-violations.sh PROGRAM SOURCE_ROOT
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"

disc=$root/examples/plans/push-box-with-disc.stickslip.json
check "an answer that is none" status 1 optimise "$disc" --method crisp --option max-iterations=4 --ways-on 0 --project v.stickslip --keep-iterates 1 --quiet
check "its violations" status 0 violations last --project v.stickslip --json
check "the first is the metric" python3 -c '
import json, sqlite3
r = json.load(open("out"))
(value,) = sqlite3.connect("v.stickslip").execute("SELECT value FROM metric WHERE name = \"max_violation\"").fetchone()
amounts = [v["amount"] for v in r["list"]]
assert r["exact"] and amounts[0] == r["max_violation"] == value and amounts == sorted(amounts, reverse=True) and len(amounts) == 20, r
assert all(v["body"] in ("box", "disc") and v["equation"] and 0 <= v["t"] <= 2 for v in r["list"]), r'
check "more than the result keeps" status 0 violations last --project v.stickslip --top 100 --format csv
check "a line each" [ "$(wc -l <out)" = 101 ]
cp out first
check "as a file" status 0 violations last --project v.stickslip --top 100 --to v.csv
check "the same" cmp -s first v.csv
check "of an iterate" status 0 violations last --project v.stickslip --iterate 2 --top 3 --format jsonl
check "three lines" [ "$(wc -l <out)" = 3 ]
check "not kept" status 2 violations last --project v.stickslip --iterate 77
check "is said" has err "kept no iterate 77"
check "of a point of a model" status 0 violations "$root/examples/crisp/hopper.stickslip.json" --at test --json
cp out point
check "evaluated" status 0 evaluate "$root/examples/crisp/hopper.stickslip.json" --at test --json
check "the first is its metric too" python3 -c '
import json
v, m = json.load(open("point")), json.load(open("out"))["metrics"]
assert v["max_violation"] == m["max_violation"] and v["rows"] == m["n_constraints"], (v["max_violation"], m)
assert m["worst"].startswith(v["list"][0]["row"] + " at k = %d" % v["list"][0]["k"]), m["worst"]'
check "no run and no file" status 2 violations nothing
check "no format" status 2 violations last --project v.stickslip --format xls
check "no options of a file for a run" status 2 violations last --project v.stickslip --at zeros
check "a simulation" status 0 simulate "$fall" --project v.stickslip --quiet
check "has none" status 2 violations last --project v.stickslip
check "is said" has err "solves no rows"

check "a race of one method" status 1 compare "$disc" --methods crisp:max-iterations=2,crisp:max-iterations=3 --project v.stickslip --quiet
check "named apart" has out "crisp:max-iterations=3"
check "no such option" status 2 compare "$disc" --methods crisp:nothing=3
check "one comparison" status 0 list v.stickslip --comparisons --json
check "of both" python3 -c '
import json
(c,) = json.load(open("out"))
assert len(c["runs"]) == 2 and c["labels"] == ["crisp:max-iterations=2", "crisp:max-iterations=3"], c'
finish
